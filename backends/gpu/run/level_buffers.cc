// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/run/level_buffers.h>

#include <algorithm>

namespace millrace::MILLRACE_GPU {

void LevelBuffersBase::begin(std::size_t slot_bytes, bool has_tags) {
  constexpr std::size_t kRounding = sizeof(std::uint32_t);  // The levels follow the slots.
  slot_bytes_ = slot_bytes;
  has_tags_ = has_tags;
  const std::size_t task_bytes =
      slot_bytes + sizeof(std::uint32_t) + (has_tags ? sizeof(TaskTag) : 0);
  const std::size_t most = list_bytes_ > kRounding ? (list_bytes_ - kRounding) / task_bytes : 0;
  capacity_ = static_cast<std::uint32_t>(std::min<std::size_t>(most, UINT32_MAX));
  if (states_.size() == 0) {
    const auto device = queue_.gpu_device().shared_from_this();
    for (auto& list : lists_) list = {device, MemorySpace::kDevice, list_bytes_};
    states_ = {device, MemorySpace::kDevice, 2};
  }
  clear();
}

void LevelBuffersBase::clear() {
  fill(states_.data(), std::byte{0}, states_.size_bytes(), queue_.stream());
  found_ = {};
}

void LevelBuffersBase::update() {
  read(&found_, states_.data() + current_, sizeof(PostponedState));
}

std::uint32_t LevelBuffersBase::count() const {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(found_.count, capacity_));
}

PostponedTasks LevelBuffersBase::list(std::size_t index, std::uint32_t level) {
  constexpr std::size_t kAlignment = sizeof(std::uint32_t);
  const std::size_t slot_bytes =
      (capacity_ * slot_bytes_ + kAlignment - 1) / kAlignment * kAlignment;
  char* const slots = lists_[index].data();
  char* const levels = slots + slot_bytes;
  char* const tags = levels + capacity_ * sizeof(std::uint32_t);
  return {.state = index == kReady ? nullptr : states_.data() + index,
          .slots = slots,
          .levels = reinterpret_cast<std::uint32_t*>(levels),
          .tags = has_tags_ ? reinterpret_cast<TaskTag*>(tags) : nullptr,
          .capacity = capacity_,
          .level = level};
}

PostponedTasks LevelBuffersBase::empty_list(std::uint32_t level) {
  const PostponedTasks other = list(1 - current_, level);
  fill(other.state, std::byte{0}, sizeof(PostponedState), queue_.stream());
  return other;
}

void LevelBuffersBase::read(void* target, const void* source, std::size_t bytes) const {
  if (bytes == 0) return;
  copy(target, source, bytes, queue_.stream());
  synchronize(queue_.stream());
}

}  // namespace millrace::MILLRACE_GPU
