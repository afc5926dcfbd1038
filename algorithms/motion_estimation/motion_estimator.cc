#include <millrace/algorithms/motion_estimation/motion_estimator.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/picture_layout.h>
#include <millrace/runtime/buffer.h>
#include <millrace/runtime/error.h>
#include <millrace/runtime/event.h>
#include <millrace/runtime/pipeline.h>

namespace millrace::motion {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void refuse(const std::string& name, int value, const std::string& rule) {
  throw Error(ErrorCode::kInvalidArgument,
              name + " is " + std::to_string(value) + "; it is " + rule);
}

void check_range(const std::string& name, int value, int least, int most) {
  if (value >= least && value <= most) return;
  refuse(name, value, std::to_string(least) + " to " + std::to_string(most));
}

void check_size(const std::string& name, int size) {
  if (size > 0 && size <= kMostPictureSize && size % kMacroblockWidth == 0) return;
  refuse(name, size,
         "a positive multiple of " + std::to_string(kMacroblockWidth) + ", at most " +
             std::to_string(kMostPictureSize));
}

EstimatorOptions checked(int width, int height, const EstimatorOptions& options) {
  check_size("width", width);
  check_size("height", height);
  check_search_options(options.search);
  check_range("options.references", options.references, 1, kMostReferences);
  check_range("options.predictor", static_cast<int>(options.predictor), 0, 2);
  check_range("options.depth", options.depth, 2, 64);
  return options;
}

}  // namespace

template <class Sample>
class MotionEstimator<Sample>::Body {
 public:
  Body(std::shared_ptr<Device> device, int width, int height, const EstimatorOptions& options);

  PipelineReport run(const EstimatorStages<Sample>& stages, const std::stop_token& stop);

 private:
  // Of a picture in flight.
  struct Slot {
    Buffer<std::byte> pinned;  // Empty where nothing is copied.
    Clock::time_point upload_enqueued;
    Event uploaded;
  };

  struct Run {
    const EstimatorStages<Sample>& stages;
    const std::unique_ptr<Queue> uploads;
    std::array<MotionField, kMostReferences> last_fields{};
    int last_references = 0;
    Clock::time_point last_upload{};
    double upload_seconds = 0;
  };

  int references_of(std::uint64_t index) const {
    return static_cast<int>(std::min<std::uint64_t>(options_.references, index));
  }

  // Of a picture, on the device.
  std::byte* input_of(std::uint64_t index) { return pictures_[index % pictures_.size()].data(); }
  LumaPlane<Sample> plane(std::uint64_t index, const BlockPart<Sample>& part) {
    return {part.in(input_of(index)).data(), width_, width_, height_};
  }
  LumaPlane<Sample> reference_plane(std::uint64_t index) {
    return plane(index, options_.has_reconstruction ? layout_.reconstruction : layout_.current);
  }

  std::optional<PipelineInput> produce(Run& run, const PipelineRoom& room);
  SearchFrame<Sample> search_frame(const Run& run, const DeviceMotion<Sample>& motion,
                                   int reference);
  void compute(Run& run, Queue& queue, const PipelineChunk& chunk);
  void consume(Run& run, const PipelineOutput& output);

  const std::shared_ptr<Device> device_;
  const int width_;
  const int height_;
  const EstimatorOptions options_;
  const PictureLayout<Sample> layout_;
  const bool copies_;
  std::vector<Buffer<std::byte>> pictures_;  // A ring: those in flight and what they refer to.
  std::vector<Slot> slots_;
  Buffer<MotionVector> zero_;
  Pipeline pipeline_;
};

template <class Sample>
MotionEstimator<Sample>::Body::Body(std::shared_ptr<Device> device, int width, int height,
                                    const EstimatorOptions& options)
    : device_(std::move(device)),
      width_(width),
      height_(height),
      options_(checked(width, height, options)),
      layout_(width, height, options),
      copies_(!device_->info().shares_host_memory),
      slots_(options.depth),
      zero_(device_->pool(MemorySpace::kDevice), 1),
      pipeline_(device_, {.output_bytes = layout_.output_bytes[options.references],
                          .depth = options.depth,
                          .has_host_input = false,
                          .queue = options.queue}) {
  for (int i = 0; i < options.depth + options.references; ++i) {
    pictures_.emplace_back(device_->pool(MemorySpace::kDevice), layout_.input_bytes);
  }
  for (Slot& slot : slots_) {
    slot.pinned =
        Buffer<std::byte>(device_->pool(MemorySpace::kPinned), copies_ ? layout_.input_bytes : 0);
  }
  const std::unique_ptr<Queue> queue = device_->make_queue();
  fill_bytes(*queue, zero_.span(), std::byte{0});
  queue->wait();
}

template <class Sample>
PipelineReport MotionEstimator<Sample>::Body::run(const EstimatorStages<Sample>& stages,
                                                  const std::stop_token& stop) {
  if (!stages.produce) throw Error(ErrorCode::kInvalidArgument, "produce is empty");
  Run run{.stages = stages, .uploads = device_->make_queue()};
  PipelineReport report = pipeline_.run(
      {.produce = [&](const PipelineRoom& room) { return produce(run, room); },
       .compute = [&](Queue& queue, const PipelineChunk& chunk) { compute(run, queue, chunk); },
       .consume = [&](const PipelineOutput& output) { consume(run, output); }},
      stop);
  report.bytes_up += report.chunks * layout_.input_bytes;
  report.upload_seconds += run.upload_seconds;
  return report;
}

template <class Sample>
std::optional<PipelineInput> MotionEstimator<Sample>::Body::produce(Run& run,
                                                                    const PipelineRoom& room) {
  Slot& slot = slots_[room.slot];
  std::byte* const there = input_of(room.index);
  std::byte* const here = copies_ ? slot.pinned.data() : there;
  const InputPicture<Sample> picture{.index = room.index,
                                     .current = layout_.current.in(here),
                                     .reconstruction = layout_.reconstruction.in(here),
                                     .predictors = layout_.predictors.in(here)};
  if (!run.stages.produce(picture)) return std::nullopt;
  if (copies_) {
    slot.upload_enqueued = Clock::now();
    run.uploads->copy(there, here, layout_.input_bytes);
    slot.uploaded = run.uploads->record();
  }
  return PipelineInput{};
}

template <class Sample>
SearchFrame<Sample> MotionEstimator<Sample>::Body::search_frame(const Run& run,
                                                                const DeviceMotion<Sample>& motion,
                                                                int reference) {
  SearchFrame<Sample> frame{motion.current, motion.pictures[reference], zero_.data(), 0};
  if (options_.predictor == PredictorRule::kGiven) {
    frame.predictors =
        layout_.predictors.in(input_of(motion.index)).data() + reference * layout_.macroblocks;
    frame.predictor_stride = 1;
  } else if (options_.predictor == PredictorRule::kPrevious && reference < run.last_references) {
    frame.predictors = run.last_fields[reference].vectors;
    frame.predictor_stride = kPartitions;
  }
  return frame;
}

template <class Sample>
void MotionEstimator<Sample>::Body::compute(Run& run, Queue& queue, const PipelineChunk& chunk) {
  queue.wait_for(slots_[chunk.slot].uploaded);
  std::byte* const output = chunk.output.data();
  DeviceMotion<Sample> motion{.index = chunk.index,
                              .references = references_of(chunk.index),
                              .current = plane(chunk.index, layout_.current)};
  for (int i = 0; i < motion.references; ++i) {
    motion.pictures[i] = reference_plane(chunk.index - 1 - i);
    motion.fields[i] = {layout_.vectors[i].in(output).data(), layout_.costs[i].in(output).data()};
    search_motion(queue, search_frame(run, motion, i), motion.fields[i], options_.search);
  }
  if (options_.decides_modes && motion.references > 0) {
    MacroblockMode* const modes = layout_.modes.in(output).data();
    decide_modes(queue, search_frame(run, motion, 0),
                 {motion.fields.data(), static_cast<std::size_t>(motion.references)}, modes,
                 options_.search);
    motion.modes = modes;
  }
  if (run.stages.after_search) run.stages.after_search(queue, motion);
  // The next search may read these, as its output is elsewhere: depth is at least 2.
  run.last_fields = motion.fields;
  run.last_references = motion.references;
  chunk.result->bytes = options_.downloads ? layout_.output_bytes[motion.references] : 0;
}

template <class Sample>
void MotionEstimator<Sample>::Body::consume(Run& run, const PipelineOutput& output) {
  if (copies_) {
    if (run.uploads->has_failed()) run.uploads->wait();
    const Slot& slot = slots_[output.slot];
    const Clock::time_point begin = std::max(slot.upload_enqueued, run.last_upload);
    run.last_upload = std::max(begin, slot.uploaded.reached_at());
    run.upload_seconds += std::chrono::duration<double>(run.last_upload - begin).count();
  }
  if (!run.stages.consume) return;
  PictureMotion motion{.index = output.index, .references = references_of(output.index)};
  if (!output.data.empty()) {
    const std::byte* const data = output.data.data();
    for (int i = 0; i < motion.references; ++i) {
      motion.vectors[i] = layout_.vectors[i].in(data);
      motion.costs[i] = layout_.costs[i].in(data);
    }
    motion.modes = layout_.modes.in(data);
  }
  run.stages.consume(motion);
}

template <class Sample>
MotionEstimator<Sample>::MotionEstimator(std::shared_ptr<Device> device, int width, int height,
                                         const EstimatorOptions& options)
    : body_(std::make_unique<Body>(std::move(device), width, height, options)) {}

template <class Sample>
MotionEstimator<Sample>::~MotionEstimator() = default;

template <class Sample>
PipelineReport MotionEstimator<Sample>::run(const EstimatorStages<Sample>& stages,
                                            const std::stop_token& stop) {
  return body_->run(stages, stop);
}

template class MotionEstimator<std::uint8_t>;
template class MotionEstimator<std::uint16_t>;

}  // namespace millrace::motion
