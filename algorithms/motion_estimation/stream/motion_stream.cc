// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/stream/caller_stages.h>
#include <millrace/algorithms/motion_estimation/stream/motion_stream.h>
#include <millrace/algorithms/motion_estimation/stream/picture_chunk_search.h>
#include <millrace/algorithms/motion_estimation/stream/picture_upload.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace millrace::motion {
namespace {

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
// arrives, so that is a fraction of a full one; the following ones grow while it computes.
int first_chunk(int pictures, int wanted) {
  constexpr int kDivisor = 8;
  return wanted != 0 ? pictures : (pictures + kDivisor - 1) / kDivisor;
}

}  // namespace

template <class Sample>
MotionStream<Sample>::MotionStream(std::shared_ptr<Device> device, int width, int height,
                                   const EstimatorOptions& options)
    : device_(std::move(device)),
      options_(options),
      layout_(width, height, options),
      chunk_size_(chunk_size(device_->info(), layout_, options)),
      memory_(*device_, layout_, options, chunk_size_),
      zero_(device_->pool(MemorySpace::kDevice), 1),
      pipeline_(device_, {.output_bytes = chunk_size_ * layout_.output_bytes,
                          .depth = options.depth,
                          .has_host_input = false,
                          .queue = options.queue}) {
  const std::unique_ptr<Queue> queue = device_->make_queue();
  fill_bytes(*queue, zero_.span(), std::byte{0});
  queue->wait();
}

template <class Sample>
PipelineReport MotionStream<Sample>::run(const EstimatorStages<Sample>& stages,
                                         const std::stop_token& stop, const Start& start) {
  CallerStages<Sample> caller(stages);
  MotionSink* const sink = stages.consume ? &caller : nullptr;
  return run({.source = caller, .sink = sink, .after_search = stages.after_search}, stop, start);
}

template <class Sample>
PipelineReport MotionStream<Sample>::run(const Ends& ends, const std::stop_token& stop,
                                         const Start& start) {
  const std::uint64_t given_again = std::min<std::uint64_t>(options_.references, start.picture);
  PictureUpload<Sample> pictures(
      *device_, layout_, memory_, ends.source,
      {.first_picture = start.picture - given_again,
       .first_size = first_chunk(chunk_size_, options_.pictures_per_chunk),
       .most_size = chunk_size_,
       .slots = options_.depth});
  PictureChunkSearch<Sample> searches(layout_, options_, memory_, zero_.data(), start.picture);
  if (options_.predictor == PredictorRule::kPrevious) {
    searches.put_vectors(pictures.queue(), start.vectors);
  }
  const auto upload = [&](const PipelineInputMemory& memory) -> std::optional<PipelineInput> {
    if (!pictures.upload(memory.slot)) return std::nullopt;
    return PipelineInput{};
  };
  const auto search = [&](Queue& queue, const PipelineChunk& on_device) {
    const PictureChunk& chunk = pictures.chunk(on_device.slot);
    queue.wait_for(chunk.uploaded);
    for (auto& picture : searches.search(queue, chunk, on_device.output.data())) {
      searches.decide_modes(queue, picture);
      const bool is_wanted = ends.after_search && picture.motion.index >= start.picture;
      if (is_wanted) ends.after_search(queue, picture.motion);
    }
    on_device.result->bytes = options_.downloads ? chunk.count * layout_.output_bytes : 0;
  };
  const auto deliver = [&](const PipelineOutput& output) {
    pictures.account(output.slot);
    if (ends.sink == nullptr) return;
    const PictureChunk& chunk = pictures.chunk(output.slot);
    for (int i = 0; i < chunk.count; ++i) {
      const std::uint64_t picture = chunk.first + i;
      if (picture < start.picture) continue;
      const std::byte* const results =
          options_.downloads ? output.data.data() + i * layout_.output_bytes : nullptr;
      ends.sink->put(layout_.results(picture, searches.references_of(picture), results));
    }
  };
  PipelineReport report =
      pipeline_.run({.produce = upload, .compute = search, .consume = deliver}, stop);
  pictures.add_to(report);
  return report;
}

template class MotionStream<std::uint8_t>;
template class MotionStream<std::uint16_t>;

}  // namespace millrace::motion
