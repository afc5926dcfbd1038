// SPDX-License-Identifier: Apache-2.0

// NAL units of a byte stream (ITU-T H.264, Annex B) in a file or a pipe.
#ifndef MILLRACE_TOOLS_VIDEO_H264_BYTE_STREAM_SOURCE_H_
#define MILLRACE_TOOLS_VIDEO_H264_BYTE_STREAM_SOURCE_H_

#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/tools/video/decoder/clip_input.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

// A file may grow while it is read. This says how a source goes on where the file ends for now,
// until the file is removed or a signal comes.
enum class Following {
  kNone,   // The stream ends there.
  kWaits,  // read() waits for more. It waits for a pipe whatever this says.
  kPolls   // read() returns without a NAL unit, also where it would wait for a pipe.
};

class ByteStreamSource final : public h264::NalUnitSource {
 public:
  // A signal ends the stream behind the units read so far.
  ByteStreamSource(std::unique_ptr<ClipInput> input, Following following);

  bool read(h264::NalUnitReceiver& receiver) override;
  std::string notes() const override;

 private:
  void pass_on(h264::NalUnitReceiver& receiver);
  // Returns the number of bytes read: 0 at the end, or with `has_ended` false for now.
  std::size_t read_some(bool& has_ended);

  std::unique_ptr<ClipInput> input_;
  Following following_;
  h264::AnnexBSplitter splitter_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_BYTE_STREAM_SOURCE_H_
