// SPDX-License-Identifier: Apache-2.0

// Decodes a stream by our decoder and by FFmpeg's, for tests.
#ifndef MILLRACE_TOOLS_BENCHMARKS_PEERS_TESTING_BOTH_DECODERS_H_
#define MILLRACE_TOOLS_BENCHMARKS_PEERS_TESTING_BOTH_DECODERS_H_

#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/tools/benchmarks/peers/h264_peer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::tools {

// The samples of a picture that are shown.
struct ShownPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> planes[3];  // Rows without gaps.

  // Sets a plane by its rows, which begin at distances of `stride` bytes.
  void set_plane(int plane, const std::uint8_t* first, std::ptrdiff_t stride) {
    const int scale = plane == 0 ? 1 : 2;
    planes[plane].clear();
    for (int y = 0; y < height / scale; ++y) {
      planes[plane].insert(planes[plane].end(), first + y * stride,
                           first + y * stride + width / scale);
    }
  }
};

// Expects a stream without faults.
inline std::vector<ShownPicture> decoded_by_millrace(std::span<const std::uint8_t> stream) {
  std::vector<ShownPicture> pictures;
  h264::DecoderOptions options;
  options.take_fault = [](const h264::StreamFault& fault) { ADD_FAILURE() << fault.message; };
  h264::Decoder decoder(
      [&](const h264::DecodedFrame& frame) {
        EXPECT_EQ(frame.concealed_macroblocks, 0);
        ShownPicture& shown = pictures.emplace_back();
        shown.width = frame.width(0);
        shown.height = frame.height(0);
        for (int plane = 0; plane < 3; ++plane) {
          shown.set_plane(plane, frame.first_sample(plane), frame.samples->width(plane));
        }
      },
      options);
  h264::push_stream(stream, decoder);
  return pictures;
}

inline std::vector<ShownPicture> decoded_by_ffmpeg(std::span<const std::uint8_t> stream) {
  std::vector<ShownPicture> pictures;
  H264Peer(stream).decode([&](const H264PeerPicture& picture) {
    ShownPicture& shown = pictures.emplace_back();
    shown.width = picture.width;
    shown.height = picture.height;
    for (int plane = 0; plane < 3; ++plane) {
      shown.set_plane(plane, picture.planes[plane], picture.strides[plane]);
    }
  });
  return pictures;
}

// Expects the same samples; names the first that differs.
inline void expect_equal(const ShownPicture& picture, const ShownPicture& expected) {
  ASSERT_EQ(picture.width, expected.width);
  ASSERT_EQ(picture.height, expected.height);
  for (int plane = 0; plane < 3; ++plane) {
    const std::ptrdiff_t width = plane == 0 ? picture.width : picture.width / 2;
    const auto& samples = picture.planes[plane];
    ASSERT_EQ(samples.size(), expected.planes[plane].size());
    if (samples == expected.planes[plane]) continue;
    const std::ptrdiff_t at =
        std::ranges::mismatch(samples, expected.planes[plane]).in1 - samples.begin();
    FAIL() << "plane " << plane << " (" << at % width << ", " << at / width << ") is "
           << int{samples[static_cast<std::size_t>(at)]} << ", not "
           << int{expected.planes[plane][static_cast<std::size_t>(at)]};
  }
}

inline void expect_equal(const std::vector<ShownPicture>& pictures,
                         const std::vector<ShownPicture>& expected) {
  ASSERT_EQ(pictures.size(), expected.size());
  for (std::size_t n = 0; n < pictures.size(); ++n) {
    SCOPED_TRACE(testing::Message() << "picture " << n);
    expect_equal(pictures[n], expected[n]);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_PEERS_TESTING_BOTH_DECODERS_H_
