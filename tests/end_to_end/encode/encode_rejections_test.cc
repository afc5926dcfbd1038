// SPDX-License-Identifier: Apache-2.0

// Clips that cannot be encoded, and results that cannot be written: one clear line on standard
// error, exit status 2, and no new file.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/video/made_clips.h>

#include <ostream>
#include <string>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

struct EncodeRejection {
  std::string name;
  std::vector<std::string> arguments;  // They follow `millrace encode`.
  std::string message;
};

std::ostream& operator<<(std::ostream& out, const EncodeRejection& rejection) {
  return out << rejection.name;
}

const EncodeRejection kEncodeRejections[] = {
    {"NoClip", {}, "CLIP is missing; write millrace encode CLIP"},
    {"NoOutput", {"good.y4m"}, "--output is missing; write millrace encode CLIP --output FILE.264"},
    {"MissingClip", {"none.mp4", "-o", "new.264"}, "none.mp4: cannot be read"},
    {"TextAsClip", {"text.txt", "-o", "new.264"}, "text.txt: not a video"},
    {"TruncatedClip", {"cut.y4m", "-o", "new.264"}, "cut.y4m: truncated: 1000 bytes are missing"},
    {"TruncatedPastTheCut",
     {"cut.y4m", "--frames", "5", "--range", "8", "-o", "new.mp4", "--reconstruction", "new.yuv"},
     "cut.y4m: truncated at frame 4"},
    {"DamagedInTheMiddle",
     {"damaged.264", "--range", "8", "-o", "new.264"},
     "damaged.264: damaged at frame 16 "},
    {"RawOfUnknownSize", {"raw.yuv", "-o", "new.264"}, "raw.yuv: raw video needs --size"},
    {"SmallerThanAMacroblock", {"small.y4m", "-o", "new.264"}, "16"},
    {"LargerThanALevel", {"wide.yuv", "--size", "4098x16", "-o", "new.264"}, "4096"},

    {"QpAbove", {"good.y4m", "-o", "new.264", "--qp", "52"}, "--qp is '52'; give a whole number"},
    {"NegativeQp", {"good.y4m", "-o", "new.264", "--qp", "-1"}, "--qp is '-1'; give a whole"},
    {"QpOfHalves", {"good.y4m", "-o", "new.264", "--qp", "28.5"}, "--qp is '28.5'; give a whole"},
    {"EmptyQp", {"good.y4m", "-o", "new.264", "--qp", ""}, "--qp is ''; give a whole number"},
    {"CrfAbove",
     {"good.y4m", "-o", "new.264", "--crf", "52"},
     "--crf is '52'; give a whole number from 0 to 51"},
    {"NoBitrate",
     {"good.y4m", "-o", "new.264", "--bitrate", "0"},
     "--bitrate is '0'; give a whole number from 1 to 1000000"},
    {"QpAndCrf",
     {"good.y4m", "-o", "new.264", "--qp", "28", "--crf", "28"},
     "--qp and --crf are both given; give one of them"},
    {"CrfAndBitrate",
     {"good.y4m", "-o", "new.264", "--bitrate", "300", "--crf", "28"},
     "--crf and --bitrate are both given; give one of them"},
    {"QpAndBitrateOfThePreset",
     {"good.y4m", "-o", "new.264", "--preset", "paper", "--qp", "1", "--bitrate", "300"},
     "--qp and --bitrate are both given"},
    {"TwoClipsAndAFile",
     {"good.y4m", "small.y4m", "-o", "new.264"},
     "--output is 'new.264', and there are 2 clips; give a folder"},
    {"TwoClipsOfOneName",
     {"good.y4m", "./good.y4m", "-o", "new/"},
     "two clips have the name good.mp4 in new/"},
    {"ReconstructionOfTwoClips",
     {"good.y4m", "small.y4m", "-o", "new/", "--reconstruction", "new.y4m"},
     "--reconstruction takes one clip"},
    {"TraceOfTwoClips",
     {"good.y4m", "small.y4m", "-o", "new/", "--trace", "new.json"},
     "--trace takes one clip"},
    {"RatesOfTwoClips",
     {"good.y4m", "small.y4m", "-o", "new/", "--qp", "1", "--crf", "1"},
     "--qp and --crf are both given"},
    {"ContainerOfAFile",
     {"good.y4m", "-o", "new.mp4", "--container", "mkv"},
     "--container is for files of a folder; leave it out"},
    {"UnknownContainerOfAFolder",
     {"good.y4m", "-o", "new/", "--container", "avi"},
     "--container is 'avi'; give mp4, mkv or 264"},
    {"FolderInAFile",
     {"good.y4m", "-o", "mine.264/new/"},
     "mine.264/new/: cannot be made: Not a directory"},
    {"NoGroup", {"good.y4m", "-o", "new.264", "--gop", "0"}, "--gop is '0'; give a whole number"},
    {"RangeBelow",
     {"good.y4m", "-o", "new.264", "--range", "7"},
     "--range is '7'; give a whole number from 8 to 128"},
    {"FiveReferences",
     {"good.y4m", "-o", "new.264", "--references", "5"},
     "--references is '5'; give a whole number from 1 to 4"},
    {"NoSlices", {"good.y4m", "-o", "new.264", "--slices", "0"}, "--slices is '0'; give a whole"},
    {"MoreSlicesThanRows", {"good.y4m", "-o", "new.264", "--slices", "4"}, "slices"},
    {"UnknownProfile",
     {"good.y4m", "-o", "new.264", "--profile", "extended"},
     "--profile is 'extended'; give baseline, main or high"},
    {"UnknownSearch",
     {"good.y4m", "-o", "new.264", "--search", "spiral"},
     "--search is 'spiral'; give full, hexagon or diamond"},
    {"UnknownDeviceWork",
     {"good.y4m", "-o", "new.264", "--on-device", "all"},
     "--on-device is 'all'; give search or pictures"},
    {"PolicyWithoutTasks",
     {"good.y4m", "-o", "new.264", "--policy", "persistent"},
     "--policy schedules the tasks of --on-device pictures; give both, or neither"},
    {"UnknownPolicy", {"good.y4m", "-o", "new.264", "--policy", "fast"}, "fast"},
    {"UnknownDecision",
     {"good.y4m", "-o", "new.264", "--decide", "fast"},
     "--decide is 'fast'; give cost or rd"},
    {"UnknownPreset",
     {"good.y4m", "-o", "new.264", "--preset", "medium"},
     "--preset is 'medium'; give paper"},
    {"UnknownDevice",
     {"good.y4m", "-o", "new.264", "--device", "abacus"},
     "no device 'abacus'; there are: "},

    {"UnknownContainer",
     {"good.y4m", "-o", "new.avi"},
     "--output is 'new.avi'; give a name that ends in .264, .mp4 or .mkv"},
    {"NoExtension", {"good.y4m", "-o", "new"}, "--output is 'new'; give a name that ends in"},
    {"UnknownReconstruction",
     {"good.y4m", "-o", "new.264", "--reconstruction", "new.png"},
     "--reconstruction is 'new.png'; give a name that ends in .y4m or .yuv"},
    {"StreamThatExists",
     {"cut.y4m", "--frames", "2", "-o", "mine.264"},
     "mine.264: exists already (--force replaces it)"},
    {"ContainerThatExists", {"good.y4m", "-o", "mine.mp4"}, "mine.mp4: exists already"},
    {"ReconstructionThatExists",
     {"good.y4m", "-o", "new.mp4", "--reconstruction", "cut.y4m"},
     "cut.y4m: exists already"},
    {"JsonThatExists", {"good.y4m", "-o", "new.264", "--json", "text.txt"}, "text.txt: exists"},
    {"MissingFolder",
     {"good.y4m", "-o", "none/new.mp4"},
     "none/new.mp4: cannot be written: No such file or directory"},
    {"FolderThatTakesNoFiles", {"good.y4m", "-o", "/proc/new.mkv"}, "/proc/new.mkv: cannot be"},
    {"AFullDisk",
     {"good.y4m", "--range", "8", "-o", "/dev/full"},
     "/dev/full: cannot be written: No space left on device"},
    {"AFullDiskOfTheReconstruction",
     {"good.y4m", "--range", "8", "-o", "new.mp4", "--reconstruction", "/dev/full"},
     "/dev/full: cannot be written: No space left on device"},
    {"AFullDiskBehindJson",
     {"good.y4m", "--range", "8", "-o", "new.mkv", "--json", "/dev/full"},
     "/dev/full: cannot be written: No space left on device"},
    {"OverTheClip",
     {"good.y4m", "--force", "-o", "out.264", "--reconstruction", "./good.y4m"},
     "--reconstruction is ./good.y4m, which the run needs for something else"},
    {"ReconstructionOverTheStream",
     {"good.y4m", "-o", "new.264", "--reconstruction", "new.264"},
     "--reconstruction is new.264, which the run needs"},
    {"TwoOnStandardOutput",
     {"good.y4m", "-o", "-", "--json", "-"},
     "--output and --json are both standard output"},
};

class EncodeRejectionsTest : public EndToEndTest,
                             public testing::WithParamInterface<EncodeRejection> {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    const Clip clip;
    write_y4m(path("good.y4m"), clip);
    write_y4m(path("cut.y4m"), clip);
    fs::resize_file(path("cut.y4m"), fs::file_size(path("cut.y4m")) - 1000);
    write_y4m(path("small.y4m"), {.width = 14, .height = 48, .frames = 2});
    write_black_raw(path("wide.yuv"), {.width = 4098, .height = 16, .frames = 2});
    write_raw(path("raw.yuv"), clip);
    put("text.txt", "Dear all,\nthis is no video.\n");
    put("damaged.264", damaged_h264());
    put("mine.264", "mine");
    put("mine.mp4", "mine");
  }

  // 40 pictures; the second half of the key picture 16 is missing.
  static std::string damaged_h264() {
    const std::string before = tools::h264_bytes({.frames = 16});
    const std::string with = tools::h264_bytes({.frames = 17});
    const std::string whole = tools::h264_bytes({.frames = 40});
    return with.substr(0, (before.size() + with.size()) / 2) + whole.substr(with.size());
  }
};

TEST_P(EncodeRejectionsTest, IsOneLineAndNoFile) {
  const auto before = names();
  const std::string clip = bytes("good.y4m");
  std::vector<std::string> arguments = {"encode"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  expect_rejected(run(arguments), GetParam().message);
  EXPECT_EQ(names(), before);
  EXPECT_EQ(bytes("good.y4m"), clip);
  EXPECT_EQ(bytes("mine.264"), "mine");
}

INSTANTIATE_TEST_SUITE_P(All, EncodeRejectionsTest, testing::ValuesIn(kEncodeRejections),
                         [](const auto& info) { return info.param.name; });

using EncodeFullDiskTest = EndToEndTest;

// Half of the file fits.
TEST_F(EncodeFullDiskTest, IsOneLineAndNoFile) {
  write_moving_raw(path("clip_320x240.yuv"), {.width = 320, .height = 240, .frames = 8});
  for (const std::string name : {"out.264", "out.mp4", "out.mkv"}) {
    const auto before = names();
    expect_rejected(run({"encode", "clip_320x240.yuv", "--range", "8", "--qp", "4", "-o", name},
                        {.most_file_bytes = 100'000}),
                    name + ": cannot be written: File too large");
    EXPECT_EQ(names(), before);
  }
}

}  // namespace
}  // namespace millrace::end_to_end
