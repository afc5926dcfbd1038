// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/run/join_buffers.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <string>
#include <utility>

namespace millrace::MILLRACE_GPU {
namespace {

// Memory that one set has made larger than this multiple of another's first is not kept for that.
constexpr std::size_t kMostSurplus = 4;

}  // namespace

std::size_t JoinBuffersBase::first_capacity(std::uint32_t record_words) const {
  if (queue_.options().join_capacity > 0) return queue_.options().join_capacity;
  constexpr std::size_t kLanes = 2048;  // Lanes of a multiprocessor.
  constexpr std::size_t kRecords = 64;  // Records of a lane.
  const gpu::Properties& device = queue_.gpu_device().properties();
  const std::size_t wanted = std::size_t(device.multiprocessors) * kLanes * kRecords;
  const std::size_t most = device.memory_bytes / 64 / (record_words * sizeof(std::uint32_t));
  return std::max<std::size_t>(std::min(wanted, most), 1);
}

void JoinBuffersBase::begin(std::uint32_t record_words, std::size_t least_capacity, JoinHome home) {
  home_ = home;
  const std::size_t capacity = std::max(first_capacity(record_words), least_capacity);
  const bool is_other_set = record_words != record_words_;
  const bool is_far_larger = words_.size() / record_words > kMostSurplus * capacity;
  const bool fits = words_.size() / record_words >= capacity && !(is_other_set && is_far_larger);
  record_words_ = record_words;
  if (!fits) {
    words_ = {};
    words_ = free_records(capacity);
    written_words_ = 0;
  } else if (!is_clean_) {
    clear(words_.size());
  } else if (is_other_set) {
    clear(written_words_);
  }
  is_clean_ = false;
  are_all_free_ = true;
  open_ = 0;
  used_ = 0;
}

void JoinBuffersBase::end() {
  is_clean_ = true;
  open_ = 0;
  written_words_ = std::max(written_words_, used_ * record_words_);
}

void JoinBuffersBase::clear(std::size_t words) {
  if (words > 0) {
    fill(words_.data(), std::byte{0}, words * sizeof(std::uint32_t), queue_.stream());
  }
  written_words_ = 0;
}

void JoinBuffersBase::add(std::int64_t opened, std::uint64_t used) {
  if (record_words_ == 0) return;  // No set of this queue has opened joins.
  open_ += opened;
  used_ = std::min(std::max<std::size_t>(used_, used), words_.size() / record_words_);
}

Buffer<std::uint32_t> JoinBuffersBase::free_records(std::size_t capacity) const {
  Buffer<std::uint32_t> words(queue_.gpu_device().shared_from_this(), MemorySpace::kDevice,
                              capacity * record_words_);
  fill(words.data(), std::byte{0}, words.size_bytes(), queue_.stream());
  return words;
}

void JoinBuffersBase::grow() {
  const std::size_t capacity = words_.size() / record_words_;
  if (capacity >= most_records()) {
    throw Error(ErrorCode::kOutOfMemory,
                "a device has " + std::to_string(most_records()) +
                    " open joins, the most it may have; open joins deeper in the tree, or run a "
                    "part of the roots at a time");
  }
  Buffer<std::uint32_t> larger = free_records(std::min(2 * capacity, most_records()));
  copy(larger.data(), words_.data(), words_.size_bytes(), queue_.stream());
  synchronize(queue_.stream());
  words_ = std::move(larger);
}

JoinMemory JoinBuffersBase::for_launch(int workers, int lanes) {
  const std::size_t capacity = std::min(words_.size() / record_words_, most_records());
  // Workers have two each, and a third while they exchange one. The others are full.
  const std::size_t magazine = std::size_t(lanes) * JoinMemory::kMagazineLines;
  const std::size_t magazines = 3 * std::size_t(workers) + capacity / magazine;
  if (magazines_.size() < magazines * (magazine + 1)) {
    magazines_ = {};
    magazines_ = {queue_.gpu_device().shared_from_this(), MemorySpace::kDevice,
                  magazines * (magazine + 1)};
  }
  // Every worker finds a range, even if the largest take four.
  const std::size_t portion = capacity / 4 / static_cast<std::size_t>(workers);
  launch_ = (launch_ + 1) % JoinState::kHeld;
  return {.words = words_.data(),
          .magazines = magazines_.data(),
          .links = magazines_.data() + magazines * magazine,
          .magazine_count = static_cast<std::uint32_t>(magazines),
          .first_magazine = 2 * static_cast<std::uint32_t>(workers),
          .capacity = static_cast<std::uint32_t>(capacity),
          .range = static_cast<std::uint32_t>(
              std::clamp<std::size_t>(portion, static_cast<std::size_t>(lanes), magazine)),
          .launch = launch_,
          .are_all_free = std::exchange(are_all_free_, false),
          .home = home_};
}

std::vector<std::uint32_t> JoinBuffersBase::read() const {
  std::vector<std::uint32_t> words(used_ * record_words_);
  if (words.empty()) return words;
  copy(words.data(), words_.data(), words.size() * sizeof(std::uint32_t), queue_.stream());
  synchronize(queue_.stream());
  return words;
}

}  // namespace millrace::MILLRACE_GPU
