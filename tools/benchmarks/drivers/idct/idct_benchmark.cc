// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/idct/idct_benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <millrace/algorithms/idct/idct.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_workload.h>

namespace millrace::tools {
namespace {

constexpr char kCopy[] = "copy";

// Coefficients in and residual out.
constexpr double kBytesPerMacroblock = 2 * idct::kMacroblockSamples * sizeof(std::int16_t);

// The results of the best policy.
struct Best {
  double rate = 0;  // Macroblocks per second.
  double fraction_of_copy = 0;
};

Best benchmark_queue(const std::shared_ptr<Device>& device, IdctWorkload& workload, int concurrency,
                     const char* place, double seconds) {
  const auto queue = device->make_queue({.concurrency = concurrency});
  std::vector<Contender> contenders = {{kCopy, [&] { workload.copy_once(*queue); }}};
  for (const Policy policy : kConcretePolicies) {
    const auto transform = [&workload, &queue, policy] {
      idct::inverse_transform(*queue, workload.on_device(), workload.device_residual(),
                              {.policy = policy});
    };
    workload.spoil_device(*queue);
    transform();
    workload.check_device(*queue);
    contenders.push_back({to_string(policy), transform});
  }
  const std::string threads =
      concurrency == 0 ? "all of " + device->info().name : std::to_string(concurrency);
  Best best;
  for (const Timing& timing : run_contest(contenders, seconds)) {
    const double rate = static_cast<double>(workload.count()) / timing.median_seconds;
    std::printf("%8zu  %-9s  %-12s  %-15s  %7.1f  %7.1f  %6.2f\n", workload.count(), place,
                threads.c_str(), timing.name.c_str(), rate / 1e6, rate * kBytesPerMacroblock / 1e9,
                1 / timing.ratio_to_first);
    if (timing.name != kCopy) {
      best.rate = std::max(best.rate, rate);
      best.fraction_of_copy = std::max(best.fraction_of_copy, 1 / timing.ratio_to_first);
    }
  }
  return best;
}

void print_at_least(const std::string& what, double measured, double bar) {
  print_bar(what, measured, "at least", bar, measured >= bar);
}

void benchmark_on_cpu(const std::shared_ptr<Device>& device, double seconds) {
  constexpr std::size_t kInMemory = 262'144;
  constexpr std::size_t kInCache = 8'160;  // A 1080p picture.
  IdctWorkload in_memory(device, kInMemory);
  const Best memory_one = benchmark_queue(device, in_memory, 1, "memory", seconds);
  const Best memory_all = benchmark_queue(device, in_memory, 0, "memory", seconds);
  IdctWorkload in_cache(device, kInCache);
  const Best cache_one = benchmark_queue(device, in_cache, 1, "cache", seconds);
  const Best cache_all = benchmark_queue(device, in_cache, 0, "cache", seconds);

  constexpr double kMillion = 1e6;
  print_at_least("in memory, one thread, of copy", memory_one.fraction_of_copy, 0.8);
  print_at_least("in memory, one thread, M macroblocks/s", memory_one.rate / kMillion, 40);
  print_at_least("in memory, all threads to one", memory_all.rate / memory_one.rate, 1);
  print_at_least("in cache, one thread, M macroblocks/s", cache_one.rate / kMillion, 70);
  print_at_least("in cache, all threads, M macroblocks/s", cache_all.rate / kMillion, 70);
}

void benchmark_on_gpu(const std::shared_ptr<Device>& device, double seconds) {
  const bool is_simulated = device->info().is_simulated;
  IdctWorkload picture(device, is_simulated ? 100 : 8'160);
  benchmark_queue(device, picture, 0, "cache", seconds);
  IdctWorkload million(device, is_simulated ? 1'000 : 1'000'000);
  const Best best = benchmark_queue(device, million, 0, "memory", seconds);
  if (is_simulated) return;
  print_at_least("a million macroblocks in device memory, of copy", best.fraction_of_copy, 0.85);
}

}  // namespace

void benchmark_idct(const std::string& device_name, double seconds) {
  const std::shared_ptr<Device> device = open_device(device_name);
  std::printf("%s: %s\n", device->info().name.c_str(), device->info().description.c_str());
  std::printf("   count  in         threads       policy              M/s     GB/s  of copy\n");
  if (device->info().shares_host_memory) {
    benchmark_on_cpu(device, seconds);
  } else {
    benchmark_on_gpu(device, seconds);
  }
}

}  // namespace millrace::tools
