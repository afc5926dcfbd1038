// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/tools/benchmarks/workloads/motion/quality/quality_searches.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

using motion::MotionField;
using motion::SearchPattern;

// Allocates memory where there is none of this size.
template <class T>
void resize(Queue& queue, Buffer<T>& buffer, std::size_t count) {
  if (buffer.size() == count) return;
  buffer = Buffer<T>(queue.device().shared_from_this(), MemorySpace::kDevice, count);
}

template <class T>
void upload(Queue& queue, Buffer<T>& buffer, const T* values, std::size_t count) {
  resize(queue, buffer, count);
  copy(queue, buffer.span(), BufferSpan<const T>(std::span(values, count)));
}

template <class T>
void download(Queue& queue, const Buffer<T>& buffer, T* values) {
  copy(queue, BufferSpan<T>(std::span(values, buffer.size())), buffer.span());
}

std::size_t samples_of(const motion::LumaPlane<std::uint8_t>& plane) {
  return static_cast<std::size_t>(plane.stride) * plane.height;
}

LumaSearch in_coding_order(std::string name, SearchPattern pattern) {
  return {
      std::move(name), true,
      [pattern](const LumaFrame& frame, const SearchOptions& options, const CodedMotion& motion) {
        motion::search_in_coding_order(frame, pattern, motion, options);
      }};
}

LumaSearch by_previous(std::string name, SearchPattern pattern) {
  return {
      std::move(name), false,
      [pattern](const LumaFrame& frame, const SearchOptions& options, const CodedMotion& motion) {
        motion::fast_search(frame, pattern, motion.field, options);
        motion::decide_modes_reference(frame, std::span(&motion.field, 1), motion.modes, options);
      }};
}

}  // namespace

DeviceSearch::DeviceSearch(const std::shared_ptr<Device>& device, int concurrency)
    : queue_(device->make_queue({.concurrency = concurrency})) {}

void DeviceSearch::load(const LumaFrame& frame) {
  size_ = frame;
  const std::size_t macroblocks = frame.current.macroblock_count();
  upload(*queue_, current_, frame.current.data, samples_of(frame.current));
  upload(*queue_, reference_, frame.reference.data, samples_of(frame.reference));
  upload(*queue_, predictors_, frame.predictors, macroblocks);
  resize(*queue_, vectors_, macroblocks * motion::kPartitions);
  resize(*queue_, costs_, macroblocks * motion::kPartitions);
  resize(*queue_, modes_, macroblocks);
  queue_->wait();
}

LumaFrame DeviceSearch::frame() const {
  LumaFrame frame = size_;
  frame.current.data = current_.data();
  frame.reference.data = reference_.data();
  frame.predictors = predictors_.data();
  return frame;
}

void DeviceSearch::search(const SearchOptions& options) {
  motion::search_motion(*queue_, frame(), {vectors_.data(), costs_.data()}, options);
  queue_->wait();
}

void DeviceSearch::decide(const SearchOptions& options) {
  const MotionField field{vectors_.data(), costs_.data()};
  motion::decide_modes(*queue_, frame(), {&field, 1}, modes_.data(), options);
  queue_->wait();
}

void DeviceSearch::fetch(const CodedMotion& motion) {
  download(*queue_, vectors_, motion.field.vectors);
  download(*queue_, costs_, motion.field.costs);
  download(*queue_, modes_, motion.modes);
  queue_->wait();
}

std::vector<LumaSearch> quality_searches(const std::shared_ptr<Device>& device) {
  const auto on_device = std::make_shared<DeviceSearch>(device, 0);
  return {{"full, by the picture before", false,
           [on_device](const LumaFrame& frame, const SearchOptions& options,
                       const CodedMotion& motion) {
             on_device->load(frame);
             on_device->search(options);
             on_device->decide(options);
             on_device->fetch(motion);
           }},
          in_coding_order("full, by the median", SearchPattern::kFull),
          in_coding_order("multi-hexagon, by the median", SearchPattern::kMultiHexagon),
          in_coding_order("diamond, by the median", SearchPattern::kDiamond),
          by_previous("multi-hexagon, by the picture before", SearchPattern::kMultiHexagon),
          by_previous("diamond, by the picture before", SearchPattern::kDiamond)};
}

}  // namespace millrace::tools
