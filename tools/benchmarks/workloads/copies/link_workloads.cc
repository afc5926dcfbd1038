// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/device_workloads.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/memory_pool.h>
#include <millrace/runtime/host/host_memory.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>

namespace millrace::tools {
namespace {

using Memory = Buffer<std::byte>;

constexpr char kStaged[] = "staged";  // Pageable memory through pinned slots of our own.
constexpr std::uint64_t kMiB = 1 << 20;

// Fills memory that the host can write.
void fill_pattern(Memory& memory) {
  for (std::size_t i = 0; i < memory.size(); ++i) {
    memory.data()[i] = static_cast<std::byte>(i * 7 + i / 4096);
  }
}

void require_equal(const Memory& from, const Memory& to) {
  if (std::memcmp(from.data(), to.data(), from.size()) == 0) return;
  throw Error(ErrorCode::kInternal, "the copy differs");
}

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
    require_equal(from_, to_);
  }

 private:
  const std::unique_ptr<Queue> up_;
  const std::unique_ptr<Queue> down_;
  Memory from_;
  Memory to_;
  Memory upper_;
  Memory lower_;
};

Workload micro(const std::string& name, const std::string& what) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.item_name = "bytes";
  workload.sizes =
      SizeChoice{.cpu = {128 * kMiB}, .gpu = {512 * kMiB}, .quick = 32 * kMiB, .simulated = kMiB};
  workload.size_rule = "is at most 17179869184";
  workload.is_size = [](std::uint64_t size) { return size <= std::uint64_t{1} << 34; };
  return workload;
}

// The rate of one way, while as much goes the other.
Workload both_ways() {
  Workload workload =
      micro("micro-both-ways", "so many bytes to the device and as many back, at once");
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

// Copies from pageable memory of the host.
struct HostCopy {
  HostCopy(const std::shared_ptr<Device>& device, MemorySpace space, std::size_t bytes)
      : from(device, MemorySpace::kHost, bytes), to(device, space, bytes) {
    fill_pattern(from);
  }

  Memory from;
  Memory to;
};

using CopyBytes = void (*)(void* to, const void* from, std::size_t bytes);

void copy_by_memcpy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

WorkRun host_copy_run(const std::shared_ptr<HostCopy>& memory, CopyBytes work,
                      const RunAmount& amount) {
  return {.check =
              [=] {
                std::memset(memory->to.data(), 0xff, memory->to.size());
                work(memory->to.data(), memory->from.data(), memory->from.size());
                require_equal(memory->from, memory->to);
                return amount;
              },
          .run =
              [=] {
                return seconds_of(
                    [&] { work(memory->to.data(), memory->from.data(), memory->from.size()); });
              }};
}

Workload host_copy() {
  Workload workload =
      micro("micro-host-copy",
            "a copy of so many bytes from pageable memory of the host, by its threads");
  workload.strategies = {millrace::to_string(MemorySpace::kHost),
                         millrace::to_string(MemorySpace::kPinned)};
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) {
    const auto bytes = static_cast<double>(size);
    const bool is_limited = device->info().shares_host_memory;
    const RunAmount amount{bytes, 2 * bytes, is_limited ? copy_limit_of(2 * bytes) : ""};
    PreparedWork prepared;
    for (const MemorySpace space : {MemorySpace::kHost, MemorySpace::kPinned}) {
      const auto memory = std::make_shared<HostCopy>(device, space, size);
      WorkRun& ours = prepared.runs.emplace_back(host_copy_run(memory, &copy_host_memory, amount));
      ours.strategy = millrace::to_string(space);
      WorkRun& theirs = prepared.runs.emplace_back(host_copy_run(memory, &copy_by_memcpy, amount));
      theirs.strategy = millrace::to_string(space);
      theirs.peer = "memcpy";
    }
    return prepared;
  };
  return workload;
}

constexpr char kGrows[] = ", grows";
constexpr char kReuses[] = ", reuses";

void require_pool(bool is_right, const std::string& what) {
  if (!is_right) throw Error(ErrorCode::kInternal, "the pool " + what);
}

// Takes memory from a pool that has none, or none but that.
void add_pool_runs(const std::shared_ptr<Device>& device, MemorySpace space, std::size_t bytes,
                   std::vector<WorkRun>& runs) {
  const std::shared_ptr<MemoryPool> pool = device->pool(space);
  const auto take = [=] { const Memory memory(pool, bytes); };
  const std::string name = millrace::to_string(space);
  runs.push_back({.strategy = name + kGrows,
                  .check =
                      [=] {
                        pool->trim(0);
                        const auto before = pool->statistics();
                        take();
                        const auto after = pool->statistics();
                        require_pool(after.bytes_held >= before.bytes_held + bytes, "did not grow");
                        require_pool(after.reuses == before.reuses, "reused what it had not");
                        return RunAmount{1};
                      },
                  .run =
                      [=] {
                        pool->trim(0);
                        return seconds_of(take);
                      }});
  runs.push_back({.strategy = name + kReuses,
                  .check =
                      [=] {
                        take();
                        const auto before = pool->statistics();
                        take();
                        require_pool(pool->statistics().reuses == before.reuses + 1,
                                     "did not reuse its memory");
                        return RunAmount{1};
                      },
                  .run =
                      [=] {
                        take();
                        return seconds_of(take);
                      }});
}

Workload pools() {
  Workload workload =
      micro("micro-pool", "so many bytes taken from a pool that grows, or that has them already");
  workload.item_name = "blocks";
  for (const MemorySpace space : {MemorySpace::kPinned, MemorySpace::kDevice}) {
    for (const char* const way : {kGrows, kReuses}) {
      workload.strategies.push_back(millrace::to_string(space) + std::string(way));
    }
  }
  workload.sizes = SizeChoice{
      .cpu = {1024 * kMiB}, .gpu = {1024 * kMiB}, .quick = 64 * kMiB, .simulated = 8 * kMiB};
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) {
    PreparedWork prepared;
    for (const MemorySpace space : {MemorySpace::kPinned, MemorySpace::kDevice}) {
      add_pool_runs(device, space, size, prepared.runs);
    }
    return prepared;
  };
  return workload;
}

}  // namespace

std::vector<Workload> link_workloads() { return {both_ways(), host_copy(), pools()}; }

}  // namespace millrace::tools
