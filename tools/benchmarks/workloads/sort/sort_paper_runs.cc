// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/sort/sort_paper_runs.h>

#include <vector>

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/workloads/sort/host_sort_workload.h>

namespace millrace::tools {
namespace {

using radix_sort::PaperProfile;
using radix_sort::PaperScheme;
using radix_sort::SortReport;

}  // namespace

std::string sort_paper_limit(const DeviceInfo& info) {
  return info.shares_host_memory ? info.name + " has no memory of its own to sort in" : "";
}

std::size_t sort_paper_rounds(std::size_t count) { return count >= 100'000'000 ? 5 : 10; }

SortPaperRun measure_sort_paper(const std::shared_ptr<Device>& device,
                                radix_sort::KeyDistribution keys, std::size_t count, double seconds,
                                std::size_t least_rounds) {
  const auto queue = device->make_queue();
  HostSortWorkload workload(device, MemorySpace::kPinned, count, keys);
  const auto arguments = workload.arguments(SortKind::kPairs);
  SortPaperRun run{.keys = keys, .count = count};
  const bool has_schemes = sort_paper_limit(device->info()).empty();
  const auto check = [&](const std::string& who, const auto& sort) {
    workload.clear();
    sort();
    workload.check(SortKind::kPairs, who);
  };
  const auto profile = [&](PaperScheme scheme, SortPaperColumn& column) {
    SortReport report;
    column.profile = {};
    check("the paper's scheme",
          [&] { radix_sort::sort_as_paper(*queue, arguments, scheme, report, &column.profile); });
    run.partitions = report.partitions;
    run.buckets = report.buckets;
  };
  const auto profile_both = [&] {
    profile(PaperScheme::kOriginal, run.original.emplace());
    profile(PaperScheme::kModified, run.modified.emplace());
  };
  std::vector<Contender> contenders;
  SortReport report;
  if (has_schemes) {
    profile_both();
    for (const PaperScheme scheme : {PaperScheme::kOriginal, PaperScheme::kModified}) {
      contenders.push_back({"scheme", [&, scheme] {
                              radix_sort::sort_as_paper(*queue, arguments, scheme, report);
                            }});
    }
  }
  const auto sort = [&] { radix_sort::sort(*queue, arguments); };
  check("sort()", sort);
  contenders.push_back({"ours", sort});
  const auto timings = run_contest(contenders, seconds, least_rounds);
  run.ours = timings.back().median_seconds;
  if (!has_schemes) return run;
  profile_both();  // The first ones had to make pools and touch pages.
  run.original->total = timings[0].median_seconds;
  run.modified->total = timings[1].median_seconds;
  run.ratio = timings[1].ratio_to_first;
  return run;
}

}  // namespace millrace::tools
