// SPDX-License-Identifier: Apache-2.0

// Pictures of a clip on one device; used by MotionEstimator and MotionGroup.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_STREAM_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_STREAM_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/picture_motion.h>
#include <millrace/algorithms/motion_estimation/stream/picture_layout.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/pipeline.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::motion {

template <class Sample>
class MotionStream {
 public:
  // Beginning of a run that continues a clip.
  struct Start {
    std::uint64_t picture = 0;  // Produce also writes the `references` pictures before it.

    // Vectors of all macroblocks of the picture before, for each reference that it had; for
    // kPrevious.
    std::vector<std::span<const MotionVector>> vectors{};
  };

  // The arguments are valid.
  MotionStream(std::shared_ptr<Device> device, int width, int height,
               const EstimatorOptions& options);

  PipelineReport run(const EstimatorStages<Sample>& stages, const std::stop_token& stop,
                     const Start& start = {});

 private:
  using Time = std::chrono::steady_clock::time_point;

  // A picture in device memory.
  struct Resident {
    Buffer<std::byte> block;
    const Sample* current = nullptr;  // In the block, or in the caller's memory.
  };

  // A chunk in flight.
  struct Slot {
    std::vector<Buffer<std::byte>> pinned;  // Empty if nothing is copied.
    std::uint64_t first = 0;                // Its first picture.
    int count = 0;
    Time upload_enqueued;
    Event uploaded;
  };

  // Vectors of a picture.
  struct Fields {
    std::array<MotionField, kMostReferences> fields{};
    int count = 0;
  };

  // Work that is left for a picture after its search.
  struct ChunkPicture {
    DeviceMotion<Sample> motion;
    SearchFrame<Sample> first_frame;
    MacroblockMode* modes = nullptr;
  };

  struct Run {
    const EstimatorStages<Sample>& stages;
    const std::unique_ptr<Queue> uploads;
    // First picture to be searched; those produced before it are references.
    const std::uint64_t first;

    // State of produce. next_chunk is the maximum number of pictures of the next chunk.
    int next_chunk;
    std::uint64_t produced = 0;
    bool is_complete = false;
    std::exception_ptr error{};

    // State of compute: the results of the last picture, and a chunk's pictures with their
    // searches.
    Buffer<MotionVector> start_vectors{};
    Fields before{};
    std::vector<ChunkPicture> chunk{};
    std::vector<SearchFrame<Sample>> frames{};
    std::vector<MotionField> chunk_fields{};

    // State of consume.
    Time last_upload{};
    double upload_seconds = 0;
  };

  int references_of(const Run& run, std::uint64_t picture) const {
    return picture < run.first
               ? 0
               : static_cast<int>(std::min<std::uint64_t>(options_.references, picture));
  }
  Resident& resident(std::uint64_t picture) { return pictures_[picture % pictures_.size()]; }
  LumaPlane<Sample> plane(const Sample* samples) const {
    return {samples, width_, width_, height_};
  }
  LumaPlane<Sample> reference_plane(std::uint64_t picture) {
    Resident& entry = resident(picture);
    return plane(options_.has_reconstruction ? layout_.reconstruction.in(entry.block.data()).data()
                                             : entry.current);
  }

  void put_vectors(Run& run, const Start& start);
  std::optional<PipelineInput> produce(Run& run, const PipelineInputMemory& room);
  bool produce_picture(Run& run, Slot& slot);
  void upload(Queue& uploads, const std::byte* host, const Sample* source, Resident& entry);
  SearchFrame<Sample> search_frame(const Fields& before, const DeviceMotion<Sample>& motion,
                                   int reference);
  void add_picture(Run& run, std::uint64_t picture, std::byte* output);
  void finish_picture(const Run& run, Queue& queue, ChunkPicture& picture);
  void compute(Run& run, Queue& queue, const PipelineChunk& chunk);
  void account_upload(Run& run, const Slot& slot);
  void consume(Run& run, const PipelineOutput& output);

  const std::shared_ptr<Device> device_;
  const int width_;
  const int height_;
  const EstimatorOptions options_;
  const PictureLayout<Sample> layout_;
  const bool copies_;
  const int chunk_size_;
  std::vector<Resident> pictures_;  // A ring of the pictures in flight and their references.
  std::vector<Slot> slots_;
  Buffer<MotionVector> zero_;
  Pipeline pipeline_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_STREAM_H_
