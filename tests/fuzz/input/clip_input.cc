// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/fuzz/input/clip_input.h>
#include <millrace/tools/video/picture/picture.h>

namespace millrace::fuzz {

void decode(const InputFile& file, const tools::VideoReaderOptions& options) {
  constexpr int kMostPictures = 8;
  read_or_reject([&] {
    tools::VideoReader reader(file.path(), options);
    require(reader.width() > 0 && reader.height() > 0, "a clip has no size");
    require(reader.frame_rate().numerator > 0 && reader.frame_rate().denominator > 0,
            "a clip has no frame rate");
    require(!reader.source_format().empty(), "a clip has no format");
    tools::Picture picture;
    int pictures = 0;
    while (pictures < kMostPictures && reader.next(picture)) {
      ++pictures;
      require(picture.width() >= reader.width() && picture.height() >= reader.height(),
              "a picture is smaller than the clip");
    }
    require(pictures > 0, "a clip without pictures is taken");
  });
}

}  // namespace millrace::fuzz
