// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/stream/motion_stream.h>

#include <utility>

#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/runtime/core/error.h>

namespace millrace::motion {
namespace {

using Clock = std::chrono::steady_clock;

// Returns the number of pictures per chunk. A chunk's start and end take 35 us of an H200 and a
// macroblock's search 30 ns, at whole samples and range 32: 1 % of 131,072.
// docs/experiments/motion_search_chunk_size.md has the gain of larger chunks. All chunks in flight
// are in pinned memory and on the device, so their size in bytes has a bound, too.
template <class Sample>
int chunk_size(const DeviceInfo& device, const PictureLayout<Sample>& layout,
               const EstimatorOptions& options) {
  constexpr std::size_t kMacroblocks = 131072;
  constexpr std::size_t kBytes = std::size_t{96} << 20;
  // Bounds the delay of the first result, however small pictures are.
  constexpr std::size_t kMost = 128;
  if (options.pictures_per_chunk != 0) return options.pictures_per_chunk;
  if (device.shares_host_memory) return 1;
  const std::size_t searched =
      std::max<std::size_t>(layout.searched * static_cast<std::size_t>(options.references), 1);
  const std::size_t of_bytes = kBytes / (layout.input_bytes + layout.output_bytes);
  return static_cast<int>(
      std::clamp(std::min(kMacroblocks / searched, of_bytes), std::size_t{1}, kMost));
}

// Returns the number of pictures of the first chunk. The device is idle until the first chunk
// arrives, so that is a part of a full one; the following ones grow while it computes.
int first_chunk(int pictures, int wanted) {
  constexpr int kParts = 8;
  return wanted != 0 ? pictures : (pictures + kParts - 1) / kParts;
}

}  // namespace

template <class Sample>
MotionStream<Sample>::MotionStream(std::shared_ptr<Device> device, int width, int height,
                                   const EstimatorOptions& options)
    : device_(std::move(device)),
      width_(width),
      height_(height),
      options_(options),
      layout_(width, height, options),
      copies_(!device_->info().shares_host_memory),
      chunk_size_(chunk_size(device_->info(), layout_, options)),
      pictures_(options.depth * chunk_size_ + options.references),
      slots_(options.depth),
      zero_(device_->pool(MemorySpace::kDevice), 1),
      pipeline_(device_, {.output_bytes = chunk_size_ * layout_.output_bytes,
                          .depth = options.depth,
                          .has_host_input = false,
                          .queue = options.queue}) {
  const auto make = [&](MemorySpace space) {
    return Buffer<std::byte>(device_->pool(space), layout_.input_bytes);
  };
  for (Resident& picture : pictures_) picture.block = make(MemorySpace::kDevice);
  for (Slot& slot : slots_) {
    for (int i = 0; copies_ && i < chunk_size_; ++i) {
      slot.pinned.push_back(make(MemorySpace::kPinned));
    }
  }
  const std::unique_ptr<Queue> queue = device_->make_queue();
  fill_bytes(*queue, zero_.span(), std::byte{0});
  queue->wait();
}

template <class Sample>
PipelineReport MotionStream<Sample>::run(const EstimatorStages<Sample>& stages,
                                         const std::stop_token& stop, const Start& start) {
  if (!stages.produce)
    throw Error(ErrorCode::kInvalidArgument, "stages.produce is empty; it must write the pictures");
  const std::uint64_t given_again = std::min<std::uint64_t>(options_.references, start.picture);
  Run run{.stages = stages,
          .uploads = device_->make_queue(),
          .first = start.picture,
          .next_chunk = first_chunk(chunk_size_, options_.pictures_per_chunk),
          .produced = start.picture - given_again};
  if (options_.predictor == PredictorRule::kPrevious) put_vectors(run, start);
  PipelineReport report = pipeline_.run(
      {.produce = [&](const PipelineInputMemory& room) { return produce(run, room); },
       .compute = [&](Queue& queue, const PipelineChunk& chunk) { compute(run, queue, chunk); },
       .consume = [&](const PipelineOutput& output) { consume(run, output); }},
      stop);
  report.bytes_up += (run.produced + given_again - start.picture) * layout_.input_bytes;
  report.upload_seconds += run.upload_seconds;
  return report;
}

// Uploads the vectors for the first picture that is searched, which refers to them as to those of a
// picture of the run.
template <class Sample>
void MotionStream<Sample>::put_vectors(Run& run, const Start& start) {
  if (start.vectors.empty()) return;
  const std::size_t first = MotionField::index(layout_.first_searched, 0);
  const std::size_t count = MotionField::index(layout_.searched, 0);
  run.start_vectors =
      Buffer<MotionVector>(device_->pool(MemorySpace::kDevice), count * start.vectors.size());
  for (const std::span<const MotionVector> vectors : start.vectors) {
    MotionVector* const target = run.start_vectors.data() + run.before.count * count;
    run.uploads->copy(target, vectors.data() + first, count * sizeof(MotionVector));
    run.before.fields[run.before.count++].vectors = target - first;
  }
  run.uploads->wait();
}

template <class Sample>
std::optional<PipelineInput> MotionStream<Sample>::produce(Run& run,
                                                           const PipelineInputMemory& room) {
  Slot& slot = slots_[room.slot];
  slot.first = run.produced;
  slot.count = 0;
  try {
    while (!run.is_complete && slot.count < run.next_chunk) {
      run.is_complete = !produce_picture(run, slot);
    }
  } catch (...) {
    if (slot.count == 0) throw;
    run.error = std::current_exception();
    run.is_complete = true;
  }
  run.next_chunk = std::min(2 * run.next_chunk, chunk_size_);
  if (slot.count == 0) {
    if (run.error) std::rethrow_exception(run.error);
    return std::nullopt;
  }
  if (copies_) slot.uploaded = run.uploads->record();
  return PipelineInput{};
}

template <class Sample>
bool MotionStream<Sample>::produce_picture(Run& run, Slot& slot) {
  Resident& entry = resident(run.produced);
  std::byte* const host = copies_ ? slot.pinned[slot.count].data() : entry.block.data();
  InputPicture<Sample> picture{.index = run.produced,
                               .current = layout_.current.in(host),
                               .reconstruction = layout_.reconstruction.in(host),
                               .predictors = layout_.predictors.in(host)};
  if (!run.stages.produce(picture)) return false;
  entry.current = layout_.current.in(entry.block.data()).data();
  if (copies_) {
    if (slot.count == 0) slot.upload_enqueued = Clock::now();
    upload(*run.uploads, host, picture.source, entry);
  } else if (picture.source != nullptr) {
    entry.current = picture.source;
  }
  ++run.produced;
  ++slot.count;
  return true;
}

template <class Sample>
void MotionStream<Sample>::upload(Queue& uploads, const std::byte* host, const Sample* source,
                                  Resident& entry) {
  std::size_t begin = 0;
  if (source != nullptr) {
    uploads.copy(entry.block.data(), source, layout_.current.count * sizeof(Sample));
    begin = layout_.reconstruction.offset;
  }
  if (begin == layout_.input_bytes) return;
  uploads.copy(entry.block.data() + begin, host + begin, layout_.input_bytes - begin);
}

template <class Sample>
SearchFrame<Sample> MotionStream<Sample>::search_frame(const Fields& before,
                                                       const DeviceMotion<Sample>& motion,
                                                       int reference) {
  SearchFrame<Sample> frame{motion.current, motion.pictures[reference], zero_.data(), 0};
  if (options_.predictor == PredictorRule::kGiven) {
    frame.predictors = layout_.predictors.in(resident(motion.index).block.data()).data() +
                       reference * layout_.macroblocks;
    frame.predictor_stride = 1;
  } else if (options_.predictor == PredictorRule::kPrevious && reference < before.count) {
    frame.predictors = before.fields[reference].vectors;  // Vectors of the searched macroblocks.
    frame.predictor_stride = kPartitions;
  }
  return frame;
}

template <class Sample>
void MotionStream<Sample>::compute(Run& run, Queue& queue, const PipelineChunk& chunk) {
  const Slot& slot = slots_[chunk.slot];
  queue.wait_for(slot.uploaded);
  run.chunk.clear();
  run.frames.clear();
  run.chunk_fields.clear();
  for (int i = 0; i < slot.count; ++i) {
    add_picture(run, slot.first + i, chunk.output.data() + i * layout_.output_bytes);
  }
  search_checked<Sample>(queue, run.frames, run.chunk_fields, options_.search);
  for (ChunkPicture& picture : run.chunk) finish_picture(run, queue, picture);
  chunk.result->bytes = options_.downloads ? slot.count * layout_.output_bytes : 0;
}

template <class Sample>
void MotionStream<Sample>::add_picture(Run& run, std::uint64_t picture, std::byte* output) {
  DeviceMotion<Sample> motion{.index = picture,
                              .references = references_of(run, picture),
                              .current = plane(resident(picture).current)};
  for (int i = 0; i < motion.references; ++i) {
    motion.pictures[i] = reference_plane(picture - 1 - i);
    motion.fields[i] = layout_.field(i, output);
    run.frames.push_back(search_frame(run.before, motion, i));
    run.chunk_fields.push_back(motion.fields[i]);
  }
  run.chunk.push_back(
      {motion, motion.references > 0 ? run.frames.end()[-motion.references] : SearchFrame<Sample>{},
       layout_.modes_of(output)});
  // The next search may read these: its output is elsewhere, as there are two chunks or more.
  if (picture >= run.first) run.before = {motion.fields, motion.references};
}

template <class Sample>
void MotionStream<Sample>::finish_picture(const Run& run, Queue& queue, ChunkPicture& picture) {
  DeviceMotion<Sample>& motion = picture.motion;
  if (options_.decides_modes && motion.references > 0) {
    decide_checked(queue, picture.first_frame,
                   {motion.fields.data(), static_cast<std::size_t>(motion.references)},
                   picture.modes, options_.search);
    motion.modes = picture.modes;
  }
  if (run.stages.after_search && motion.index >= run.first) {
    run.stages.after_search(queue, motion);
  }
}

template <class Sample>
void MotionStream<Sample>::account_upload(Run& run, const Slot& slot) {
  if (!copies_) return;
  if (run.uploads->has_failed()) run.uploads->wait();
  const Time begin = std::max(slot.upload_enqueued, run.last_upload);
  run.last_upload = std::max(begin, slot.uploaded.reached_at());
  run.upload_seconds += std::chrono::duration<double>(run.last_upload - begin).count();
}

template <class Sample>
void MotionStream<Sample>::consume(Run& run, const PipelineOutput& output) {
  const Slot& slot = slots_[output.slot];
  account_upload(run, slot);
  if (!run.stages.consume) return;
  for (int i = 0; i < slot.count; ++i) {
    const std::uint64_t picture = slot.first + i;
    if (picture < run.first) continue;
    PictureMotion motion{.index = picture, .references = references_of(run, picture)};
    if (options_.downloads && motion.references > 0) {
      const std::byte* const data = output.data.data() + i * layout_.output_bytes;
      for (int k = 0; k < motion.references; ++k) {
        motion.vectors[k] = layout_.vectors[k].in(data);
        motion.costs[k] = layout_.costs[k].in(data);
      }
      motion.modes = layout_.modes.in(data);
    }
    run.stages.consume(motion);
  }
}

template class MotionStream<std::uint8_t>;
template class MotionStream<std::uint16_t>;

}  // namespace millrace::motion
