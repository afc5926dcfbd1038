#include <millrace/tools/benchmark/sort_paper_benchmark.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <vector>

#include <millrace/algorithms/radix_sort/host_sort_paper.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/runtime/backend.h>
#include <millrace/runtime/error.h>
#include <millrace/tools/benchmark/contest.h>
#include <millrace/tools/benchmark/host_sort_workload.h>

namespace millrace::tools {
namespace {

using radix_sort::KeyDistribution;
using radix_sort::PaperProfile;
using radix_sort::PaperScheme;
using radix_sort::SortReport;

// A column of tables II and III.
struct Column {
  PaperProfile profile;
  double total = 0;  // Without the waits that the profile takes.

  // What ran at the same time as something else.
  double overlap() const { return profile.sum() - total; }
};

struct Row {
  const char* name;
  double (*seconds)(const Column&);
};

constexpr Row kRows[] = {
    {"reduction", [](const Column& column) { return column.profile.passes.reduction; }},
    {"scan", [](const Column& column) { return column.profile.passes.scan; }},
    {"scatter", [](const Column& column) { return column.profile.passes.scatter; }},
    {"copy to device", [](const Column& column) { return column.profile.upload; }},
    {"copy to host", [](const Column& column) { return column.profile.download; }},
    {"bucketing", [](const Column& column) { return column.profile.bucketing; }},
    {"load balance", [](const Column& column) { return column.profile.balance; }},
    {"overlap of output", [](const Column& column) { return column.overlap(); }},
    {"total", [](const Column& column) { return column.total; }},
};

class SortPaperBenchmark {
 public:
  explicit SortPaperBenchmark(const SortPaperOptions& options)
      : options_(options), device_(open_device(options.device)), queue_(device_->make_queue()) {
    const DeviceInfo& info = device_->info();
    if (info.shares_host_memory) {
      throw Error(ErrorCode::kUnsupported, info.name + " has no memory of its own to sort in");
    }
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
    last_count_ = count;
    HostSortWorkload workload(device_, MemorySpace::kPinned, count, keys);
    const auto arguments = workload.arguments(SortKind::kPairs);
    SortReport report;
    const auto sort_by = [&](PaperScheme scheme, PaperProfile* profile) {
      radix_sort::sort_as_paper(*queue_, arguments, scheme, report, profile);
    };
    const auto timings =
        run_contest({{"original", [&] { sort_by(PaperScheme::kOriginal, nullptr); }},
                     {"modified", [&] { sort_by(PaperScheme::kModified, nullptr); }},
                     {"ours", [&] { radix_sort::sort(*queue_, arguments); }}},
                    options_.seconds, rounds_for(count));
    std::printf("%13zu  %10.3f  %10.3f  %10.3f  %17.3f\n", count, timings[0].median_seconds * 1e3,
                timings[1].median_seconds * 1e3, timings[2].median_seconds * 1e3,
                timings[1].ratio_to_first);
    std::fflush(stdout);
    original_ = {{}, timings[0].median_seconds};
    modified_ = {{}, timings[1].median_seconds};
    for (const PaperScheme scheme : {PaperScheme::kOriginal, PaperScheme::kModified}) {
      Column& column = scheme == PaperScheme::kOriginal ? original_ : modified_;
      workload.clear();
      report = {};
      sort_by(scheme, &column.profile);
      workload.check(SortKind::kPairs, "the paper's scheme");
    }
    report_ = report;
    write_csv(keys, count);
  }

  // Large sorts are steady, and take long.
  std::size_t rounds_for(std::size_t count) const {
    if (options_.rounds != 0) return options_.rounds;
    return count >= 100'000'000 ? 5 : 10;
  }

  // Of the largest count.
  void print_profile(KeyDistribution keys) const {
    std::printf("\nProfile of %zu %s pairs, ms; %llu passes made %llu buckets\n", last_count_,
                radix_sort::to_string(keys), static_cast<unsigned long long>(report_.partitions),
                static_cast<unsigned long long>(report_.buckets));
    std::printf("operation             original    modified\n");
    for (const Row& row : kRows) {
      std::printf("%-18s  %10.3f  %10.3f\n", row.name, row.seconds(original_) * 1e3,
                  row.seconds(modified_) * 1e3);
    }
  }

  void write_csv(KeyDistribution keys, std::size_t count) {
    if (!csv_.is_open()) return;
    for (const Row& row : kRows) {
      csv_ << radix_sort::to_string(keys) << ',' << count << ',' << row.name << ','
           << row.seconds(original_) << ',' << row.seconds(modified_) << '\n';
    }
  }

  const SortPaperOptions& options_;
  const std::shared_ptr<Device> device_;
  const std::unique_ptr<Queue> queue_;
  std::size_t most_;
  std::ofstream csv_;
  std::size_t last_count_ = 0;
  Column original_;
  Column modified_;
  SortReport report_;
};

}  // namespace

void benchmark_sort_paper(const SortPaperOptions& options) { SortPaperBenchmark(options).run(); }

}  // namespace millrace::tools
