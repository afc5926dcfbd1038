// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/copies/byte_pattern.h>
#include <millrace/tools/benchmarks/workloads/copies/byte_workload.h>
#include <millrace/tools/benchmarks/workloads/copies/copy_workloads.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>

#include <cstddef>

namespace millrace::tools {
namespace {

using Memory = Buffer<std::byte>;

constexpr char kOneThread[] = "one thread";

// Bytes from one memory of a device to another.
class Copies {
 public:
  Copies(const std::shared_ptr<Device>& device, MemorySpace from, MemorySpace to,
         std::uint64_t bytes, const QueueOptions& options)
      : queue_(device->make_queue(options)), from_(device, from, bytes), to_(device, to, bytes) {}

  void run() {
    queue_->copy(to_.data(), from_.data(), from_.size());
    queue_->wait();
  }

  void check() {
    std::vector<std::byte> bytes(from_.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % 251);
    queue_->copy(from_.data(), bytes.data(), bytes.size());
    queue_->fill(to_.data(), std::byte{0xff}, to_.size());
    run();
    std::vector<std::byte> found(to_.size());
    queue_->copy(found.data(), to_.data(), found.size());
    queue_->wait();
    require_equal(bytes, found);
  }

 private:
  const std::unique_ptr<Queue> queue_;
  Memory from_;
  Memory to_;
};

WorkRun run_of(const std::shared_ptr<Copies>& copies, const std::string& strategy,
               const RunAmount& amount) {
  return {.strategy = strategy,
          .check =
              [=] {
                copies->check();
                return amount;
              },
          .run = [=] { return seconds_of([&] { copies->run(); }); }};
}

SizeChoice copy_sizes() {
  constexpr std::uint64_t kKiB = 1 << 10;
  constexpr std::uint64_t kMiB = 1 << 20;
  return {.cpu = {4 * kKiB, kMiB, 128 * kMiB},
          .gpu = {4 * kKiB, kMiB, 512 * kMiB},
          .quick = 32 * kMiB,
          .simulated = kMiB};
}

Workload device_copy() {
  Workload workload =
      byte_workload("micro-copy", "a copy of SIZE bytes on the device", copy_sizes());
  workload.strategies = {kOneThread};
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) {
    const auto bytes = static_cast<double>(size);
    const RunAmount amount = {bytes, 2 * bytes, copy_limit_of(2 * bytes)};
    const auto make = [&](const QueueOptions& options) {
      return std::make_shared<Copies>(device, MemorySpace::kDevice, MemorySpace::kDevice, size,
                                      options);
    };
    PreparedWork prepared{"", {run_of(make({}), "", amount)}};
    if (device->info().shares_host_memory) {
      prepared.runs.push_back(run_of(make({.concurrency = 1}), kOneThread, amount));
    }
    return prepared;
  };
  return workload;
}

Workload link_copy(const std::string& name, const std::string& what, bool is_up) {
  Workload workload = byte_workload(name, what, copy_sizes());
  const char* const pinned = to_string(MemorySpace::kPinned);
  const char* const pageable = to_string(MemorySpace::kHost);
  workload.strategies = {pinned, pageable, kStaged};
  workload.prepare = [=](const std::shared_ptr<Device>& device, const std::string&,
                         std::uint64_t size) {
    if (device->info().shares_host_memory) {
      throw Error(ErrorCode::kUnsupported,
                  "the device shares the host's memory, so nothing is copied over a link; choose "
                  "a device with memory of its own");
    }
    const auto bytes = static_cast<double>(size);
    const RunAmount amount = {bytes, bytes, is_up ? kUploadLimit : kDownloadLimit};
    const auto make = [&](MemorySpace host, bool is_staged) {
      const QueueOptions options = {.stages_pageable_copies = is_staged};
      return is_up ? std::make_shared<Copies>(device, host, MemorySpace::kDevice, size, options)
                   : std::make_shared<Copies>(device, MemorySpace::kDevice, host, size, options);
    };
    return PreparedWork{"",
                        {run_of(make(MemorySpace::kPinned, true), pinned, amount),
                         run_of(make(MemorySpace::kHost, false), pageable, amount),
                         run_of(make(MemorySpace::kHost, true), kStaged, amount)}};
  };
  return workload;
}

}  // namespace

std::vector<Workload> copy_workloads() {
  return {device_copy(), link_copy("micro-upload", "a copy of SIZE bytes to the device", true),
          link_copy("micro-download", "a copy of SIZE bytes to the host", false)};
}

}  // namespace millrace::tools
