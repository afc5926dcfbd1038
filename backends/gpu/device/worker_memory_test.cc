// SPDX-License-Identifier: Apache-2.0

// Tests of the shared memory that a worker takes.
#include <millrace/backends/gpu/device/worker_memory.h>
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

// A task of lane width that opens joins, with `words` words besides the handle of its parent's.
template <int number, int words, std::uint32_t joins = 1>
struct Caller {
  static constexpr std::uint32_t kJoins = joins;
  Join<> parent;
  std::uint32_t values[words];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {}
};

// Returns the shared memory of a block of one worker, in bytes.
template <class Set>
std::size_t least_block_bytes(int warp_width) {
  const WorkerLayout<Set> layout(warp_width, warp_width);
  return WorkerLayout<Set>::kBlockBytes + layout.worker_bytes() +
         warp_width * lane_stack_bytes<Set>();
}

template <class Set>
void expect_to_fit() {
  for (const int warp_width : {32, 64}) EXPECT_LE(least_block_bytes<Set>(warp_width), 65536u);
}

TEST(WorkerMemory, SmallTasksHaveStacksOfLanes) {
  using Set = TaskSet<Caller<0, 2>, Caller<1, 4>, Caller<2, 4>>;
  EXPECT_EQ(lane_stack_bytes<Set>(), LaneSlots<Set>::kLaneBytes);
  expect_to_fit<Set>();
}

TEST(WorkerMemory, ManyJoinsOrLargeTasksLeaveNoStacksOfLanes) {
  EXPECT_EQ((lane_stack_bytes<TaskSet<Caller<0, 2, 5>, Caller<1, 2>>>()), 0u);
  EXPECT_EQ((lane_stack_bytes<TaskSet<Caller<0, 9>, Caller<1, 2>>>()), 0u);
}

// The values of two arrivals, of 16 bytes each, beside the handle of a join.
TEST(WorkerMemory, TasksOf40BytesHaveStacksOfLanes) {
  using Set = TaskSet<Caller<0, 8>, Caller<1, 2>>;
  static_assert(Set::kSlotBytes == 40);
  EXPECT_EQ(lane_stack_bytes<Set>(), LaneSlots<Set>::kLaneBytes);
  expect_to_fit<Set>();
}

TEST(WorkerMemory, AWorkerFitsWhateverTheTypesOfItsSet) {
  expect_to_fit<TaskSet<Caller<0, 14>, Caller<1, 14>>>();
  expect_to_fit<TaskSet<Caller<0, 6>, Caller<1, 6>, Caller<2, 6>, Caller<3, 6>>>();
  expect_to_fit<TaskSet<Caller<0, 6>, Caller<1, 6>, Caller<2, 6>, Caller<3, 6>, Caller<4, 6>,
                        Caller<5, 6>, Caller<6, 6>, Caller<7, 6>>>();
  expect_to_fit<TaskSet<Caller<0, 14>, Caller<1, 14>, Caller<2, 14>, Caller<3, 14>, Caller<4, 14>,
                        Caller<5, 14>, Caller<6, 14>, Caller<7, 14>>>();
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
