// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/copies/both_ways_workload.h>
#include <millrace/tools/benchmarks/workloads/copies/byte_pattern.h>
#include <millrace/tools/benchmarks/workloads/copies/byte_workload.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

using Memory = Buffer<std::byte>;

// One copy to the device and one from it at a time, each in a queue of its own.
class BothWays {
 public:
  BothWays(const std::shared_ptr<Device>& device, MemorySpace host, std::size_t bytes)
      : up_(device->make_queue()),
        down_(device->make_queue()),
        from_(device, host, bytes),
        to_(device, host, bytes),
        upper_(device, MemorySpace::kDevice, bytes),
        lower_(device, MemorySpace::kDevice, bytes) {
    fill_pattern(from_);
    std::memset(to_.data(), 1, to_.size());
  }

  void run() {
    copy(*up_, upper_.span(), from_.span());
    copy(*down_, to_.span(), lower_.span());
    up_->wait();
    down_->wait();
  }

  // Downloads in the second run what the first one uploaded.
  void check() {
    run();
    copy(*up_, lower_.span(), upper_.span());
    up_->wait();
    std::memset(to_.data(), 0, to_.size());
    run();
    require_equal({from_.data(), from_.size()}, {to_.data(), to_.size()});
  }

 private:
  const std::unique_ptr<Queue> up_;
  const std::unique_ptr<Queue> down_;
  Memory from_;
  Memory to_;
  Memory upper_;
  Memory lower_;
};

// The rate of one way, while as much goes the other.
Workload both_ways() {
  Workload workload = byte_workload(
      "micro-both-ways", "SIZE bytes to the device and as many back, at once", large_copy_sizes());
  workload.strategies = {millrace::to_string(MemorySpace::kPinned), kStaged};
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) {
    if (device->info().shares_host_memory) {
      throw Error(ErrorCode::kUnsupported, "the device shares the host's memory");
    }
    const auto bytes = static_cast<double>(size);
    PreparedWork prepared;
    for (const auto& [strategy, host] :
         {std::pair{millrace::to_string(MemorySpace::kPinned), MemorySpace::kPinned},
          std::pair{static_cast<const char*>(kStaged), MemorySpace::kHost}}) {
      const auto copies = std::make_shared<BothWays>(device, host, size);
      prepared.runs.push_back({.strategy = strategy,
                               .check =
                                   [=] {
                                     copies->check();
                                     return RunAmount{bytes, bytes, kUploadLimit};
                                   },
                               .run = [=] { return seconds_of([&] { copies->run(); }); }});
    }
    return prepared;
  };
  return workload;
}

}  // namespace

std::vector<Workload> both_ways_workloads() { return {both_ways()}; }

}  // namespace millrace::tools
