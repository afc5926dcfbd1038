// SPDX-License-Identifier: Apache-2.0

// The inverse transform of a queue of macroblocks in host memory, streamed through a device in
// chunks (runtime/stream/pipeline.h). Coefficients go raw or coded for the link, whichever was
// measured to be faster (runtime/stream/codec_choice.h).
//
//   HostTransform transform(device);
//   transform.reconstruct(macroblocks, {prediction, MemorySpace::kDevice}, output);
//   transform.features(macroblocks, 8160, features);     // Some bytes a picture come back.
//
// Per macroblock, the upload takes 513 bytes, or 6 to 16 if coded, and 256 more if its prediction
// is uploaded too; the download takes 512 bytes as residual, 256 as picture, none as features.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/algorithms/idct/stream/coded_queue.h>
#include <millrace/algorithms/idct/stream/residual_features.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/stream/codec_choice.h>
#include <millrace/runtime/stream/pipeline_report.h>
#include <millrace/runtime/tasks/policy.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace millrace::idct {

struct HostTransformOptions {
  // Macroblocks per chunk, 1 to 2^24, or 0: chosen for the device's link
  // (runtime/auto/pipeline_choice.h), for a queue of a million. For pictures a chunk is as many
  // whole rows of macroblocks as fit.
  std::size_t chunk_macroblocks = 1 << 16;

  // Chunks in flight, 1 to 64, or 0: likewise. Each takes 1 KiB of device memory per macroblock and
  // 0.75 KiB of pinned memory.
  int depth = 4;

  // Codec for queues that are not coded yet. Even with kCoded, chunks go raw if coding does not
  // make them smaller or their coefficients are not at a multiple of 16 bytes.
  CodecUse codec = CodecUse::kMeasured;

  Policy policy = Policy::kAuto;
};

// Macroblocks, not owned: arrays in host memory, which are uploaded in place, best if pinned; or a
// coded queue.
struct HostInput {
  HostInput(const MacroblockQueue& queue)  // NOLINT: implicit
      : sizes(queue.sizes), coefficients(queue.coefficients), count(queue.count) {}
  HostInput(const CodedQueue& queue)  // NOLINT: implicit
      : sizes(queue.sizes()), count(queue.count()), coded(&queue) {}

  const TransformSize* sizes = nullptr;
  const std::int16_t* coefficients = nullptr;
  std::size_t count = 0;
  const CodedQueue* coded = nullptr;
  std::size_t first_chunk = 0;  // Index of the first chunk of `coded`.

  // Returns macroblocks first..first+count-1; of a coded queue, whole chunks except for the last.
  HostInput range(std::size_t first, std::size_t count) const;
};

// Pictures stacked vertically as one plane, in host memory, where its stride is its width, or in
// device memory.
struct HostPrediction {
  ConstPlane plane;
  MemorySpace space = MemorySpace::kHost;
};

// Streams macroblocks through a device or a group. Keeps its memory, from the device's pools, and
// the measured rates for its lifetime. One run at a time, on any thread. Nothing is copied on a
// device that shares the host's memory.
//
// Results equal those of idct.h to the bit. Each call returns when they are in host memory. Throws
// kInvalidArgument for null pointers, sizes that do not match, an unknown transform size, damaged
// coded chunks, and a coded queue whose chunks are longer than the options allow or are not whole
// rows; and what Pipeline::run throws.
class HostTransform {
 public:
  // Throws kInvalidArgument for options out of range, kOutOfMemory, and kUnsupported if `codec` is
  // kCoded and no CPU backend is linked.
  explicit HostTransform(std::shared_ptr<Device> device, const HostTransformOptions& options = {});

  // Uses all devices of a group, which need not outlive the object. Chunks, and for features whole
  // pictures too, are distributed by the devices' speeds. With several devices, predictions in
  // device memory are rejected with kUnsupported, and calls also throw what share_items() throws.
  explicit HostTransform(const DeviceGroup& group, const HostTransformOptions& options = {});
  ~HostTransform();

  // Writes 256 samples per macroblock to host memory.
  PipelineReport residual(const HostInput& input, std::int16_t* residual);

  // Writes clip255(prediction + residual) to a plane in host memory of the same width, whose stride
  // is its width. The macroblocks are whole rows of the plane, and so are a coded queue's chunks.
  PipelineReport reconstruct(const HostInput& input, const HostPrediction& prediction,
                             const Plane& output);

  // Computes the features of each `picture_size` macroblocks, at most 2^31, and of the remaining
  // ones. `features` has one element per such picture.
  PipelineReport features(const HostInput& input, std::size_t picture_size,
                          std::span<ResidualFeatures> features);

  // Returns the number of macroblocks that each device of a group transformed in the last call;
  // empty for a single device.
  std::vector<DevicePortion> portions() const;

 private:
  class Body;
  const std::unique_ptr<Body> body_;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_H_
