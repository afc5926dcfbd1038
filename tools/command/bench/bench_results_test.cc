// SPDX-License-Identifier: Apache-2.0

// Tests which results files a run continues.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/bench/bench_results.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

std::string rejection_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class BenchResultsTest : public testing::Test {
 protected:
  BenchResultsTest() {
    options_.workloads = {"sort"};
    options_.out = (std::filesystem::path(testing::TempDir()) / "results.json").string();
    options_.force = true;
  }

  Results now() const { return new_results(options_, {device_}); }

  const std::shared_ptr<Device> device_ = open_device("tbb");
  BenchOptions options_;
};

TEST_F(BenchResultsTest, BeginsWithWhereFiguresComeFrom) {
  BenchResults file(options_, now());
  const Results results = read_results(options_.out);
  EXPECT_FALSE(results.is_complete);
  EXPECT_EQ(results.command, "millrace bench sort");
  EXPECT_FALSE(results.machine.cpu.empty());
  EXPECT_EQ(results.machine.label, results.machine.cpu);
  ASSERT_EQ(results.devices.size(), 1U);
  EXPECT_EQ(results.devices[0].name, "tbb");
  file.complete();
  EXPECT_TRUE(read_results(options_.out).is_complete);
}

TEST_F(BenchResultsTest, GoesOnWithWhatItHas) {
  Workload workload;
  workload.name = "sort-keys";
  const Configuration configuration = {&workload, device_, "uniform", 10};
  Measurement measurement;
  measurement.workload = "sort-keys";
  measurement.input = "uniform";
  measurement.size = 10;
  measurement.device = "tbb";
  measurement.status = MeasurementStatus::kUnsupported;
  LimitRecord limit;
  limit.device = "tbb";
  limit.name = "copy";
  limit.value = 1e9;
  limit.unit = "B/s";
  {
    BenchResults file(options_, now());
    EXPECT_FALSE(file.has(configuration));
    file.add_limits({limit});
    file.add({measurement});
  }
  options_.force = false;
  options_.resume = true;
  const BenchResults file(options_, now());
  EXPECT_TRUE(file.has(configuration));
  EXPECT_FALSE(file.has({&workload, device_, "uniform", 11}));
  EXPECT_FALSE(file.has({&workload, device_, "zipf", 10}));
  ASSERT_EQ(file.limits_of("tbb").size(), 1U);
  EXPECT_EQ(file.limits_of("tbb")[0].value, 1e9);
}

TEST_F(BenchResultsTest, KeepsAFileThatExists) {
  const BenchResults first(options_, now());
  options_.force = false;
  EXPECT_THAT(rejection_of([this] { const BenchResults second(options_, now()); }),
              HasSubstr("exists already"));
}

TEST_F(BenchResultsTest, DistinguishesFilesOfOneName) {
  const std::filesystem::path folder = testing::TempDir();
  std::filesystem::create_directories(folder / "other");
  std::ofstream(folder / "clip.y4m") << "these words";
  std::ofstream(folder / "other" / "clip.y4m") << "other words";
  options_.inputs = {"uniform", (folder / "clip.y4m").string()};
  const Results old = now();
  ASSERT_EQ(old.input_files.size(), 1U);
  EXPECT_EQ(old.input_files[0].name, "clip.y4m");
  EXPECT_EQ(old.input_files[0].bytes, 11U);
  EXPECT_EQ(rejection_of([&] { check_resumable("r.json", old, now()); }), "");
  options_.inputs[1] = (folder / "other" / "clip.y4m").string();
  EXPECT_THAT(rejection_of([&] { check_resumable("r.json", old, now()); }),
              HasSubstr("it is of another set of input files: clip.y4m (11 bytes, fnv1a64:"));
}

TEST_F(BenchResultsTest, RejectsWhatCannotBeGoneOnWith) {
  const Results here = now();
  const auto rejection = [&](const std::function<void(Results&)>& change) {
    Results other = here;
    change(other);
    return rejection_of([&] { check_resumable("r.json", other, here); });
  };
  EXPECT_EQ(rejection([](Results&) {}), "");
  EXPECT_THAT(rejection([](Results& old) { old.machine.cpu = "Abacus"; }),
              HasSubstr("r.json: cannot be resumed, it is of another machine: Abacus"));
  EXPECT_THAT(rejection([](Results& old) { old.build.commit = "abc"; }),
              HasSubstr("it is of another build: "));
  EXPECT_THAT(rejection([](Results& old) { old.build.toolkits["cuda"] = "1.0"; }),
              HasSubstr("it is of another build: "));
  EXPECT_THAT(rejection([](Results& old) { old.command = "millrace bench idct"; }),
              HasSubstr("it is of another command: millrace bench idct; now: millrace bench sort"));
  EXPECT_THAT(rejection([](Results& old) { old.devices.clear(); }),
              HasSubstr("it is of another set of devices: "));
}

}  // namespace
}  // namespace millrace::tools
