// SPDX-License-Identifier: Apache-2.0

// Clips on which searches are compared as in tables 2 to 10 of Rodriguez-Sanchez, Martinez,
// Fernandez-Escribano, Sanchez and Claver, "H.264/AVC inter prediction on accelerator-based
// multi-core systems", 2013: the cost J in place of the bit rate, and the time a picture takes.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_COMPARISON_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_COMPARISON_H_

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <millrace/tools/benchmarks/workloads/motion/motion_quality.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_quality_searches.h>
#include <millrace/tools/video/picture/picture.h>

namespace millrace::tools {

struct MotionClip {
  std::string name;
  std::vector<Picture> pictures;  // Two or more, of one size.

  std::string size() const;  // "1280x720".
};

// The first `most` pictures of a clip, or as many as it has. Throws kInvalidArgument where that is
// one, and what VideoReader throws.
MotionClip read_motion_clip(const std::string& path, std::size_t most);

// The paper's QPs, and the one whose lambda timed searches have.
inline constexpr std::array kPaperQps = {28, 32, 36, 40};
inline constexpr int kTimedQp = 32;

// To quarter samples.
SearchOptions paper_search_options(int range, int qp);

// The quality of each search, at each of kPaperQps.
using MotionQualities = std::array<std::vector<MotionQuality>, kPaperQps.size()>;

MotionQualities measure_qualities(const MotionClip& clip, const std::vector<LumaSearch>& searches,
                                  int range);

struct MotionDifference {
  double cost_percent = 0;  // Difference of J in percent.
  double db = 0;
};

// Difference of search `one` from search `other`: means over QPs.
MotionDifference mean_difference(const MotionQualities& qualities, std::size_t one,
                                 std::size_t other);

// A search of one thread of the host, in coding order.
struct HostSearch {
  const char* name;
  motion::SearchPattern pattern;
};

inline constexpr std::array kHostSearches = {
    HostSearch{"full", motion::SearchPattern::kFull},
    HostSearch{"hexagon", motion::SearchPattern::kMultiHexagon},
    HostSearch{"diamond", motion::SearchPattern::kDiamond}};

// search_motion() on devices, by name. What has kOneThread's is timed by its CPU time, as host
// searches are: other programs disturb that less than the clock's.
using DeviceSearches = std::vector<std::pair<std::string, std::unique_ptr<DeviceSearch>>>;

inline constexpr const char* kOneThread = "tbb, 1 thread";

struct SearchTime {
  std::string name;
  double best_seconds = 0;
};

// The time that the last picture of a clip takes, by the host and then by devices: the best of
// `least_rounds` or more, in which all take turns.
std::vector<SearchTime> time_searches(const MotionClip& clip, std::span<const HostSearch> hosts,
                                      const DeviceSearches& devices, int range, double seconds,
                                      std::size_t least_rounds = 3);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_COMPARISON_H_
