// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as a file of motion vectors, which `millrace me --predictor FILE.bin` takes.
#include <millrace/tests/fuzz/input/input_file.h>
#include <millrace/tools/command/me/vectors/motion_file.h>

#include <cstddef>
#include <cstdint>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  static const fuzz::InputFile file("vectors.bin");
  file.write({data, size});
  fuzz::read_or_reject([&] {
    tools::MotionFileReader reader(file.path());
    tools::MotionFilePicture picture;
    std::int64_t last = -1;
    while (reader.next(picture)) {
      fuzz::require(picture.index > last, "pictures are out of order");
      last = picture.index;
      fuzz::require(picture.modes.size() == reader.format().macroblocks(),
                    "a picture has not a mode a macroblock");
    }
    fuzz::require(!reader.next(picture), "there are pictures behind the end");
  });
  return 0;
}
