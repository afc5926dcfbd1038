// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/motion/motion_quality_benchmark.h>

#include <array>
#include <cstdio>
#include <memory>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_comparison.h>

namespace millrace::tools {
namespace {

double percent(double value, double base) { return 100 * (value / base - 1); }

constexpr std::array kComparedWith = {kFullByMedian, kHexagonByMedian, kDiamondByMedian};

void print_qualities(int qp, const std::vector<LumaSearch>& searches,
                     const std::vector<MotionQuality>& qualities) {
  const MotionQuality& base = qualities[kFullByMedian];
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const MotionQuality& quality = qualities[i];
    std::printf("%2d  %-36s  %8.0f  %8.0f  %+7.2f  %6.2f  %+6.3f\n", qp, searches[i].name.c_str(),
                quality.searched_cost, quality.coded_cost,
                percent(quality.coded_cost, base.coded_cost), quality.psnr_db,
                quality.psnr_db - base.psnr_db);
  }
}

void print_table(const MotionClip& clip, const std::vector<LumaSearch>& searches,
                 const MotionQualities& qualities, int range) {
  std::printf("\n%s: %s, %zu pictures, range %d; J a macroblock, dB of luma\n", clip.name.c_str(),
              clip.size().c_str(), clip.pictures.size(), range);
  std::printf("QP  %-36s  searched     coded   to full    PSNR  to full\n", "search");
  for (std::size_t i = 0; i < kPaperQps.size(); ++i) {
    print_qualities(kPaperQps[i], searches, qualities[i]);
  }
  std::fflush(stdout);
}

void print_clip(const std::string& name, const std::string& size) {
  std::printf("%-28.28s  %-9s", name.c_str(), size.c_str());
}

// On one thread of the CPU, on all of them, and on another device if one is named.
DeviceSearches device_searches(const std::string& name) {
  DeviceSearches searches;
  const auto cpu = open_device("tbb");
  searches.emplace_back(kOneThread, std::make_unique<DeviceSearch>(cpu, 1));
  searches.emplace_back("tbb", std::make_unique<DeviceSearch>(cpu, 0));
  const auto device = open_device(name);
  if (device != cpu) searches.emplace_back(name, std::make_unique<DeviceSearch>(device, 0));
  return searches;
}

struct ClipResult {
  std::string name;
  std::string size;
  std::array<MotionDifference, kComparedWith.size()> differences{};
  std::vector<SearchTime> timings{};
};

void print_differences(const std::vector<ClipResult>& results) {
  std::printf("\nThe full search by the picture before, to others: means over QPs\n");
  print_clip("", "");
  std::printf("  %17s  %17s  %17s\n", "full, median", "hexagon, median", "diamond, median");
  print_clip("clip", "size");
  for (std::size_t i = 0; i < kComparedWith.size(); ++i) std::printf("  %8s %8s", "PSNR dB", "J %");
  std::printf("\n");
  for (const ClipResult& result : results) {
    print_clip(result.name, result.size);
    for (const auto& [cost_percent, db] : result.differences) {
      std::printf("  %+8.3f %+8.2f", db, cost_percent);
    }
    std::printf("\n");
  }
}

void print_rates(const std::vector<ClipResult>& results) {
  std::printf(
      "\nframes/s, all 41 partitions to quarter samples, QP %d: one thread in coding order, "
      "search_motion(), and how\nmany times as fast it is; of one thread by its CPU time\n",
      kTimedQp);
  print_clip("clip", "size");
  for (const HostSearch& host : kHostSearches) std::printf("  %8s", host.name);
  const std::vector<SearchTime>& names = results[0].timings;
  for (std::size_t i = kHostSearches.size(); i < names.size(); ++i) {
    std::printf("  %13s", names[i].name.c_str());
    for (const HostSearch& host : kHostSearches) std::printf("  %8s", host.name);
  }
  std::printf("\n");
  for (const ClipResult& result : results) {
    print_clip(result.name, result.size);
    const std::vector<SearchTime>& timings = result.timings;
    for (std::size_t i = 0; i < kHostSearches.size(); ++i) {
      std::printf("  %8.2f", 1 / timings[i].best_seconds);
    }
    for (std::size_t i = kHostSearches.size(); i < timings.size(); ++i) {
      std::printf("  %13.2f", 1 / timings[i].best_seconds);
      for (std::size_t j = 0; j < kHostSearches.size(); ++j) {
        std::printf("  %7.1fx", timings[j].best_seconds / timings[i].best_seconds);
      }
    }
    std::printf("\n");
  }
}

}  // namespace

void benchmark_motion_quality(const MotionQualityOptions& options) {
  if (options.clips.empty()) {
    throw Error(ErrorCode::kInvalidArgument, "no clip; one or more --clip FILE are to be given");
  }
  const std::vector<LumaSearch> searches = quality_searches(open_device(options.device));
  const DeviceSearches devices = device_searches(options.device);
  std::vector<ClipResult> results;
  for (const std::string& path : options.clips) {
    const MotionClip clip = read_motion_clip(path, options.frames);
    const MotionQualities qualities = measure_qualities(clip, searches, options.range);
    print_table(clip, searches, qualities, options.range);
    ClipResult& result = results.emplace_back(ClipResult{.name = clip.name, .size = clip.size()});
    for (std::size_t i = 0; i < kComparedWith.size(); ++i) {
      result.differences[i] = mean_difference(qualities, kFullByPrevious, kComparedWith[i]);
    }
    result.timings = time_searches(clip, kHostSearches, devices, options.range, options.seconds);
  }
  print_differences(results);
  print_rates(results);
}

}  // namespace millrace::tools
