// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/motion/last_picture.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_clip.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_quality_workload.h>
#include <millrace/tools/benchmarks/workloads/motion/quality/motion_quality.h>
#include <millrace/tools/benchmarks/workloads/motion/quality/quality_searches.h>
#include <millrace/tools/benchmarks/workloads/motion/resident_motion.h>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

std::string at_qp(const char* what, int qp) {
  return std::string(what) + ", QP " + std::to_string(qp);
}

class QualityRuns {
 public:
  QualityRuns(const std::shared_ptr<Device>& device, MotionPaperInput input)
      : device_(device),
        input_(std::move(input)),
        searches_(quality_searches(device)),
        last_(input_.clip) {}

  static PreparedWork prepare(const std::shared_ptr<QualityRuns>& all) {
    PreparedWork prepared{all->input_.hash(), {}};
    for (std::size_t i = 0; i < all->searches_.size(); ++i) {
      prepared.runs.push_back({.strategy = kMotionQualityStrategies[i],
                               .check =
                                   [=] {
                                     if (i == kFullByPrevious) all->check_device();
                                     return all->qualities(all->searches_[i]);
                                   },
                               .run = [=] { return all->seconds(i); }});
    }
    return prepared;
  }

 private:
  double seconds(std::size_t i) {
    const auto search = [&] {
      searches_[i].run(last_.frame(), paper_search_options(input_.range, kTimedQp), last_.found());
    };
    return i == kFullByPrevious ? seconds_of(search) : cpu_seconds_of(search);
  }

  // The device must find the same vectors as the reference.
  void check_device() const {
    const MotionWorkload workload = motion_workload_of(device_, input_.clip.pictures);
    ResidentMotion(device_, workload, {}, paper_search_options(input_.range, kTimedQp)).check();
  }

  RunAmount qualities(const LumaSearch& search) const {
    RunAmount amount{.items = 1, .values = input_.values()};
    for (const int qp : kPaperQps) {
      const MotionQuality quality =
          measure_quality(input_.clip.pictures, search, paper_search_options(input_.range, qp));
      amount.values[coded_cost_name(qp)] = quality.coded_cost;
      amount.values[searched_cost_name(qp)] = quality.searched_cost;
      if (std::isfinite(quality.psnr_db)) amount.values[psnr_name(qp)] = quality.psnr_db;
    }
    return amount;
  }

  const std::shared_ptr<Device> device_;
  const MotionPaperInput input_;
  const std::vector<LumaSearch> searches_;
  LastPicture last_;
};

}  // namespace

std::string coded_cost_name(int qp) { return at_qp("J", qp); }

std::string searched_cost_name(int qp) { return at_qp("searched J", qp); }

std::string psnr_name(int qp) { return at_qp("PSNR", qp); }

Workload motion_quality_workload() {
  Workload workload;
  workload.name = kMotionQuality;
  workload.what = "cost and prediction of full and fast searches, with their times";
  workload.item_name = "pictures";
  workload.strategies.assign(std::begin(kMotionQualityStrategies),
                             std::end(kMotionQualityStrategies));
  set_motion_paper_axes(workload);
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string& input,
                        std::uint64_t size) {
    return QualityRuns::prepare(
        std::make_shared<QualityRuns>(device, motion_paper_input(device, input, size)));
  };
  return workload;
}

}  // namespace millrace::tools
