// SPDX-License-Identifier: Apache-2.0

// Names the codec of a byte stream that has start codes but is not H.264.
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_CODEC_GUESS_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_CODEC_GUESS_H_

#include <cstdint>
#include <span>

namespace millrace::h264 {

// Reads the first two bytes after each start code, in bounded memory.
class CodecGuess {
 public:
  void add(std::span<const std::uint8_t> unit);

  // Returns the codec's name, or null if the units so far are not typical of a known codec.
  const char* name() const;

 private:
  std::uint32_t seen_ = 0;  // One bit per Sign.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_CODEC_GUESS_H_
