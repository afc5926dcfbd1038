// SPDX-License-Identifier: Apache-2.0

// The workload "motion-quality" and what it measures, on small pictures.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_quality_workload.h>
#include <millrace/tools/benchmarks/workloads/motion/quality/motion_quality.h>
#include <millrace/tools/benchmarks/workloads/motion/quality/quality_searches.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using motion::MacroblockShape;
using motion::MotionField;
using motion::MotionVector;
using motion::QuarterShape;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Pictures whose content moves by (-2, 1) whole samples from one to the next.
std::vector<Picture> moving_pictures(int width, int height, int count) {
  std::vector<Picture> pictures;
  for (int i = 0; i < count; ++i) {
    Picture& picture = pictures.emplace_back(width, height);
    for (int index = 0; index < Picture::kPlanes; ++index) {
      const PicturePlane plane = picture.plane(index);
      for (int y = 0; y < plane.height; ++y) {
        for (int x = 0; x < plane.width; ++x) {
          const int u = x + 2 * i;
          const int v = y - i;
          plane.row(y)[x] = static_cast<std::uint8_t>(128 + u * u / 60 - v * v / 40 + u * v / 90);
        }
      }
    }
    picture.pad();
  }
  return pictures;
}

std::string write_clip(const std::vector<Picture>& pictures) {
  const auto path = std::filesystem::path(testing::TempDir()) / "moving.y4m";
  std::ofstream file(path, std::ios::binary);
  Y4mWriter writer(file,
                   {.width = pictures[0].width(), .height = pictures[0].height(), .rate = {25, 1}});
  for (const Picture& picture : pictures) writer.write(picture);
  return path.string();
}

TEST(PredictLuma, TakesEachPartitionFromWhereItsVectorPoints) {
  const Picture reference = moving_pictures(32, 16, 1)[0];
  MotionBuffers motion(2);
  motion.modes[0].shape = MacroblockShape::k8x8;
  motion.modes[0].quarters[1] = QuarterShape::k4x4;
  motion.vectors[MotionField::index(0, 5)] = {8, 4};
  motion.vectors[MotionField::index(0, 28)] = {-4, -8};  // The last 4x4 block of the first row.
  motion.vectors[MotionField::index(1, 0)] = {40, 40};
  motion.modes[1].shape = MacroblockShape::kSkip;
  motion.skip_vectors[1] = {-20, 12};
  Picture out(32, 16);
  predict_luma(motion::HalfSamplePicture(padded_luma(reference)), motion.view(), out.plane(0));
  const auto expect_at = [&](int x, int y, int from_x, int from_y) {
    const ConstPicturePlane from = reference.plane(0);
    EXPECT_EQ(out.plane(0).row(y)[x],
              from.row(std::clamp(from_y, 0, 15))[std::clamp(from_x, 0, 31)])
        << x << ", " << y;
  };
  expect_at(3, 5, 5, 6);    // This is quarter 0.
  expect_at(9, 2, 9, 2);    // Its neighbour does not move,
  expect_at(13, 2, 12, 0);  // nor does the block beside this one.
  expect_at(3, 9, 3, 9);
  expect_at(20, 4, 15, 7);
  expect_at(31, 15, 26, 15);
}

TEST(MeasureQuality, FindsWhatMoves) {
  const std::vector<Picture> pictures = moving_pictures(64, 48, 3);
  const std::vector<LumaSearch> searches = quality_searches(open_device("tbb"));
  ASSERT_EQ(searches.size(), 6u);
  std::vector<MotionQuality> found;
  for (const LumaSearch& search : searches) {
    found.push_back(measure_quality(pictures, search, {.range = 8}));
    SCOPED_TRACE(search.name);
    EXPECT_GT(found.back().psnr_db, 40);
    EXPECT_GT(found.back().coded_cost, 0);
    if (search.is_in_coding_order) {
      EXPECT_EQ(found.back().searched_cost, found.back().coded_cost);
    }
  }
  EXPECT_LE(found[kFullByMedian].coded_cost, found[kDiamondByMedian].coded_cost);
}

TEST(MeasureQuality, IsPerfectWhereNothingMoves) {
  std::vector<Picture> pictures = moving_pictures(32, 32, 1);
  pictures.push_back(pictures[0]);
  for (const LumaSearch& search : quality_searches(open_device("tbb"))) {
    const MotionQuality found = measure_quality(pictures, search, {.range = 8});
    EXPECT_EQ(found.searched_cost, 0);  // All is skipped.
    EXPECT_EQ(found.coded_cost, 0);
    EXPECT_TRUE(std::isinf(found.psnr_db));
  }
}

// The predictors of the picture before are those that the search found there.
TEST(MeasureQuality, HandsVectorsOnAsPredictors) {
  std::vector<std::vector<MotionVector>> seen;
  const LumaSearch search{
      "counts", false,
      [&](const LumaFrame& frame, const SearchOptions&, const CodedMotion& motion) {
        seen.emplace_back(frame.predictors, frame.predictors + 2);
        for (std::size_t i = 0; i < 2 * std::size_t{motion::kPartitions}; ++i) {
          motion.field.vectors[i] = {static_cast<std::int16_t>(i), 4};
          motion.field.costs[i] = 1'000'000;
        }
      }};
  measure_quality(moving_pictures(32, 16, 3), search, {.range = 8});
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0], (std::vector<MotionVector>{{0, 0}, {0, 0}}));
  EXPECT_EQ(seen[1], (std::vector<MotionVector>{{0, 4}, {motion::kPartitions, 4}}));
}

RunAmount quality_of(const std::string& clip, std::size_t search) {
  const PreparedWork work = motion_quality_workload().prepare(open_device("tbb"), clip, 0);
  EXPECT_EQ(work.runs.at(search).strategy, kMotionQualityStrategies[search]);
  return work.runs.at(search).check();
}

TEST(MotionQualityWorkload, HasTheFiguresOfAClip) {
  const std::string clip = write_clip(moving_pictures(36, 20, 3));
  for (const std::size_t search : {kFullByPrevious, kFullByMedian, kDiamondByMedian}) {
    const RunAmount amount = quality_of(clip, search);
    EXPECT_EQ(amount.values.at(kPictureWidth), 36);
    EXPECT_EQ(amount.values.at(kSourceHeight), 20);
    for (const int qp : kPaperQps) {
      EXPECT_GT(amount.values.at(coded_cost_name(qp)), 0);
      EXPECT_GT(amount.values.at(searched_cost_name(qp)), 0);
      EXPECT_GT(amount.values.at(psnr_name(qp)), 20);
    }
  }
}

TEST(MotionQualityWorkload, LeavesOutThePsnrOfAPerfectPrediction) {
  std::vector<Picture> pictures = moving_pictures(32, 32, 1);
  pictures.push_back(pictures[0]);
  const RunAmount amount = quality_of(write_clip(pictures), kFullByMedian);
  EXPECT_EQ(amount.values.count(psnr_name(28)), 0u);
  EXPECT_EQ(amount.values.at(coded_cost_name(28)), 0);
}

TEST(MotionQualityWorkload, RejectsAClipOfOnePicture) {
  const std::string clip = write_clip(moving_pictures(16, 16, 1));
  EXPECT_THAT([&] { quality_of(clip, 0); },
              ThrowsMessage<Error>(HasSubstr("fewer than two pictures")));
}

}  // namespace
}  // namespace millrace::tools
