// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct_tasks.h>
#include <millrace/algorithms/idct/stream/chunk_transform.h>
#include <millrace/algorithms/idct/stream/residual_feature_tasks.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstdint>
#include <variant>

namespace millrace::idct {
namespace {

template <class Set>
void submit_set(Queue& queue, const MacroblockQueue& macroblocks,
                const typename Set::Arguments& arguments, Policy policy) {
  submit_tasks(queue,
               IndexedTasks<Set>{.tags = reinterpret_cast<const TaskTag*>(macroblocks.sizes),
                                 .count = macroblocks.count,
                                 .arguments = arguments},
               {.policy = policy});
}

}  // namespace

ChunkTransform::ChunkTransform(const HostRun& run, Policy policy, Queue& side)
    : run_(run), policy_(policy), side_(side) {
  const auto* const output = std::get_if<ResidualFeatureOutput>(&run.output);
  if (output == nullptr) return;
  sums_ = output->features.data();
  if (!side.device().info().shares_host_memory) {
    device_features_ =
        Buffer<ResidualFeatures>(side.device().pool(MemorySpace::kDevice), output->features.size());
    sums_ = device_features_.data();
  }
  side.fill(sums_, std::byte{0}, output->features.size_bytes());
  side.wait();
}

void ChunkTransform::submit(Queue& queue, const HostChunk& chunk, std::byte* output) const {
  std::visit([&](const auto& kind) { submit(queue, chunk, output, kind); }, run_.output);
}

void ChunkTransform::submit(Queue& queue, const HostChunk& chunk, std::byte* output,
                            const ResidualOutput& /*residual*/) const {
  submit_set<ResidualTasks>(
      queue, chunk.macroblocks,
      {chunk.macroblocks.coefficients, reinterpret_cast<std::int16_t*>(output)}, policy_);
}

void ChunkTransform::submit(Queue& queue, const HostChunk& chunk, std::byte* output,
                            const PictureOutput& picture) const {
  const int width = picture.plane.width;
  const int row = width / kMacroblockWidth;
  const int height = static_cast<int>(chunk.macroblocks.count) / row * kMacroblockWidth;
  const ConstPlane& given = picture.prediction.plane;
  const ConstPlane prediction =
      chunk.prediction != nullptr
          ? ConstPlane{chunk.prediction, width, width, height}
          : ConstPlane{given.macroblock(chunk.first), given.stride, width, height};
  submit_set<ReconstructionTasks>(
      queue, chunk.macroblocks,
      {chunk.macroblocks.coefficients, prediction,
       Plane{reinterpret_cast<std::uint8_t*>(output), width, width, height}},
      policy_);
}

void ChunkTransform::submit(Queue& queue, const HostChunk& chunk, std::byte* /*output*/,
                            const ResidualFeatureOutput& features) const {
  const std::size_t size = features.picture_size;
  submit_set<ResidualFeatureTasks>(
      queue, chunk.macroblocks,
      {.coefficients = chunk.macroblocks.coefficients,
       .features = sums_ + chunk.first / size,
       .index_in_picture = static_cast<std::uint32_t>(chunk.first % size),
       .picture_size = static_cast<std::uint32_t>(size)},
      policy_);
}

void ChunkTransform::finish(PipelineReport& report) {
  const auto* const output = std::get_if<ResidualFeatureOutput>(&run_.output);
  if (output == nullptr || device_features_.size() == 0) return;
  side_.copy(output->features.data(), sums_, output->features.size_bytes());
  side_.wait();
  report.bytes_down += output->features.size_bytes();
}

}  // namespace millrace::idct
