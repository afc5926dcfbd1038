// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/motion/last_picture.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_clip.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_workload.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>
#include <millrace/tools/benchmarks/workloads/motion/resident_motion.h>
#include <millrace/tools/benchmarks/workloads/motion/streamed_motion.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

using motion::SearchPattern;

class PaperMotion {
 public:
  PaperMotion(const std::shared_ptr<Device>& device, MotionPaperInput input)
      : input_(std::move(input)),
        search_(paper_search_options(input_.range, kTimedQp)),
        work_(motion_workload_of(device, input_.clip.pictures)),
        searches_(searches_of(device->info(), work_.macroblocks())),
        streamed_(device, work_, {.search = search_, .decides_modes = true}),
        resident_(device, work_, {}, search_),
        core_(open_device("tbb"), work_, {.concurrency = 1}, search_),
        last_(input_.clip) {}

  static PreparedWork prepare(const std::shared_ptr<PaperMotion>& all) {
    return {all->input_.hash(),
            {on_device(all, kMotionStreamed, all->streamed_),
             on_device(all, kMotionResident, all->resident_), fast_full(all),
             in_coding_order(all, kMotionCoreFull, SearchPattern::kFull),
             in_coding_order(all, kMotionCoreHexagon, SearchPattern::kMultiHexagon)}};
  }

 private:
  using All = std::shared_ptr<PaperMotion>;

  template <class Motion>
  static WorkRun on_device(const All& all, const char* strategy, Motion& motion) {
    return {.strategy = strategy,
            .check =
                [=, &motion] {
                  motion.check();
                  return all->amount(all->searches_);
                },
            .run = [=, &motion] { return seconds_of([&] { motion.run(all->searches_); }); },
            .is_streamed = std::string(strategy) == kMotionStreamed};
  }

  static WorkRun fast_full(const All& all) {
    return {.strategy = kMotionCoreFastFull,
            .check =
                [=] {
                  all->core_.check();
                  return all->amount(1);
                },
            .run = [=] { return cpu_seconds_of([&] { all->core_.run(1); }); }};
  }

  // The reference in coding order is this search itself.
  static WorkRun in_coding_order(const All& all, const char* strategy, SearchPattern pattern) {
    const auto search = [=] {
      motion::search_in_coding_order(all->last_.frame(), pattern, all->last_.found(), all->search_);
    };
    return {.strategy = strategy,
            .check =
                [=] {
                  search();
                  return all->amount(1);
                },
            .run = [=] { return cpu_seconds_of(search); }};
  }

  RunAmount amount(std::size_t pictures) const {
    return {.items = static_cast<double>(pictures), .values = input_.values()};
  }

  const MotionPaperInput input_;
  const motion::SearchOptions search_;
  const MotionWorkload work_;
  const std::size_t searches_;
  StreamedMotion streamed_;
  ResidentMotion resident_;
  ResidentMotion core_;
  LastPicture last_;
};

}  // namespace

Workload motion_paper_workload() {
  Workload workload;
  workload.name = kMotionPaper;
  workload.what = "time of a picture's full search on the device and of searches on one core";
  workload.item_name = "pictures";
  workload.strategies = {kMotionStreamed, kMotionResident, kMotionCoreFull, kMotionCoreFastFull,
                         kMotionCoreHexagon};
  set_motion_paper_axes(workload);
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string& input,
                        std::uint64_t size) {
    return PaperMotion::prepare(
        std::make_shared<PaperMotion>(device, motion_paper_input(device, input, size)));
  };
  return workload;
}

}  // namespace millrace::tools
