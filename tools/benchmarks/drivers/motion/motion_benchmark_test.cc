// SPDX-License-Identifier: Apache-2.0

// `bench motion` on few macroblocks. It checks what is found itself.
#include <millrace/tools/benchmarks/drivers/motion/motion_benchmark.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_peer.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

namespace millrace::tools {
namespace {

using motion::MotionVector;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::filesystem::path file_in_tests(const char* name) {
  return std::filesystem::path(testing::TempDir()) / name;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string table_of(const MotionBenchmarkOptions& options) {
  testing::internal::CaptureStdout();
  benchmark_motion(options);
  return testing::internal::GetCapturedStdout();
}

TEST(MotionBenchmark, HasALineForEachPrecisionAndWay) {
  const auto csv = file_in_tests("motion.csv");
  const std::string table = table_of({.device = "simt:0",
                                      .seconds = 1e-3,
                                      .sizes = {{32, 16}},
                                      .ranges = {8, 9},
                                      .pictures = 2,
                                      .rounds = 1,
                                      .csv = csv.string()});
  for (const char* const text :
       {"32x16, range 8, 2 pictures of 2 macroblocks", "32x16, range 9", "integer", "half",
        "quarter", "on the device", "through the device"}) {
    EXPECT_THAT(table, HasSubstr(text));
  }
  // Three precisions in two ways at two ranges, and a head.
  const std::string rows = text_of(csv);
  EXPECT_EQ(std::ranges::count(rows, '\n'), 3 * 2 * 2 + 1);
}

TEST(MotionBenchmark, MeasuresOneThreadOfACpu) {
  EXPECT_THAT(table_of({.device = "tbb",
                        .seconds = 1e-3,
                        .sizes = {{32, 16}},
                        .ranges = {8},
                        .precisions = {motion::Precision::kInteger},
                        .pictures = 2,
                        .rounds = 1}),
              HasSubstr("on the device            1"));
}

TEST(MotionBenchmark, TakesAClipInItsSize) {
  const auto path = file_in_tests("grey.y4m");
  {
    std::ofstream file(path, std::ios::binary);
    Y4mWriter writer(file, {.width = 40, .height = 20});
    Picture picture(40, 20);
    for (int index = 0; index < Picture::kPlanes; ++index) {
      const PicturePlane plane = picture.plane(index);
      for (int y = 0; y < plane.height; ++y) std::fill_n(plane.row(y), plane.width, y);
    }
    for (int i = 0; i < 3; ++i) writer.write(picture);
  }
  const std::string table = table_of({.device = "simt:1",
                                      .seconds = 1e-3,
                                      .ranges = {8},
                                      .precisions = {motion::Precision::kInteger},
                                      .clip = path.string(),
                                      .pictures = 2,
                                      .rounds = 1});
  EXPECT_THAT(table, HasSubstr("grey.y4m"));
  EXPECT_THAT(table, HasSubstr("48x32, range 8, 2 pictures of 6 macroblocks"));
}

TEST(MotionBenchmark, ReadsSizes) {
  const std::vector<PictureSize> sizes = picture_sizes({"1920x1080", "16x8"});
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_EQ(sizes[0].width, 1920);
  EXPECT_EQ(sizes[1].height, 8);
  for (const char* const text : {"", "1920", "1920x", "x8", "0x8", "8x8x8", "-8x8", "8x8 "}) {
    EXPECT_THROW(picture_sizes({text}), Error) << text;
  }
}

TEST(MotionWorkload, GoesThereAndBack) {
  const MotionWorkload workload(open_device("tbb"), 16, 16, 3);
  const std::size_t expected[] = {0, 1, 2, 1, 0, 1, 2};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(workload.place_of(i), expected[i]) << i;
  }
  EXPECT_EQ(MotionWorkload(open_device("tbb"), 16, 16, 1).place_of(5), 0u);
}

TEST(MotionWorkload, NoticesAWrongVectorAndAWrongCost) {
  const motion::SearchOptions options{.range = 8, .precision = motion::Precision::kInteger};
  MotionWorkload workload(open_device("tbb"), 48, 32, 2);
  workload.fill_with_texture(1);
  std::vector<MotionVector> vectors(workload.macroblocks() * motion::kPartitions);
  std::vector<std::uint32_t> costs(vectors.size());
  const MotionVector zero;
  motion::search_motion_reference<std::uint8_t>(
      {{workload.picture(1), 48, 48, 32}, {workload.picture(0), 48, 48, 32}, &zero, 0},
      {vectors.data(), costs.data()}, options);
  EXPECT_NO_THROW(workload.check(1, {}, vectors, costs, options));
  ++costs.back();
  EXPECT_THROW(workload.check(1, {}, vectors, costs, options), Error);
  --costs.back();
  ++vectors.front().x;
  EXPECT_THROW(workload.check(1, {}, vectors, costs, options), Error);
}

// It is there everywhere, and takes any arguments.
TEST(MotionPeer, RunsAProgramOnTheClip) {
  MotionWorkload workload(open_device("tbb"), 16, 16, 1);
  workload.fill_with_texture(1);
  const MotionPeer peer("true", workload, 2, 24);
  EXPECT_NO_THROW(peer.run());
  EXPECT_THAT(peer.command(), HasSubstr("true --me esa --merange 24 --subme 5 --partitions all"));
  const auto run = [&](const char* program) { MotionPeer(program, workload, 2, 24).run(); };
  EXPECT_THAT([&] { run("false"); }, ThrowsMessage<Error>(HasSubstr("false failed")));
  EXPECT_THAT([&] { run("no-such-program"); },
              ThrowsMessage<Error>(HasSubstr("cannot run no-such-program")));
}

}  // namespace
}  // namespace millrace::tools
