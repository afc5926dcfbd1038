// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/motion/motion_times.h>

#include <memory>
#include <span>

#include <millrace/runtime/core/backend.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_clip.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_runs.h>

namespace millrace::tools {

MotionTimes measure_motion_times(const ReproduceOptions& options, const MotionClip& clip,
                                 int range) {
  const auto& device = options.device;
  const SearchOptions search = paper_search_options(range, kTimedQp);
  const MotionWorkload workload = motion_workload_of(device, clip.pictures);
  ResidentMotion resident(device, workload, {}, search);
  StreamedMotion streamed(device, workload, {.search = search, .decides_modes = true});
  resident.check();
  streamed.check();
  constexpr std::size_t kTinyRun = 3;
  const std::size_t searches = options.scale_of_device() == Scale::kTiny
                                   ? kTinyRun
                                   : searches_of(device->info(), workload.macroblocks());
  constexpr std::size_t kContestRounds = 5;
  const auto timings = run_contest({{"streamed", [&] { streamed.run(searches); }},
                                    {"resident", [&] { resident.run(searches); }}},
                                   options.seconds, options.rounds(kContestRounds));

  DeviceSearches one_thread;
  one_thread.emplace_back(kOneThread, std::make_unique<DeviceSearch>(open_device("tbb"), 1));
  constexpr std::size_t kHostRounds = 3;
  const auto hosts = std::span(kHostSearches).first<2>();
  const auto times =
      time_searches(clip, hosts, one_thread, range, options.seconds, options.rounds(kHostRounds));
  const auto a_picture = [&](const Timing& timing) {
    return timing.median_seconds / static_cast<double>(searches);
  };
  return {.name = clip.name,
          .full = times[0].best_seconds,
          .fast_full = times[2].best_seconds,
          .hexagon = times[1].best_seconds,
          .streamed = a_picture(timings[0]),
          .resident = a_picture(timings[1])};
}

}  // namespace millrace::tools
