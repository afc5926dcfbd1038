// SPDX-License-Identifier: Apache-2.0

// The function of motion search on GPUs, which makes an operation of a queue of the launches of a
// band (band_launches.h).
#include <millrace/algorithms/motion_estimation/gpu/band_launches.h>
#include <millrace/algorithms/motion_estimation/gpu/batch_plan.h>
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <cstdint>
#include <span>
#include <utility>

namespace millrace::MILLRACE_GPU {
namespace {

template <class Sample>
void enqueue_search(Queue& queue, std::span<const SearchFrame<Sample>> frames,
                    std::span<const MotionField> fields, const SearchOptions& options) {
  auto& own = static_cast<GpuQueue&>(queue);
  Frames<Sample> all{{frames.begin(), frames.end()}, {fields.begin(), fields.end()}};
  own.enqueue(
      [&own, all = std::move(all), options] { BandLaunches<Sample>(own, all, options).run(); },
      GpuQueue::Start::kInline, "motion search");
}

const RegisterOp<motion::SearchMotionOp<std::uint8_t>> registered_8(kBackend,
                                                                    &enqueue_search<std::uint8_t>);
const RegisterOp<motion::SearchMotionOp<std::uint16_t>> registered_10(
    kBackend, &enqueue_search<std::uint16_t>);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
