// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/memory_pool.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/copies/byte_workload.h>
#include <millrace/tools/benchmarks/workloads/copies/memory_pool_workload.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace millrace::tools {
namespace {

using Memory = Buffer<std::byte>;

constexpr std::uint64_t kMiB = 1 << 20;
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
  Workload workload = byte_workload(
      "micro-pool", "SIZE bytes taken from a pool that grows, or that has them already",
      {.cpu = {1024 * kMiB}, .gpu = {1024 * kMiB}, .quick = 64 * kMiB, .simulated = 8 * kMiB});
  workload.item_name = "blocks";
  for (const MemorySpace space : {MemorySpace::kPinned, MemorySpace::kDevice}) {
    for (const char* const way : {kGrows, kReuses}) {
      workload.strategies.push_back(millrace::to_string(space) + std::string(way));
    }
  }
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

std::vector<Workload> memory_pool_workloads() { return {pools()}; }

}  // namespace millrace::tools
