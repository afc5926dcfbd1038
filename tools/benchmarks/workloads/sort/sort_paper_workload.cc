// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/key_distribution.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/sort/host_sort_workload.h>
#include <millrace/tools/benchmarks/workloads/sort/sort_paper_workload.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using radix_sort::KeyDistribution;
using radix_sort::PaperSortProfile;
using radix_sort::PaperSortScheme;
using radix_sort::SortReport;

constexpr KeyDistribution kDistributions[] = {KeyDistribution::kUniform, KeyDistribution::kNormal};

class PaperSorts {
 public:
  PaperSorts(const std::shared_ptr<Device>& device, KeyDistribution keys, std::size_t count)
      : queue_(device->make_queue()),
        work_(device, MemorySpace::kPinned, count, keys),
        arguments_(work_.arguments(SortKind::kPairs)) {}

  static PreparedWork prepare(const std::shared_ptr<PaperSorts>& all) {
    return {all->input_hash(),
            {scheme(all, PaperSortScheme::kOriginal), scheme(all, PaperSortScheme::kModified),
             ours(all)}};
  }

 private:
  using All = std::shared_ptr<PaperSorts>;

  static WorkRun scheme(const All& all, PaperSortScheme scheme) {
    return {.strategy = scheme == PaperSortScheme::kOriginal ? kSortOriginal : kSortModified,
            .check = [=] { return all->profile(scheme); },
            .run = [=] { return seconds_of([&] { all->sort(scheme, nullptr); }); },
            .is_streamed = scheme == PaperSortScheme::kModified};
  }

  static WorkRun ours(const All& all) {
    const auto sort = [=] { radix_sort::sort(*all->queue_, all->arguments_); };
    return {.strategy = kSortOurs,
            .check =
                [=] {
                  all->check("sort()", sort);
                  return all->amount();
                },
            .run = [=] { return seconds_of(sort); },
            .is_streamed = true};
  }

  std::string input_hash() const {
    const auto* const keys = static_cast<const std::uint32_t*>(arguments_.keys_in);
    return InputHash().add(std::span(keys, work_.count())).text();
  }

  SortReport sort(PaperSortScheme scheme, PaperSortProfile* profile) {
    SortReport report;
    radix_sort::sort_as_paper(*queue_, arguments_, scheme, report, profile);
    return report;
  }

  void check(const std::string& who, const std::function<void()>& sort) {
    work_.clear();
    sort();
    work_.check(SortKind::kPairs, who);
  }

  // The first run makes pools and touches pages; the second one is the profile.
  RunAmount profile(PaperSortScheme scheme) {
    require_memory();
    check("the paper's scheme", [&] { sort(scheme, nullptr); });
    PaperSortProfile profile;
    SortReport report;
    check("the paper's scheme", [&] { report = sort(scheme, &profile); });
    RunAmount amount = this->amount();
    for (const SortPaperOperation& operation : kSortPaperOperations) {
      amount.values[operation.name] = operation.seconds(profile);
    }
    if (scheme == PaperSortScheme::kOriginal) return amount;
    amount.values[kSortPartitions] = static_cast<double>(report.partitions);
    amount.values[kSortBuckets] = static_cast<double>(report.buckets);
    return amount;
  }

  void require_memory() const {
    const DeviceInfo& info = queue_->device().info();
    if (!info.shares_host_memory) return;
    throw Error(ErrorCode::kUnsupported, info.name + " has no memory of its own to sort in");
  }

  RunAmount amount() const {
    const auto count = static_cast<double>(work_.count());
    return {count, 2 * sizeof(std::uint32_t) * count};
  }

  const std::unique_ptr<Queue> queue_;
  HostSortWorkload work_;
  const radix_sort::SortArguments arguments_;
};

std::vector<std::uint64_t> sort_paper_sizes(const DeviceInfo& device, bool is_quick) {
  if (device.is_simulated) return {2000};
  if (is_quick) return {100'000};
  // Pairs of 8 bytes, in and out, with memory to sort.
  constexpr std::size_t kBytesOfAPair = 64;
  std::vector<std::uint64_t> sizes = {100,       1000,       10'000,     100'000,
                                      1'000'000, 10'000'000, 100'000'000};
  std::erase_if(sizes,
                [&](std::uint64_t size) { return size > device.memory_bytes / kBytesOfAPair; });
  return sizes;
}

}  // namespace

Workload sort_paper_workload() {
  Workload workload;
  workload.name = kSortPaper;
  workload.what = "a paper's radix sort of pairs with and without overlap, and sort()";
  workload.item_name = "keys";
  workload.inputs.clear();
  for (const KeyDistribution keys : kDistributions) {
    workload.inputs.emplace_back(radix_sort::to_string(keys));
  }
  workload.strategies = {kSortOriginal, kSortModified, kSortOurs};
  workload.sizes = sort_paper_sizes;
  workload.size_rule = "is 2 to 1000000000";
  workload.is_size = [](std::uint64_t size) { return size >= 2 && size <= 1'000'000'000; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string& input,
                        std::uint64_t size) {
    const KeyDistribution keys = input == radix_sort::to_string(KeyDistribution::kUniform)
                                     ? KeyDistribution::kUniform
                                     : KeyDistribution::kNormal;
    return PaperSorts::prepare(std::make_shared<PaperSorts>(device, keys, size));
  };
  return workload;
}

}  // namespace millrace::tools
