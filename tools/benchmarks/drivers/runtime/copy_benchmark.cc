// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/runtime/copy_benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/host/host_memory.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/harness/copy_rate.h>
#include <millrace/tools/benchmarks/harness/sampler.h>

namespace millrace::tools {
namespace {

using Memory = Buffer<std::byte>;

// Memory of both ends of a link, and a queue for each direction.
class Link {
 public:
  Link(std::shared_ptr<Device> device, std::size_t bytes)
      : device_(std::move(device)),
        bytes_(bytes),
        there_{make(MemorySpace::kDevice), make(MemorySpace::kDevice)},
        pinned_{make(MemorySpace::kPinned), make(MemorySpace::kPinned)},
        pageable_{make(MemorySpace::kHost), make(MemorySpace::kHost)} {
    for (Memory& host : pageable_) std::memset(host.data(), 1, bytes_);
  }

  enum class Direction { kUp, kDown, kBoth };

  Contender copies(const std::string& name, Direction direction, MemorySpace host, bool staged) {
    const QueueOptions options = {.stages_pageable_copies = staged};
    const std::shared_ptr<Queue> up = device_->make_queue(options);
    const std::shared_ptr<Queue> down = device_->make_queue(options);
    Memory(&side)[2] = host == MemorySpace::kPinned ? pinned_ : pageable_;
    return {name, [=, this, &side] {
              if (direction != Direction::kDown) copy(*up, there_[0].span(), side[0].span());
              if (direction != Direction::kUp) copy(*down, side[1].span(), there_[1].span());
              up->wait();
              down->wait();
            }};
  }

  Contender host_copies(const std::string& name) {
    return {name, [this] { copy_host_memory(pinned_[0].data(), pageable_[0].data(), bytes_); }};
  }

 private:
  Memory make(MemorySpace space) const { return Memory(device_, space, bytes_); }

  const std::shared_ptr<Device> device_;
  const std::size_t bytes_;
  Memory there_[2];  // Up, down.
  Memory pinned_[2];
  Memory pageable_[2];
};

double rate(std::size_t bytes, double seconds) {
  return static_cast<double>(bytes) / seconds / 1e9;
}

void print_link(const std::shared_ptr<Device>& device, double seconds) {
  using enum Link::Direction;
  using enum MemorySpace;
  const std::size_t bytes = std::size_t{device->info().is_simulated ? 8u : 512u} << 20;
  Link link(device, bytes);
  const auto timings = run_contest(
      {
          link.copies("pageable up, the vendor's own", kUp, kHost, false),
          link.copies("pageable down, the vendor's own", kDown, kHost, false),
          link.copies("pageable up, staged", kUp, kHost, true),
          link.copies("pageable down, staged", kDown, kHost, true),
          link.copies("pageable both at once, staged, each way", kBoth, kHost, true),
          link.copies("pinned up", kUp, kPinned, true),
          link.copies("pinned down", kDown, kPinned, true),
          link.copies("pinned both at once, each way", kBoth, kPinned, true),
          link.host_copies("host memory to host memory"),
      },
      seconds, 5);
  std::printf("\n%zu MiB at once, %d host threads%31s %8s %8s\n", bytes >> 20,
              HostThreads::shared().count(), "GB/s", "best", "ratio");
  for (const Timing& timing : timings) {
    std::printf("%-55s %8.1f %8.1f %8.2f\n", timing.name.c_str(),
                rate(bytes, timing.median_seconds), rate(bytes, timing.best_seconds),
                1 / timing.ratio_to_first);
  }
  if (device->info().is_simulated) return;
  std::printf("\n");
  for (const std::size_t staged : {2, 3}) {
    const double ratio = 1 / timings[staged].ratio_to_first;
    print_bar(timings[staged].name + ", to the vendor's upload", ratio, ">=", 4, ratio >= 4);
  }
}

// From what size on it pays to stage a copy.
void print_sizes(const std::shared_ptr<Device>& device, double seconds) {
  constexpr std::size_t kLeast = std::size_t{128} << 10;
  const std::size_t most = std::size_t{device->info().is_simulated ? 1u : 256u} << 20;
  std::printf(
      "\npageable, GB/s       up: vendor   staged    ratio  down: vendor   staged    ratio\n");
  for (std::size_t bytes = kLeast; bytes <= most; bytes *= 2) {
    Link link(device, bytes);
    std::printf("%8zu KiB    ", bytes >> 10);
    for (const auto direction : {Link::Direction::kUp, Link::Direction::kDown}) {
      const auto timings = run_contest({link.copies("vendor", direction, MemorySpace::kHost, false),
                                        link.copies("staged", direction, MemorySpace::kHost, true)},
                                       seconds / 20);
      std::printf("    %10.2f %8.2f %8.2f", rate(bytes, timings[0].median_seconds),
                  rate(bytes, timings[1].median_seconds), 1 / timings[1].ratio_to_first);
    }
    std::printf("\n");
  }
}

void print_pool(const std::shared_ptr<Device>& device, MemorySpace space) {
  const std::size_t bytes = std::size_t{device->info().is_simulated ? 8u : 1024u} << 20;
  const auto pool = device->pool(space);
  pool->trim(0);
  const auto take = [&] { const Memory memory(pool, bytes); };
  take();  // Starts what is started once.
  pool->trim(0);
  const double growth = seconds_of(take);
  const double reuse = seconds_of(take);
  std::printf("the pool of %s memory grows by %zu MiB in %.1f ms, gives them again in %.1f us\n",
              to_string(space), bytes >> 20, growth * 1e3, reuse * 1e6);
  pool->trim(0);
}

}  // namespace

void benchmark_copies(const std::string& name, double seconds) {
  const std::shared_ptr<Device> device = open_device(name);
  for (const int concurrency : {1, 0}) {
    const auto queue = device->make_queue({.concurrency = concurrency});
    std::printf("%-11s %6.1f GB/s read and written\n",
                concurrency == 1 ? "one thread" : "all threads", measure_copy_rate(*queue) / 1e9);
  }
  for (const MemorySpace space : {MemorySpace::kPinned, MemorySpace::kDevice}) {
    print_pool(device, space);
  }
  if (device->info().shares_host_memory) return;
  print_link(device, seconds);
  print_sizes(device, seconds);
}

}  // namespace millrace::tools
