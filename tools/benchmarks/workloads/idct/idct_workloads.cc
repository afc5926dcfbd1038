// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/paper/idct_strategies.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_host_runs.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_operations.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_paper_workload.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_workload.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_workloads.h>
#include <millrace/tools/benchmarks/workloads/idct/macroblock_hash.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace millrace::tools {
namespace {

using idct::Access;

constexpr char kTasks[] = "tasks";
constexpr char kOneThread[] = "one-thread";

// Macroblocks on the device.
class ResidentRuns {
 public:
  ResidentRuns(const std::shared_ptr<Device>& device, std::size_t count)
      : work_(device, count),
        queue_(device->make_queue()),
        one_thread_(device->make_queue({.concurrency = 1})) {}

  static PreparedWork prepare(const std::shared_ptr<ResidentRuns>& all) {
    PreparedWork prepared{macroblock_hash(all->work_.on_host()), {}};
    add_policies(all, kTasks, *all->queue_, prepared.runs);
    const DeviceInfo& info = all->queue_->device().info();
    if (info.shares_host_memory) {
      add_policies(all, kOneThread, *all->one_thread_, prepared.runs);
    }
    for (const Access access : idct::kAccesses) {
      prepared.runs.push_back(with(all, "", to_string(access), [=] {
        idct::inverse_transform_with(*all->queue_, access, all->work_.on_device(),
                                     all->work_.device_residual());
      }));
    }
    return prepared;
  }

 private:
  using All = std::shared_ptr<ResidentRuns>;

  static void add_policies(const All& all, const char* strategy, Queue& queue,
                           std::vector<WorkRun>& to) {
    for (const Policy policy : kAllPolicies) {
      to.push_back(with(all, to_string(policy), strategy, [=, &queue] {
        idct::inverse_transform(queue, all->work_.on_device(), all->work_.device_residual(),
                                {.policy = policy});
      }));
    }
  }

  template <class Transform>
  static WorkRun with(const All& all, const std::string& policy, const std::string& strategy,
                      const Transform& transform) {
    return {.policy = policy,
            .strategy = strategy,
            .check =
                [=] {
                  all->work_.spoil_device(*all->queue_);
                  transform();
                  all->work_.check_device(*all->queue_);
                  return all->amount();
                },
            .run = [=] { return seconds_of(transform); }};
  }

  RunAmount amount() const {
    const auto count = static_cast<double>(work_.count());
    const double bytes = 2 * kCoefficientBytes * count;
    return {.items = count,
            .bytes = bytes,
            .limit = copy_limit_of(bytes),
            .operations = idct_operations(work_.sizes()),
            .operation_limit = kAdditionLimit};
  }

  IdctWorkload work_;
  const std::unique_ptr<Queue> queue_;
  const std::unique_ptr<Queue> one_thread_;
};

}  // namespace

std::vector<Workload> idct_workloads() {
  Workload resident;
  resident.name = "idct";
  resident.what = "H.264 inverse transforms of macroblocks in device memory";
  resident.item_name = "macroblocks";
  resident.inputs = {"mixed"};
  resident.strategies = {kTasks, kOneThread};
  for (const Access access : idct::kAccesses) resident.strategies.emplace_back(to_string(access));
  resident.sizes = SizeChoice{
      .cpu = {8'160, 262'144}, .gpu = {8'160, 1'000'000}, .quick = 32'640, .simulated = 100};
  resident.size_rule = "is at most 100000000";
  resident.is_size = [](std::uint64_t size) { return size <= 100'000'000; };
  resident.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) {
    return ResidentRuns::prepare(std::make_shared<ResidentRuns>(device, size));
  };
  std::vector<Workload> all = {resident};
  std::ranges::move(idct_host_workloads(), std::back_inserter(all));
  all.push_back(idct_paper_workload());
  return all;
}

}  // namespace millrace::tools
