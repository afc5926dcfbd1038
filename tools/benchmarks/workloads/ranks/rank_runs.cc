// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/ranks/rank_runs.h>
#include <millrace/tools/command/common/ranks.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

namespace millrace::tools {
namespace {

constexpr unsigned kMostNamed = 1024;

// Returns 1, 2, 4, ... and all.
std::vector<unsigned> sizes_of(unsigned all) {
  std::vector<unsigned> sizes;
  for (unsigned size = 1; size < all && size <= kMostNamed; size *= 2) sizes.push_back(size);
  sizes.push_back(all);
  return sizes;
}

bool is_named(unsigned ranks) { return (ranks & (ranks - 1)) == 0 && ranks <= kMostNamed; }

std::string strategy_of(unsigned ranks) {
  if (!is_named(ranks)) return "all ranks";
  return std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks");
}

// A job on the first ranks of the world. Members are collective over the world, and the other ranks
// wait in them.
class JobOfRanks {
 public:
  JobOfRanks(const RankWorld& world, std::shared_ptr<Queue> queue, unsigned ranks, MakeRankJob make)
      : world_(world.all),
        queue_(std::move(queue)),
        ranks_(ranks),
        make_(std::move(make)),
        subset_(world.make_subset(static_cast<int>(ranks))) {}

  RunAmount check() {
    together(world_, [&] {
      if (subset_) job_ = make_(ranks_, static_cast<unsigned>(world_.rank()));
    });
    run();
    together(world_, [&] {
      if (subset_) job_->check();
    });
    double items = job_ ? job_->items : 0;
    world_.broadcast(&items, sizeof items, 0);
    RunAmount amount{items};
    amount.values["ranks"] = ranks_;
    return amount;
  }

  // Returns the seconds of the slowest rank.
  double run() {
    all_sum(world_, 0);  // All begin together.
    double seconds = 0;
    std::exception_ptr error;
    try {
      if (subset_) seconds = seconds_of([&] { job_->run({*subset_, *queue_}); });
    } catch (const AgreedError&) {
      error = std::current_exception();
    } catch (const std::exception& own) {
      if (ranks_ > 1) end_all_ranks(world_, own);  // Others of the subset may wait for this one.
      error = std::current_exception();
    }
    agree(world_, error);
    return std::ranges::max(all_gather(world_, seconds));
  }

 private:
  Communicator& world_;
  const std::shared_ptr<Queue> queue_;
  const unsigned ranks_;
  const MakeRankJob make_;
  const std::unique_ptr<Communicator> subset_;  // Null on ranks that are not in it.
  std::optional<RankJob> job_;
};

}  // namespace

std::vector<WorkRun> rank_runs(const RankWorld& ranks, const std::shared_ptr<Device>& device,
                               const MakeRankJob& make) {
  std::shared_ptr<Queue> queue;
  together(ranks.all, [&] { queue = device->make_queue(rank_queue_options(ranks.all, *device)); });
  std::vector<WorkRun> runs;
  for (const unsigned size : sizes_of(static_cast<unsigned>(ranks.all.size()))) {
    const auto job = std::make_shared<JobOfRanks>(ranks, queue, size, make);
    runs.push_back({.strategy = strategy_of(size),
                    .check = [=] { return job->check(); },
                    .run = [=] { return job->run(); }});
  }
  return runs;
}

std::vector<std::string> rank_strategies() {
  std::vector<std::string> names;
  for (unsigned ranks = 1; ranks <= kMostNamed; ranks *= 2) names.push_back(strategy_of(ranks));
  names.push_back("all ranks");
  return names;
}

}  // namespace millrace::tools
