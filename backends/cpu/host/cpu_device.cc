// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/host/cpu_device.h>
#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <new>
#include <string>

namespace millrace::cpu {
namespace {

std::string cpu_model() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

std::size_t physical_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Blocks of at least this size use huge pages if the system allows it. IDCT in memory runs 1.4
// times as fast with them (Zen 4, docs/experiments/how_host_memory_is_copied.md).
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes >= kHugePage ? kHugePage : Device::kAlignment};
}

}  // namespace

DeviceInfo CpuDevice::describe() {
  DeviceInfo info;
  info.target = kTarget;
  info.description = cpu_model();
  info.warp_width = 1;
  info.memory_bytes = physical_memory();
  info.shares_host_memory = true;
  return info;
}

std::unique_ptr<Queue> CpuDevice::make_queue(const QueueOptions& options) {
  constexpr int kMaxThreads = 4096;
  if (options.concurrency < 0 || options.concurrency > kMaxThreads) {
    reject("concurrency is " + std::to_string(options.concurrency) +
           "; it must be 0 (all the caller may use) or 1 to " + std::to_string(kMaxThreads));
  }
  if (options.stream) {
    throw Error(ErrorCode::kUnsupported, "a CPU has no streams; leave QueueOptions::stream empty");
  }
  return std::make_unique<CpuQueue>(shared_from_this(), make_threads(options.concurrency));
}

void* CpuDevice::try_allocate(MemorySpace space, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  // A size that exceeds the address space only after alignment would wrap around to a small one.
  void* data = nullptr;
  if (bytes <= PTRDIFF_MAX) data = ::operator new(bytes, alignment_of(bytes), std::nothrow);
  if (data == nullptr) {
    throw Error(ErrorCode::kOutOfMemory, "could not allocate " + std::to_string(bytes) +
                                             " bytes of " + to_string(space) + " memory on " +
                                             info_.name + ", which has " +
                                             std::to_string(info_.memory_bytes) + " bytes in all");
  }
  // Only advice; the system may ignore it.
  if (bytes >= kHugePage) madvise(data, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
  return data;
}

void CpuDevice::deallocate(MemorySpace, void* data, std::size_t bytes) noexcept {
  ::operator delete(data, alignment_of(bytes));
}

}  // namespace millrace::cpu
