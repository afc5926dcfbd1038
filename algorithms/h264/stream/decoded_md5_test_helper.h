// SPDX-License-Identifier: Apache-2.0

// The sum of a decoded stream, for comparison with published ones.
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_DECODED_MD5_TEST_HELPER_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_DECODED_MD5_TEST_HELPER_H_

#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/md5_test_helper.h>
#include <millrace/algorithms/h264/stream/push_stream.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace millrace::h264 {

struct DecodedMd5 {
  std::string md5;  // Checksum of the cropped I420 pictures in output order.
  DecodingStatistics statistics;
};

// Decodes a byte stream.
inline DecodedMd5 decode_to_md5(std::span<const std::uint8_t> bytes,
                                const DecoderOptions& options = {}) {
  Md5 md5;
  const auto add = [&md5](const DecodedFrame& frame) {
    for (int plane = 0; plane < 3; ++plane) {
      for (int y = 0; y < frame.height(plane); ++y) {
        md5.add({frame.first_sample(plane) +
                     static_cast<std::ptrdiff_t>(y) * frame.samples->width(plane),
                 static_cast<std::size_t>(frame.width(plane))});
      }
    }
  };
  Decoder decoder(add, options);
  push_stream(bytes, decoder);
  return {md5.finish(), decoder.statistics()};
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_DECODED_MD5_TEST_HELPER_H_
