// SPDX-License-Identifier: Apache-2.0

// Clips that cannot be searched, and results that cannot be written: one clear line on standard
// error, exit status 2, and no new file.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <ostream>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

struct MeRejection {
  std::string name;
  std::vector<std::string> arguments;  // They follow `millrace me`.
  std::string message;
};

std::ostream& operator<<(std::ostream& out, const MeRejection& rejection) {
  return out << rejection.name;
}

const MeRejection kMeRejections[] = {
    {"NoClip", {}, "CLIP is missing; write millrace me CLIP"},
    {"UnknownOption", {"good.y4m", "--loud"}, "no option '--loud' of millrace "},
    {"MissingClip", {"none.mp4"}, "none.mp4: cannot be read: No such file or directory"},
    {"FolderAsClip", {"folder"}, "folder: is a directory, not a video"},
    {"TextAsClip", {"text.txt"}, "text.txt: not a video"},
    {"EmptyFile", {"empty.mp4"}, "empty.mp4: is empty"},
    {"NoFrames", {"zero.y4m"}, "zero.y4m: no frames"},
    {"TruncatedRaw", {"cut_64x48.yuv"}, "cut_64x48.yuv: truncated or of another size"},
    {"TruncatedClip", {"cut.y4m"}, "cut.y4m: truncated: 1000 bytes are missing"},
    {"TruncatedPastTheCut",
     {"cut.y4m", "--range", "8", "--frames", "5", "-o", "new.csv", "--overlay", "new.png"},
     "cut.y4m: truncated at frame 4"},
    {"OneFrame", {"one.y4m", "--range", "8"}, "one.y4m: has one frame, and so nothing to search"},
    {"OneFrameRequested",
     {"good.y4m", "--frames", "1"},
     "--frames is '1'; give a whole number not below 2"},
    {"RawOfUnknownSize", {"raw.yuv"}, "raw.yuv: raw video needs --size WIDTHxHEIGHT"},
    {"SizeOfOneNumber", {"raw.yuv", "--size", "64"}, "--size is '64'; write WIDTHxHEIGHT"},

    {"RangeBelow",
     {"good.y4m", "--range", "7"},
     "--range is '7'; give a whole number from 8 to 128"},
    {"RangeAbove",
     {"good.y4m", "--range", "129"},
     "--range is '129'; give a whole number from 8 to 128"},
    {"QpAbove", {"good.y4m", "--qp", "52"}, "--qp is '52'; give a whole number from 0 to 51"},
    {"NegativeQp", {"good.y4m", "--qp", "-1"}, "--qp is '-1'; give a whole number from 0 to 51"},
    {"UnknownPrecision",
     {"good.y4m", "--precision", "eighth"},
     "--precision is 'eighth'; give integer, half or quarter"},
    {"NoReferences", {"good.y4m", "--references", "0"}, "--references is '0'; give a whole number"},
    {"FiveReferences",
     {"good.y4m", "--references", "5"},
     "--references is '5'; give a whole number from 1 to 4"},
    {"UnknownDevice", {"good.y4m", "--device", "abacus"}, "no device 'abacus'; there are: "},
    {"APolicy", {"good.y4m", "--policy", "auto"}, "--policy"},

    {"MissingPredictors",
     {"good.y4m", "--predictor", "median"},
     "median: cannot be read: No such file or directory"},
    {"FolderAsPredictors", {"good.y4m", "--predictor", "folder"}, "folder: is a directory"},
    {"TextAsPredictors",
     {"good.y4m", "--predictor", "text.txt"},
     "text.txt: is no file of motion vectors"},
    {"PredictorsOfAnotherSize",
     {"good.y4m", "--predictor", "other.bin"},
     "other.bin: is 32x16 samples and the clip 64x48; their sizes must match"},
    {"PredictorsEndEarly",
     {"good.y4m", "--range", "8", "--predictor", "short.bin", "-o", "new.bin"},
     "short.bin: has no vectors of frame 3"},
    {"TruncatedPredictors",
     {"good.y4m", "--range", "8", "--predictor", "cut.bin", "-o", "new.bin"},
     "cut.bin: is truncated: it ends after 1 pictures"},
    {"MissingReconstruction",
     {"good.y4m", "--reconstructed", "none.y4m"},
     "none.y4m: cannot be read"},
    {"ReconstructionOfAnotherSize",
     {"good.y4m", "--reconstructed", "other.y4m"},
     "other.y4m: is 32x16 samples and the clip 64x48; their sizes must match"},
    {"ReconstructionOfAnotherSizeThanARawClip",
     {"raw.yuv", "--size", "64x48", "--reconstructed", "other.y4m"},
     "other.y4m: is 32x16 samples and the clip 64x48; their sizes must match"},
    {"TextAsReconstruction",
     {"raw.yuv", "--size", "64x48", "--reconstructed", "text.txt"},
     "text.txt: not a video"},
    {"EmptyReconstruction", {"good.y4m", "--reconstructed", "empty.mp4"}, "empty.mp4: is empty"},
    {"TooShortReconstruction",
     {"good.y4m", "--range", "8", "--reconstructed", "one.y4m", "-o", "new.csv"},
     "one.y4m: ends before frame 1 of the clip"},

    {"VectorsOfUnknownKind",
     {"good.y4m", "-o", "new.txt"},
     "--output is 'new.txt'; give a name that ends in .csv or .bin"},
    {"OverlayOfUnknownKind",
     {"good.y4m", "--overlay", "new.mp4"},
     "--overlay is 'new.mp4'; give a name that ends in .y4m for a video or in .png for pictures"},
    {"VectorsThatExist", {"good.y4m", "-o", "mine.csv"}, "mine.csv: exists already"},
    {"OverlayThatExists", {"good.y4m", "--overlay", "cut.y4m"}, "cut.y4m: exists already"},
    {"APictureThatExists",
     {"good.y4m", "--overlay", "folder/v.png"},
     "folder/v-00003.png: exists already (--force replaces it)"},
    {"JsonThatExists", {"good.y4m", "--json", "text.txt"}, "text.txt: exists already"},
    {"MissingFolder",
     {"good.y4m", "-o", "none/new.bin"},
     "none/new.bin: cannot be written: No such file or directory"},
    {"MissingFolderOfPictures",
     {"good.y4m", "--overlay", "none/new.png"},
     "none/new-00000.png: cannot be written: No such file or directory"},
    {"FolderThatTakesNoFiles",
     {"good.y4m", "-o", "/proc/new.csv"},
     "/proc/new.csv: cannot be written"},
    {"FileAsFolderOfPictures",
     {"good.y4m", "--overlay", "text.txt/new.png"},
     "text.txt/new-00000.png: cannot be written: Not a directory"},
    {"AFullDiskBehindJson",
     {"good.y4m", "--range", "8", "-o", "new.csv", "--json", "/dev/full"},
     "/dev/full: cannot be written: No space left on device"},
    {"OverTheClip",
     {"good.y4m", "--force", "--overlay", "./good.y4m"},
     "--overlay is ./good.y4m, which the run needs for something else"},
    {"OverThePredictors",
     {"good.y4m", "--force", "--predictor", "short.bin", "-o", "short.bin"},
     "--output is short.bin, which the run needs"},
    {"JsonOverTheVectors",
     {"good.y4m", "-o", "new.csv", "--json", "new.csv"},
     "--json is new.csv, which the run needs"},
};

class MeRejectionsTest : public EndToEndTest, public testing::WithParamInterface<MeRejection> {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    const Clip clip;
    fs::create_directory(path("folder"));
    put("folder/v-00003.png", "mine");
    write_y4m(path("good.y4m"), clip);
    write_y4m(path("cut.y4m"), clip);
    fs::resize_file(path("cut.y4m"), fs::file_size(path("cut.y4m")) - 1000);
    write_y4m(path("one.y4m"), {.frames = 1});
    write_y4m(path("other.y4m"), {.width = 32, .height = 16, .frames = 2});
    write_raw(path("raw.yuv"), clip);
    write_raw(path("cut_64x48.yuv"), clip);
    fs::resize_file(path("cut_64x48.yuv"), fs::file_size(path("cut_64x48.yuv")) - 1000);
    put("zero.y4m", "YUV4MPEG2 W64 H48 F25:1 C420jpeg\n");
    put("empty.mp4", "");
    put("text.txt", "Dear all,\nthis is no video.\n");
    put("mine.csv", "mine");
    const std::string bytes_64x48 = header(64, 48) + picture(1, 12) + picture(2, 12);
    put("short.bin", bytes_64x48 + number(0xffffffff) + number(2));
    put("cut.bin", bytes_64x48.substr(0, bytes_64x48.size() - 1));
    put("other.bin", header(32, 16) + picture(1, 2) + number(0xffffffff) + number(1));
  }

  static std::string number(std::uint32_t value) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> 8 * i);
    return bytes;
  }

  static std::string header(std::uint32_t width, std::uint32_t height) {
    return "MRMOTION" + number(1) + number(width) + number(height) + number(1) + number(8) +
           number(28) + number(2);
  }

  // All zero.
  static std::string picture(std::uint32_t index, int macroblocks) {
    return number(index) + number(1) + std::string(macroblocks * (41 * 8 + 16), '\0');
  }
};

TEST_P(MeRejectionsTest, IsOneLineAndNoFile) {
  const auto before = names();
  const std::string clip = bytes("good.y4m");
  std::vector<std::string> arguments = {"me"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  expect_rejected(run(arguments), GetParam().message);
  EXPECT_EQ(names(), before);
  EXPECT_EQ(bytes("good.y4m"), clip);
}

INSTANTIATE_TEST_SUITE_P(All, MeRejectionsTest, testing::ValuesIn(kMeRejections),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace millrace::end_to_end
