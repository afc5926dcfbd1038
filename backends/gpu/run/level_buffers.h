// SPDX-License-Identifier: Apache-2.0

// The device memory of tasks that wait for a later level (postponed_tasks.h), on the host's side.
// It is kept from run to run.
#ifndef MILLRACE_BACKENDS_GPU_RUN_LEVEL_BUFFERS_H_
#define MILLRACE_BACKENDS_GPU_RUN_LEVEL_BUFFERS_H_

#include <millrace/backends/gpu/device/postponed_tasks.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/tasks/internal/level_queue.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {

// The part that does not depend on the set. Members are called while the stream is idle.
class LevelBuffersBase {
 public:
  // Each of the three lists has up to `list_bytes`.
  LevelBuffersBase(GpuQueue& queue, std::size_t list_bytes)
      : queue_(queue), list_bytes_(list_bytes) {}

  // Called before the first launch of a run, with the size of a slot. Throws kOutOfMemory.
  void begin(std::size_t slot_bytes, bool has_tags);

  // Removes all tasks.
  void clear();

  // Reads how many tasks the launches so far have appended.
  void update();

  // Number of tasks in the list, and the lowest of their levels, at the last update().
  std::uint32_t count() const;
  std::uint32_t lowest() const { return ~found_.lowest_inverse; }

  // Bytes of tasks that are on the device at most: in the list, and as the roots of a launch.
  std::size_t most_bytes() const { return 2 * list_bytes_; }

  // Returns the list to which lanes append, for a launch of this level.
  PostponedTasks current(std::uint32_t level) { return list(current_, level); }

 protected:
  static constexpr std::size_t kReady = 2;  // Index of the list of roots.

  PostponedTasks list(std::size_t index, std::uint32_t level);
  // Returns the other list after it has been emptied.
  PostponedTasks empty_list(std::uint32_t level);
  // Makes the other list the one to which lanes append.
  void swap_lists() { current_ = 1 - current_; }
  std::uint32_t ready_count() const { return static_cast<std::uint32_t>(found_.ready); }
  void read(void* target, const void* source, std::size_t bytes) const;

  GpuQueue& queue_;

 private:
  const std::size_t list_bytes_;
  std::size_t slot_bytes_ = 0;
  bool has_tags_ = false;
  std::uint32_t capacity_ = 0;
  std::array<Buffer<char>, 3> lists_;
  Buffer<PostponedState> states_;
  PostponedState found_{};
  std::size_t current_ = 0;
};

class LevelBuffers : public LevelBuffersBase {
 public:
  using LevelBuffersBase::LevelBuffersBase;

  // Removes the tasks of this level from the list. They are valid until the next call. Throws
  // kOutOfMemory if there is no memory for a launch; the list is unchanged then.
  template <class Set>
  ReadyTasks<Set> split(std::uint32_t level) {
    const PostponedTasks ready = list(kReady, level);
    const LevelSplit<Set> split{
        .from = current(level), .count = count(), .kept = empty_list(level), .ready = ready};
    const gpu::LaunchShape shape{
        .blocks = static_cast<int>((split.count - 1) / LevelSplit<Set>::kTile + 1),
        .threads = LevelSplit<Set>::kThreads,
        .shared_bytes = 0};
    launch(split_levels_kernel<Set>, shape, queue_.stream(), split);
    swap_lists();
    update();
    return {{static_cast<const TaskSlot<Set>*>(ready.slots), ready.tags}, ready_count()};
  }

  // Moves the tasks of the list to a queue of the host.
  template <class Set>
  void move_to(LevelQueue<Set>& queue) {
    const std::uint32_t tasks = count();
    const PostponedTasks from = current(0);
    std::vector<TaskSlot<Set>> slots(tasks);
    std::vector<std::uint32_t> levels(tasks);
    std::vector<TaskTag> tags(tasks);
    read(slots.data(), from.slots, tasks * sizeof(TaskSlot<Set>));
    read(levels.data(), from.levels, tasks * sizeof(std::uint32_t));
    if (Set::kTypes > 1) read(tags.data(), from.tags, tasks * sizeof(TaskTag));
    for (std::uint32_t i = 0; i < tasks; ++i) queue.push(levels[i], tags[i], slots[i]);
    clear();
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_LEVEL_BUFFERS_H_
