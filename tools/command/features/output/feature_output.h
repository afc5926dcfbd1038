// SPDX-License-Identifier: Apache-2.0

// Interfaces of the output formats of `millrace features`.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_FEATURE_OUTPUT_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_FEATURE_OUTPUT_H_

#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/tools/command/features/output/feature_columns.h>

#include <cstdint>
#include <memory>
#include <string>

namespace millrace::h264 {

struct DecodedFrame;

}  // namespace millrace::h264

namespace millrace::tools {

// Says how a stream ended.
struct StreamEnd {
  std::string error;  // Empty unless the stream failed.
  std::int64_t frames = 0;
  std::int64_t faults = 0;        // Damage and tools that are not supported.
  std::int64_t lost_packets = 0;  // RTP packets that were lost.
  // Pictures that are neither measured nor decoded (h264::MissingPictures).
  std::int64_t lost_pictures = 0;
  std::int64_t dropped_pictures = 0;
  std::string notes;  // Other notes; may be empty.
};

// Writes one stream. Used by one thread. Members throw Error(kIo) if the output cannot be written.
class StreamOutput {
 public:
  virtual ~StreamOutput() = default;

  virtual void add(const FeatureRow& row) = 0;
  // Only the first faults of a stream are passed.
  virtual void add_fault(const h264::StreamFault& fault) { static_cast<void>(fault); }
  // With StreamRunOptions::gives_frames, takes the next frame in output order. Returns why the
  // stream cannot be written any further, which is then its error, or "".
  virtual std::string add_frame(const h264::DecodedFrame& frame) {
    static_cast<void>(frame);
    return "";
  }
  // Called once; nothing may be added afterwards.
  virtual void end(const StreamEnd& end) = 0;
};

// Writes all streams. begin() may be called by any thread, and streams be written side by side.
class FeatureOutput {
 public:
  virtual ~FeatureOutput() = default;

  virtual std::unique_ptr<StreamOutput> begin(const std::string& stream) = 0;
  // Returns true if the lines of the output say which streams failed and why.
  virtual bool has_errors() const { return false; }
  // Returns true for a stream that the output has already, by an earlier run.
  virtual bool is_done(const std::string& stream) const {
    static_cast<void>(stream);
    return false;
  }
  // Puts the files in place once all streams have ended. Throws Error(kIo).
  virtual void commit() = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_FEATURE_OUTPUT_H_
