// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/ranks/distributed_idct.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>

#include <algorithm>
#include <array>
#include <string>

namespace millrace::idct {
namespace {

// The fields of a rank's report that it sends to the others.
struct RankReport {
  std::array<std::uint64_t, 2> macroblocks{};  // Numbers of 4x4 and 8x8 macroblocks.
  Policy policy = Policy::kAuto;
  std::uint64_t waves = 0;
  std::uint64_t steals = 0;
  double seconds = 0;
};

RankReport rank_report(const RunReport& report) {
  RankReport result = {.macroblocks = {},
                       .policy = report.policy,
                       .waves = report.waves,
                       .steals = report.steals,
                       .seconds = report.seconds};
  std::copy_n(report.tasks_by_type.begin(),
              std::min(report.tasks_by_type.size(), result.macroblocks.size()),
              result.macroblocks.begin());
  return result;
}

RunReport sum(const std::vector<RankReport>& reports) {
  RunReport all;
  all.tasks_by_type = {0, 0};
  for (const RankReport& report : reports) {
    if (all.policy == Policy::kAuto) all.policy = report.policy;
    for (std::size_t type = 0; type < report.macroblocks.size(); ++type) {
      all.tasks_by_type[type] += report.macroblocks[type];
    }
    all.waves += report.waves;
    all.steals += report.steals;
    all.seconds = std::max(all.seconds, report.seconds);
  }
  return all;
}

// Calls `step` on ranks that have macroblocks, and sums the reports of all.
template <class Step>
RunReport run(const DistributedQueue& ranks, const std::string& call, std::size_t macroblocks,
              const RunOptions& options, const Step& step) {
  ArgumentCheck(ranks.communicator, call)
      .add("policy", static_cast<std::int64_t>(options.policy))
      .add("deadline", options.deadline.count())
      .add("keep_unfinished", options.keep_unfinished ? 1 : 0)
      .add("spill_bytes", static_cast<std::int64_t>(options.spill_bytes))
      .compare();
  if (options.keep_unfinished) {
    throw Error(ErrorCode::kUnsupported,
                "keep_unfinished is set, which is not supported over ranks (" + call +
                    "); set it to false");
  }
  RunReport mine;
  mine.policy = options.policy;
  together(ranks.communicator, [&] {
    if (macroblocks > 0) mine = step();
  });
  return sum(all_gather(ranks.communicator, rank_report(mine)));
}

}  // namespace

RunReport inverse_transform(const DistributedQueue& ranks, const MacroblockQueue& macroblocks,
                            std::int16_t* residual, const RunOptions& options) {
  return run(ranks, "inverse_transform", macroblocks.count, options,
             [&] { return inverse_transform(ranks.queue, macroblocks, residual, options); });
}

RunReport inverse_transform_host(const DistributedQueue& ranks, const MacroblockQueue& macroblocks,
                                 std::int16_t* residual, const RunOptions& options) {
  return run(ranks, "inverse_transform_host", macroblocks.count, options,
             [&] { return inverse_transform_host(ranks.queue, macroblocks, residual, options); });
}

RunReport reconstruct(const DistributedQueue& ranks, const MacroblockQueue& macroblocks,
                      ConstPlane prediction, Plane output, const RunOptions& options) {
  return run(ranks, "reconstruct", macroblocks.count, options,
             [&] { return reconstruct(ranks.queue, macroblocks, prediction, output, options); });
}

}  // namespace millrace::idct
