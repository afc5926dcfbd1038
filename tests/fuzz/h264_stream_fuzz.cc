// SPDX-License-Identifier: Apache-2.0

// Parses and decodes any bytes as an H.264 byte stream of small pictures.
#include <millrace/algorithms/h264/reconstruction/cpu/reconstruct_simd.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/tests/fuzz/input/contract_sink.h>
#include <millrace/tests/fuzz/input/input_file.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace {

using namespace millrace;

void parse(std::span<const std::uint8_t> stream) {
  fuzz::ContractSink sink(stream.size());
  h264::StreamParser parser(sink);
  fuzz::for_each_small_unit(
      stream, [&](std::span<const std::uint8_t> unit, std::int64_t byte, int framing) {
        sink.count_unit();
        parser.push_nal_unit(unit, byte, framing);
      });
  parser.finish();
  sink.check_end();
}

// Reconstructs a picture twice: damaged ones must be the same by SIMD as well.
void reconstruct(const h264::ParsedPicture& picture, const h264::FindPicture& find,
                 h264::SamplePicture& output) {
  h264::reconstruct_picture_simd(picture, find, output);
  h264::SamplePicture expected(picture.sequence->width_in_macroblocks,
                               picture.sequence->height_in_macroblocks);
  h264::reconstruct_picture(picture, find, expected);
  for (int plane = 0; plane < 3; ++plane) {
    const std::ptrdiff_t size = std::ptrdiff_t{expected.width(plane)} * expected.height(plane);
    fuzz::require(
        std::equal(expected.plane(plane), expected.plane(plane) + size, output.plane(plane)),
        "SIMD gives other samples");
  }
}

void decode(std::span<const std::uint8_t> stream) {
  std::int64_t frames = 0;
  std::int64_t sum = 0;
  h264::Decoder decoder(
      [&](const h264::DecodedFrame& frame) {
        ++frames;
        for (int plane = 0; plane < 3; ++plane) {
          const int width = frame.width(plane);
          const int height = frame.height(plane);
          fuzz::require(width > 0 && height > 0, "a frame has no size");
          // Reads both ends of what is shown.
          const std::uint8_t* const first = frame.first_sample(plane);
          const std::ptrdiff_t last = (height - 1) * std::ptrdiff_t{frame.samples->width(plane)};
          sum += first[0] + first[last + width - 1];
        }
      },
      {.reconstruct = reconstruct});
  fuzz::for_each_small_unit(
      stream, [&](std::span<const std::uint8_t> unit, std::int64_t byte, int framing) {
        decoder.push_nal_unit(unit, byte, framing);
      });
  decoder.finish();
  const h264::DecodingStatistics& statistics = decoder.statistics();
  fuzz::require(sum >= 0, "samples are negative");
  fuzz::require(statistics.frames == frames && frames <= statistics.pictures,
                "frames are more than the pictures decoded");
  fuzz::require(statistics.concealed_macroblocks <= statistics.macroblocks,
                "more macroblocks are concealed than there are");
}

}  // namespace

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  parse({data, size});
  decode({data, size});
  return 0;
}
