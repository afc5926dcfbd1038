// SPDX-License-Identifier: Apache-2.0

// Gives a stream that is in memory to a StreamParser or a Decoder.
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_PUSH_STREAM_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_PUSH_STREAM_H_

#include <millrace/algorithms/h264/bitstream/nal_unit.h>

#include <cstdint>
#include <span>

namespace millrace::h264 {

// Pushes the NAL units of an Annex B byte stream to the receiver, and ends the receiver's stream.
template <class Receiver>
void push_stream(std::span<const std::uint8_t> stream, Receiver& receiver) {
  AnnexBSplitter splitter;
  splitter.push(stream);
  splitter.finish();
  while (const auto unit = splitter.next()) {
    receiver.push_nal_unit(unit->bytes, unit->byte, unit->start_code_bytes);
  }
  receiver.finish();
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_PUSH_STREAM_H_
