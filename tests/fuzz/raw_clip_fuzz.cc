// SPDX-License-Identifier: Apache-2.0

// Decodes any bytes as raw video, whose size its name says or an option.
#include <millrace/tests/fuzz/input/clip_input.h>

#include <cstddef>
#include <cstdint>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  static const fuzz::InputFile named("clip_8x6.yuv");
  static const fuzz::InputFile other("clip.bin");
  named.write({data, size});
  fuzz::decode(named);
  other.write({data, size});
  fuzz::decode(other, {.width = 5, .height = 3});
  return 0;
}
