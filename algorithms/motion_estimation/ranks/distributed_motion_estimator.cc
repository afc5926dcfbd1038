// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/ranks/distributed_motion_estimator.h>
#include <millrace/algorithms/motion_estimation/ranks/whole_motion.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/item_range.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/result_stream.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

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

// The rows of each rank.
class RankRows {
 public:
  RankRows(const Communicator& communicator, int width, int height)
      : ranks_(communicator.size()),
        per_row_(static_cast<std::size_t>(width / kMacroblockWidth)),
        rows_(height / kMacroblockWidth) {}

  MacroblockRows of(int rank) const { return {start(rank), start(rank + 1) - start(rank)}; }

  // Returns the macroblocks of so many rows, or of all.
  std::size_t macroblocks(int rows) const { return per_row_ * static_cast<std::size_t>(rows); }
  std::size_t macroblocks() const { return macroblocks(rows_); }

 private:
  int start(int rank) const {
    return static_cast<int>(even_cut(static_cast<unsigned>(rows_), static_cast<unsigned>(rank),
                                     static_cast<unsigned>(ranks_)));
  }

  int ranks_;
  std::size_t per_row_;
  int rows_;
};

using Consume = std::function<void(const PictureMotion&)>;

// Consumes on a rank other than 0: sends the rank's rows to rank 0, then passes them on.
class RowSender {
 public:
  RowSender(Communicator& communicator, const Consume& consume)
      : results_(communicator), consume_(consume) {}

  void operator()(const PictureMotion& motion) {
    if (!results_.write(packed(motion))) throw OtherRankHasEnded();
    if (consume_) consume_(motion);
  }

  void close() { results_.close(); }

 private:
  ResultWriter results_;
  const Consume& consume_;
};

// Consumes on rank 0: joins its rows with those of the other ranks, then passes pictures on.
class PictureJoiner {
 public:
  PictureJoiner(Communicator& communicator, const RankRows& rows, const Consume& consume)
      : ranks_(communicator.size()), results_(communicator), rows_(rows), consume_(consume) {}

  void operator()(const PictureMotion& motion) {
    whole_.begin(motion, rows_.macroblocks());
    whole_.put(motion, 0);
    for (int rank = 1; rank < ranks_; ++rank) put_rows_of(rank);
    if (consume_) consume_(whole_.motion());
  }

 private:
  void put_rows_of(int rank) {
    const MacroblockRows rows = rows_.of(rank);
    if (rows.count == 0) return;
    const auto band = results_.next(rank);
    if (!band) throw OtherRankHasEnded();
    whole_.put(*band, rows_.macroblocks(rows.first), rows_.macroblocks(rows.count));
  }

  const int ranks_;
  ResultReader results_;
  const RankRows& rows_;
  const Consume& consume_;
  WholeMotion whole_;
};

}  // namespace

template <class Sample>
class DistributedMotionEstimator<Sample>::Body {
 public:
  Body(const DistributedQueue& ranks, int width, int height, const EstimatorOptions& options)
      : communicator_(ranks.communicator), rows_(ranks.communicator, width, height) {
    compare_arguments(ranks, width, height, options);
    together(communicator_, [&] {
      if (options.search.rows != MacroblockRows{}) {
        reject("options.search.rows is set, but ranks distribute all rows; leave it empty");
      }
      EstimatorOptions own = options;
      own.search.rows = rows_.of(communicator_.rank());
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
        throw Error(
            ErrorCode::kUnsupported,
            "stages.after_search is set, which is not supported over ranks; leave it empty");
      }
    });
    together(communicator_, [&] {
      report = communicator_.rank() == 0 ? receive(stages, stop) : send(stages, stop);
    });
    return report;
  }

 private:
  PipelineReport send(const EstimatorStages<Sample>& stages, const std::stop_token& stop) {
    RowSender sender(communicator_, stages.consume);
    // A rank without rows has no results, and no rank waits for it.
    const bool has_rows = rows_.of(communicator_.rank()).count > 0;
    PipelineReport report;
    if (has_rows) {
      report = run_own({.produce = stages.produce, .consume = std::ref(sender)}, stop);
    }
    sender.close();
    return report;
  }

  PipelineReport receive(const EstimatorStages<Sample>& stages, const std::stop_token& stop) {
    PictureJoiner joiner(communicator_, rows_, stages.consume);
    return run_own({.produce = stages.produce, .consume = std::ref(joiner)}, stop);
  }

  PipelineReport run_own(const EstimatorStages<Sample>& stages, const std::stop_token& stop) {
    try {
      return estimator_->run(stages, stop);
    } catch (const OtherRankHasEnded&) {
      return {};
    }
  }

  Communicator& communicator_;
  const RankRows rows_;
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
