// SPDX-License-Identifier: Apache-2.0

// Types of the motion estimation of a clip: its options, and the pictures and results that its
// stages exchange.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_PICTURE_MOTION_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_PICTURE_MOTION_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/queue.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace millrace::motion {

// Source of a search's predictors.
enum class PredictorRule : std::uint8_t {
  // The paper's rule: the same macroblock's 16x16 vector in the picture before, in the reference at
  // the same distance (among those of the picture before); zero if there was none.
  kPrevious,
  kZero,
  kGiven,  // Written by produce.
};

struct EstimatorOptions {
  SearchOptions search{};

  // Number of reference pictures that are searched, 1 to kMostReferences, the nearest before the
  // current one first. The first pictures of a clip have fewer.
  int references = 1;

  PredictorRule predictor = PredictorRule::kPrevious;

  // True if decide_modes() chooses each macroblock's mode, with the predictors of the first
  // reference.
  bool decides_modes = false;

  // True if produce also writes a reconstruction of each picture, which later ones refer to
  // instead.
  bool has_reconstruction = false;

  // True if results are downloaded. after_search reads those on the device.
  bool downloads = true;

  // Pictures per chunk, which are uploaded and downloaded together, 1 to 1024. A chunk has a fixed
  // cost of some ten microseconds, and its first result arrives with its last one. 0 chooses a size
  // that makes this cost negligible, on one device with smaller chunks at first; 1 on a device that
  // shares the host's memory.
  int pictures_per_chunk = 0;

  // Chunks between the start of produce and the end of consume, 2 to 64. The device holds as many,
  // and `references` more pictures.
  int depth = 4;

  // Options of the queue that searches.
  QueueOptions queue{};
};

// Destination of a picture: memory of the estimator, pinned if it is uploaded from there, or the
// device's own if that is also the host's. Pictures are width * height samples in dense rows.
template <class Sample>
struct InputPicture {
  std::uint64_t index = 0;  // Number of the picture, from 0.
  std::span<Sample> current;
  std::span<Sample> reconstruction;  // Empty without has_reconstruction.
  // With kGiven: one per macroblock for each reference in turn.
  std::span<MotionVector> predictors;

  // Set by produce, instead of writing `current`, if the picture is in other host memory, best if
  // pinned. It must stay there until the `references` pictures after it are consumed.
  const Sample* source = nullptr;
};

// Results of a picture in device memory, in the form that decide_modes() takes.
template <class Sample>
struct DeviceMotion {
  std::uint64_t index = 0;
  int references = 0;  // Number of references searched: none for the first picture.
  LumaPlane<Sample> current;
  std::array<LumaPlane<Sample>, kMostReferences> pictures{};  // The references.
  std::array<MotionField, kMostReferences> fields{};          // One per reference.
  const MacroblockMode* modes = nullptr;                      // Null if no modes are decided.
};

// Downloaded results of a picture, valid until consume returns.
struct PictureMotion {
  std::uint64_t index = 0;
  int references = 0;  // Number of references searched: none for the first picture.

  // kPartitions elements per macroblock that was searched, for each of the references
  // (MotionField::index). Empty for other references, and if nothing is downloaded.
  std::array<std::span<const MotionVector>, kMostReferences> vectors{};
  std::array<std::span<const std::uint32_t>, kMostReferences> costs{};

  std::span<const MacroblockMode> modes{};  // One per such macroblock, if modes are decided.
};

template <class Sample>
struct EstimatorStages {
  // Writes the next picture, or returns false at the end. Called on the thread that runs the
  // estimator.
  std::function<bool(InputPicture<Sample>&)> produce;

  // Called for every picture in order, also for the first, which has no results, on another thread
  // while later ones are produced. Optional.
  std::function<void(const PictureMotion&)> consume{};

  // Enqueues work on the results on the device; called on the same thread as produce. The results
  // stay valid for work that is enqueued on this queue. Optional.
  std::function<void(Queue&, const DeviceMotion<Sample>&)> after_search{};
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_PICTURE_MOTION_H_
