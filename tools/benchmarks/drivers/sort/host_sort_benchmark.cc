// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/sort/host_sort_benchmark.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <millrace/algorithms/radix_sort/host_array_sort.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/resident_sort.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/workloads/sort/host_sort_workload.h>

namespace millrace::tools {
namespace {

using radix_sort::KeyDistribution;
using radix_sort::SortArguments;

// Largest ratio that meets the bar; 0: there is no bar.
double bar_for(MemorySpace space, SortKind kind, std::size_t count) {
  constexpr double kNeverSlower = 1.05;
  if (space == MemorySpace::kHost) {
    return count == 100'000'000 && kind != SortKind::kArgsort ? 0.2 : kNeverSlower;
  }
  const bool is_large = count == 100'000'000 || count == 1'000'000'000;
  const bool is_ten_million = count == 10'000'000;
  switch (kind) {
    case SortKind::kKeys: return is_large ? 0.65 : is_ten_million ? 0.8 : kNeverSlower;
    case SortKind::kPairs: return is_large ? 0.70 : is_ten_million ? 0.75 : kNeverSlower;
    case SortKind::kArgsort: return is_large ? 0.62 : kNeverSlower;
  }
  return kNeverSlower;
}

class HostSortBenchmark {
 public:
  explicit HostSortBenchmark(const HostSortBenchmarkOptions& options)
      : options_(options), device_(open_device(options.device)), queue_(device_->make_queue()) {
    const DeviceInfo& info = device_->info();
    if (info.shares_host_memory) {
      throw Error(ErrorCode::kUnsupported, info.name + " has no memory of its own to sort in");
    }
    QueueOptions unstaged;
    unstaged.stages_pageable_copies = false;
    plain_queue_ = device_->make_queue(unstaged);
    most_ = options.most != 0 ? options.most : info.is_simulated ? 10'000 : 1'000'000'000;
    if (!options.csv.empty()) {
      csv_.open(options.csv);
      if (!csv_) throw Error(ErrorCode::kIo, "cannot write " + options.csv);
      csv_ << "memory,kind,distribution,count,serial_seconds,seconds,ratio,bytes_up,bytes_down\n";
    }
    std::printf("%s: %s\n", info.name.c_str(), info.description.c_str());
  }

  void run() {
    std::printf("\nIn device memory, against the library's call alone\n");
    print_head("library");
    for (const std::size_t count : counts(10'000)) measure_resident(count);
    std::printf("\nFrom and to pinned memory, against copy, sort, copy (argsort: that of pairs)\n");
    print_head("serial");
    for (const std::size_t count : counts(1000)) measure(MemorySpace::kPinned, count);
    if (options_.has_pageable) {
      std::printf("\nThe same in pageable memory, against the driver's own copies\n");
      print_head("driver");
      for (const std::size_t count : counts(1000)) measure(MemorySpace::kHost, count);
    }
    if (options_.has_shapes) {
      std::printf("\nOther keys, pinned\n");
      print_head("serial");
      for (const KeyDistribution keys : radix_sort::kKeyDistributions) {
        measure(MemorySpace::kPinned, std::min<std::size_t>(most_, 100'000'000), keys);
      }
    }
  }

 private:
  std::vector<std::size_t> counts(std::size_t first) const {
    std::vector<std::size_t> result;
    for (std::size_t count = first; count <= most_; count *= 10) result.push_back(count);
    return result;
  }

  static void print_head(const char* first) {
    std::printf("        count  kind     keys        %9s ms         ms      M/s   ratio\n", first);
  }

  // Large sorts are steady, and take long.
  std::size_t rounds_for(std::size_t count) const {
    if (options_.rounds != 0) return options_.rounds;
    return count >= 100'000'000 ? 5 : 15;
  }

  void measure_resident(std::size_t count) {
    HostSortWorkload workload(device_, MemorySpace::kPinned, count, KeyDistribution::kUniform);
    for (const SortKind kind : {SortKind::kKeys, SortKind::kPairs}) {
      const SortArguments host = workload.arguments(kind);
      SerialSort library(*queue_, host);
      library.run();  // Which brings up the input.
      radix_sort::SortMemory memory(*queue_);
      const SortArguments resident = on_device(host, memory);
      const auto sort = [&] {
        radix_sort::sort_resident(*queue_, radix_sort::sort_steps_of(*queue_), resident);
      };
      const auto timings =
          run_contest({{"library", [&] { library.run_on_device(); }}, {"sort", sort}},
                      options_.seconds / 4, rounds_for(count));
      workload.clear();
      queue_->copy(host.keys_out, resident.keys_out, 4 * count);
      if (host.values_out != nullptr) queue_->copy(host.values_out, resident.values_out, 4 * count);
      queue_->wait();
      workload.check(kind, "the sort in device memory");
      print_line("device", kind, KeyDistribution::kUniform, count, timings, {},
                 count == 100'000'000 ? 1.05 : 0);
    }
  }

  SortArguments on_device(const SortArguments& host, radix_sort::SortMemory& memory) {
    SortArguments result = host;
    result.space = MemorySpace::kDevice;
    const auto take = [&](std::size_t element_bytes) {
      return memory.take(MemorySpace::kDevice, element_bytes * host.count);
    };
    void* const keys = take(4);
    void* const values = take(host.value_bytes);
    queue_->copy(keys, host.keys_in, 4 * host.count);
    if (host.value_bytes > 0) queue_->copy(values, host.values_in, 4 * host.count);
    queue_->wait();
    result.keys_in = keys;
    result.values_in = host.value_bytes > 0 ? values : nullptr;
    result.keys_out = take(4);
    result.values_out = take(host.value_bytes);
    return result;
  }

  void measure(MemorySpace space, std::size_t count,
               KeyDistribution keys = KeyDistribution::kUniform) {
    HostSortWorkload workload(device_, space, count, keys);
    for (const SortKind kind : kSortKinds) {
      const SortKind serial_kind = kind == SortKind::kArgsort ? SortKind::kPairs : kind;
      Queue& plain = space == MemorySpace::kPinned ? *queue_ : *plain_queue_;
      SerialSort serial(plain, workload.arguments(serial_kind, SortSide::kOther));
      const SortArguments arguments = workload.arguments(kind);
      radix_sort::SortReport report;
      const auto timings =
          run_contest({{"serial", [&] { serial.run(); }},
                       {"sort", [&] { report = radix_sort::sort(*queue_, arguments); }}},
                      options_.seconds, rounds_for(count));
      workload.clear();
      serial.run();
      workload.check(serial_kind, "copy, sort, copy", SortSide::kOther);
      radix_sort::sort(*queue_, arguments);
      workload.check(kind, "the sort");
      const double bar = keys == KeyDistribution::kUniform ? bar_for(space, kind, count) : 1.05;
      print_line(millrace::to_string(space), kind, keys, count, timings, report, bar);
    }
  }

  void print_line(const char* memory, SortKind kind, KeyDistribution keys, std::size_t count,
                  const std::vector<Timing>& timings, const radix_sort::SortReport& report,
                  double bar) {
    const double serial = timings[0].median_seconds;
    const double own = timings[1].median_seconds;
    const double ratio = timings[1].ratio_to_first;
    std::printf("%13zu  %-7s  %-12s  %10.3f %10.3f  %7.0f  %6.3f", count, to_string(kind),
                radix_sort::to_string(keys), serial * 1e3, own * 1e3,
                static_cast<double>(count) / own / 1e6, ratio);
    if (bar > 0 && !device_->info().is_simulated)
      std::printf("  %s (<= %.2f)", ratio <= bar ? "met" : "MISSED", bar);
    std::printf("\n");
    std::fflush(stdout);
    if (csv_.is_open()) {
      csv_ << memory << ',' << to_string(kind) << ',' << radix_sort::to_string(keys) << ',' << count
           << ',' << serial << ',' << own << ',' << ratio << ',' << report.bytes_up << ','
           << report.bytes_down << '\n';
    }
  }

  const HostSortBenchmarkOptions& options_;
  const std::shared_ptr<Device> device_;
  const std::unique_ptr<Queue> queue_;
  std::unique_ptr<Queue> plain_queue_;  // Whose copies of pageable memory are the driver's.
  std::size_t most_;
  std::ofstream csv_;
};

}  // namespace

void benchmark_host_sort(const HostSortBenchmarkOptions& options) {
  HostSortBenchmark(options).run();
}

}  // namespace millrace::tools
