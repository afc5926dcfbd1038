// SPDX-License-Identifier: Apache-2.0

// Encodes of several clips at once.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace millrace::end_to_end {
namespace {

class EncodeClipsTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    write_y4m(path("small.y4m"), {.frames = 14});
    write_y4m(path("wide.y4m"), {.width = 112, .frames = 7});
    write_y4m(path("high.y4m"), {.height = 80, .frames = 3});
    put("text.y4m", "no video");
  }

  Finished encode(const std::vector<std::string>& clips,
                  const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {"encode"};
    arguments.insert(arguments.end(), clips.begin(), clips.end());
    arguments.insert(arguments.end(), {"--range", "8", "--device", "tbb"});
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  }
};

TEST_F(EncodeClipsTest, StreamsAreThoseOfTheClipsAlone) {
  const std::vector<std::string> clips = {"small.y4m", "wide.y4m", "high.y4m"};
  const Finished finished =
      encode(clips, {"-o", "out/", "--container", "264", "--bitrate", "200", "--json", "out.json"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "");
  const auto json = nlohmann::json::parse(bytes("out.json"));
  EXPECT_EQ(json.at("failed"), 0);
  ASSERT_EQ(json.at("clips").size(), 3U);
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const std::string stem = clips[i].substr(0, clips[i].find('.'));
    EXPECT_EQ(encode({clips[i]}, {"-o", "alone.264", "--force", "--bitrate", "200"}).exit_status,
              0);
    EXPECT_TRUE(bytes("out/" + stem + ".264") == bytes("alone.264")) << stem;
    EXPECT_EQ(json.at("clips")[i].at("clip"), clips[i]);
    EXPECT_EQ(json.at("clips")[i].at("output"), "out/" + stem + ".264");
    EXPECT_NE(finished.out.find("wrote out/" + stem + ".264\n"), std::string::npos) << finished.out;
  }
}

TEST_F(EncodeClipsTest, SeveralDevicesTakeTheClipsOfARun) {
  const std::vector<std::string> clips = {"small.y4m", "wide.y4m", "high.y4m"};
  const std::vector<std::string> search = {"--container", "264", "--range", "8"};
  const auto encode_on = [&](const std::string& device, const std::string& folder) {
    std::vector<std::string> arguments = {"encode", "--device", device, "-o", folder};
    arguments.insert(arguments.end(), clips.begin(), clips.end());
    arguments.insert(arguments.end(), search.begin(), search.end());
    return run(arguments);
  };
  EXPECT_EQ(encode_on("tbb", "one/").exit_status, 0);
  EXPECT_EQ(encode_on("simt:0,tbb", "two/").exit_status, 0);
  for (const char* const name : {"small.264", "wide.264", "high.264"}) {
    EXPECT_TRUE(bytes(std::string("one/") + name) == bytes(std::string("two/") + name)) << name;
  }
  const Finished alone =
      run({"encode", "small.y4m", "--device", "simt:0,tbb", "--range", "8", "-o", "some.264"});
  EXPECT_EQ(alone.exit_status, 2);
  EXPECT_NE(alone.err.find("there is one clip, which one device encodes"), std::string::npos)
      << alone.err;
}

TEST_F(EncodeClipsTest, FilesOfAFolderAreMp4UnlessTheContainerIsGiven) {
  EXPECT_EQ(encode({"small.y4m", "high.y4m"}, {"-o", "out/"}).exit_status, 0);
  EXPECT_EQ(encode({"small.y4m"}, {"-o", "out", "--container", "mkv"}).exit_status, 0);
  EXPECT_EQ(bytes("out/small.mp4").substr(4, 4), "ftyp");
  EXPECT_EQ(bytes("out/high.mp4").substr(4, 4), "ftyp");
  EXPECT_EQ(bytes("out/small.mkv").substr(0, 4), "\x1a\x45\xdf\xa3");
}

TEST_F(EncodeClipsTest, FoldersAboveTheFolderOfTheFilesAreMade) {
  EXPECT_EQ(encode({"high.y4m"}, {"-o", "above/out/"}).exit_status, 0);
  EXPECT_EQ(bytes("above/out/high.mp4").substr(4, 4), "ftyp");
}

TEST_F(EncodeClipsTest, NoFolderIsMadeForClipsThatCannotBeOpened) {
  EXPECT_EQ(encode({"none.y4m"}, {"-o", "out/"}).exit_status, 2);
  EXPECT_EQ(encode({"none.y4m", "text.y4m"}, {"-o", "out/"}).exit_status, 2);
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

TEST_F(EncodeClipsTest, AClipThatFailsDoesNotEndTheOthers) {
  const Finished finished =
      encode({"text.y4m", "small.y4m", "none.y4m"}, {"-o", "out/", "--json", "out.json"});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_NE(finished.err.find("millrace: text.y4m: "), std::string::npos) << finished.err;
  EXPECT_NE(finished.err.find("millrace: none.y4m: cannot be read"), std::string::npos)
      << finished.err;
  EXPECT_FALSE(bytes("out/small.mp4").empty());
  const auto json = nlohmann::json::parse(bytes("out.json"));
  EXPECT_EQ(json.at("failed"), 2);
  EXPECT_EQ(json.at("clips")[1].at("frames"), 14);
  EXPECT_EQ(json.at("clips")[2].at("clip"), "none.y4m");
  EXPECT_NE(json.at("clips")[2].at("error").get<std::string>().find("cannot be read"),
            std::string::npos);
}

TEST_F(EncodeClipsTest, TheStatusIs2WhereAllFail) {
  const Finished finished = encode({"text.y4m", "none.y4m"}, {"-o", "out/"});
  EXPECT_EQ(finished.exit_status, 2);
  EXPECT_EQ(finished.out, "");
}

TEST_F(EncodeClipsTest, ASignalLeavesWholeGroupsOfEachClip) {
  for (const char* const name : {"first_64x48.yuv", "second_64x48.yuv"}) {
    write_black_raw(path(name), {.frames = 10'000'000});
  }
  MillraceProcess process(
      folder_, {"encode", "first_64x48.yuv", "second_64x48.yuv", "--range", "8", "--gop", "5",
                "--device", "tbb", "-o", "out/", "--container", "264", "--json", "out.json"});
  // Two files are on their way once both clips have begun.
  const auto begun = [&] {
    int files = 0;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator(path("out"), gone)) {
      if (std::filesystem::file_size(entry, gone) > 0 && !gone) ++files;
    }
    return files == 2;
  };
  process.wait_until(begun);
  process.send_signal(SIGINT);
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_status, 128 + SIGINT);
  const auto json = nlohmann::json::parse(bytes("out.json"));
  EXPECT_EQ(json.at("failed"), 0);
  ASSERT_EQ(json.at("clips").size(), 2U);
  for (const auto& clip : json.at("clips")) {
    const int frames = clip.at("frames");
    EXPECT_GT(frames, 0);
    EXPECT_EQ(frames % 5, 0);
    const auto decoded =
        run_json("decode", {clip.at("output").get<std::string>(), "-o", "decoded.y4m"});
    EXPECT_EQ(decoded.at("frames"), frames);
    EXPECT_EQ(decoded.at("faults"), 0);
  }
}

TEST_F(EncodeClipsTest, AFileThatExistsIsKept) {
  EXPECT_EQ(encode({"small.y4m"}, {"-o", "out/"}).exit_status, 0);
  put("out/small.mp4", "mine");
  const Finished finished = encode({"small.y4m", "high.y4m"}, {"-o", "out/"});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_NE(finished.err.find("out/small.mp4: exists already"), std::string::npos) << finished.err;
  EXPECT_EQ(bytes("out/small.mp4"), "mine");
  EXPECT_EQ(encode({"small.y4m", "high.y4m"}, {"-o", "out/", "--force"}).exit_status, 0);
  EXPECT_NE(bytes("out/small.mp4"), "mine");
}

}  // namespace
}  // namespace millrace::end_to_end
