// SPDX-License-Identifier: Apache-2.0

// Decodes any bytes as a clip whose container FFmpeg finds out.
#include <millrace/tests/fuzz/input/clip_input.h>

#include <cstddef>
#include <cstdint>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const millrace::fuzz::InputFile file("clip");
  file.write({data, size});
  millrace::fuzz::decode(file);
  return 0;
}
