// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/device_values.h>
#include <millrace/tools/benchmarks/workloads/motion/resident_motion.h>

#include <span>
#include <vector>

namespace millrace::tools {

using motion::kPartitions;
using motion::MotionVector;

ResidentMotion::ResidentMotion(const std::shared_ptr<Device>& device,
                               const MotionWorkload& workload, const QueueOptions& queue,
                               const motion::SearchOptions& search)
    : workload_(workload),
      search_(search),
      queue_(device->make_queue(queue)),
      pictures_(device->pool(MemorySpace::kDevice), workload.distinct() * workload.samples()),
      vectors_(device->pool(MemorySpace::kDevice), 2 * workload.macroblocks() * kPartitions),
      costs_(device->pool(MemorySpace::kDevice), vectors_.size()),
      zero_(device->pool(MemorySpace::kDevice), 1) {
  // The distinct pictures are side by side in both.
  queue_->copy(pictures_.data(), workload.picture(0), pictures_.size());
  fill_bytes(*queue_, zero_.span(), std::byte{0});
  queue_->wait();
}

motion::MotionField ResidentMotion::field(std::size_t index) {
  const std::size_t first = index % 2 * workload_.macroblocks() * kPartitions;
  return {vectors_.data() + first, costs_.data() + first};
}

void ResidentMotion::run(std::size_t searches) {
  const int width = workload_.width();
  const auto plane = [&](std::size_t index) {
    return motion::LumaPlane<std::uint8_t>{
        pictures_.data() + workload_.distinct_index(index) * workload_.samples(), width, width,
        workload_.height()};
  };
  std::vector<motion::SearchFrame<std::uint8_t>> frames;
  std::vector<motion::MotionField> fields;
  for (std::size_t index = 1; index <= searches; ++index) {
    motion::SearchFrame<std::uint8_t> frame{plane(index), plane(index - 1), zero_.data(), 0};
    if (index > 1) {
      frame.predictors = field(index - 1).vectors;
      frame.predictor_stride = kPartitions;
    }
    frames.push_back(frame);
    fields.push_back(field(index));
  }
  motion::search_motion<std::uint8_t>(*queue_, frames, fields, search_);
  queue_->wait();
}

void ResidentMotion::check() {
  run(2);
  const std::vector<MotionVector> vectors = to_host(*queue_, vectors_);
  const std::vector<std::uint32_t> costs = to_host(*queue_, costs_);
  const std::size_t size = vectors.size() / 2;
  const auto check_one = [&](std::size_t index, std::span<const MotionVector> predictors) {
    const std::size_t first = index % 2 * size;
    workload_.check(index, predictors, std::span(vectors).subspan(first, size),
                    std::span(costs).subspan(first, size), search_);
  };
  check_one(1, {});
  check_one(2, std::span(vectors).subspan(size));
}

}  // namespace millrace::tools
