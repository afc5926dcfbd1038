#include <millrace/tools/benchmark/motion_quality_benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/runtime/backend.h>
#include <millrace/runtime/error.h>
#include <millrace/tools/benchmark/motion_quality.h>
#include <millrace/tools/benchmark/motion_quality_searches.h>
#include <millrace/tools/video/video_reader.h>

namespace millrace::tools {
namespace {

constexpr std::array kQps = {28, 32, 36, 40};
constexpr int kRateQp = 32;

struct Clip {
  std::string name;
  std::vector<Picture> pictures;

  std::string size() const {
    return std::to_string(pictures[0].width()) + "x" + std::to_string(pictures[0].height());
  }
};

Clip read_clip(const std::string& path, std::size_t frames) {
  Clip clip{std::filesystem::path(path).filename().string(), {}};
  VideoReader reader(path);
  Picture picture;
  while (clip.pictures.size() < frames && reader.next(picture)) clip.pictures.push_back(picture);
  if (clip.pictures.size() < 2) {
    throw Error(ErrorCode::kInvalidArgument, path + " has one picture; a search is of two");
  }
  return clip;
}

SearchOptions search_options(const MotionQualityOptions& options, int qp) {
  return {.range = options.range,
          .lambda = motion::motion_lambda(qp),
          .precision = motion::Precision::kQuarter};
}

double percent(double value, double base) { return 100 * (value / base - 1); }

// Of the full search on the device to another.
struct Difference {
  double cost_percent = 0;
  double db = 0;
};

constexpr std::array kComparedWith = {kFullByMedian, kHexagonByMedian, kDiamondByMedian};
using Differences = std::array<Difference, kComparedWith.size()>;

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

// Means over QPs.
Differences compare(const Clip& clip, const std::vector<LumaSearch>& searches,
                    const MotionQualityOptions& options) {
  std::printf("\n%s: %s, %zu pictures, range %d; J a macroblock, dB of luma\n", clip.name.c_str(),
              clip.size().c_str(), clip.pictures.size(), options.range);
  std::printf("QP  %-36s  searched     coded   to full    PSNR  to full\n", "search");
  Differences means{};
  for (const int qp : kQps) {
    std::vector<MotionQuality> qualities;
    for (const LumaSearch& search : searches) {
      qualities.push_back(measure_quality(clip.pictures, search, search_options(options, qp)));
    }
    print_qualities(qp, searches, qualities);
    const MotionQuality& ours = qualities[kFullByPrevious];
    for (std::size_t i = 0; i < means.size(); ++i) {
      const MotionQuality& other = qualities[kComparedWith[i]];
      means[i].cost_percent += percent(ours.coded_cost, other.coded_cost) / kQps.size();
      means[i].db += (ours.psnr_db - other.psnr_db) / kQps.size();
    }
  }
  std::fflush(stdout);
  return means;
}

void print_clip(const std::string& name, const std::string& size) {
  std::printf("%-28.28s  %-9s", name.c_str(), size.c_str());
}

// One thread of the host, in coding order.
struct HostSearch {
  const char* name;
  motion::SearchPattern pattern;
};

constexpr std::array kHostSearches = {HostSearch{"full", motion::SearchPattern::kFull},
                                      HostSearch{"hexagon", motion::SearchPattern::kMultiHexagon},
                                      HostSearch{"diamond", motion::SearchPattern::kDiamond}};

// search_motion() on one thread of the CPU, on all of them, and on another device if one is named.
using DeviceSearches = std::vector<std::pair<std::string, std::unique_ptr<DeviceSearch>>>;

constexpr const char* kOneThread = "tbb, 1 thread";

DeviceSearches device_searches(const std::string& name) {
  DeviceSearches searches;
  const auto cpu = open_device("tbb");
  searches.emplace_back(kOneThread, std::make_unique<DeviceSearch>(cpu, 1));
  searches.emplace_back("tbb", std::make_unique<DeviceSearch>(cpu, 0));
  const auto device = open_device(name);
  if (device != cpu) searches.emplace_back(name, std::make_unique<DeviceSearch>(device, 0));
  return searches;
}

using Clock = std::chrono::steady_clock;

double seconds_of(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

struct TimedSearch {
  std::string name;
  bool has_one_thread = true;
  std::function<void()> run;
};

// Of one thread the CPU time counts: other programs disturb it less than the clock's.
double measure(const TimedSearch& search) {
  const Clock::time_point start = Clock::now();
  const std::clock_t cpu_start = std::clock();
  search.run();
  if (!search.has_one_thread) return seconds_of(Clock::now() - start);
  return static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
}

struct Timing {
  std::string name;
  double best_seconds = std::numeric_limits<double>::infinity();
};

// Rounds in which all searches take turns.
std::vector<Timing> best_times(const std::vector<TimedSearch>& searches, double seconds) {
  std::vector<Timing> timings;
  for (const TimedSearch& search : searches) timings.push_back({search.name});
  constexpr int kLeastRounds = 3;
  const Clock::time_point begin = Clock::now();
  for (int round = 0; round < kLeastRounds || seconds_of(Clock::now() - begin) < seconds; ++round) {
    for (std::size_t i = 0; i < searches.size(); ++i) {
      timings[i].best_seconds = std::min(timings[i].best_seconds, measure(searches[i]));
    }
  }
  return timings;
}

// The time that the last picture takes, by the host and then by devices.
std::vector<Timing> time_searches(const Clip& clip, const DeviceSearches& devices,
                                  const MotionQualityOptions& options) {
  const SearchOptions search = search_options(options, kRateQp);
  const std::size_t last = clip.pictures.size() - 1;
  const auto current = padded_luma(clip.pictures[last]);
  PictureMotion motion(current.macroblock_count());
  const std::vector<motion::MotionVector> predictors(current.macroblock_count());
  const LumaFrame frame{current, padded_luma(clip.pictures[last - 1]), predictors.data()};
  std::vector<TimedSearch> searches;
  for (const HostSearch& host : kHostSearches) {
    searches.push_back({host.name, true, [&, pattern = host.pattern] {
                          search_in_coding_order(frame, pattern, motion.view(), search);
                        }});
  }
  for (const auto& [name, device] : devices) {
    device->load(frame);
    searches.push_back(
        {name, name == kOneThread, [&search, there = device.get()] { there->search(search); }});
  }
  return best_times(searches, options.seconds);
}

struct ClipResult {
  std::string name;
  std::string size;
  Differences differences;
  std::vector<Timing> timings;
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
      kRateQp);
  print_clip("clip", "size");
  for (const HostSearch& host : kHostSearches) std::printf("  %8s", host.name);
  const std::vector<Timing>& names = results[0].timings;
  for (std::size_t i = kHostSearches.size(); i < names.size(); ++i) {
    std::printf("  %13s", names[i].name.c_str());
    for (const HostSearch& host : kHostSearches) std::printf("  %8s", host.name);
  }
  std::printf("\n");
  for (const ClipResult& result : results) {
    print_clip(result.name, result.size);
    const std::vector<Timing>& timings = result.timings;
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
    const Clip clip = read_clip(path, options.frames);
    results.push_back({clip.name, clip.size(), compare(clip, searches, options),
                       time_searches(clip, devices, options)});
  }
  print_differences(results);
  print_rates(results);
}

}  // namespace millrace::tools
