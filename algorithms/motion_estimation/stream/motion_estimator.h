// SPDX-License-Identifier: Apache-2.0

// Motion estimation of a clip: its pictures go up to a device while those before are searched and
// the vectors of those before that come down (runtime/stream/pipeline.h).
//
//   MotionEstimator<std::uint8_t> estimator(device, width, height, {.references = 2});
//   estimator.run({
//       .produce = [&](InputPicture<std::uint8_t>& room) { return clip.read(room.current); },
//       .consume = [&](const PictureMotion& motion) { file.write(motion.vectors[0]); },
//   });
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_ESTIMATOR_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_ESTIMATOR_H_

#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/work_sharing.h>
#include <millrace/runtime/stream/pipeline_report.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::motion {

// Where a search's predictors come from.
enum class PredictorRule : std::uint8_t {
  // The paper's: the same macroblock's 16x16 vector in the picture before, in as near a reference
  // (of those of the picture before, counted from it); zero where that had none.
  kPrevious,
  kZero,
  kGiven,  // By produce.
};

struct EstimatorOptions {
  SearchOptions search{};

  // So many pictures are searched, 1 to kMostReferences, the nearest before the current one first.
  // The first pictures of a clip have fewer.
  int references = 1;

  PredictorRule predictor = PredictorRule::kPrevious;

  // Whether decide_modes() chooses each macroblock's parts, by the predictors of the first
  // reference.
  bool decides_modes = false;

  // Whether produce gives a reconstruction of each picture, which later ones refer to instead.
  bool has_reconstruction = false;

  // Whether results come back to the host. Those on the device are for after_search.
  bool downloads = true;

  // Pictures that go up together and come down together, 1 to 1024: a chunk has a start and an end
  // of some ten microseconds, and its first result comes with its last one. 0: so many that this
  // does not show, and on one device fewer in the first chunks; 1 on a device that shares the
  // host's memory.
  int pictures_per_chunk = 0;

  // Chunks between the start of produce and the end of consume, 2 to 64. The device holds as many,
  // and `references` more pictures.
  int depth = 4;

  // Of the queue that searches.
  QueueOptions queue{};
};

// Where a picture is to be produced: memory of the estimator, pinned where it is uploaded from and
// the device's own where it is the host's too. Pictures are width * height samples in dense rows.
template <class Sample>
struct InputPicture {
  std::uint64_t index = 0;  // Counts pictures from 0.
  std::span<Sample> current;
  std::span<Sample> reconstruction;    // Empty without has_reconstruction.
  std::span<MotionVector> predictors;  // With kGiven: one a macroblock for each reference in turn.

  // Set by produce where the picture is in other memory of the host, best if pinned, instead of
  // writing `current`. It stays there until the `references` pictures after it are consumed.
  const Sample* source = nullptr;
};

// Results of a picture in memory of the device, as decide_modes() takes them.
template <class Sample>
struct DeviceMotion {
  std::uint64_t index = 0;
  int references = 0;  // That there are: none for the first picture.
  LumaPlane<Sample> current;
  std::array<LumaPlane<Sample>, kMostReferences> pictures{};  // Of the references.
  std::array<MotionField, kMostReferences> fields{};          // One a reference.
  const MacroblockMode* modes = nullptr;                      // Null where none are decided.
};

// Results of a picture that came back, until consume returns.
struct PictureMotion {
  std::uint64_t index = 0;
  int references = 0;  // That were searched: none for the first picture.

  // kPartitions elements a macroblock that was searched, for each of the references
  // (MotionField::index); empty for others, and where nothing is downloaded.
  std::array<std::span<const MotionVector>, kMostReferences> vectors{};
  std::array<std::span<const std::uint32_t>, kMostReferences> costs{};

  std::span<const MacroblockMode> modes{};  // One such macroblock, where they are decided.
};

template <class Sample>
struct EstimatorStages {
  // Writes the next picture, or returns false where there are no more. Called on the thread that
  // runs the estimator.
  std::function<bool(InputPicture<Sample>&)> produce;

  // Called for every picture in order, also for the first, which has no results, on another thread
  // while later ones are produced. May be empty.
  std::function<void(const PictureMotion&)> consume{};

  // Enqueues what is to be done with the results on the device, on the same thread as produce. They
  // stay as they are for what is enqueued on this queue. May be empty.
  std::function<void(Queue&, const DeviceMotion<Sample>&)> after_search{};
};

template <class Sample>
class MotionStream;
template <class Sample>
class MotionGroup;

// `Sample` is as in LumaPlane. Has its memory, of the device's pools, as long as it lives. Runs,
// of a clip each, come one at a time, on any thread. Results equal those of motion_search.h to the
// bit. On a device that shares the host's memory nothing is copied.
template <class Sample>
class MotionEstimator {
 public:
  // `width` and `height` are multiples of 16, at most kMostPictureSize. Throws kInvalidArgument for
  // a size or options out of range, kOutOfMemory.
  MotionEstimator(std::shared_ptr<Device> device, int width, int height,
                  const EstimatorOptions& options = {});

  // The same by the devices of a group, which need not outlive it: each searches rows of
  // macroblocks of all pictures, as many as it was fast in earlier runs. Stages are called on any
  // threads, each of them by one at a time, and there is no after_search; it would throw
  // kUnsupported, and so do options.search.rows here.
  MotionEstimator(const DeviceGroup& group, int width, int height,
                  const EstimatorOptions& options = {});
  ~MotionEstimator();

  // Runs until produce has no more and all is consumed; throws as Pipeline::run does. Where produce
  // fails the pictures before are consumed, where another stage does the chunks before. A picture
  // of std::uint16_t with samples above 1023 throws kInvalidArgument as if from produce.
  PipelineReport run(const EstimatorStages<Sample>& stages, const std::stop_token& stop = {});

  // What each device of a group did in the last run, in rows of macroblocks; none of one device.
  std::vector<DeviceShare> shares() const;

 private:
  const std::unique_ptr<MotionStream<Sample>> stream_;  // Null for a group of several devices.
  const std::unique_ptr<MotionGroup<Sample>> group_;    // Else null.
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_ESTIMATOR_H_
