// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/stream/picture_chunk_search.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/memory_space.h>

#include <algorithm>

namespace millrace::motion {

template <class Sample>
PictureChunkSearch<Sample>::PictureChunkSearch(const PictureLayout<Sample>& layout,
                                               const EstimatorOptions& options,
                                               PictureMemory<Sample>& memory,
                                               const MotionVector* zero, std::uint64_t first)
    : layout_(layout), options_(options), memory_(memory), zero_(zero), first_(first) {}

template <class Sample>
void PictureChunkSearch<Sample>::put_vectors(Queue& queue,
                                             std::span<const std::span<const MotionVector>> all) {
  if (all.empty()) return;
  const std::size_t first = MotionField::index(layout_.first_searched, 0);
  const std::size_t count = MotionField::index(layout_.searched, 0);
  start_vectors_ =
      Buffer<MotionVector>(queue.device().pool(MemorySpace::kDevice), count * all.size());
  for (const std::span<const MotionVector> vectors : all) {
    MotionVector* const target = start_vectors_.data() + before_.count * count;
    queue.copy(target, vectors.data() + first, count * sizeof(MotionVector));
    before_.fields[before_.count++].vectors = target - first;
  }
  queue.wait();
}

template <class Sample>
int PictureChunkSearch<Sample>::references_of(std::uint64_t picture) const {
  if (picture < first_) return 0;
  return static_cast<int>(std::min<std::uint64_t>(options_.references, picture));
}

template <class Sample>
std::span<SearchedPicture<Sample>> PictureChunkSearch<Sample>::search(Queue& queue,
                                                                      const PictureChunk& chunk,
                                                                      std::byte* output) {
  pictures_.clear();
  frames_.clear();
  fields_.clear();
  for (int i = 0; i < chunk.count; ++i) {
    add_picture(chunk.first + i, output + i * layout_.output_bytes);
  }
  search_checked<Sample>(queue, frames_, fields_, options_.search);
  return pictures_;
}

template <class Sample>
void PictureChunkSearch<Sample>::add_picture(std::uint64_t picture, std::byte* output) {
  DeviceMotion<Sample> motion{
      .index = picture, .references = references_of(picture), .current = memory_.current(picture)};
  for (int i = 0; i < motion.references; ++i) {
    motion.pictures[i] = memory_.reference(picture - 1 - i);
    motion.fields[i] = layout_.field(i, output);
    frames_.push_back(frame_of(motion, i));
    fields_.push_back(motion.fields[i]);
  }
  pictures_.push_back(
      {motion, motion.references > 0 ? frames_.end()[-motion.references] : SearchFrame<Sample>{},
       layout_.modes_of(output)});
  // The next search may read these: its output is elsewhere, as there are two chunks or more.
  if (picture >= first_) before_ = {motion.fields, motion.references};
}

template <class Sample>
SearchFrame<Sample> PictureChunkSearch<Sample>::frame_of(const DeviceMotion<Sample>& motion,
                                                         int reference) {
  SearchFrame<Sample> frame{motion.current, motion.pictures[reference], zero_, 0};
  if (options_.predictor == PredictorRule::kGiven) {
    frame.predictors = memory_.predictors(motion.index, reference);
    frame.predictor_stride = 1;
  } else if (options_.predictor == PredictorRule::kPrevious && reference < before_.count) {
    frame.predictors = before_.fields[reference].vectors;  // Vectors of the searched macroblocks.
    frame.predictor_stride = kPartitions;
  }
  return frame;
}

template <class Sample>
void PictureChunkSearch<Sample>::decide_modes(Queue& queue,
                                              SearchedPicture<Sample>& picture) const {
  DeviceMotion<Sample>& motion = picture.motion;
  if (!options_.decides_modes || motion.references == 0) return;
  decide_checked(queue, picture.first_frame,
                 {motion.fields.data(), static_cast<std::size_t>(motion.references)}, picture.modes,
                 options_.search);
  motion.modes = picture.modes;
}

template class PictureChunkSearch<std::uint8_t>;
template class PictureChunkSearch<std::uint16_t>;

}  // namespace millrace::motion
