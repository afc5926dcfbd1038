// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/harness/statistics.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_paper_workload.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_workload.h>
#include <millrace/tools/benchmarks/workloads/idct/macroblock_hash.h>
#include <millrace/tools/video/h264/luma_queue_reader.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using idct::Access;
using idct::PaperAlgorithm;
using idct::PaperTimes;

std::map<std::string, double> medians(const std::vector<PaperTimes>& times) {
  std::map<std::string, double> values;
  for (const IdctPhase& phase : kIdctPhases) {
    std::vector<double> seconds;
    for (const PaperTimes& each : times) seconds.push_back(each.*phase.seconds);
    values[phase.name] = median(std::move(seconds));
  }
  return values;
}

// Macroblocks of a stream where no size is chosen.
constexpr std::size_t kMostOfStream = 250'000;

struct MacroblockInput {
  HostMacroblocks macroblocks;
  std::map<std::string, double> values;
};

// The first `size` macroblocks of a stream, or those there are.
MacroblockInput read_stream(const std::string& path, std::uint64_t size) {
  h264::LumaQueue queue = read_luma_queue(path, size == 0 ? kMostOfStream : size);
  const auto count = static_cast<double>(queue.sizes.size());
  std::size_t coded = 0;
  for (std::size_t m = 0; m < queue.sizes.size(); ++m) {
    const std::int16_t* const own = &queue.coefficients[idct::kMacroblockSamples * m];
    coded += std::any_of(own, own + idct::kMacroblockSamples, [](int c) { return c != 0; }) ? 1 : 0;
  }
  const auto large = std::ranges::count(queue.sizes, idct::TransformSize::k8x8);
  return {{std::move(queue.sizes), std::move(queue.coefficients)},
          {{kIdctCodedFraction, static_cast<double>(coded) / count},
           {kIdct8x8Fraction, static_cast<double>(large) / count}}};
}

MacroblockInput paper_input(const std::string& input, std::uint64_t size) {
  if (input == kIdctPaperInput) return {random_macroblocks(size), {}};
  return read_stream(input, size);
}

class PaperRuns {
 public:
  PaperRuns(const std::shared_ptr<Device>& device, MacroblockInput input)
      : work_(device, std::move(input.macroblocks)),
        values_(std::move(input.values)),
        queue_(device->make_queue()) {}

  static PreparedWork prepare(const std::shared_ptr<PaperRuns>& all) {
    PreparedWork prepared{macroblock_hash(all->work_.on_host()), {}};
    for (const Policy policy : kAllPolicies) prepared.runs.push_back(by_policy(all, policy));
    for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
      for (const Access access : idct::kAccesses) {
        prepared.runs.push_back(by_paper(all, algorithm, access));
      }
    }
    return prepared;
  }

 private:
  using All = std::shared_ptr<PaperRuns>;

  static WorkRun by_policy(const All& all, Policy policy) {
    const auto transform = [=] {
      idct::inverse_transform_host(*all->queue_, all->work_.on_host(), all->work_.host_residual(),
                                   {.policy = policy});
    };
    return {.policy = to_string(policy),
            .strategy = kIdctPaperTasks,
            .check =
                [=] {
                  all->work_.spoil_host();
                  transform();
                  all->work_.check_host();
                  return all->amount();
                },
            .run = [=] { return seconds_of(transform); }};
  }

  static WorkRun by_paper(const All& all, PaperAlgorithm algorithm, Access access) {
    return {.strategy = idct_paper_strategy(algorithm, access),
            .check =
                [=] {
                  all->require_kernels();
                  all->work_.spoil_host();
                  all->transform(algorithm, access, nullptr);
                  all->work_.check_host();
                  RunAmount amount = all->amount();
                  amount.values.merge(all->phases(algorithm, access));
                  return amount;
                },
            .run = [=] { return seconds_of([&] { all->transform(algorithm, access, nullptr); }); }};
  }

  void transform(PaperAlgorithm algorithm, Access access, PaperTimes* times) {
    inverse_transform_paper(*queue_, algorithm, access, work_.on_host(), work_.host_residual(),
                            times);
  }

  std::map<std::string, double> phases(PaperAlgorithm algorithm, Access access) {
    constexpr std::size_t kRuns = 3;
    std::vector<PaperTimes> times(kRuns);
    for (PaperTimes& each : times) transform(algorithm, access, &each);
    return medians(times);
  }

  void require_kernels() const {
    const DeviceInfo& info = queue_->device().info();
    if (info.warp_width > 1) return;
    throw Error(ErrorCode::kUnsupported,
                "the paper's algorithms are kernels of GPUs, and " + info.name + " is none");
  }

  RunAmount amount() const {
    const auto count = static_cast<double>(work_.count());
    return {.items = count,
            .bytes = 2 * count * idct::kMacroblockSamples * sizeof(std::int16_t),
            .values = values_};
  }

  IdctWorkload work_;
  const std::map<std::string, double> values_;
  const std::unique_ptr<Queue> queue_;
};

std::vector<std::uint64_t> sizes_of(const DeviceInfo& device, bool is_quick) {
  if (device.is_simulated) return {10, 30, 100};
  if (is_quick) return {25'000};
  std::vector<std::uint64_t> sizes = {1'000,  2'500,  5'000,   10'000, 20'000,
                                      25'000, 50'000, 100'000, 250'000};
  if (!device.shares_host_memory) sizes.insert(sizes.end(), {500'000, 1'000'000});
  return sizes;
}

}  // namespace

std::string idct_paper_strategy(PaperAlgorithm algorithm, Access access) {
  return std::string(to_string(algorithm)) + '+' + to_string(access);
}

Workload idct_paper_workload() {
  Workload workload;
  workload.name = kIdctPaper;
  workload.what = "the same, as a paper's figure 5, by its algorithms and the policies";
  workload.item_name = "macroblocks";
  workload.inputs = {kIdctPaperInput};
  workload.takes_clips = true;
  workload.strategies = {kIdctPaperTasks};
  for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
    for (const Access access : idct::kAccesses) {
      workload.strategies.push_back(idct_paper_strategy(algorithm, access));
    }
  }
  workload.sizes = sizes_of;
  workload.size_rule = "is at most 10000000";
  workload.is_size = [](std::uint64_t size) { return size <= 10'000'000; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string& input,
                        std::uint64_t size) {
    return PaperRuns::prepare(std::make_shared<PaperRuns>(device, paper_input(input, size)));
  };
  return workload;
}

}  // namespace millrace::tools
