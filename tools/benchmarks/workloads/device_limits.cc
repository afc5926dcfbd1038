// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/harness/copy_probe.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/harness/statistics.h>
#include <millrace/tools/benchmarks/workloads/arithmetic/arithmetic_probe.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/queues/queue_workloads.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>

namespace millrace::tools {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr double kLargestInCache = 16.0 * kMiB;

// Sizes of the copies, by kind of device.
struct CopySizes {
  std::size_t memory;
  std::size_t cache;
  std::size_t tasks;
};

CopySizes sizes_for(const DeviceInfo& device) {
  if (device.is_simulated) return {kMiB, kMiB / 4, 2000};
  if (device.shares_host_memory) return {128 * kMiB, 2 * kMiB, 100'000};
  // There are two of them beside what is there already.
  const std::size_t most = device.memory_bytes > 0 ? device.memory_bytes / 8 : 512 * kMiB;
  return {std::min(512 * kMiB, most), 8 * kMiB, 4'000'000};
}

class LimitRuns {
 public:
  explicit LimitRuns(const std::shared_ptr<Device>& device)
      : device_(device),
        queue_(device->make_queue()),
        sizes_(sizes_for(device->info())),
        items_(*queue_, sizes_.tasks) {
    const Memory there = make(MemorySpace::kDevice);
    const Memory other = make(MemorySpace::kDevice);
    add_copies(kCopyLimit, there, other, sizes_.memory);
    add_copies(kCacheLimit, there, other, sizes_.cache);
    add({kLaunchLimit, "s", 1}, [this, there] {
      queue_->fill(there->data(), std::byte{2}, sizeof(std::uint32_t));
      queue_->wait();
    });
    for (const Policy policy : kConcretePolicies) {
      rates_.push_back({kTaskLimit, "op/s", static_cast<double>(sizes_.tasks)});
      runs_.emplace_back(
          [run = items_.tasks().run, policy] { return run({.policy = policy}).wall_seconds; });
    }
    add_arithmetic(kAdditionLimit, ArithmeticKind::kAdditions);
    add_arithmetic(kMultiplyAddLimit, ArithmeticKind::kMultiplyAdds);
    if (device->info().shares_host_memory) return;
    const Memory host = make(MemorySpace::kPinned);
    add_copies(kUploadLimit, host, there, sizes_.memory);
    add_copies(kDownloadLimit, there, host, sizes_.memory);
  }

  std::vector<LimitRecord> measure(double seconds, const std::function<bool()>& is_stopped) {
    const SamplingResult samples =
        sample_in_turns(runs_, {.seconds = seconds, .is_stopped = is_stopped});
    if (samples.is_stopped) throw Error(ErrorCode::kCancelled, "the limits were not measured");
    std::vector<LimitRecord> limits;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (samples.runs[i].failure) std::rethrow_exception(samples.runs[i].failure);
      const double time = median(samples.runs[i].seconds);
      const double value = rates_[i].unit == "s" ? time : rates_[i].amount / time;
      // The limit is the best of several ways to one rate.
      const auto same = std::ranges::find(limits, rates_[i].name, &LimitRecord::name);
      if (same != limits.end()) {
        same->value = std::max(same->value, value);
        continue;
      }
      LimitRecord& limit = limits.emplace_back();
      limit.device = device_->info().name;
      limit.name = rates_[i].name;
      limit.value = value;
      limit.unit = rates_[i].unit;
    }
    return limits;
  }

 private:
  using Memory = CopyProbe::Memory;

  struct Rate {
    std::string name;
    std::string unit;
    double amount;  // Amount that a run does.
  };

  Memory make(MemorySpace space) const {
    return CopyProbe::make_memory(*queue_, space, sizes_.memory);
  }

  void add(const Rate& rate, const std::function<void()>& work) {
    rates_.push_back(rate);
    runs_.emplace_back([work] { return seconds_of(work); });
  }

  // Copies small arrays so often in a row that the wait at their end takes little of the time.
  void add_copies(const char* name, const Memory& from, const Memory& to, std::size_t bytes) {
    const std::size_t copies = std::clamp<std::size_t>(sizes_.memory / bytes / 4, 1, 16);
    const auto probe = std::make_shared<CopyProbe>(*queue_, from, to, bytes, copies);
    rates_.push_back({name, "B/s", probe->bytes()});
    runs_.emplace_back([probe] { return probe->run(); });
  }

  void add_arithmetic(const char* name, ArithmeticKind kind) {
    const auto probe = std::make_shared<ArithmeticProbe>(*queue_, kind);
    if (!probe->is_there()) return;
    rates_.push_back({name, "op/s", probe->run().operations});
    runs_.emplace_back([probe] { return probe->run().seconds; });
  }

  const std::shared_ptr<Device> device_;
  const std::unique_ptr<Queue> queue_;
  const CopySizes sizes_;
  const FlatItems items_;
  std::vector<Rate> rates_;
  std::vector<TimedRun> runs_;
};

}  // namespace

std::string copy_limit_of(double bytes) {
  return bytes <= kLargestInCache ? kCacheLimit : kCopyLimit;
}

std::vector<LimitRecord> measure_device_limits(const std::shared_ptr<Device>& device,
                                               double seconds,
                                               const std::function<bool()>& is_stopped) {
  return LimitRuns(device).measure(seconds, is_stopped);
}

}  // namespace millrace::tools
