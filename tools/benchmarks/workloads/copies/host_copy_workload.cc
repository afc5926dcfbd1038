// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/host/host_memory.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/copies/byte_pattern.h>
#include <millrace/tools/benchmarks/workloads/copies/byte_workload.h>
#include <millrace/tools/benchmarks/workloads/copies/host_copy_workload.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>

namespace millrace::tools {
namespace {

using Memory = Buffer<std::byte>;

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
                require_equal({memory->from.data(), memory->from.size()},
                              {memory->to.data(), memory->to.size()});
                return amount;
              },
          .run =
              [=] {
                return seconds_of(
                    [&] { work(memory->to.data(), memory->from.data(), memory->from.size()); });
              }};
}

Workload host_copy() {
  Workload workload = byte_workload(
      "micro-host-copy", "a copy of SIZE bytes from pageable memory of the host, by its threads",
      large_copy_sizes());
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

}  // namespace

std::vector<Workload> host_copy_workloads() { return {host_copy()}; }

}  // namespace millrace::tools
