// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/all/workloads.h>
#include <millrace/tools/command/bench/bench_plan.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace millrace::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Workload make_workload(const std::string& name, const std::vector<std::string>& inputs) {
  Workload workload;
  workload.name = name;
  workload.inputs = inputs;
  workload.strategies = {name + "-way"};
  workload.sizes = SizeChoice{.cpu = {10, 20}, .gpu = {30}, .quick = 1, .simulated = 2};
  workload.size_rule = "is at most 100";
  workload.is_size = [](std::uint64_t size) { return size <= 100; };
  return workload;
}

std::string rejection_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "";
}

class BenchPlanTest : public testing::Test {
 protected:
  std::vector<std::string> plan() const {
    std::vector<std::string> lines;
    for (const auto& each : plan_bench(options_, workloads_, devices_)) {
      lines.push_back(each.workload->name + ' ' + each.input_name() + ' ' +
                      std::to_string(each.size) + ' ' + each.devices.name());
    }
    return lines;
  }

  BenchOptions options_;
  std::vector<Workload> workloads_ = {make_workload("a", {"x", "y"}), make_workload("b", {""})};
  std::vector<DeviceSet> devices_ = {open_device("tbb")};
};

TEST_F(BenchPlanTest, HasAllInputsAndSizesOfAllWorkloads) {
  EXPECT_THAT(plan(), ElementsAre("a x 10 tbb", "a x 20 tbb", "a y 10 tbb", "a y 20 tbb",
                                  "b  10 tbb", "b  20 tbb"));
}

TEST_F(BenchPlanTest, QuickIsOneInputAndSizeEach) {
  options_.is_quick = true;
  devices_.push_back(open_device("simt:0"));
  EXPECT_THAT(plan(), ElementsAre("a x 1 tbb", "b  1 tbb", "a x 2 simt:0", "b  2 simt:0"));
}

TEST_F(BenchPlanTest, ChosenSizesAndInputsReplaceTheOthers) {
  options_.sizes = {50, 60};
  options_.inputs = {"y"};
  EXPECT_THAT(plan(), ElementsAre("a y 50 tbb", "a y 60 tbb", "b  50 tbb", "b  60 tbb"));
}

TEST_F(BenchPlanTest, AClipIsAnInputOfThoseThatTakeClips) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / "clip.y4m").string();
  std::ofstream(path) << "YUV4MPEG2";
  workloads_ = {make_workload("a", {"x"}), make_workload("c", {"x"})};
  workloads_[1].takes_clips = true;
  options_.inputs = {path};
  EXPECT_THAT(plan(), ElementsAre("c clip.y4m 0 tbb"));
}

TEST_F(BenchPlanTest, ASizeMayBeANumberOfCopies) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / "clip.y4m").string();
  std::ofstream(path) << "YUV4MPEG2";
  workloads_ = {make_workload("a", {"x"}), make_workload("c", {"x"})};
  workloads_[1].takes_clips = true;
  workloads_[1].copies_clips = true;
  options_.inputs = {path};
  options_.sizes = {50};
  EXPECT_THAT(plan(), ElementsAre("c clip.y4m 50 tbb"));
}

TEST_F(BenchPlanTest, AnInputMaySatisfyARule) {
  workloads_[0].input_rule = "seed-N, which begins with the seed N";
  workloads_[0].is_input = [](const std::string& input) { return input.starts_with("seed-"); };
  options_.inputs = {"seed-17"};
  options_.sizes = {50};
  EXPECT_THAT(plan(), ElementsAre("a seed-17 50 tbb", "b  50 tbb"));
  options_.inputs = {"17"};
  EXPECT_THAT(rejection_of([this] { plan(); }),
              HasSubstr("no input '17' of the chosen workloads; there are: x, y, and seed-N, which "
                        "begins with the seed N"));
}

TEST_F(BenchPlanTest, RejectsClipsOfOneName) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "other";
  std::filesystem::create_directories(folder);
  const std::string first = (std::filesystem::path(testing::TempDir()) / "clip.y4m").string();
  const std::string second = (folder / "clip.y4m").string();
  for (const std::string& path : {first, second}) std::ofstream(path) << "YUV4MPEG2";
  workloads_[0].takes_clips = true;
  options_.inputs = {first, second};
  EXPECT_THAT(rejection_of([this] { plan(); }),
              HasSubstr("other/clip.y4m: another input is also named 'clip.y4m'"));
}

TEST_F(BenchPlanTest, RejectsWhatIsNotThere) {
  options_.strategies = {"a-way", "c-way"};
  EXPECT_THAT(rejection_of([this] { plan(); }),
              HasSubstr("no strategy 'c-way' of the chosen workloads; there are: a-way, b-way"));
  options_.strategies.clear();
  options_.inputs = {"z"};
  EXPECT_THAT(rejection_of([this] { plan(); }),
              HasSubstr("no input 'z' of the chosen workloads; there are: x, y"));
  options_.inputs.clear();
  options_.sizes = {10, 101};
  EXPECT_THAT(rejection_of([this] { plan(); }),
              HasSubstr("--size is 101; the size of a is at most 100"));
}

TEST_F(BenchPlanTest, AGroupHasWorkloadsOfGroupsAlone) {
  const DeviceSet group(std::vector{open_device("tbb"), open_device("simt:0")});
  devices_ = {group};
  EXPECT_THAT(rejection_of([this] { plan(); }),
              HasSubstr("--device tbb,simt:0 is a group, on which no chosen workload runs"));
  workloads_[1].prepare_group = [](const std::vector<std::shared_ptr<Device>>& devices,
                                   const std::string&, std::uint64_t) {
    return PreparedWork{std::to_string(devices.size()), {}};
  };
  EXPECT_THAT(plan(), ElementsAre("b  2 tbb,simt:0"));
  devices_ = {open_device("tbb"), group};
  EXPECT_THAT(plan(), ElementsAre("a x 10 tbb", "a x 20 tbb", "a y 10 tbb", "a y 20 tbb",
                                  "b  10 tbb", "b  20 tbb", "b  2 tbb,simt:0"));
  const auto configurations = plan_bench(options_, workloads_, devices_);
  EXPECT_EQ(configurations.back().prepare().input_hash, "2");
}

TEST_F(BenchPlanTest, OneDeviceCannotRunWorkloadsOfGroupsOrRanks) {
  workloads_ = {make_workload("shared", {""}), make_workload("ranked", {""})};
  workloads_[0].prepare_group = [](const auto&, const std::string&, std::uint64_t) {
    return PreparedWork{};
  };
  options_.is_quick = true;
  const auto configurations = plan_bench(options_, workloads_, devices_);
  const auto reason_of = [&](std::size_t i) -> std::string {
    try {
      configurations[i].prepare();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
      return error.what();
    }
    return "";
  };
  ASSERT_EQ(configurations.size(), 2U);
  EXPECT_THAT(reason_of(0), HasSubstr("several devices share it"));
  EXPECT_THAT(reason_of(1), HasSubstr("mpirun -n 4 millrace bench ranked"));
}

TEST(ChooseWorkloads, TakesNamesAndGroups) {
  std::vector<Workload> all = {make_workload("sort-keys", {""}), make_workload("sort-pairs", {""}),
                               make_workload("sorting", {""})};
  const auto names = [&](const std::vector<std::string>& words) {
    std::vector<std::string> names;
    for (const Workload& workload : choose_workloads(all, words)) names.push_back(workload.name);
    return names;
  };
  EXPECT_THAT(names({}), ElementsAre("sort-keys", "sort-pairs", "sorting"));
  EXPECT_THAT(names({"sort"}), ElementsAre("sort-keys", "sort-pairs"));
  EXPECT_THAT(names({"sorting", "sort-keys"}), ElementsAre("sort-keys", "sorting"));
  all.push_back(make_workload("sort", {""}));
  EXPECT_THAT(names({"sort"}), ElementsAre("sort"));
  all.pop_back();
  EXPECT_THAT(rejection_of([&] {
                names({"sort", "sor"});
              }),
              HasSubstr("no workload 'sor'; there are: sort-keys, sort-pairs, sorting"));
  EXPECT_THAT(rejection_of([&] { names({"srt"}); }), HasSubstr("; did you mean 'sort'?"));
  EXPECT_THAT(rejection_of([&] { names({"sort-kyes"}); }),
              HasSubstr("; did you mean 'sort-keys'?"));
  EXPECT_THAT(rejection_of([&] { names({"idct"}); }), testing::Not(HasSubstr("did you mean")));
}

TEST(CommandText, HasWhatRequestsMeasurementsAndNoPath) {
  BenchOptions options;
  options.workloads = {"idct"};
  options.devices = {"tbb"};
  options.sizes = {100};
  options.inputs = {"/home/somebody/clip.mp4"};
  options.is_quick = true;
  options.seconds = 0.5;
  options.out = "/home/somebody/out.json";
  options.resume = true;
  EXPECT_EQ(command_text(options),
            "millrace bench idct --device tbb --size 100 --input clip.mp4 --seconds 0.5 --quick");
}

}  // namespace
}  // namespace millrace::tools
