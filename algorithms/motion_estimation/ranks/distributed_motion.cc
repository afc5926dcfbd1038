// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/ranks/distributed_motion.h>

#include <optional>
#include <string>

#include <millrace/algorithms/motion_estimation/ranks/motion_band.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/item_range.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/result_stream.h>

namespace millrace::motion {
namespace {

// Thrown to end a rank's run after another rank's run has ended.
struct OtherRankHasEnded {};

void compare_arguments(const DistributedQueue& ranks, int width, int height,
                       const EstimatorOptions& options) {
  ArgumentCheck(ranks.communicator, "motion estimation")
      .add("width", width)
      .add("height", height)
      .add("options.search.range", options.search.range)
      .add("options.search.lambda", options.search.lambda)
      .add("options.search.precision", static_cast<std::int64_t>(options.search.precision))
      .add("options.references", options.references)
      .add("options.predictor", static_cast<std::int64_t>(options.predictor))
      .add("options.decides_modes", options.decides_modes ? 1 : 0)
      .add("options.has_reconstruction", options.has_reconstruction ? 1 : 0)
      .add("options.downloads", options.downloads ? 1 : 0)
      .compare();
}

}  // namespace

template <class Sample>
class DistributedMotionEstimator<Sample>::Body {
 public:
  Body(const DistributedQueue& ranks, int width, int height, const EstimatorOptions& options)
      : communicator_(ranks.communicator),
        per_row_(static_cast<std::size_t>(width / kMacroblockWidth)),
        rows_(height / kMacroblockWidth) {
    compare_arguments(ranks, width, height, options);
    together(communicator_, [&] {
      if (options.search.rows != MacroblockRows{}) {
        throw Error(ErrorCode::kInvalidArgument,
                    "options.search.rows are given; ranks search all rows");
      }
      EstimatorOptions own = options;
      own.search.rows = rows_of(communicator_.rank());
      // A rank without rows constructs one too, because that checks the arguments; it does not run.
      if (own.search.rows.count == 0) own.search.rows = {0, 1};
      estimator_.emplace(ranks.queue.device().shared_from_this(), width, height, own);
    });
  }

  PipelineReport run(const EstimatorStages<Sample>& stages, const std::stop_token& stop) {
    ArgumentCheck(communicator_, "a run of motion estimation").compare();
    PipelineReport report;
    together(communicator_, [&] {
      if (stages.after_search) {
        throw Error(ErrorCode::kUnsupported, "after_search is given; ranks have none");
      }
    });
    together(communicator_, [&] {
      report = communicator_.rank() == 0 ? receive(stages, stop) : send(stages, stop);
    });
    return report;
  }

 private:
  MacroblockRows rows_of(int rank) const {
    const auto start_of = [&](int of) {
      return static_cast<int>(even_cut(static_cast<unsigned>(rows_), static_cast<unsigned>(of),
                                       static_cast<unsigned>(communicator_.size())));
    };
    return {start_of(rank), start_of(rank + 1) - start_of(rank)};
  }

  PipelineReport send(const EstimatorStages<Sample>& stages, const std::stop_token& stop) {
    const bool has_rows = rows_of(communicator_.rank()).count > 0;
    ResultWriter results(communicator_);
    const auto consume = [&](const PictureMotion& motion) {
      if (!results.write(packed(motion))) throw OtherRankHasEnded();
      if (stages.consume) stages.consume(motion);
    };
    // A rank without rows has no results, and no rank waits for it.
    PipelineReport report;
    if (has_rows) report = run_own({.produce = stages.produce, .consume = consume}, stop);
    results.close();
    return report;
  }

  PipelineReport receive(const EstimatorStages<Sample>& stages, const std::stop_token& stop) {
    ResultReader results(communicator_);
    WholeMotion whole;
    const auto consume = [&](const PictureMotion& motion) {
      whole.begin(motion, per_row_ * static_cast<std::size_t>(rows_));
      whole.put(motion, 0);
      for (int rank = 1; rank < communicator_.size(); ++rank) {
        const MacroblockRows rows = rows_of(rank);
        if (rows.count == 0) continue;
        const auto band = results.next(rank);
        if (!band) throw OtherRankHasEnded();
        whole.put(*band, per_row_ * static_cast<std::size_t>(rows.first),
                  per_row_ * static_cast<std::size_t>(rows.count));
      }
      if (stages.consume) stages.consume(whole.motion());
    };
    return run_own({.produce = stages.produce, .consume = consume}, stop);
  }

  PipelineReport run_own(const EstimatorStages<Sample>& stages, const std::stop_token& stop) {
    try {
      return estimator_->run(stages, stop);
    } catch (const OtherRankHasEnded&) {
      return {};
    }
  }

  Communicator& communicator_;
  const std::size_t per_row_;
  const int rows_;
  std::optional<MotionEstimator<Sample>> estimator_;
};

template <class Sample>
DistributedMotionEstimator<Sample>::DistributedMotionEstimator(const DistributedQueue& ranks,
                                                               int width, int height,
                                                               const EstimatorOptions& options)
    : body_(std::make_unique<Body>(ranks, width, height, options)) {}

template <class Sample>
DistributedMotionEstimator<Sample>::~DistributedMotionEstimator() = default;

template <class Sample>
PipelineReport DistributedMotionEstimator<Sample>::run(const EstimatorStages<Sample>& stages,
                                                       const std::stop_token& stop) {
  return body_->run(stages, stop);
}

template class DistributedMotionEstimator<std::uint8_t>;
template class DistributedMotionEstimator<std::uint16_t>;

}  // namespace millrace::motion
