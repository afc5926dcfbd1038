// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/motion/motion_comparison.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>

#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/video_reader.h>

namespace millrace::tools {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

struct TimedSearch {
  std::string name;
  bool has_one_thread = true;
  std::function<void()> run;
};

double measure(const TimedSearch& search) {
  const Clock::time_point start = Clock::now();
  const std::clock_t cpu_start = std::clock();
  search.run();
  if (!search.has_one_thread) return seconds_of(Clock::now() - start);
  return static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
}

// Rounds in which all searches take turns.
std::vector<SearchTime> best_times(const std::vector<TimedSearch>& searches, double seconds,
                                   std::size_t least_rounds) {
  std::vector<SearchTime> times;
  for (const TimedSearch& search : searches) {
    times.push_back({search.name, std::numeric_limits<double>::infinity()});
  }
  const Clock::time_point begin = Clock::now();
  for (std::size_t round = 0; round < least_rounds || seconds_of(Clock::now() - begin) < seconds;
       ++round) {
    for (std::size_t i = 0; i < searches.size(); ++i) {
      times[i].best_seconds = std::min(times[i].best_seconds, measure(searches[i]));
    }
  }
  return times;
}

double percent(double value, double base) { return 100 * (value / base - 1); }

}  // namespace

std::string MotionClip::size() const {
  return std::to_string(pictures[0].width()) + "x" + std::to_string(pictures[0].height());
}

MotionClip read_motion_clip(const std::string& path, std::size_t most) {
  MotionClip clip{std::filesystem::path(path).filename().string(), {}};
  VideoReader reader(path);
  Picture picture;
  while (clip.pictures.size() < most && reader.next(picture)) clip.pictures.push_back(picture);
  if (clip.pictures.size() < 2) {
    throw Error(ErrorCode::kInvalidArgument, path + " has one picture; a search is of two");
  }
  return clip;
}

SearchOptions paper_search_options(int range, int qp) {
  return {.range = range,
          .lambda = motion::motion_lambda(qp),
          .precision = motion::Precision::kQuarter};
}

MotionQualities measure_qualities(const MotionClip& clip, const std::vector<LumaSearch>& searches,
                                  int range) {
  MotionQualities qualities;
  for (std::size_t i = 0; i < kPaperQps.size(); ++i) {
    const SearchOptions options = paper_search_options(range, kPaperQps[i]);
    for (const LumaSearch& search : searches) {
      qualities[i].push_back(measure_quality(clip.pictures, search, options));
    }
  }
  return qualities;
}

MotionDifference mean_difference(const MotionQualities& qualities, std::size_t one,
                                 std::size_t other) {
  MotionDifference mean;
  for (const std::vector<MotionQuality>& of_qp : qualities) {
    mean.cost_percent += percent(of_qp[one].coded_cost, of_qp[other].coded_cost) / kPaperQps.size();
    mean.db += (of_qp[one].psnr_db - of_qp[other].psnr_db) / kPaperQps.size();
  }
  return mean;
}

std::vector<SearchTime> time_searches(const MotionClip& clip, std::span<const HostSearch> hosts,
                                      const DeviceSearches& devices, int range, double seconds,
                                      std::size_t least_rounds) {
  const SearchOptions search = paper_search_options(range, kTimedQp);
  const std::size_t last = clip.pictures.size() - 1;
  const auto current = padded_luma(clip.pictures[last]);
  PictureMotion motion(current.macroblock_count());
  const std::vector<motion::MotionVector> predictors(current.macroblock_count());
  const LumaFrame frame{current, padded_luma(clip.pictures[last - 1]), predictors.data()};
  std::vector<TimedSearch> searches;
  for (const HostSearch& host : hosts) {
    searches.push_back({host.name, true, [&, pattern = host.pattern] {
                          search_in_coding_order(frame, pattern, motion.view(), search);
                        }});
  }
  for (const auto& [name, device] : devices) {
    device->load(frame);
    searches.push_back(
        {name, name == kOneThread, [&search, there = device.get()] { there->search(search); }});
  }
  return best_times(searches, seconds, least_rounds);
}

}  // namespace millrace::tools
