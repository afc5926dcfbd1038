// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/host_span.h>
#include <millrace/algorithms/idct/idct_arguments.h>
#include <millrace/algorithms/idct/paper/idct_strategies.h>
#include <millrace/algorithms/idct/paper/launch_kernel_op.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::idct {
namespace {

class Stopwatch {
 public:
  // Adds the time since the last call, or since construction, to `phase`.
  void add_to(double& phase) {
    const Clock::time_point now = Clock::now();
    phase += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

// The arrays of the paper that are in device memory.
class DeviceArrays {
 public:
  DeviceArrays(Queue& queue, std::size_t count)
      : flags_(queue.device().shared_from_this(), MemorySpace::kDevice, count),
        coefficients_(queue.device().shared_from_this(), MemorySpace::kDevice,
                      kMacroblockSamples * count + kTextureAlignment / sizeof(std::int16_t)),
        residual_(queue.device().shared_from_this(), MemorySpace::kDevice,
                  kMacroblockSamples * count) {}

  BufferSpan<TransformSize> flags(std::size_t count) { return flags_.span(0, count); }
  BufferSpan<std::int16_t> coefficients(std::size_t count) {
    const auto address = reinterpret_cast<std::uintptr_t>(coefficients_.data());
    const std::size_t bytes_in =
        (kTextureAlignment - address % kTextureAlignment) % kTextureAlignment;
    return coefficients_.span(bytes_in / sizeof(std::int16_t), kMacroblockSamples * count);
  }
  BufferSpan<std::int16_t> residual(std::size_t count) {
    return residual_.span(0, kMacroblockSamples * count);
  }

 private:
  Buffer<TransformSize> flags_;
  Buffer<std::int16_t> coefficients_;
  Buffer<std::int16_t> residual_;
};

// A kernel over macroblocks in host memory.
struct HostLaunch {
  Access access;
  KernelTypes types;
  KernelGrid grid;
  MacroblockQueue macroblocks;
  std::int16_t* residual;
};

// Uploads macroblocks, runs a kernel over them and downloads the residual. Returns when the queue
// is empty.
void run_on_device(Queue& queue, DeviceArrays& arrays, const HostLaunch& launch,
                   PaperTimes& times) {
  const MacroblockQueue& macroblocks = launch.macroblocks;
  const std::size_t count = macroblocks.count;
  const std::size_t samples = kMacroblockSamples * count;
  Stopwatch watch;
  if (launch.types == KernelTypes::kMixed) {
    copy(queue, arrays.flags(count), host_span(macroblocks.sizes, count));
  }
  copy(queue, arrays.coefficients(count), host_span(macroblocks.coefficients, samples));
  queue.wait();
  watch.add_to(times.upload);
  OpTable<LaunchKernelOp>::at(queue)(
      queue, {.access = launch.access,
              .types = launch.types,
              .grid = launch.grid,
              .macroblocks = {arrays.flags(count).data(), arrays.coefficients(count).data(), count},
              .residual = arrays.residual(count).data()});
  queue.wait();
  watch.add_to(times.kernel);
  copy(queue, host_span(launch.residual, samples), arrays.residual(count));
  queue.wait();
  watch.add_to(times.download);
}

// Appends the macroblocks of one type to `gathered`, and returns their number.
std::size_t gather(const MacroblockQueue& macroblocks, TransformSize type, std::int16_t* gathered) {
  std::size_t count = 0;
  for (std::size_t m = 0; m < macroblocks.count; ++m) {
    if (macroblocks.sizes[m] != type) continue;
    std::copy_n(macroblocks.coefficients + kMacroblockSamples * m, kMacroblockSamples,
                gathered + kMacroblockSamples * count);
    ++count;
  }
  return count;
}

void scatter(const MacroblockQueue& macroblocks, TransformSize type, const std::int16_t* gathered,
             std::int16_t* residual) {
  for (std::size_t m = 0; m < macroblocks.count; ++m) {
    if (macroblocks.sizes[m] != type) continue;
    std::copy_n(gathered, kMacroblockSamples, residual + kMacroblockSamples * m);
    gathered += kMacroblockSamples;
  }
}

void run_persistent(Queue& queue, DeviceArrays& arrays, Access access,
                    const MacroblockQueue& macroblocks, std::int16_t* residual, PaperTimes& times) {
  std::vector<std::int16_t> gathered(kMacroblockSamples * macroblocks.count);
  for (const TransformSize type : {TransformSize::k4x4, TransformSize::k8x8}) {
    Stopwatch watch;
    const std::size_t count = gather(macroblocks, type, gathered.data());
    watch.add_to(times.gather);
    if (count == 0) continue;
    run_on_device(queue, arrays,
                  {.access = access,
                   .types = type == TransformSize::k4x4 ? KernelTypes::k4x4 : KernelTypes::k8x8,
                   .grid = KernelGrid::kResident,
                   .macroblocks = {nullptr, gathered.data(), count},
                   .residual = gathered.data()},
                  times);
    Stopwatch scatter_watch;
    scatter(macroblocks, type, gathered.data(), residual);
    scatter_watch.add_to(times.scatter);
  }
}

void check_sizes(const MacroblockQueue& macroblocks) {
  for (std::size_t m = 0; m < macroblocks.count; ++m) {
    const auto size = static_cast<int>(macroblocks.sizes[m]);
    if (size > 1) {
      reject("macroblocks.sizes[" + std::to_string(m) + "] is " + std::to_string(size) +
             "; it must be 0 (4x4) or 1 (8x8)");
    }
  }
}

void check_aligned(const char* name, const std::int16_t* data, std::size_t bytes) {
  if (reinterpret_cast<std::uintptr_t>(data) % bytes != 0) {
    reject(std::string(name) + " is not aligned; its address must be a multiple of " +
           std::to_string(bytes));
  }
}

}  // namespace

const char* to_string(Access access) {
  switch (access) {
    case Access::kGlobal: return "global";
    case Access::kShared: return "shared";
    case Access::kSharedTexture: return "shared+texture";
  }
  return "unknown";
}

const char* to_string(PaperAlgorithm algorithm) {
  return algorithm == PaperAlgorithm::kPersistent ? "persistent" : "uberkernel";
}

void inverse_transform_paper(Queue& queue, PaperAlgorithm algorithm, Access access,
                             const MacroblockQueue& macroblocks, std::int16_t* residual,
                             PaperTimes* times) {
  check_residual_arguments(macroblocks, residual);
  check_sizes(macroblocks);
  // A launch without macroblocks rejects an unsupported device before anything is uploaded.
  OpTable<LaunchKernelOp>::at(queue)(queue, {.access = access,
                                             .types = KernelTypes::kMixed,
                                             .grid = KernelGrid::kResident,
                                             .macroblocks = {},
                                             .residual = nullptr});
  PaperTimes spent;
  if (macroblocks.count > 0) {
    DeviceArrays arrays(queue, macroblocks.count);
    if (algorithm == PaperAlgorithm::kPersistent) {
      run_persistent(queue, arrays, access, macroblocks, residual, spent);
    } else {
      run_on_device(queue, arrays,
                    {.access = access,
                     .types = KernelTypes::kMixed,
                     .grid = KernelGrid::kOneForEachItem,
                     .macroblocks = macroblocks,
                     .residual = residual},
                    spent);
    }
  }
  if (times != nullptr) *times = spent;
}

void inverse_transform_with(Queue& queue, Access access, const MacroblockQueue& macroblocks,
                            std::int16_t* residual) {
  check_residual_arguments(macroblocks, residual);
  constexpr std::size_t kWidestAccess = 16;
  check_aligned("macroblocks.coefficients", macroblocks.coefficients,
                access == Access::kSharedTexture ? kTextureAlignment : kWidestAccess);
  check_aligned("residual", residual, kWidestAccess);
  OpTable<LaunchKernelOp>::at(queue)(queue, {.access = access,
                                             .types = KernelTypes::kMixed,
                                             .grid = KernelGrid::kResident,
                                             .macroblocks = macroblocks,
                                             .residual = residual});
  queue.wait();
}

}  // namespace millrace::idct
