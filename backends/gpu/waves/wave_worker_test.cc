// SPDX-License-Identifier: Apache-2.0

// Tests of the order in which a worker runs the units of a wave of all types.
#include <millrace/backends/gpu/device/control/max_types.h>
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/root_types.h>
#include <millrace/backends/gpu/waves/wave_worker.h>
#include <millrace/backends/gpu/worker_test.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

// Appends its level to a log: the number of levels, then the levels.
template <std::uint32_t level>
struct Ranked {
  static constexpr int kPriority = level;
  std::uint32_t* log;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {
    const std::uint32_t index =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(log, std::uint32_t{1});
    log[1 + index] = level;
  }
};
using RankedTasks = TaskSet<Ranked<1>, Ranked<0>, Ranked<2>>;
using Roots = DeviceList<RankedTasks>;

class WaveWorkerTest : public WorkerTest {
 protected:
  // Runs the wave of these roots, gathered by type, on a grid of one warp.
  void run_wave(const Roots& roots, std::uint32_t count) {
    Buffer<RunControl> control = zeros<RunControl>(1);
    Buffer<std::uint32_t> order = zeros<std::uint32_t>(count);
    const gpu::LaunchShape tiles = {.blocks = static_cast<int>((count - 1) / kTypeTile + 1),
                                    .threads = kTypeThreads,
                                    .shared_bytes = kMaxTypes * sizeof(std::uint32_t)};
    launch(count_roots_kernel<Roots>, tiles, queue->stream(), control.data(), roots, count);
    launch(gather_roots_kernel<Roots>, tiles, queue->stream(), control.data(), roots, count,
           order.data());
    WaveLaunch wave{.memory = {},
                    .waves = {},
                    .root_count = count,
                    .first_counts = {},
                    .order = order.data(),
                    .first_wave = 0,
                    .only = kAllTypes,
                    .loops = false,
                    .notifies_host = false,
                    .ends_wave = false,
                    .goal = {}};
    wave.memory.control = control.data();
    launch(body_kernel<WaveKernel<Roots>>, one_warp<RankedTasks>(), queue->stream(),
           WaveKernel<Roots>{wave, roots});
    synchronize(queue->stream());
  }
};

TEST_F(WaveWorkerTest, UnitsOfTheHighestPriorityComeFirst) {
  // More than a unit of each type.
  const auto each = static_cast<std::uint32_t>(warp_lanes()) + 3;
  Buffer<std::uint32_t> log = zeros<std::uint32_t>(1 + 3 * std::size_t{each});
  TaskList<RankedTasks> list;
  for (std::uint32_t i = 0; i < each; ++i) {
    list.push(Ranked<0>{log.data()});
    list.push(Ranked<1>{log.data()});
    list.push(Ranked<2>{log.data()});
  }
  const auto slots = uploaded(list.slot_data(), list.size());
  const auto tags = uploaded(list.tag_data(), list.size());
  run_wave({slots.data(), tags.data()}, 3 * each);
  const std::vector<std::uint32_t> found = downloaded(log);
  std::vector<std::uint32_t> expected = {3 * each};
  for (const std::uint32_t level : {2, 1, 0}) expected.insert(expected.end(), each, level);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
