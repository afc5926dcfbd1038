// SPDX-License-Identifier: Apache-2.0

// Bad input: one clear line on standard error, exit status 2, and no new file.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <ostream>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

struct Rejection {
  std::string name;
  std::vector<std::string> arguments;
  std::string message;
};

std::ostream& operator<<(std::ostream& out, const Rejection& rejection) {
  return out << rejection.name;
}

const Rejection kRejections[] = {
    {"NoArguments",
     {},
     "a subcommand is missing; there are: devices, decode, encode, idct, me, features"},
    {"UnknownSubcommand",
     {"abacus"},
     "no subcommand 'abacus'; there are: devices, decode, encode, idct, me, features"},
    {"UnknownOption", {"--loud"}, "no option '--loud'"},
    {"MisspelledSubcommand", {"idtc"}, "; did you mean 'idct'?"},
    {"MisspelledOption",
     {"idct", "good.y4m", "--devcie", "tbb"},
     "no option '--devcie' of millrace idct (millrace idct --help lists them); did you mean "
     "'--device'?"},
    {"MisspelledDevice", {"idct", "good.y4m", "--device", "tbbb"}, "; did you mean 'tbb'?"},
    {"MisspelledPolicy",
     {"idct", "good.y4m", "--policy", "persistant"},
     "; did you mean 'persistent'?"},
    {"UnknownShell",
     {"completion", "csh"},
     "no script for shell 'csh'; there are: bash, zsh, fish"},
    {"UnknownIdctOption", {"idct", "good.y4m", "--loud"}, "no option '--loud' of millrace "},
    {"TwoClips",
     {"idct", "good.y4m", "good.y4m"},
     "argument 'good.y4m' is one too many; millrace idct takes only CLIP"},
    {"NoClip", {"idct"}, "CLIP is missing; write millrace idct CLIP"},

    {"MissingClip", {"idct", "none.mp4"}, "none.mp4: cannot be read: No such file or directory"},
    {"FolderAsClip", {"idct", "folder"}, "folder: is a directory, not a video"},
    {"EmptyFile", {"idct", "empty.mp4"}, "empty.mp4: is empty"},
    {"TextFile", {"idct", "text.txt"}, "text.txt: not a video"},
    {"TextNamedMp4", {"idct", "text.mp4"}, "text.mp4: not a video"},
    {"NoFrames", {"idct", "zero.y4m"}, "zero.y4m: no frames"},
    {"TruncatedY4m", {"idct", "cut.y4m"}, "cut.y4m: truncated: 1000 bytes are missing"},
    {"TruncatedY4mPastTheCut",
     {"idct", "cut.y4m", "--frames", "5"},
     "cut.y4m: truncated at frame 4: 1000 bytes are missing"},
    {"TruncatedRaw", {"idct", "cut_64x48.yuv"}, "cut_64x48.yuv: truncated or of another size"},
    {"RawOfUnknownSize", {"idct", "raw.yuv"}, "raw.yuv: raw video needs --size WIDTHxHEIGHT"},

    {"SizeOfOneNumber", {"idct", "raw.yuv", "--size", "64"}, "--size is '64'; write WIDTHxHEIGHT"},
    {"SizeOfZero", {"idct", "raw.yuv", "--size", "0x0"}, "--size is '0x0'"},
    {"NegativeSize", {"idct", "raw.yuv", "--size", "-64x48"}, "--size is '-64x48'"},
    {"HugeSize", {"idct", "raw.yuv", "--size", "99999999999x48"}, "--size is '99999999999x48'"},
    {"QpBelow",
     {"idct", "good.y4m", "--qp", "-1"},
     "--qp is '-1'; give a whole number from 0 to 51"},
    {"QpAbove",
     {"idct", "good.y4m", "--qp", "52"},
     "--qp is '52'; give a whole number from 0 to 51"},
    {"QpOfLetters", {"idct", "good.y4m", "--qp", "abc"}, "--qp is 'abc'; give a whole number"},
    {"NoFramesRequested", {"idct", "good.y4m", "--frames", "0"}, "--frames is '0'; give"},
    {"NegativeFrames", {"idct", "good.y4m", "--frames", "-3"}, "--frames is '-3'; give"},
    {"MoreFramesThanNumbersHold",
     {"idct", "good.y4m", "--frames", "99999999999999999999"},
     "--frames is '99999999999999999999'; give"},
    {"UnknownDevice",
     {"idct", "good.y4m", "--device", "abacus"},
     "no device 'abacus'; there are: "},
    {"UnknownPolicy",
     {"idct", "good.y4m", "--policy", "lazy"},
     "no policy 'lazy'; there are: auto, persistent, uberkernel, kernel-per-type"},
    {"EmptyPolicy", {"idct", "good.y4m", "--policy", ""}, "no policy ''; there are: "},
    {"DeviceWithoutName",
     {"idct", "good.y4m", "--device"},
     "--device has no value; write --device NAME"},

    {"MissingOutputFolder",
     {"idct", "good.y4m", "--out-dir", "none"},
     "none/good-idct.csv: cannot be written: No such file or directory"},
    {"FileAsOutputFolder",
     {"idct", "good.y4m", "--out-dir", "text.txt"},
     "text.txt/good-idct.csv: cannot be written: Not a directory"},
    {"FolderThatTakesNoFiles", {"idct", "good.y4m", "--out-dir", "/proc"}, "cannot be written"},
    {"MissingJsonFolder",
     {"idct", "good.y4m", "--json", "none/result.json"},
     "none/result.json: cannot be written: No such file or directory"},
    {"FolderAsJson", {"idct", "good.y4m", "--json", "folder"}, "folder: is a directory"},
    {"JsonOverTheClip",
     {"idct", "good.y4m", "--force", "--json", "./good.y4m"},
     "--json is ./good.y4m, which the run needs"},
    {"JsonOverTheTable",
     {"idct", "good.y4m", "--json", "good-idct.csv"},
     "--json is good-idct.csv, which the run needs"},
};

class RejectionsTest : public EndToEndTest, public testing::WithParamInterface<Rejection> {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    const Clip clip;
    fs::create_directory(path("folder"));
    write_y4m(path("good.y4m"), clip);
    write_y4m(path("cut.y4m"), clip);
    fs::resize_file(path("cut.y4m"), fs::file_size(path("cut.y4m")) - 1000);
    write_raw(path("raw.yuv"), clip);
    write_raw(path("cut_64x48.yuv"), clip);
    fs::resize_file(path("cut_64x48.yuv"), fs::file_size(path("cut_64x48.yuv")) - 1000);
    put("zero.y4m", "YUV4MPEG2 W64 H48 F25:1 C420jpeg\n");
    put("empty.mp4", "");
    put("text.txt", "Dear all,\nthis is no video.\n");
    put("text.mp4", "Dear all,\nthis is no video either.\n");
  }
};

TEST_P(RejectionsTest, IsOneLineAndNoFile) {
  const auto before = names();
  const std::string clip = bytes("good.y4m");
  expect_rejected(run(GetParam().arguments), GetParam().message);
  EXPECT_EQ(names(), before);
  EXPECT_TRUE(fs::is_empty(path("folder")));
  EXPECT_EQ(bytes("good.y4m"), clip);
}

INSTANTIATE_TEST_SUITE_P(All, RejectionsTest, testing::ValuesIn(kRejections),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace millrace::end_to_end
