// SPDX-License-Identifier: Apache-2.0

// The output files of `millrace encode`: all of them complete, or none.
#ifndef MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_OUTPUTS_H_
#define MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_OUTPUTS_H_

#include <millrace/algorithms/h264/encoder/encoder.h>
#include <millrace/tools/command/common/files/report_files.h>
#include <millrace/tools/command/encode/encode_options.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/video/muxer/h264_muxer.h>
#include <millrace/tools/video/picture/clip_format.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <nlohmann/json.hpp>

#include <optional>

namespace millrace::tools {

// Pictures as decoders show them, in a .y4m file or as samples alone.
class ReconstructionFile {
 public:
  // Throws Error (kInvalidArgument) for a file name of an unknown kind, kIo for a file that could
  // not be written.
  ReconstructionFile(const std::string& path, bool force, const Y4mFormat& format);

  void write(const h264::SamplePicture& samples);

  OutputFile& file() { return file_; }

 private:
  OutputFile file_;
  Picture picture_;
  std::optional<Y4mWriter> writer_;  // None: samples alone.
};

class EncodeOutputs {
 public:
  // Throws Error as ReconstructionFile does. `options` must outlive this object. `time_base` is the
  // clock of the clip; none: pictures follow at the format's rate.
  EncodeOutputs(const EncodeOptions& options, const Y4mFormat& format,
                const std::optional<TimeBase>& time_base);

  // Returns true if the files have the times of pictures. Byte streams and reconstructions have one
  // rate.
  bool keeps_times() const { return keeps_times_; }

  // Writes the next picture. Throws Error (kIo).
  void write(const h264::EncodedPicture& picture, const PictureTime& time);

  // Puts the files in place. Throws Error (kIo).
  void commit(const nlohmann::json& json);

 private:
  OutputFile stream_;
  std::optional<H264Muxer> muxer_;  // None: a byte stream.
  bool keeps_times_ = false;
  std::optional<ReconstructionFile> reconstruction_;
  ReportFiles reports_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ENCODE_ENCODE_OUTPUTS_H_
