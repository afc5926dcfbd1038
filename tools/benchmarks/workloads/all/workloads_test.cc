// SPDX-License-Identifier: Apache-2.0

// Every workload, small, on the CPU and on simulated GPUs: what it runs is right, and takes time.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/workloads/all/workloads.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_clip.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <string>
#include <tuple>

namespace millrace::tools {
namespace {

using conformance::device_names;
using testing::Contains;
using testing::IsSupersetOf;

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const Workload& workload : all_workloads()) names.push_back(workload.name);
  return names;
}

// Workloads of groups and ranks have tests of their own.
std::vector<std::string> names_on_one_device() {
  std::vector<std::string> names;
  for (const Workload& workload : all_workloads()) {
    if (workload.prepare) names.push_back(workload.name);
  }
  return names;
}

class WorkloadTest : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  const Workload workload_ = choose_workloads(all_workloads(), {std::get<0>(GetParam())}).front();
  const std::shared_ptr<Device> device_ = open_device(std::get<1>(GetParam()));
};

std::uint64_t small_size(const Workload& workload) {
  DeviceInfo simulated;
  simulated.is_simulated = true;
  return workload.sizes(simulated, false).front();
}

TEST_P(WorkloadTest, WhatItRunsIsRight) {
  for (const std::string& input : workload_.inputs) {
    // One will do where a simulation is slow.
    if (device_->info().is_simulated && input != workload_.inputs.front()) break;
    PreparedWork work;
    try {
      work = workload_.prepare(device_, input, small_size(workload_));
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::kUnsupported) << error.what();
      // Streams may miss their encoder too.
      if (workload_.name.starts_with("h264") || workload_.name.starts_with("features")) continue;
      // A link is missing on a CPU, and the tasks of a sort elsewhere.
      EXPECT_EQ(device_->info().shares_host_memory, workload_.name != "auto-sort");
      continue;
    }
    ASSERT_FALSE(work.runs.empty());
    bool is_any_run = false;
    for (const WorkRun& run : work.runs) {
      if (!run.strategy.empty()) {
        EXPECT_THAT(workload_.strategies, Contains(run.strategy));
      }
      try {
        const RunAmount amount = run.check();
        EXPECT_GE(amount.items, 0);
        EXPECT_GT(run.run(), 0);
        is_any_run = true;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnsupported)
            << run.policy << run.strategy << run.peer << ": " << error.what();
        EXPECT_FALSE(run.peer.empty() && run.strategy.empty()) << error.what();
      }
    }
    EXPECT_TRUE(is_any_run);
  }
}

TEST_P(WorkloadTest, ItsOwnSizesSatisfyItsRule) {
  if (workload_.size_rule.empty()) return;
  for (const bool is_quick : {false, true}) {
    for (const std::uint64_t size : workload_.sizes(device_->info(), is_quick)) {
      EXPECT_TRUE(workload_.is_size(size)) << size << ' ' << workload_.size_rule;
    }
  }
  EXPECT_TRUE(workload_.is_size(small_size(workload_)));
  const std::uint64_t large = std::uint64_t{1} << 62;
  for (const std::uint64_t too_large : {large, large / 8160 * 8160}) {
    EXPECT_FALSE(workload_.is_size(too_large)) << too_large;
  }
}

INSTANTIATE_TEST_SUITE_P(EachOnEach, WorkloadTest,
                         testing::Combine(testing::ValuesIn(names_on_one_device()),
                                          testing::ValuesIn(device_names())),
                         [](const auto& info) {
                           std::string name =
                               std::get<0>(info.param) + '_' + std::get<1>(info.param);
                           std::erase(name, ':');
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(AllWorkloads, ArePreparedInOneWay) {
  for (const Workload& workload : all_workloads()) {
    EXPECT_EQ((workload.prepare != nullptr) + (workload.prepare_group != nullptr) +
                  (workload.prepare_ranks != nullptr),
              1)
        << workload.name;
  }
}

TEST(AllWorkloads, HaveNamesOfTheirOwn) {
  const std::vector<std::string> names = workload_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_THAT(
      names, IsSupersetOf({"idct", "motion-quarter", "sort-pairs", "three-star-count", "tasks-tree",
                           "tasks-mandelbrot", "micro-empty", "micro-pipeline", "codecs-delta",
                           "group-sort-keys", "ranks-sort"}));
}

TEST(MotionQuarter, HasAnEncoderOfTheHostAsAPeerOnTheCpuAlone) {
  const Workload workload = choose_workloads(all_workloads(), {"motion-quarter"}).front();
  for (const std::string& name : device_names()) {
    const auto device = open_device(name);
    const PreparedWork work =
        workload.prepare(device, workload.inputs.front(), small_size(workload));
    EXPECT_EQ(std::ranges::count(work.runs, "x264", &WorkRun::peer),
              device->info().shares_host_memory ? 1 : 0)
        << name;
  }
}

// A clip of fewer pictures than a workload requests.
TEST(MotionInteger, HashesThePicturesThatAShortClipHas) {
  constexpr int kWidth = 48;
  constexpr int kHeight = 32;
  constexpr std::size_t kFrames = 3;
  const auto path = std::filesystem::path(testing::TempDir()) / "three_frames.y4m";
  std::ofstream clip(path, std::ios::binary);
  clip << "YUV4MPEG2 W" << kWidth << " H" << kHeight << " F25:1 C420jpeg\n";
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    clip << "FRAME\n";
    for (std::size_t i = 0; i < kWidth * kHeight * 3 / 2; ++i) {
      clip.put(static_cast<char>(7 * i + 3 * frame));
    }
  }
  clip.close();
  const auto device = open_device("tbb");
  const Workload workload = choose_workloads(all_workloads(), {"motion-integer"}).front();
  const PreparedWork work = workload.prepare(device, path.string(), small_size(workload));
  const MotionWorkload pictures = motion_workload_of_clip(device, path.string(), 100);
  ASSERT_EQ(pictures.distinct(), kFrames);
  const std::span<const std::uint8_t> samples(pictures.picture(0), kFrames * kWidth * kHeight);
  EXPECT_EQ(work.input_hash, InputHash().add(samples).text());
  std::filesystem::remove(path);
}

TEST(Limits, AreThereForEachDevice) {
  for (const std::string& name : device_names()) {
    const auto device = open_device(name);
    std::set<std::string> found;
    for (const LimitRecord& limit : measure_device_limits(device, 1e-3, [] { return false; })) {
      EXPECT_EQ(limit.device, name);
      EXPECT_GT(limit.value, 0) << limit.name;
      EXPECT_TRUE(found.insert(limit.name).second) << limit.name;
    }
    std::set<std::string> expected = {kCopyLimit, kCacheLimit,    kLaunchLimit,
                                      kTaskLimit, kAdditionLimit, kMultiplyAddLimit};
    if (!device->info().shares_host_memory) expected.insert({kUploadLimit, kDownloadLimit});
    EXPECT_EQ(found, expected) << name;
  }
}

TEST(Limits, StopOnRequest) {
  EXPECT_THROW(measure_device_limits(open_device("tbb"), 1, [] { return true; }), Error);
}

}  // namespace
}  // namespace millrace::tools
