// SPDX-License-Identifier: Apache-2.0

// Memory of a device that runs make for their pictures, and that later runs may still read.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_KEPT_MEMORY_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_KEPT_MEMORY_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/internal/memory_pool.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

namespace millrace::h264 {

// The elements of one picture. Those who may still read them share the memory.
template <class T>
struct PictureElements {
  std::shared_ptr<Buffer<T>> memory;  // Shared with other pictures; null before the run.
  std::size_t first = 0;              // The picture's first element in it.
  std::size_t count = 0;
  std::uint64_t run = 0;  // Counts the runs; the one that writes them.

  T* data() const { return memory->data() + first; }
};

// The memory of runs that somebody still shares.
template <class T>
class KeptMemory {
 public:
  void add(std::uint64_t run, const std::shared_ptr<Buffer<T>>& memory) {
    std::erase_if(runs_, [](const auto& kept) { return kept.second.expired(); });
    runs_.emplace_back(run, memory);
  }

  // Returns the oldest run whose memory is still shared, or 0 if there is none.
  std::uint64_t oldest() const {
    for (const auto& [run, memory] : runs_) {
      if (!memory.expired()) return run;
    }
    return 0;
  }

  // Returns the oldest run such that memory of it and of later runs takes at most `bytes`.
  std::uint64_t oldest_within(std::size_t bytes) const {
    std::uint64_t oldest = runs_.empty() ? 0 : runs_.back().first + 1;
    for (auto kept = runs_.rbegin(); kept != runs_.rend(); ++kept) {
      const auto memory = kept->second.lock();
      if (memory == nullptr) continue;
      if (memory->size_bytes() > bytes) break;
      bytes -= memory->size_bytes();
      oldest = kept->first;
    }
    return oldest;
  }

 private:
  std::deque<std::pair<std::uint64_t, std::weak_ptr<Buffer<T>>>> runs_;
};

// Moves a picture of a run before `oldest` to memory of its own, unless it is there, so that it
// does not keep those of all other pictures of its run. The copy is enqueued.
template <class T>
void move_out(Queue& queue, PictureElements<T>& picture, std::uint64_t oldest) {
  if (picture.memory == nullptr || picture.run >= oldest ||
      picture.memory->size() == picture.count) {
    return;
  }
  const std::shared_ptr<MemoryPool> pool = queue.device().pool(MemorySpace::kDevice);
  auto own = std::make_shared<Buffer<T>>(pool, picture.count);
  copy(queue, own->span(), std::as_const(*picture.memory).span(picture.first, picture.count));
  picture.memory = std::move(own);
  picture.first = 0;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_KEPT_MEMORY_H_
