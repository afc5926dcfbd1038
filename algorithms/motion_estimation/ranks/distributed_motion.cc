// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/ranks/distributed_motion.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

template <class T>
void append(std::span<const T> elements, std::vector<std::byte>& bytes) {
  const auto raw = std::as_bytes(elements);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

// Moves `count` elements from the front of `bytes` to `target`, unless that is empty.
template <class T>
void take(std::span<const std::byte>& bytes, std::vector<T>& target, std::size_t first,
          std::size_t count) {
  if (target.empty() || count == 0) return;
  if (bytes.size() < count * sizeof(T)) {
    throw Error(ErrorCode::kInternal, "a rank sent " + std::to_string(bytes.size()) +
                                          " bytes of a picture's rows; " +
                                          std::to_string(count * sizeof(T)) + " are missing");
  }
  std::memcpy(target.data() + first, bytes.data(), count * sizeof(T));
  bytes = bytes.subspan(count * sizeof(T));
}

// Returns all vectors of `motion`, then all costs, then its modes, as bytes.
std::vector<std::byte> packed(const PictureMotion& motion) {
  std::vector<std::byte> bytes;
  for (int i = 0; i < motion.references; ++i) append(motion.vectors[i], bytes);
  for (int i = 0; i < motion.references; ++i) append(motion.costs[i], bytes);
  append(motion.modes, bytes);
  return bytes;
}

// A whole picture's motion, assembled from bands.
class WholeMotion {
 public:
  // Begins a picture of `macroblocks` macroblocks with the arrays that `band` has.
  void begin(const PictureMotion& band, std::size_t macroblocks);

  // Copies the macroblocks of `band` to `first` and those after it.
  void put(const PictureMotion& band, std::size_t first);

  // Copies `count` macroblocks in the form that packed() returned.
  void put(std::span<const std::byte> band, std::size_t first, std::size_t count);

  // Valid until begin().
  const PictureMotion& motion() const { return motion_; }

 private:
  PictureMotion motion_;
  std::array<std::vector<MotionVector>, kMostReferences> vectors_;
  std::array<std::vector<std::uint32_t>, kMostReferences> costs_;
  std::vector<MacroblockMode> modes_;
};

void WholeMotion::begin(const PictureMotion& band, std::size_t macroblocks) {
  motion_ = {.index = band.index, .references = band.references};
  for (int i = 0; i < band.references; ++i) {
    vectors_[i].resize(band.vectors[i].empty() ? 0 : macroblocks * kPartitions);
    costs_[i].resize(band.costs[i].empty() ? 0 : macroblocks * kPartitions);
    motion_.vectors[i] = vectors_[i];
    motion_.costs[i] = costs_[i];
  }
  modes_.resize(band.modes.empty() ? 0 : macroblocks);
  motion_.modes = modes_;
}

void WholeMotion::put(const PictureMotion& band, std::size_t first) {
  const auto offset = static_cast<std::ptrdiff_t>(first);
  for (int i = 0; i < band.references; ++i) {
    std::ranges::copy(band.vectors[i], vectors_[i].begin() + offset * kPartitions);
    std::ranges::copy(band.costs[i], costs_[i].begin() + offset * kPartitions);
  }
  std::ranges::copy(band.modes, modes_.begin() + offset);
}

void WholeMotion::put(std::span<const std::byte> band, std::size_t first, std::size_t count) {
  for (int i = 0; i < motion_.references; ++i) {
    take(band, vectors_[i], first * kPartitions, count * kPartitions);
  }
  for (int i = 0; i < motion_.references; ++i) {
    take(band, costs_[i], first * kPartitions, count * kPartitions);
  }
  take(band, modes_, first, count);
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
                    "options.search.rows is set, but ranks distribute all rows; leave it empty");
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
