// SPDX-License-Identifier: Apache-2.0

// Clips as other programs and cameras write them, by `millrace me` and `millrace idct`.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/video/made_clips.h>

#include <sys/stat.h>

#include <fstream>
#include <ostream>
#include <thread>

namespace millrace::end_to_end {
namespace {

using tools::h264_bytes;
using tools::mov_bytes;

class ClipInputsTest : public EndToEndTest {
 protected:
  // The report of a command on a clip, and what it says on standard error.
  nlohmann::json report(const std::string& command, const std::vector<std::string>& arguments,
                        std::string& err) const {
    std::vector<std::string> all = {command, "--json", "-", "--force"};
    if (command == "me") all.insert(all.end(), {std::string("--range"), std::string("8")});
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Finished finished = run(all);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    err = finished.err;
    return nlohmann::json::parse(finished.out, nullptr, /*allow_exceptions=*/false);
  }

  std::string y4m_header(const std::string& name) const {
    std::ifstream file(path(name));
    std::string line;
    std::getline(file, line);
    return line;
  }
};

TEST_F(ClipInputsTest, LostPicturesAreCountedAndSaid) {
  put("whole.h264", h264_bytes({}));
  put("lost.h264", h264_bytes({.lost = {3}}));
  put("begin.h264", h264_bytes({.begin = 3}));
  const struct {
    const char* clip;
    int frames;
    int lost;
    int concealed;
  } kCases[] = {{"whole.h264", 16, 0, 0}, {"lost.h264", 15, 1, 4}, {"begin.h264", 8, 5, 0}};
  for (const char* const command : {"me", "idct"}) {
    for (const auto& [clip, frames, lost, concealed] : kCases) {
      std::string err;
      std::vector<std::string> arguments = {clip};
      // A stream's own queue has no pictures that a decoder has lost.
      if (command == std::string("idct"))
        arguments.insert(arguments.end(), {"--queue", "requantised"});
      const auto json = report(command, arguments, err);
      EXPECT_EQ(json.at("frames"), frames) << clip;
      EXPECT_EQ(json.at("lost"), lost) << clip;
      EXPECT_EQ(json.at("concealed"), concealed) << clip;
      EXPECT_EQ(err.find("the stream has lost pictures") != err.npos, lost > 0) << err;
    }
    std::vector<std::string> table = {command, "lost.h264", "--force"};
    if (command == std::string("idct")) table.insert(table.end(), {"--queue", "requantised"});
    EXPECT_NE(run(table).out.find("pictures lost: 1, concealed: 4\n"), std::string::npos);
  }
}

TEST_F(ClipInputsTest, ATurnedClipIsWorkedOnAsItIsShown) {
  put("phone.mov", mov_bytes({.width = 64,
                              .height = 32,
                              .matrix = {0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000},
                              .aspect = {4, 3}}));
  for (const char* const command : {"me", "idct"}) {
    std::string err;
    const auto json = report(command, {"phone.mov"}, err);
    EXPECT_EQ(json.at("width"), 32);
    EXPECT_EQ(json.at("height"), 64);
    EXPECT_NE(err.find("pictures are rotated by 90 degrees"), err.npos) << err;
  }
  EXPECT_TRUE(y4m_header("phone-idct.y4m").starts_with("YUV4MPEG2 W32 H64 F25:1 Ip A3:4 "));
}

TEST_F(ClipInputsTest, AspectAndFieldsOfTheSourceAreWritten) {
  write_y4m(path("plain.y4m"), {.frames = 3});
  const std::string plain = bytes("plain.y4m");
  const std::string frames = plain.substr(plain.find('\n'));
  const struct {
    const char* tags;
    const char* written;
    const char* note_of_me;
  } kCases[] = {
      {"F25:1 Ip A10:11", " F25:1 Ip A10:11 ", ""},
      {"F30000:1001 It A1:1", " F30000:1001 It A1:1 ", "frames are interlaced"},
      {"F25:1 Ib A64:45", " F25:1 Ib A64:45 ", "frames are interlaced"},
      {"F25:1 Im A1:1", " F25:1 I? A1:1 ", "frames are interlaced"},
      {"F0:0 I? A0:0", " F25:1 I? A0:0 ", ""},
  };
  for (const auto& [tags, written, note_of_me] : kCases) {
    put("a.y4m", std::string("YUV4MPEG2 W64 H48 ") + tags + " C420jpeg" + frames);
    std::string err;
    report("idct", {"a.y4m"}, err);
    EXPECT_NE(y4m_header("a-idct.y4m").find(written), std::string::npos)
        << y4m_header("a-idct.y4m");
    EXPECT_EQ(err.find("mixed") != err.npos, std::string(tags).find("Im") != std::string::npos);
    report("me", {"a.y4m", "--overlay", "v.y4m"}, err);
    EXPECT_EQ(err.empty(), std::string(note_of_me).empty()) << err;
    EXPECT_NE(err.find(note_of_me), err.npos) << err;
  }
}

TEST_F(ClipInputsTest, AVariableFrameRateIsSaid) {
  put("a.mov", mov_bytes({.durations = {24, 24, 300, 24}}));
  for (const char* const command : {"me", "idct"}) {
    std::string err;
    EXPECT_EQ(report(command, {"a.mov"}, err).at("frames"), 6);
    EXPECT_NE(err.find("a.mov: frames last from 40 to 500 ms (variable frame rate)"), err.npos);
  }
}

TEST_F(ClipInputsTest, WholeFramesOfACutRawClipServe) {
  write_raw(path("cut_64x48.yuv"), {.frames = 4});
  std::filesystem::resize_file(path("cut_64x48.yuv"), 4 * 4608 - 100);
  std::string err;
  EXPECT_EQ(report("me", {"cut_64x48.yuv", "--frames", "3"}, err).at("frames"), 3);
  EXPECT_NE(err.find("cut_64x48.yuv: truncated or of another size"), err.npos) << err;
}

TEST_F(ClipInputsTest, APipeIsAsGoodAsAFile) {
  write_y4m(path("a.y4m"), {});
  const std::string clip = bytes("a.y4m");
  for (const char* const command : {"me", "idct"}) {
    const std::string pipe = path(std::string("pipe-") + command);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << clip; });
    std::string err;
    EXPECT_EQ(report(command, {pipe}, err).at("frames"), 5);
    writer.join();
    EXPECT_EQ(err, "");
  }
}

TEST_F(ClipInputsTest, APatternStandsForPictures) {
  for (const int number : {3, 4}) {
    put("shot" + std::to_string(number) + ".pgm", "P5 32 16 255\n" + std::string(512, 'x'));
  }
  std::string err;
  EXPECT_EQ(report("idct", {"shot%d.pgm", "--pattern"}, err).at("frames"), 2);
  EXPECT_EQ(report("idct", {"shot*.pgm", "--pattern"}, err).at("frames"), 2);
  EXPECT_TRUE(names().contains("shot_-idct.y4m"));
}

// These clips are converted, which a note says of those that are read to the end.
TEST_F(ClipInputsTest, AnErrorIsTheOnlyLine) {
  using namespace std::string_literals;
  // A PNG picture of one RGB sample.
  put("x.yuv",
      "\211PNG\015\012\032\012"
      "\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\002\000\000\000\220wS\336"
      "\000\000\000\014IDATx\332cHII\001\000\002\134\001-e\346\367\364"
      "\000\000\000\000IEND\256B`\202"s);
  expect_rejected(run({"me", "x.yuv"}), "x.yuv: has one frame, and so nothing to search");
  write_y4m(path("good.y4m"), {.bits = 10});
  std::string clip = bytes("good.y4m");
  clip.replace(clip.rfind("FRAME\n"), 5, "frame");
  put("bad.y4m", clip);
  for (const char* const command : {"me", "idct"}) {
    const auto before = names();
    expect_rejected(run({command, "bad.y4m"}), "bad.y4m: damaged at frame 4: no FRAME line");
    EXPECT_EQ(names(), before);
    std::string err;
    report(command, {"good.y4m"}, err);
    EXPECT_EQ(err, "millrace: 10-bit 4:2:0 converted to 8-bit 4:2:0\n");
  }
  std::string err;
  EXPECT_EQ(report("idct", {"x.yuv"}, err).at("frames"), 1);
  EXPECT_NE(err.find("1x1 padded to 16x16"), err.npos) << err;
}

struct ClipRejection {
  std::string name;
  std::vector<std::string> arguments;
  std::string message;
};

std::ostream& operator<<(std::ostream& out, const ClipRejection& rejection) {
  return out << rejection.name;
}

const ClipRejection kRejections[] = {
    {"NothingOnStandardInput", {"-"}, "standard input: is empty"},
    {"UnknownPixelFormat",
     {"a_64x48.yuv", "--pixel-format", "yuv421p"},
     "--pixel-format is 'yuv421p', which is no raw format that can be read"},
    {"PixelFormatWithoutSize", {"raw.bin", "--pixel-format", "gray"}, "raw video needs --size"},
    {"TwoFormatsInAName",
     {"a_64x48_422_444.yuv"},
     "the name says two sample formats, 422 and 444; give one of them"},
    {"OtherFormatThanTheNameSays",
     {"a_64x48_444.yuv"},
     "truncated or of another size: 13824 bytes are no whole number of 64x48 frames of yuv444p"},
    {"ContainerAsRaw", {"good.y4m", "--size", "64x48"}, "is a y4m file by its first bytes"},
    {"PatternOfNothing", {"none%d.png", "--pattern"}, "no file has a name of this pattern"},
    {"PatternThatIsNone", {"good.y4m", "--pattern"}, "--pattern needs one number such as %d"},
    {"NoKeyPicture", {"nokey.h264"}, "nokey.h264: no frames: the key picture"},
};

class ClipRejectionsTest : public ClipInputsTest,
                           public testing::WithParamInterface<ClipRejection> {};

TEST_P(ClipRejectionsTest, IsOneLineAndNoFile) {
  write_y4m(path("good.y4m"), {});
  for (const char* const name :
       {"a_64x48.yuv", "a_64x48_422_444.yuv", "a_64x48_444.yuv", "raw.bin"}) {
    write_raw(path(name), {.frames = 3});
  }
  put("nokey.h264", h264_bytes({.frames = 7, .begin = 1}));
  const auto before = names();
  for (const char* const command : {"me", "idct"}) {
    std::vector<std::string> arguments = {command};
    arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    expect_rejected(run(arguments), GetParam().message);
    EXPECT_EQ(names(), before);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ClipRejectionsTest, testing::ValuesIn(kRejections),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace millrace::end_to_end
