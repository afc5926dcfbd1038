// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/copies/byte_pattern.h>
#include <millrace/tools/benchmarks/workloads/copies/launch_workload.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace millrace::tools {
namespace {

Workload launch() {
  Workload workload;
  workload.name = "micro-launch";
  workload.what = "four bytes filled, and waited for";
  workload.item_name = "launches";
  workload.sizes = SizeChoice{.cpu = {1}, .gpu = {1}, .quick = 1, .simulated = 1};
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&, std::uint64_t) {
    const std::shared_ptr<Queue> queue = device->make_queue();
    const auto word = std::make_shared<Buffer<std::uint32_t>>(device, MemorySpace::kDevice, 1);
    const auto fill = [=](std::byte value) {
      queue->fill(word->data(), value, word->size_bytes());
      queue->wait();
    };
    const auto check = [=] {
      fill(std::byte{0x5a});
      std::array<std::byte, sizeof(std::uint32_t)> right{};
      right.fill(std::byte{0x5a});
      std::array<std::byte, sizeof(std::uint32_t)> found{};
      queue->copy(found.data(), word->data(), found.size());
      queue->wait();
      require_equal(right, found);
      return RunAmount{1, 0, kLaunchLimit};
    };
    return PreparedWork{
        "", {{.check = check, .run = [=] { return seconds_of([&] { fill(std::byte{1}); }); }}}};
  };
  return workload;
}

}  // namespace

std::vector<Workload> launch_workloads() { return {launch()}; }

}  // namespace millrace::tools
