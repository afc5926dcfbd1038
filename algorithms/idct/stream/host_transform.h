// SPDX-License-Identifier: Apache-2.0

// The inverse transform of a queue of macroblocks in host memory, streamed through a device in
// chunks (runtime/stream/pipeline.h), their coefficients as they are or coded for the link, by what
// was measured (runtime/stream/codec_choice.h).
//
//   HostTransform transform(device);
//   transform.reconstruct(macroblocks, {prediction, MemorySpace::kDevice}, output);
//   transform.features(macroblocks, 8160, features);     // Some bytes a picture come back.
//
// A macroblock takes 513 bytes of the link up, or 6 to 16 coded, 256 more where its prediction goes
// up too; and 512 bytes down as residual, 256 as picture, none as features.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/algorithms/idct/stream/coded_queue.h>
#include <millrace/algorithms/idct/stream/residual_features.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/work_sharing.h>
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
  // Of a chunk, 1 to 2^24, or 0: as suits the device's link (runtime/auto/pipeline_choice.h) for a
  // million of them. Chunks of pictures are as many whole rows of macroblocks as fit.
  std::size_t chunk_macroblocks = 1 << 16;

  // Chunks in flight, 1 to 64, or 0: likewise. Each takes 1 KiB of device memory a macroblock, 0.75
  // KiB of pinned.
  int depth = 4;

  // Of queues that are not coded yet. Chunks that coding does not make smaller go raw with kCoded,
  // too, and those whose coefficients are not at a multiple of 16 bytes.
  CodecUse codec = CodecUse::kMeasured;

  Policy policy = Policy::kAuto;
};

// Where the macroblocks are, not owned: arrays in host memory, which are uploaded from where they
// are, best if pinned; or a coded queue.
struct HostInput {
  HostInput(const MacroblockQueue& queue)  // NOLINT: implicit
      : sizes(queue.sizes), coefficients(queue.coefficients), count(queue.count) {}
  HostInput(const CodedQueue& queue)  // NOLINT: implicit
      : sizes(queue.sizes()), count(queue.count()), coded(&queue) {}

  const TransformSize* sizes = nullptr;
  const std::int16_t* coefficients = nullptr;
  std::size_t count = 0;
  const CodedQueue* coded = nullptr;
  std::size_t first_chunk = 0;  // Of those that are coded.

  // Macroblocks `first` to `first + count` - 1; of a coded queue, whole chunks but for the last.
  HostInput part(std::size_t first, std::size_t count) const;
};

// Pictures below one another as one plane, in memory of the host, where its stride is its width,
// or of the device.
struct HostPrediction {
  ConstPlane plane;
  MemorySpace space = MemorySpace::kHost;
};

// Has its memory, of the device's pools, and what it has learned of rates as long as it lives. Runs
// come one at a time, on any thread. On a device that shares the host's memory nothing is copied.
//
// Results equal those of idct.h to the bit. Each call returns when they are in host memory, and
// throws kInvalidArgument for what is null, does not fit, or is a coded queue whose chunks are
// larger than the options' or of unsuitable length; what Pipeline::run throws, with
// kInvalidArgument for a size that is neither and for coded chunks that are damaged.
class HostTransform {
 public:
  // Throws kInvalidArgument for options out of range, kOutOfMemory; kUnsupported where `codec` is
  // kCoded and no CPU is linked.
  explicit HostTransform(std::shared_ptr<Device> device, const HostTransformOptions& options = {});

  // The same by the devices of a group, which need not outlive it: chunks, of features also whole
  // pictures, are shared by speed. Of several devices predictions in device memory are refused with
  // kUnsupported; calls throw as share_work(), too.
  explicit HostTransform(const DeviceGroup& group, const HostTransformOptions& options = {});
  ~HostTransform();

  // Writes 256 samples for each macroblock to host memory.
  PipelineReport residual(const HostInput& input, std::int16_t* residual);

  // Writes clip255(prediction + residual) to a plane in host memory of the same width, whose stride
  // is its width. The macroblocks are whole rows of the plane; a coded queue's chunks are too.
  PipelineReport reconstruct(const HostInput& input, const HostPrediction& prediction,
                             const Plane& output);

  // Of each `picture_size` macroblocks, at most 2^31, and of those left at the end. `features` has
  // as many elements as there are such pictures.
  PipelineReport features(const HostInput& input, std::size_t picture_size,
                          std::span<ResidualFeatures> features);

  // What each device of a group did in the last call, in macroblocks; none of one device.
  std::vector<DeviceShare> shares() const;

 private:
  PipelineReport reconstruct_by_group(const HostInput& input, const HostPrediction& prediction,
                                      const Plane& output, std::size_t step);

  class Body;
  const std::unique_ptr<Body> body_;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_H_
