// SPDX-License-Identifier: Apache-2.0

// NAL units of a byte stream (ITU-T H.264, Annex B) in a file or a pipe.
#ifndef MILLRACE_TOOLS_VIDEO_H264_BYTE_STREAM_SOURCE_H_
#define MILLRACE_TOOLS_VIDEO_H264_BYTE_STREAM_SOURCE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/nal_units/nal_unit_receiver.h>

namespace millrace::tools {

class ByteStreamSource final : public NalUnitSource {
 public:
  // `follows`: waits at the end of a file for more, until a signal comes; the units so far are then
  // all.
  ByteStreamSource(std::unique_ptr<ClipInput> input, bool follows);

  bool read(NalUnitReceiver& receiver) override;
  std::string notes() const override;

 private:
  void pass_on(NalUnitReceiver& receiver);
  std::size_t read_some();

  std::unique_ptr<ClipInput> input_;
  bool follows_;
  h264::AnnexBSplitter splitter_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_BYTE_STREAM_SOURCE_H_
