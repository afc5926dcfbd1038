// SPDX-License-Identifier: Apache-2.0

// A small stream, and real ones, through the devices of the build.
#include <millrace/algorithms/h264/stream/md5_test_helper.h>
#include <millrace/algorithms/h264/stream/testing/seed_streams.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/test_data/test_data.h>
#include <millrace/tools/command/idct/idct_options.h>
#include <millrace/tools/command/idct/idct_stream.h>
#include <millrace/tools/video/h264/h264_input.h>
#include <millrace/tools/video/h264/luma_queue_reader.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr char kSmall[] = "tests/test_data/streams/testsrc2_64x64.264";

void add_frame(const Picture& picture, h264::Md5& md5) {
  for (int index = 0; index < Picture::kPlanes; ++index) {
    const ConstPicturePlane plane = picture.plane(index);
    for (int y = 0; y < plane.height; ++y) {
      md5.add({plane.row(y), static_cast<std::size_t>(plane.width)});
    }
  }
}

class IdctStreamTest : public testing::Test {
 protected:
  ~IdctStreamTest() override {
    for (const std::string& path : paths_) fs::remove(path);
  }

  IdctStreamResult process(const std::string& path, std::int64_t frames = 0,
                           bool has_thread = true) {
    h264::Md5 md5;
    features_.clear();
    std::vector<DeviceGroup> groups;
    groups.push_back(open_device_group(conformance::some_device_name()));
    const std::unique_ptr<h264::NalUnitSource> source = open_one_stream(path);
    IdctStreamResult result =
        process_stream({.path = "the stream",
                        .frames = frames,
                        .policies = {Policy::kUberkernel},
                        .has_thread = has_thread},
                       std::move(groups), *source, interrupt_, [&](const StreamFrame& frame) {
                         features_.push_back(frame.features);
                         add_frame(frame.picture, md5);
                       });
    md5_ = md5.finish();
    return result;
  }

  // Returns all that a run gives, or its error, as text: the pictures, the features of each in
  // order, and the totals.
  std::string outcome(const std::string& path, std::int64_t frames, bool has_thread) {
    std::ostringstream text;
    try {
      const IdctStreamResult result = process(path, frames, has_thread);
      text << md5_ << ' ' << result.frames << ' ' << result.concealed_macroblocks << ' '
           << result.transformed_pictures << ' ' << result.runs.at(0).macroblocks << ' '
           << result.luma.pcm << ' ' << result.luma.lost << ' '
           << result.damage.concealed_reference_fraction() << ' '
           << result.damage.damaged_reference_fraction() << ' ' << result.faults << ' '
           << result.first_fault << '\n';
    } catch (const Error& error) {
      text << error.what() << '\n';
    }
    StreamFeatureTable table(text);
    for (const StreamFeatures& features : features_) table.add(features);
    return text.str();
  }

  std::string file(const std::string& name, const std::string& bytes) {
    paths_.push_back(testing::TempDir() + name);
    std::ofstream(paths_.back(), std::ios::binary) << bytes;
    return paths_.back();
  }

  const InterruptGuard interrupt_;  // There is one in a process.
  std::vector<StreamFeatures> features_;
  std::string md5_;

 private:
  std::vector<std::string> paths_;
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// 12 frames of 64x64.
TEST_F(IdctStreamTest, TransformsAllMacroblocksOfTheStream) {
  const IdctStreamResult result = process(kSmall);
  EXPECT_EQ(result.frames, 12);
  EXPECT_EQ(result.format.width, 64);
  EXPECT_EQ(result.format.height, 64);
  EXPECT_EQ(result.format.rate.numerator, 25);
  EXPECT_EQ(result.luma.macroblocks, 12U * 16);
  EXPECT_EQ(result.faults, 0);
  ASSERT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.runs[0].macroblocks, 12U * 16);
  EXPECT_EQ(result.runs[0].ran, Policy::kUberkernel);
}

TEST_F(IdctStreamTest, FeaturesOfFramesSumToThoseOfTheQueue) {
  const IdctStreamResult result = process(kSmall);
  h264::LumaStatistics sum;
  for (const StreamFeatures& frame : features_) sum += frame.luma;
  EXPECT_EQ(sum.macroblocks, result.luma.macroblocks);
  EXPECT_EQ(sum.coded, result.luma.coded);
  EXPECT_EQ(sum.luma_bits, result.luma.luma_bits);
  // Nothing is known before the first frame.
  EXPECT_GT(features_.at(0).residual_energy, features_.at(1).residual_energy);
}

TEST_F(IdctStreamTest, StopsAfterTheFramesThatAreWanted) {
  const IdctStreamResult result = process(kSmall, 5);
  EXPECT_EQ(result.frames, 5);
  EXPECT_EQ(features_.size(), 5U);
  EXPECT_EQ(result.luma.macroblocks, 5U * 16);
  EXPECT_GE(result.transformed_pictures, 5);
  EXPECT_EQ(result.runs.at(0).macroblocks,
            16U * static_cast<std::uint64_t>(result.transformed_pictures));
}

TEST_F(IdctStreamTest, GoesOnAfterDamage) {
  std::string bytes = bytes_of(kSmall);
  bytes.resize(bytes.size() * 3 / 4);
  const IdctStreamResult result = process(file("idct_stream_test_cut.264", bytes));
  EXPECT_GT(result.frames, 0);
  EXPECT_LT(result.luma.macroblocks, 12U * 16);
  // Nothing but lost macroblocks is concealed.
  EXPECT_EQ(result.concealed_macroblocks, static_cast<std::int64_t>(result.luma.lost));
}

// Several slices, gaps in frame_num, B pictures, PCM, several sequences; and all of them damaged.
TEST_F(IdctStreamTest, HasTheSameQueueByOneThreadAndByTwo) {
  std::mt19937 random(20);
  int faults = 0;
  for (const std::string name :
       {"baseline_slices", "gaps", "main_cabac", "pcm", "several_sets", "temporal_cabac"}) {
    const std::vector<std::uint8_t> sound = h264::seed_stream(name);
    for (int run = 0; run < 3; ++run) {
      SCOPED_TRACE(name + ", run " + std::to_string(run));
      const std::vector<std::uint8_t> bytes = run == 0 ? sound : h264::damaged(sound, random);
      const std::string path = file("idct_stream_test_" + name + std::to_string(run) + ".264",
                                    std::string(bytes.begin(), bytes.end()));
      for (const std::int64_t frames : {0, 2}) {
        const std::string by_one = outcome(path, frames, false);
        EXPECT_EQ(outcome(path, frames, true), by_one) << frames;
        if (run > 0 && by_one.find("damaged") != std::string::npos) ++faults;
      }
    }
  }
  EXPECT_GT(faults, 0);
}

TEST_F(IdctStreamTest, ThrowsWhatTheTakerOfAFrameThrows) {
  for (const int last : {0, 5, 11}) {
    std::vector<DeviceGroup> groups;
    groups.push_back(open_device_group(conformance::some_device_name()));
    const std::unique_ptr<h264::NalUnitSource> source = open_one_stream(kSmall);
    int taken = 0;
    try {
      process_stream({.path = "the stream", .policies = {Policy::kUberkernel}}, std::move(groups),
                     *source, interrupt_, [&](const StreamFrame&) {
                       if (taken == last) throw Error(ErrorCode::kIo, "the disk is full");
                       ++taken;
                     });
      ADD_FAILURE() << "frame " << last << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kIo);
      EXPECT_STREQ(error.what(), "the disk is full");
    }
    EXPECT_EQ(taken, last);
  }
}

// The sums are those of FFmpeg's decoder: lines "NAME MD5=SUM errs=0".
TEST_F(IdctStreamTest, WritesThePicturesOfADecoder) {
  const std::string list = test_data::find("ffmpeg-decode-md5");
  if (list.empty()) GTEST_SKIP() << "SKIPPED: no ffmpeg-decode-md5.txt with streams beside it";
  std::ifstream file(list);
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, md5;
    words >> name >> md5;
    // CAVLC, CABAC, several references, both transforms with scaling lists, PCM alone.
    if (name != "BA_MW_D.264" && name != "test_qcif_cabac.264" && name != "MR1_BT_A.h264" &&
        name != "test_scalinglist_jm.264" && name != "QCIF_2P_I_allIPCM.264") {
      continue;
    }
    SCOPED_TRACE(name);
    const IdctStreamResult result = process((fs::path(list).parent_path() / name).string());
    EXPECT_EQ("MD5=" + md5_, md5);
    EXPECT_EQ(result.faults, 0);
    ++compared;
  }
  EXPECT_EQ(compared, 5);
}

class QueueChoiceTest : public IdctStreamTest {
 protected:
  static IdctCommandOptions options_of(const std::string& path, const std::string& queue = "") {
    IdctCommandOptions options;
    options.clip.path = path;
    options.queue = queue;
    return options;
  }

  static std::string problem_of(const IdctCommandOptions& options, int ranks = 1) {
    try {
      choose_queue(options, ranks);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }
};

TEST_F(QueueChoiceTest, IsTheStreamsOwnByContent) {
  EXPECT_TRUE(choose_queue(options_of(kSmall), 1).is_stream);
  const std::string renamed = file("idct_stream_test.bin", bytes_of(kSmall));
  EXPECT_TRUE(choose_queue(options_of(renamed), 1).is_stream);
}

TEST_F(QueueChoiceTest, IsRequantisedWhereOptionsSaySo) {
  EXPECT_FALSE(choose_queue(options_of(kSmall, kRequantisedQueue), 1).is_stream);
  IdctCommandOptions with_qp = options_of(kSmall);
  with_qp.qp = 30;
  EXPECT_FALSE(choose_queue(with_qp, 1).is_stream);
  EXPECT_FALSE(choose_queue(options_of(kSmall), 2).is_stream);
}

TEST_F(QueueChoiceTest, OfAnotherClipIsRequantised) {
  const std::string clip =
      file("idct_stream_test.y4m",
           "YUV4MPEG2 W16 H16 F25:1 C420jpeg\nFRAME\n" + std::string(384, '\x40'));
  const QueueChoice choice = choose_queue(options_of(clip), 1);
  EXPECT_FALSE(choice.is_stream);
  EXPECT_EQ(choice.note, "");
  const std::string problem = problem_of(options_of(clip, kStreamQueue));
  EXPECT_THAT(problem, HasSubstr("has no H.264 stream; its video is rawvideo"));
  EXPECT_THAT(problem, HasSubstr("; or write --queue requantised"));
}

TEST_F(QueueChoiceTest, NamesTheOptionThatContradicts) {
  IdctCommandOptions options = options_of(kSmall, kStreamQueue);
  EXPECT_THAT(problem_of(options, 4), HasSubstr("is for one process, and there are 4 ranks"));
  options.qp = 30;
  EXPECT_THAT(problem_of(options), HasSubstr("--qp and --queue stream are both given"));
}

TEST_F(QueueChoiceTest, NamesTheToolThatIsNotParsed) {
  const std::string path = "tests/test_data/streams/interlaced_64x64.264";
  const QueueChoice choice = choose_queue(options_of(path), 1);
  EXPECT_FALSE(choice.is_stream);
  EXPECT_THAT(choice.note, HasSubstr("field or MBAFF coding"));
  EXPECT_THAT(problem_of(options_of(path, kStreamQueue)), HasSubstr("field or MBAFF coding"));
}

}  // namespace
}  // namespace millrace::tools
