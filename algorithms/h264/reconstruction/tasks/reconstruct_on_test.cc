// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/random_parsed_pictures.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruct_on.h>
#include <millrace/tests/conformance/conformance.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::h264 {
namespace {

class ReconstructOnTest : public conformance::PolicyTest {
 protected:
  static void expect_equal(const SamplePicture& samples, const SamplePicture& expected) {
    for (int plane = 0; plane < 3; ++plane) {
      const int width = expected.width(plane);
      for (int i = 0; i < width * expected.height(plane); ++i) {
        ASSERT_EQ(samples.plane(plane)[i], expected.plane(plane)[i])
            << "plane " << plane << " (" << i % width << ", " << i / width << ")";
      }
    }
  }
};

TEST_P(ReconstructOnTest, RandomPicturesAreThoseOfOneThread) {
  struct Size {
    int columns, rows;
  };
  const unsigned seeds = static_cast<unsigned>(scaled(8, 1));
  for (const Size size : {Size{1, 1}, Size{1, 5}, Size{5, 1}, Size{2, 3}, Size{9, 6}}) {
    for (unsigned seed = 0; seed < seeds; ++seed) {
      SCOPED_TRACE(testing::Message() << size.columns << " x " << size.rows << ", seed " << seed);
      RandomParsedPictures pictures(size.columns, size.rows, seed);
      const ParsedPicture picture = pictures.picture();
      SamplePicture expected(size.columns, size.rows);
      reconstruct_picture(picture, pictures.find(), expected);
      SamplePicture samples(size.columns, size.rows);
      const ReconstructionJob job{&picture, pictures.find(), &samples};
      const RunReport report =
          reconstruct_on(*queue, {&job, 1}, {PictureTasks::kMacroblocks, {.policy = policy}});
      expect_equal(samples, expected);
      EXPECT_EQ(report.tasks(), 2u * picture.macroblocks.size());
      EXPECT_EQ(report.policy, policy);
      SamplePicture others(size.columns, size.rows);
      const ReconstructionJob other_job{&picture, pictures.find(), &others};
      EXPECT_EQ(
          reconstruct_on(*queue, {&other_job, 1}, {PictureTasks::kOne, {.policy = policy}}).tasks(),
          1u);
      expect_equal(others, expected);
    }
  }
}

TEST_P(ReconstructOnTest, PicturesOfManyStreamsAreOneRun) {
  std::vector<std::unique_ptr<RandomParsedPictures>> streams;
  std::vector<ParsedPicture> pictures;
  std::vector<SamplePicture> samples, expected;
  const int count = static_cast<int>(scaled(20, 4));
  for (int i = 0; i < count; ++i) {
    const int columns = 1 + i % 5, rows = 1 + i % 3;
    streams.push_back(std::make_unique<RandomParsedPictures>(columns, rows, 100 + i));
    pictures.push_back(streams.back()->picture());
    samples.emplace_back(columns, rows);
    expected.emplace_back(columns, rows);
  }
  std::vector<ReconstructionJob> jobs;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    reconstruct_picture(pictures[i], streams[i]->find(), expected[i]);
    jobs.push_back({&pictures[i], streams[i]->find(), &samples[i]});
  }
  for (const PictureTasks tasks : {PictureTasks::kMacroblocks, PictureTasks::kOne}) {
    reconstruct_on(*queue, jobs, {tasks, {.policy = policy}});
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      expect_equal(samples[i], expected[i]);
      std::fill_n(samples[i].plane(0), 256, std::uint8_t{0});
    }
  }
}

TEST_P(ReconstructOnTest, NoPicturesAreNoRun) {
  EXPECT_EQ(reconstruct_on(*queue, {}, {PictureTasks::kByCount, {.policy = policy}}).tasks(), 0u);
}

INSTANTIATE_TEST_SUITE_P(H264, ReconstructOnTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::h264
