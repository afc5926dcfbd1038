// SPDX-License-Identifier: Apache-2.0

// The first stage of a stream: reads the pictures of a chunk and uploads them.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_UPLOAD_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_UPLOAD_H_

#include <millrace/algorithms/motion_estimation/stream/picture_layout.h>
#include <millrace/algorithms/motion_estimation/stream/picture_memory.h>
#include <millrace/algorithms/motion_estimation/stream/picture_source.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/pipeline_report.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

namespace millrace::motion {

// Consecutive pictures that are searched together.
struct PictureChunk {
  std::uint64_t first = 0;
  int count = 0;
  Event uploaded;
};

// The division of a run's pictures into chunks. Each chunk has up to twice as many as the one
// before.
struct ChunkPlan {
  std::uint64_t first_picture = 0;
  int first_size = 1;  // Number of pictures of the first chunk.
  int most_size = 1;   // Largest number of pictures of a chunk.
  int slots = 1;       // Number of chunks in flight.
};

// One run of a stream. The end of this object waits for the uploads.
template <class Sample>
class PictureUpload {
 public:
  // The arguments but the plan outlive this object.
  PictureUpload(Device& device, const PictureLayout<Sample>& layout, PictureMemory<Sample>& memory,
                PictureSource<Sample>& source, const ChunkPlan& plan);

  // Reads a chunk's pictures and enqueues their copies. Returns false if there are no more. Throws
  // what the source throws, after the chunk of the pictures before.
  bool upload(int slot);

  const PictureChunk& chunk(int slot) const { return chunks_[slot].chunk; }

  // Adds the time of a chunk's upload, once the chunk has left the device, on any one thread.
  // Throws if it failed.
  void account(int slot);

  // Adds bytes and time to a report, once all chunks are accounted for.
  void add_to(PipelineReport& report) const;

  // Returns the queue of the copies.
  Queue& queue() { return *queue_; }

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct UploadedChunk {
    PictureChunk chunk;
    Time enqueued;
  };

  bool read_picture(int slot);
  void copy_up(const std::byte* host, const Sample* source, std::byte* on_device);

  const PictureLayout<Sample>& layout_;
  PictureMemory<Sample>& memory_;
  PictureSource<Sample>& source_;
  const std::uint64_t first_;
  const int most_pictures_;  // Per chunk.
  int next_pictures_;        // At most, of the next chunk.
  std::vector<UploadedChunk> chunks_;
  std::uint64_t end_;  // End of the last picture that was read.
  bool is_complete_ = false;
  std::exception_ptr error_;
  Time last_upload_{};
  double seconds_ = 0;
  const std::unique_ptr<Queue> queue_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_UPLOAD_H_
