// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tests/fuzz/input/clip_input.h>
#include <millrace/tools/video/picture/picture.h>

#include <string>

namespace millrace::fuzz {
namespace {

// Returns the number of pictures that the reader gives, at most its first ones, and its error.
std::string decode_by(int threads, const InputFile& file, tools::VideoReaderOptions options) {
  constexpr int kMostPictures = 8;
  options.threads = threads;
  int pictures = 0;
  std::string error;
  read_or_reject([&] {
    try {
      tools::VideoReader reader(file.path(), options);
      require(reader.width() > 0 && reader.height() > 0, "a clip has no size");
      require(reader.frame_rate().numerator > 0 && reader.frame_rate().denominator > 0,
              "a clip has no frame rate");
      require(!reader.source_format().empty(), "a clip has no format");
      tools::Picture picture;
      while (pictures < kMostPictures && reader.next(picture)) {
        ++pictures;
        require(picture.width() >= reader.width() && picture.height() >= reader.height(),
                "a picture is smaller than the clip");
      }
      require(pictures > 0, "a clip without pictures is taken");
    } catch (const Error& rejection) {
      error = rejection.what();
      throw;
    }
  });
  return std::to_string(pictures) + ' ' + error;
}

}  // namespace

void decode(const InputFile& file, const tools::VideoReaderOptions& options) {
  require(decode_by(3, file, options) == decode_by(1, file, options),
          "threads read a clip otherwise than one thread");
}

}  // namespace millrace::fuzz
