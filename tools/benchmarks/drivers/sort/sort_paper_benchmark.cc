// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/sort/sort_paper_benchmark.h>

#include <cstdio>
#include <fstream>
#include <memory>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/sort/sort_paper_runs.h>

namespace millrace::tools {
namespace {

using radix_sort::KeyDistribution;

class SortPaperBenchmark {
 public:
  explicit SortPaperBenchmark(const SortPaperOptions& options)
      : options_(options), device_(open_device(options.device)) {
    const DeviceInfo& info = device_->info();
    if (info.shares_host_memory) throw Error(ErrorCode::kUnsupported, sort_paper_limit(info));
    most_ = options.most != 0 ? options.most : info.is_simulated ? 10'000 : 100'000'000;
    if (!options.csv.empty()) {
      csv_.open(options.csv);
      if (!csv_) throw Error(ErrorCode::kIo, "cannot write " + options.csv);
      csv_ << "distribution,count,row,original_seconds,modified_seconds\n";
    }
    std::printf("%s: %s\n", info.name.c_str(), info.description.c_str());
  }

  void run() {
    for (const KeyDistribution keys : {KeyDistribution::kUniform, KeyDistribution::kNormal}) {
      std::printf("\n%s: pairs, ms (ours: what sort() does)\n", radix_sort::to_string(keys));
      std::printf("        count    original    modified        ours  modified/original\n");
      for (std::size_t count = 10'000; count <= most_; count *= 10) compare(keys, count);
      print_profile(keys);
    }
  }

 private:
  void compare(KeyDistribution keys, std::size_t count) {
    const std::size_t rounds = options_.rounds != 0 ? options_.rounds : sort_paper_rounds(count);
    last_ = measure_sort_paper(device_, keys, count, options_.seconds, rounds);
    std::printf("%13zu  %10.3f  %10.3f  %10.3f  %17.3f\n", count, last_.original->total * 1e3,
                last_.modified->total * 1e3, last_.ours * 1e3, last_.ratio);
    std::fflush(stdout);
    write_csv(keys, count);
  }

  // Prints the profile of the largest count.
  void print_profile(KeyDistribution keys) const {
    std::printf("\nProfile of %zu %s pairs, ms; %llu passes made %llu buckets\n", last_.count,
                radix_sort::to_string(keys), static_cast<unsigned long long>(last_.partitions),
                static_cast<unsigned long long>(last_.buckets));
    std::printf("operation             original    modified\n");
    for (const SortPaperRow& row : kSortPaperRows) {
      std::printf("%-18s  %10.3f  %10.3f\n", row.name, row.seconds(*last_.original) * 1e3,
                  row.seconds(*last_.modified) * 1e3);
    }
  }

  void write_csv(KeyDistribution keys, std::size_t count) {
    if (!csv_.is_open()) return;
    for (const SortPaperRow& row : kSortPaperRows) {
      csv_ << radix_sort::to_string(keys) << ',' << count << ',' << row.name << ','
           << row.seconds(*last_.original) << ',' << row.seconds(*last_.modified) << '\n';
    }
  }

  const SortPaperOptions& options_;
  const std::shared_ptr<Device> device_;
  std::size_t most_;
  std::ofstream csv_;
  SortPaperRun last_;
};

}  // namespace

void benchmark_sort_paper(const SortPaperOptions& options) { SortPaperBenchmark(options).run(); }

}  // namespace millrace::tools
