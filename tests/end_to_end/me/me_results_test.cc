// SPDX-License-Identifier: Apache-2.0

// Results of `millrace me`: its report and its files.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <algorithm>
#include <sstream>

namespace millrace::end_to_end {
namespace {

// A line of the table of vectors.
struct Row {
  int frame = 0;
  int mb_x = 0;
  int mb_y = 0;
  std::string partition;
  int index = 0;
  int mv_x = 0;
  int mv_y = 0;
  long cost = 0;
};

// Its frames are those of write_moving_raw: each is the one before, two samples to the left.
class MeResultsTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    write_moving_raw(path("moving_96x48.yuv"), clip_);
  }

  nlohmann::json run_me(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all = {"--range", "8", "--device", "tbb"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_json("me", all);
  }

  std::vector<Row> rows(const std::string& name) const {
    std::string text = bytes(name);
    EXPECT_TRUE(text.starts_with("frame,mb_x,mb_y,partition,index,mv_x,mv_y,cost\n"));
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream in(text);
    std::getline(in, text);
    std::vector<Row> rows;
    for (Row row; in >> row.frame >> row.mb_x >> row.mb_y >> row.partition >> row.index >>
                  row.mv_x >> row.mv_y >> row.cost;) {
      rows.push_back(row);
    }
    return rows;
  }

  static constexpr int kMacroblocks = 6 * 3;
  static constexpr int kPartitions = 41;
  const Clip clip_ = {.width = 96, .height = 48, .frames = 4};
};

TEST_F(MeResultsTest, JsonDescribesTheSearch) {
  const auto json = run_me({"moving_96x48.yuv", "--qp", "30"});
  EXPECT_EQ(json.at("frames"), clip_.frames);
  EXPECT_EQ(json.at("width"), clip_.width);
  EXPECT_EQ(json.at("height"), clip_.height);
  EXPECT_EQ(json.at("range"), 8);
  EXPECT_EQ(json.at("qp"), 30);
  EXPECT_EQ(json.at("precision"), "quarter");
  EXPECT_EQ(json.at("device"), "tbb");
  EXPECT_GT(json.at("total_cost"), 0);
  EXPECT_GT(json.at("frames_per_s"), 0.0);
  EXPECT_GT(json.at("search_frames_per_s"), 0.0);
  EXPECT_EQ(json.at("scene_cuts"), nlohmann::json::array());
  double sum = 0;
  for (const char* kind : {"16x16", "16x8", "8x16", "8x8", "8x4", "4x8", "4x4", "skip"}) {
    sum += json.at("share").at(kind).get<double>();
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_EQ(json.at("share").size(), 8U);
}

TEST_F(MeResultsTest, TheTableHasEveryPartitionAndTheMotionThatThereIs) {
  run_me({"moving_96x48.yuv", "-o", "vectors.csv"});
  const auto table = rows("vectors.csv");
  ASSERT_EQ(table.size(), static_cast<std::size_t>(3 * kMacroblocks * kPartitions));
  EXPECT_EQ(table.front().frame, 1);
  EXPECT_EQ(table.back().frame, 3);
  for (const Row& row : table) {
    if (row.mb_x == 5) continue;  // Its content came in from the right.
    EXPECT_EQ(row.mv_x, 8) << row.frame << ' ' << row.partition << ' ' << row.index;
    EXPECT_EQ(row.mv_y, 0) << row.frame << ' ' << row.partition << ' ' << row.index;
  }
}

TEST_F(MeResultsTest, PredictorsSaveBitsAndMakeMacroblocksSkipped) {
  const auto zero = run_me({"moving_96x48.yuv", "--predictor", "zero", "-o", "vectors.bin"});
  const auto previous = run_me({"moving_96x48.yuv"});
  const auto given = run_me({"moving_96x48.yuv", "--predictor", "vectors.bin"});
  EXPECT_EQ(zero.at("share").at("skip"), 0.0);
  EXPECT_GT(previous.at("share").at("skip"), 0.5);         // All but the first frame's.
  EXPECT_GT(given.at("share").at("skip"), 5.0 / 6 - .01);  // All but those on the right.
  EXPECT_LT(previous.at("total_cost"), zero.at("total_cost"));
  EXPECT_LT(given.at("total_cost"), previous.at("total_cost"));
}

TEST_F(MeResultsTest, PrecisionsAreWholeHalfAndQuarterSamples) {
  for (const auto& [precision, step] : {std::pair("integer", 4), {"half", 2}, {"quarter", 1}}) {
    write_y4m(path("waves.y4m"), {.width = 32, .height = 32, .frames = 2});
    run_me({"waves.y4m", "--precision", precision, "-o", "vectors.csv"});
    bool is_odd = false;
    for (const Row& row : rows("vectors.csv")) {
      EXPECT_EQ(row.mv_x % step, 0);
      EXPECT_EQ(row.mv_y % step, 0);
      is_odd = is_odd || row.mv_x / step % 2 != 0;
    }
    EXPECT_TRUE(is_odd) << precision;
  }
}

TEST_F(MeResultsTest, AllDevicesWriteTheSame) {
  write_y4m(path("small.y4m"), {.width = 32, .height = 16, .frames = 3});
  const std::vector<std::string> arguments = {"small.y4m", "--references", "2", "-o",
                                              "vectors.bin"};
  run_me(arguments);
  const std::string expected = bytes("vectors.bin");
  for (const char* device : {"simt:0", "simt:1"}) {
    auto other = arguments;
    other.insert(other.end(), {"--range", "8", "--device", device});
    EXPECT_EQ(run_json("me", other).at("device"), device);
    EXPECT_EQ(bytes("vectors.bin"), expected) << device;
  }
}

TEST_F(MeResultsTest, ReferencesAreAsManyAsThereAre) {
  const auto one = run_me({"moving_96x48.yuv"});
  const auto two = run_me({"moving_96x48.yuv", "--references", "2", "-o", "vectors.csv"});
  const std::string table = bytes("vectors.csv");
  EXPECT_TRUE(table.starts_with("frame,mb_x,mb_y,partition,index,mv_x,mv_y,cost,reference\n"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'),
            1 + (1 + 2 + 2) * kMacroblocks * kPartitions);
  EXPECT_EQ(two.at("references"), 2);
  EXPECT_NE(two.at("total_cost"), one.at("total_cost"));
}

TEST_F(MeResultsTest, ReconstructedFramesAreReferredTo) {
  write_raw(path("waves_96x48.yuv"), clip_);
  const auto plain = run_me({"moving_96x48.yuv"});
  EXPECT_EQ(run_me({"moving_96x48.yuv", "--reconstructed", "moving_96x48.yuv"}).at("total_cost"),
            plain.at("total_cost"));
  EXPECT_GT(run_me({"moving_96x48.yuv", "--reconstructed", "waves_96x48.yuv"}).at("total_cost"),
            plain.at("total_cost"));
}

// The clip is raw; --size does not apply to files that are not raw.
TEST_F(MeResultsTest, ReconstructedFramesMayBeInAFileOfAnotherKind) {
  const auto cost = [&](const std::vector<std::string>& arguments) {
    return run_me(arguments).at("total_cost").get<std::uint64_t>();
  };
  write_raw(path("waves_96x48.yuv"), clip_);
  write_y4m(path("waves.y4m"), clip_);
  for (const char* copy : {"waves.yuv", "waves.bin"}) put(copy, bytes("waves_96x48.yuv"));
  for (const char* copy : {"moving.yuv", "moving.bin"}) put(copy, bytes("moving_96x48.yuv"));
  const auto expected = cost({"moving_96x48.yuv", "--reconstructed", "waves_96x48.yuv"});
  EXPECT_EQ(cost({"moving_96x48.yuv", "--reconstructed", "waves.y4m"}), expected);
  EXPECT_EQ(cost({"moving_96x48.yuv", "--reconstructed", "waves.yuv"}), expected);
  for (const char* waves : {"waves.y4m", "waves.yuv", "waves_96x48.yuv"}) {
    EXPECT_EQ(cost({"moving.yuv", "--size", "96x48", "--reconstructed", waves}), expected) << waves;
  }
  for (const char* waves : {"waves.y4m", "waves.yuv", "waves.bin"}) {
    EXPECT_EQ(cost({"moving.bin", "--size", "96x48", "--reconstructed", waves}), expected) << waves;
  }
}

TEST_F(MeResultsTest, ASceneCutIsMarkedAndNothingElse) {
  write_raw(path("waves.yuv"), clip_);
  put("both_96x48.yuv", bytes("moving_96x48.yuv") + bytes("waves.yuv") + bytes("moving_96x48.yuv"));
  for (const char* precision : {"integer", "quarter"}) {
    const auto json = run_me({"both_96x48.yuv", "--precision", precision});
    EXPECT_EQ(json.at("scene_cuts"), (nlohmann::json{4, 8})) << precision;
  }
}

TEST_F(MeResultsTest, TheOverlayIsAVideoOfAllFrames) {
  run_me({"moving_96x48.yuv", "--overlay", "vectors.y4m"});
  const Y4m video = read_y4m(path("vectors.y4m"));
  EXPECT_EQ(video.width, 4 * clip_.width);
  EXPECT_EQ(video.height, 4 * clip_.height);
  ASSERT_EQ(video.frames.size(), 4U);
  const auto has_colour = [&](const std::string& frame) {
    const auto chroma = frame.begin() + static_cast<std::ptrdiff_t>(video.width) * video.height;
    return std::any_of(chroma, frame.end(), [](char sample) { return sample != '\x80'; });
  };
  EXPECT_FALSE(has_colour(video.frames[0]));  // There is nothing that it came from.
  for (const int frame : {1, 2, 3}) EXPECT_TRUE(has_colour(video.frames[frame]));
}

TEST_F(MeResultsTest, TheOverlayIsNumberedPictures) {
  std::filesystem::create_directory(path("out"));
  run_me({"moving_96x48.yuv", "--frames", "3", "--overlay", "out/vectors.png"});
  for (const char* name :
       {"out/vectors-00000.png", "out/vectors-00001.png", "out/vectors-00002.png"}) {
    EXPECT_TRUE(bytes(name).starts_with("\x89PNG\r\n")) << name;
  }
  EXPECT_NE(bytes("out/vectors-00000.png"), bytes("out/vectors-00001.png"));
  EXPECT_EQ(names(), (std::set<std::string>{"moving_96x48.yuv", "out"}));
}

TEST_F(MeResultsTest, FramesStopsEarly) {
  EXPECT_EQ(run_me({"moving_96x48.yuv", "--frames", "2", "-o", "vectors.csv"}).at("frames"), 2);
  EXPECT_EQ(rows("vectors.csv").size(), static_cast<std::size_t>(kMacroblocks * kPartitions));
}

TEST_F(MeResultsTest, PeopleGetAReport) {
  const Finished finished = run({"me", "moving_96x48.yuv", "--range", "8", "-o", "vectors.bin",
                                 "--json", "result.json", "--trace", "trace.json"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "");
  for (const char* words : {"moving_96x48.yuv: 96x48, 4 frames, range 8, QP 28, quarter samples",
                            "frames/s", "total cost", "16x16", "skip", "scene cuts: none",
                            "wrote vectors.bin", "result.json", "trace.json"}) {
    EXPECT_NE(finished.out.find(words), finished.out.npos) << words << " in\n" << finished.out;
  }
  EXPECT_EQ(nlohmann::json::parse(bytes("result.json")).at("frames"), 4);
  EXPECT_NE(bytes("trace.json").find("host sum up and write"), std::string::npos);
}

TEST_F(MeResultsTest, APictureSmallerThanTheWindowIsSearchedWithANote) {
  const Finished finished = run({"me", "moving_96x48.yuv", "--range", "25"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err,
            "millrace: 96x48 is smaller than the search window, 50x50; the samples at its edges "
            "are repeated beyond them\n");
}

TEST_F(MeResultsTest, TheSmallestPictureIsSearched) {
  write_y4m(path("dot.y4m"), {.width = 1, .height = 1, .frames = 2});
  run_me({"dot.y4m", "-o", "vectors.csv", "--overlay", "vectors.y4m"});
  EXPECT_EQ(rows("vectors.csv").size(), static_cast<std::size_t>(kPartitions));
  EXPECT_EQ(read_y4m(path("vectors.y4m")).frames.size(), 2U);
}

TEST_F(MeResultsTest, FullChromaAndTenBitsAreConvertedWithANote) {
  write_y4m(path("deep.y4m"), {.frames = 2, .bits = 10});
  write_y4m(path("full.y4m"), {.frames = 2, .full_chroma = true});
  Finished finished = run({"me", "deep.y4m", "--range", "8"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "millrace: 10-bit 4:2:0 converted to 8-bit 4:2:0\n");
  finished = run({"me", "full.y4m", "--range", "8"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "millrace: 8-bit 4:4:4 converted to 8-bit 4:2:0\n");
}

TEST_F(MeResultsTest, AReconstructionIsConvertedWithANoteOfItsOwn) {
  write_y4m(path("plain.y4m"), {.frames = 2});
  write_y4m(path("deep.y4m"), {.frames = 2, .bits = 10});
  const Finished finished = run({"me", "plain.y4m", "--range", "8", "--reconstructed", "deep.y4m"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "millrace: deep.y4m: 10-bit 4:2:0 converted to 8-bit 4:2:0\n");
}

TEST_F(MeResultsTest, OddSizesArePaddedWithANote) {
  write_y4m(path("odd.y4m"), {.width = 101, .height = 67, .frames = 2});
  const Finished finished =
      run({"me", "odd.y4m", "--range", "8", "-o", "vectors.csv", "--overlay", "vectors.y4m"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "millrace: 101x67 padded to 112x80, whole macroblocks\n");
  EXPECT_EQ(rows("vectors.csv").size(), static_cast<std::size_t>(7 * 5 * kPartitions));
  const Y4m video = read_y4m(path("vectors.y4m"));
  EXPECT_EQ(video.width, 4 * 101);
  EXPECT_EQ(video.height, 4 * 67);
}

// Enlarged as much as narrow ones are, it would be higher than pictures may be.
TEST_F(MeResultsTest, AHighNarrowClipHasAnOverlay) {
  write_black_raw(path("high.yuv"), {.width = 16, .height = 10'000, .frames = 2});
  run_me({"high.yuv", "--size", "16x10000", "--overlay", "vectors.y4m"});
  EXPECT_EQ(read_y4m(path("vectors.y4m")).height, 30'000);
}

TEST_F(MeResultsTest, ATerminalShowsABar) {
  if (!has_terminals()) GTEST_SKIP() << "there are no terminals here";
  write_y4m(path("long.y4m"), {.width = 32, .height = 32, .frames = 12});
  const Finished finished = run({"me", "long.y4m", "--range", "8"}, {.err_terminal = true});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_NE(finished.err.find("**********"), finished.err.npos) << finished.err;
}

}  // namespace
}  // namespace millrace::end_to_end
