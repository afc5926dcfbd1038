// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/video/libav_clips.h>
#include <millrace/tools/video/made_clips.h>

#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

class EncodeTest : public EndToEndTest {
 protected:
  // Encodes by a quick search on oneTBB, unless `options` have others; returns the report.
  nlohmann::json encode(const std::string& clip, const std::string& out,
                        const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments = {clip, "-o", out, "--range", "8"};
    if (std::ranges::find(options, "--device") == options.end()) {
      arguments.insert(arguments.end(), {"--device", "tbb"});
    }
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_json("encode", arguments);
  }

  // The decoder gives the pictures of `reconstruction`, a y4m file.
  void expect_decoded(const std::string& stream, const std::string& reconstruction) const {
    const auto json = run_json("decode", {stream, "-o", "decoded.y4m"});
    EXPECT_EQ(json.at("faults"), 0);
    EXPECT_EQ(json.at("concealed_macroblocks"), 0);
    EXPECT_TRUE(bytes("decoded.y4m") == bytes(reconstruction)) << stream;
  }
};

TEST_F(EncodeTest, TheDecoderGivesTheReconstruction) {
  write_y4m(path("clip.y4m"), {.width = 80, .height = 56, .frames = 14});
  const struct {
    const char* name;
    std::vector<std::string> options;
  } kCases[] = {
      {"paper", {"--preset", "paper"}},
      {"baseline", {"--profile", "baseline", "--search", "hexagon"}},
      {"main", {"--profile", "main", "--qp", "40", "--slices", "3"}},
      {"high", {"--profile", "high", "--qp", "12", "--references", "4", "--search", "diamond"}},
  };
  for (const auto& [name, options] : kCases) {
    SCOPED_TRACE(name);
    std::vector<std::string> all = options;
    all.insert(all.end(), {"--reconstruction", "rec.y4m"});
    const auto json = encode("clip.y4m", "out.264", all);
    EXPECT_EQ(json.at("frames"), 14);
    expect_decoded("out.264", "rec.y4m");
    EXPECT_NEAR(json.at("overall_psnr_db").at("y").get<double>(),
                luma_psnr_db(read_y4m(path("clip.y4m")), read_y4m(path("rec.y4m"))), 1e-3);
  }
}

TEST_F(EncodeTest, DevicesGiveTheSameStreamWhateverTheyDo) {
  write_y4m(path("clip.y4m"), {.width = 80, .height = 56, .frames = 14});
  const std::vector<std::string> kOptions = {"--preset", "paper", "--gop", "5"};
  encode("clip.y4m", "tbb.264", kOptions);
  for (const std::string work : {"search", "pictures"}) {
    std::vector<std::string> all = kOptions;
    all.insert(all.end(), {"--device", "simt:0", "--on-device", work, "--force"});
    EXPECT_EQ(encode("clip.y4m", "simt.264", all).at("on_device"), work);
    EXPECT_TRUE(bytes("simt.264") == bytes("tbb.264")) << work;
  }
}

TEST_F(EncodeTest, ADeviceThatDoesLessThanRequestedSaysWhy) {
  write_y4m(path("clip.y4m"), {.frames = 2});
  write_black_raw(path("large.yuv"), {.width = 1920, .height = 1088, .frames = 1});
  const struct {
    std::vector<std::string> arguments;
    const char* work;
    const char* why;  // Empty: the device does what is requested.
  } kCases[] = {
      {{"clip.y4m", "--device", "tbb", "--on-device", "pictures"},
       "search",
       "--on-device pictures is done as search: tbb has no memory of its own; give a GPU by "
       "--device"},
      {{"large.yuv", "--size", "1920x1088", "--gop", "60", "--device", "simt:0", "--on-device",
        "pictures", "--search", "hexagon"},
       "search",
       "--on-device pictures is done as search: two groups of 60 pictures take too much memory; "
       "give a lower --gop"},
      {{"clip.y4m", "--device", "tbb", "--on-device", "search"}, "search", ""},
      {{"clip.y4m", "--device", "tbb"}, "search", ""},
      {{"clip.y4m", "--device", "simt:0", "--on-device", "pictures"}, "pictures", ""},
  };
  for (const auto& [options, work, why] : kCases) {
    std::vector<std::string> arguments = {"encode"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(),
                     {"--range", "8", "-o", "out.264", "--json", "out.json", "--force"});
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_status, 0);
    const std::string note = *why == '\0' ? "" : std::string("millrace: ") + why + '\n';
    EXPECT_EQ(finished.err, note);
    const auto json = nlohmann::json::parse(bytes("out.json"));
    EXPECT_EQ(json.at("on_device"), work);
    EXPECT_EQ(json.value("on_device_fallback", ""), why);
  }
}

TEST_F(EncodeTest, DevicesDoThePicturesOfLongClips) {
  write_y4m(path("long.y4m"), {.width = 32, .height = 16, .frames = 60});
  const auto work_of = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--device", "simt:0", "--force"});
    return encode("long.y4m", "out.264", options).at("on_device");
  };
  EXPECT_EQ(work_of({"--preset", "paper"}), "pictures");
  EXPECT_EQ(work_of({"--preset", "paper", "--frames", "59"}), "search");
  EXPECT_EQ(work_of({"--preset", "paper", "--search", "hexagon"}), "search");
  EXPECT_EQ(work_of({"--preset", "paper", "--on-device", "search"}), "search");
}

TEST_F(EncodeTest, LibavcodecGivesTheReconstruction) {
  write_y4m(path("clip.y4m"), {.width = 80, .height = 56, .frames = 14});
  for (const std::string name : {"out.264", "out.mp4", "out.mkv"}) {
    encode("clip.y4m", name, {"--reconstruction", "rec.yuv"});
    std::string decoded;
    for (const std::string& picture : tools::libav_pictures(path(name))) decoded += picture;
    EXPECT_EQ(decoded.size(), 14U * 80 * 56 * 3 / 2);
    EXPECT_TRUE(decoded == bytes("rec.yuv")) << name;
  }
}

TEST_F(EncodeTest, ContainersHaveTheStream) {
  write_y4m(path("clip.y4m"), {.frames = 14});
  const auto stream = encode("clip.y4m", "out.264", {"--reconstruction", "rec.y4m"});
  for (const std::string name : {"out.mp4", "out.mkv"}) {
    const auto json = encode("clip.y4m", name);
    EXPECT_EQ(json.at("bits"), stream.at("bits"));
    expect_decoded(name, "rec.y4m");
  }
}

TEST_F(EncodeTest, TheReportSumsUpItsPictures) {
  write_y4m(path("clip.y4m"), {.frames = 14});
  const auto json = encode("clip.y4m", "out.264", {"--gop", "6", "--qp", "33"});
  EXPECT_EQ(json.at("bits"), 8 * bytes("out.264").size());
  EXPECT_EQ(json.at("qp"), 33);
  ASSERT_EQ(json.at("pictures").size(), 14U);
  std::uint64_t bits[2] = {};
  double luma = 0;
  for (int i = 0; i < 14; ++i) {
    const auto& picture = json.at("pictures")[i];
    EXPECT_EQ(picture.at("index"), i);
    EXPECT_EQ(picture.at("type"), i % 6 == 0 ? "I" : "P");
    EXPECT_EQ(picture.at("is_idr"), i % 6 == 0);
    bits[i % 6 == 0 ? 0 : 1] += picture.at("bits").get<std::uint64_t>();
    luma += picture.at("psnr_db").at("y").get<double>();
  }
  EXPECT_EQ(json.at("bits_i"), bits[0]);
  EXPECT_EQ(json.at("bits_p"), bits[1]);
  EXPECT_NEAR(json.at("mean_psnr_db").at("y").get<double>(), luma / 14, 1e-9);
  EXPECT_NEAR(json.at("kbit_per_s").get<double>(), json.at("bits").get<double>() / 14 * 25 / 1000,
              1e-6);
}

TEST_F(EncodeTest, RateAspectAndOrientationAreKept) {
  put("turned.mov", tools::mov_bytes({.width = 64,
                                      .height = 48,
                                      .frames = 3,
                                      .matrix = {0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000},
                                      .aspect = {4, 3}}));
  for (const std::string name : {"out.264", "out.mp4", "out.mkv"}) {
    encode("turned.mov", name, {"--reconstruction", "rec.y4m"});
    const Y4m shown = read_y4m(path("rec.y4m"));
    EXPECT_EQ(shown.width, 48);
    EXPECT_EQ(shown.height, 64);
    EXPECT_NE(shown.header.find(" A3:4 "), std::string::npos) << shown.header;
    expect_decoded(name, "rec.y4m");
  }
}

TEST_F(EncodeTest, AnOddSizeIsCodedAsTheNextEvenOne) {
  write_y4m(path("clip.y4m"), {.width = 65, .height = 49, .frames = 2});
  const Finished finished =
      run({"encode", "clip.y4m", "-o", "out.264", "--range", "8", "--device", "tbb"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_NE(finished.err.find("65x49 is coded as 66x50"), std::string::npos) << finished.err;
  EXPECT_EQ(run_json("decode", {"out.264", "-o", "out.y4m"}).at("width"), 66);
}

TEST_F(EncodeTest, BothDecodersGiveTheReconstructionOfOddSizes) {
  const struct { int width, height; } kSizes[] = {{17, 17}, {33, 16}, {16, 35}, {65, 49}};
  for (const auto& [width, height] : kSizes) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    write_y4m(path("clip.y4m"), {.width = width, .height = height, .frames = 3});
    const Finished finished = run({"encode", "clip.y4m", "-o", "out.264", "--range", "8",
                                   "--device", "tbb", "--reconstruction", "rec.y4m", "--force"});
    ASSERT_EQ(finished.exit_status, 0) << finished.err;
    const Y4m shown = read_y4m(path("rec.y4m"));
    EXPECT_EQ(shown.width, width + width % 2);
    EXPECT_EQ(shown.height, height + height % 2);
    expect_decoded("out.264", "rec.y4m");
    EXPECT_TRUE(tools::libav_pictures(path("out.264")) == shown.frames);
  }
}

TEST_F(EncodeTest, RawClipsAndPipesAreRead) {
  write_raw(path("clip_64x48.yuv"), {.frames = 4});
  encode("clip_64x48.yuv", "file.264");
  const Finished finished = run_shell(
      folder_,
      "cat clip_64x48.yuv | $M encode - --size 64x48 --range 8 --device tbb -o - >pipe.264");
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_TRUE(bytes("pipe.264") == bytes("file.264"));
}

TEST_F(EncodeTest, APipeTakesAContainer) {
  write_y4m(path("clip.y4m"), {.frames = 4});
  encode("clip.y4m", "out.264", {"--reconstruction", "rec.y4m"});
  const Finished finished = run_shell(folder_,
                                      "mkfifo p.mp4; cat p.mp4 >out.mp4 & "
                                      "$M encode clip.y4m --range 8 --device tbb -o p.mp4 && wait");
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  expect_decoded("out.mp4", "rec.y4m");
}

TEST_F(EncodeTest, FramesLimitTheClip) {
  write_y4m(path("clip.y4m"), {.frames = 6});
  EXPECT_EQ(encode("clip.y4m", "out.264", {"--frames", "1"}).at("frames"), 1);
  EXPECT_EQ(encode("clip.y4m", "out.264", {"--frames", "4"}).at("frames"), 4);
}

TEST_F(EncodeTest, TheDefaultsAreThoseOfTheGuide) {
  write_y4m(path("clip.y4m"), {.frames = 14});
  const auto json = run_json("encode", {"clip.y4m", "-o", "out.264", "--device", "tbb"});
  const nlohmann::json expected = {{"rate_mode", "qp"},    {"qp", 28},        {"gop", 12},
                                   {"profile", "high"},    {"decide", "rd"},  {"search", "full"},
                                   {"range", 32},          {"references", 1}, {"slices", 1},
                                   {"on_device", "search"}};
  for (const auto& [name, value] : expected.items()) EXPECT_EQ(json.at(name), value) << name;
}

TEST_F(EncodeTest, ThePaperPresetHasThePapersSettings) {
  write_y4m(path("clip.y4m"), {.frames = 14});
  const auto json =
      run_json("encode", {"clip.y4m", "-o", "out.264", "--device", "tbb", "--preset", "paper"});
  const nlohmann::json expected = {
      {"profile", "baseline"}, {"decide", "cost"}, {"search", "full"}, {"range", 32},
      {"references", 1},       {"gop", 12},        {"slices", 1}};
  for (const auto& [name, value] : expected.items()) EXPECT_EQ(json.at(name), value) << name;
  for (int i = 0; i < 14; ++i) {
    EXPECT_EQ(json.at("pictures")[i].at("type"), i % 12 == 0 ? "I" : "P") << i;
  }
}

// Pictures are brighter to the right, then to the left.
TEST_F(EncodeTest, ASceneCutBeginsAGroupButForThePaperPreset) {
  std::string samples;
  for (int frame = 0; frame < 8; ++frame) {
    for (int i = 0; i < 64 * 48; ++i) {
      samples += static_cast<char>(20 + 3 * (frame < 5 ? i % 64 : 63 - i % 64));
    }
    samples += std::string(64 * 48 / 2, '\x80');
  }
  put("clip_64x48.yuv", samples);
  const auto key_pictures = [&](const std::vector<std::string>& options) {
    const auto json = encode("clip_64x48.yuv", "out.264", options);
    std::vector<int> keys;
    for (const auto& picture : json.at("pictures")) {
      if (picture.at("is_idr")) keys.push_back(picture.at("index"));
    }
    return keys;
  };
  EXPECT_EQ(key_pictures({}), (std::vector<int>{0, 5}));
  EXPECT_EQ(key_pictures({"--preset", "paper"}), (std::vector<int>{0}));
}

TEST_F(EncodeTest, PicturesOfManyFilesAreAClip) {
  std::string samples;
  for (int i = 0; i < 3; ++i) {
    const std::string luma(64 * 48, static_cast<char>(40 + 50 * i));
    put("shot" + std::to_string(i) + ".pgm", "P5 64 48 255\n" + luma);
    samples += luma;
  }
  encode("shot%d.pgm", "out.264", {"--pattern", "--qp", "0", "--reconstruction", "rec.yuv"});
  const std::string shown = bytes("rec.yuv");
  ASSERT_EQ(shown.size(), samples.size() * 3 / 2);
  for (std::size_t frame = 0; frame < 3; ++frame) {
    const std::size_t luma = 64 * 48;
    const auto first = static_cast<unsigned char>(shown[frame * luma * 3 / 2]);
    EXPECT_NEAR(first, static_cast<unsigned char>(samples[frame * luma]), 1) << frame;
  }
}

TEST_F(EncodeTest, OtherSamplesAreConvertedWithANote) {
  write_y4m(path("deep.y4m"), {.frames = 2, .bits = 10});
  write_y4m(path("full.y4m"), {.frames = 2, .full_chroma = true});
  const struct {
    const char* clip;
    const char* note;
  } kCases[] = {{"deep.y4m", "millrace: 10-bit 4:2:0 converted to 8-bit 4:2:0\n"},
                {"full.y4m", "millrace: 8-bit 4:4:4 converted to 8-bit 4:2:0\n"}};
  for (const auto& [clip, note] : kCases) {
    const Finished finished =
        run({"encode", clip, "-o", "out.mp4", "--range", "8", "--device", "tbb", "--force"});
    EXPECT_EQ(finished.exit_status, 0);
    EXPECT_EQ(finished.err, note);
    EXPECT_EQ(run_json("decode", {"out.mp4", "-o", "decoded.y4m"}).at("frames"), 2);
  }
}

TEST_F(EncodeTest, OtherOptionsOverrideThePreset) {
  write_y4m(path("clip.y4m"), {.frames = 2});
  const auto json =
      encode("clip.y4m", "out.264", {"--decide", "rd", "--preset", "paper", "--gop", "2"});
  EXPECT_EQ(json.at("profile"), "baseline");
  EXPECT_EQ(json.at("decide"), "rd");
  EXPECT_EQ(json.at("gop"), 2);
  EXPECT_EQ(json.at("range"), 8);
}

TEST_F(EncodeTest, AReplacedFileKeepsItsMode) {
  write_y4m(path("clip.y4m"), {.frames = 2});
  put("out.mp4", "old");
  chmod(path("out.mp4").c_str(), 0640);
  encode("clip.y4m", "out.mp4");
  struct stat status = {};
  ASSERT_EQ(stat(path("out.mp4").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
  EXPECT_GT(status.st_size, 3);
}

TEST_F(EncodeTest, ASignalLeavesWholeGroups) {
  const struct {
    int signal;
    const char* out;
  } kCases[] = {
      {SIGINT, "out.mp4"},  {SIGTERM, "out.mkv"}, {SIGHUP, "out.264"},
      {SIGHUP, "more.mp4"}, {SIGINT, "more.mkv"}, {SIGTERM, "more.264"},
  };
  write_black_raw(path("long.yuv"), {.frames = 10'000'000});
  for (const auto& [signal, out] : kCases) {
    SCOPED_TRACE(testing::Message() << out << ", signal " << signal);
    MillraceProcess process(
        folder_,
        {"encode", "long.yuv", "--size", "64x48", "--range", "8", "--gop", "5", "--device", "tbb",
         "-o", out, "--reconstruction", "rec.y4m", "--json", "out.json", "--force"});
    // The reconstruction grows fastest.
    const auto has_written = [&] {
      for (const auto& entry : fs::directory_iterator(folder_)) {
        std::error_code gone;
        if (entry.path().extension() == ".part" && fs::file_size(entry, gone) >= 1 << 20 && !gone) {
          return true;
        }
      }
      return false;
    };
    process.wait_until(has_written);
    process.send_signal(signal);
    const Finished finished = process.wait();
    EXPECT_EQ(finished.exit_status, 128 + signal);
    std::smatch said;
    ASSERT_TRUE(std::regex_match(finished.err, said,
                                 std::regex("millrace: " + interruption(signal) +
                                            "; ([0-9]+) frames complete and written\n")))
        << finished.err;
    const int frames = std::stoi(said[1]);
    EXPECT_GT(frames, 0);
    EXPECT_EQ(frames % 5, 0);
    EXPECT_EQ(nlohmann::json::parse(bytes("out.json")).at("frames"), frames);
    expect_decoded(out, "rec.y4m");
    for (const std::string& name : names()) EXPECT_FALSE(name.ends_with(".part")) << name;
  }
}

}  // namespace
}  // namespace millrace::end_to_end
