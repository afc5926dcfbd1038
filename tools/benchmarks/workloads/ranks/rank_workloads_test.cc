// SPDX-License-Identifier: Apache-2.0

// Every workload of ranks, small, on two ranks that are threads.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tools/benchmarks/workloads/device_workloads.h>
#include <millrace/tools/benchmarks/workloads/ranks/rank_runs.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;

// The whole of another communicator.
class Whole final : public Communicator {
 public:
  explicit Whole(Communicator& all) : all_(all) {}

  int rank() const override { return all_.rank(); }
  int size() const override { return all_.size(); }
  int local_rank() const override { return all_.local_rank(); }
  int local_size() const override { return all_.local_size(); }
  std::unique_ptr<Transfer> send(int target, MessageTag tag, const void* data,
                                 std::size_t bytes) override {
    return all_.send(target, tag, data, bytes);
  }
  std::unique_ptr<Transfer> receive(int source, MessageTag tag, void* data,
                                    std::size_t bytes) override {
    return all_.receive(source, tag, data, bytes);
  }
  bool takes_device_memory(const std::string& target) const override {
    return all_.takes_device_memory(target);
  }
  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    all_.all_gather(mine, bytes, all);
  }
  void broadcast(void* data, std::size_t bytes, int root) override {
    all_.broadcast(data, bytes, root);
  }
  void all_sum(std::uint64_t* values, std::size_t count) override { all_.all_sum(values, count); }

 private:
  Communicator& all_;
};

RankWorld world_of(Communicator& all) {
  return {all, [&all](int ranks) -> std::unique_ptr<Communicator> {
            if (ranks == all.size()) return std::make_unique<Whole>(all);
            return all.rank() == 0 ? make_self_communicator() : nullptr;
          }};
}

class RankWorkloadTest : public testing::TestWithParam<std::string> {};

TEST_P(RankWorkloadTest, IsRightOnOneRankAndOnTwoAndTakesTheSameTimeOnAll) {
  const std::vector<Workload> all = rank_workloads();
  const Workload& workload = *std::ranges::find(all, GetParam(), &Workload::name);
  const auto device = open_device("tbb");
  DeviceInfo simulated;
  simulated.is_simulated = true;
  const std::uint64_t size = workload.sizes(simulated, true)[0];
  for (const std::string& input : workload.inputs) {
    std::mutex mutex;
    std::vector<std::vector<double>> times;
    std::vector<double> items;
    run_ranks(2, [&](Communicator& communicator) {
      const PreparedWork work = workload.prepare_ranks(world_of(communicator), device, input, size);
      std::vector<double> own_times;
      for (const WorkRun& run : work.runs) {
        const RunAmount amount = run.check();
        own_times.push_back(run.run());
        const std::lock_guard lock(mutex);
        if (communicator.rank() == 0) items.push_back(amount.items / amount.values.at("ranks"));
      }
      EXPECT_EQ(work.runs.size(), 2U);
      EXPECT_EQ(work.runs[0].strategy, "1 rank");
      EXPECT_EQ(work.runs[1].strategy, "2 ranks");
      const std::lock_guard lock(mutex);
      times.push_back(own_times);
    });
    ASSERT_EQ(times.size(), 2U);
    EXPECT_EQ(times[0], times[1]);
    EXPECT_THAT(times[0], Each(Gt(0)));
    const auto whole = static_cast<double>(size);
    EXPECT_THAT(items, ElementsAre(whole, input == "weak" ? whole : whole / 2));
  }
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const Workload& workload : rank_workloads()) names.push_back(workload.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Each, RankWorkloadTest, testing::ValuesIn(workload_names()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(RankRunsTest, AWrongResultOfOneRankIsAnErrorOfAll) {
  const auto device = open_device("tbb");
  const auto thrown = catch_ranks(2, [&](Communicator& communicator) {
    const auto make = [](unsigned, unsigned rank) {
      return RankJob{.items = 1,
                     .run = [](const DistributedQueue&) {},
                     .check =
                         [rank] {
                           if (rank == 1) throw Error(ErrorCode::kInternal, "out of order");
                         }};
    };
    const auto runs = rank_runs(world_of(communicator), device, make);
    EXPECT_EQ(runs[0].check().items, 1);  // Rank 0 alone.
    runs[1].check();
  });
  for (const std::exception_ptr& error : thrown) {
    ASSERT_TRUE(error);
    try {
      std::rethrow_exception(error);
    } catch (const AgreedError& agreed) {
      EXPECT_EQ(agreed.code(), ErrorCode::kInternal);
      EXPECT_THAT(agreed.what(), HasSubstr("rank 1: out of order"));
    }
  }
}

TEST(RankRunsTest, StrategiesAreNamedForAnyNumberOfRanks) {
  const std::vector<std::string> names = rank_strategies();
  EXPECT_THAT(names, testing::IsSupersetOf({"1 rank", "2 ranks", "1024 ranks", "all ranks"}));
  const auto device = open_device("tbb");
  run_ranks(3, [&](Communicator& communicator) {
    const RankWorld world = {communicator, [](int) { return std::unique_ptr<Communicator>(); }};
    std::vector<std::string> of_three;
    for (const WorkRun& run : rank_runs(world, device, {})) of_three.push_back(run.strategy);
    EXPECT_THAT(of_three, ElementsAre("1 rank", "2 ranks", "all ranks"));
  });
}

}  // namespace
}  // namespace millrace::tools
