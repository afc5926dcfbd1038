// SPDX-License-Identifier: Apache-2.0

// Tests of runs during which the memory of the device ends: they hand back what they have not run.
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/backends/simt/host/device_memory.h>
#include <millrace/backends/simt/task_target.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

struct TreeArguments {
  std::uint64_t* leaves;
};

struct TreeSum {
  static constexpr bool kTravels = true;
  Join<std::uint64_t> parent;
  std::uint64_t values[2];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint64_t sum = values[0] + values[1];
    if (parent.index() == Join<>::kNone) context.add(context.arguments().leaves, sum);
    context.arrive(parent, sum);
  }
};

// A tree whose nodes have one child or two. Its leaves are counted by joins.
struct Tree {
  static constexpr bool kTravels = true;
  static constexpr std::uint32_t kJoins = 1;
  Join<std::uint64_t> parent;
  std::uint32_t depth;
  std::uint32_t width;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (depth == 0) return context.arrive(parent, 1);
    const auto join = context.open_join(width, TreeSum{parent, {}});
    for (std::uint32_t i = 0; i < width; ++i) {
      context.spawn(Tree{join.to(&TreeSum::values, i), depth - 1, width});
    }
  }
};
struct TreeTasks : TaskSet<Tree, TreeSum> {
  using Arguments = TreeArguments;
};

struct Blade {
  std::uint64_t* runs;
  std::uint64_t padding[4];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, std::uint64_t{1});
  }
};

struct Fan {
  std::uint64_t* runs;
  std::uint32_t blades;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (std::uint32_t i = 0; i < blades; ++i) context.spawn(Blade{runs, {}});
  }
};
using FanTasks = TaskSet<Fan, Blade>;

struct LateBlade {
  static constexpr bool kUsesLevels = true;
  std::uint64_t* runs;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, context.level() == 1 ? std::uint64_t{1} : std::uint64_t{1} << 32);
  }
};

struct LateFan {
  std::uint64_t* runs;
  std::uint32_t blades;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (std::uint32_t i = 0; i < blades; ++i) context.spawn_at(1, LateBlade{runs});
  }
};
using LateTasks = TaskSet<LateFan, LateBlade>;

const target::RegisterTasks<TreeTasks> registered_trees;
const target::RegisterTasks<FanTasks> registered_fans;
const target::RegisterTasks<LateTasks> registered_late;

// A part of a run that has all roots, and is to spread them.
class SpreadingPart final : public Participant<TreeTasks> {
 public:
  SpreadingPart() {
    spreads_ = true;
    wanted_ = 0.5F;
  }

  const TaskList<TreeTasks>& given() const { return given_; }

  void set_on_wanted(std::function<void()>) override {}
  void give(const TaskList<TreeTasks>& tasks) override { given_.append(tasks); }
  void share_out(TaskList<TreeTasks> tasks) override { given_.append(tasks); }
  void send(const JoinArrival<TreeTasks>&) override { ADD_FAILURE() << "no join is elsewhere"; }
  void keep(const std::vector<WaitingJoin<TreeTasks>>&) override {}

 private:
  TaskList<TreeTasks> given_;
};

class OutOfDeviceMemoryTest : public testing::TestWithParam<Policy> {
 protected:
  // Takes all memory of the device but `free` bytes.
  Buffer<char> all_but(std::size_t free) const {
    const std::size_t used = simt::DeviceMemory::get().used(0);
    return {device, MemorySpace::kDevice, device->info().memory_bytes - used - free};
  }

  // Returns the result of the runs since the last call.
  std::uint64_t take_result() {
    std::uint64_t value = 0;
    queue->copy(&value, result.data(), sizeof(value), {}, {});
    fill_bytes(*queue, result.span(), std::byte{0});
    queue->wait();
    return value;
  }

  TaskList<TreeTasks> trees(std::size_t count, std::uint32_t depth, std::uint32_t width) {
    TaskList<TreeTasks> roots;
    for (std::size_t i = 0; i < count; ++i) roots.push(Tree{{}, depth, width});
    roots.set_arguments({result.data()});
    return roots;
  }

  static std::size_t leaves_in(const TaskList<TreeTasks>& tasks) {
    std::size_t leaves = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const bool is_tree = tasks.view().tag(i) == TreeTasks::tag_of<Tree>();
      if (is_tree && tasks.view().get<Tree>(i).depth == 0) ++leaves;
    }
    return leaves;
  }

  RunReport run(const auto& roots) { return run_tasks(*queue, roots, {.policy = GetParam()}); }

  // Runs the roots with so little memory, and returns the tasks that are left.
  template <class Set>
  TaskList<Set> left_of(const TaskList<Set>& roots, std::size_t free,
                        Participant<Set>* participant = nullptr) {
    const Buffer<char> rest = all_but(free);
    const std::shared_ptr<const TaskList<Set>> borrowed(&roots, [](const TaskList<Set>*) {});
    try {
      millrace::internal::launch(*queue, borrowed, {.policy = GetParam()}, /*caller_waits=*/true,
                                 participant);
      queue->wait();
      return {};
    } catch (const UnfinishedRun<Set>& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
      EXPECT_NE(std::string(error.what()).find("a run ended for lack of memory: could not"),
                std::string::npos)
          << error.what();
      EXPECT_EQ(error.tasks_left(), error.remaining().size());
      tasks_run = error.tasks_run();
      TaskList<Set> left = error.remaining();
      if constexpr (HasArguments<Set>) left.set_arguments(*roots.arguments());
      return left;
    }
  }

  std::shared_ptr<GpuDevice> device = open_gpu(0);
  std::unique_ptr<GpuQueue> queue = make_gpu_queue(*device);
  Buffer<std::uint64_t> result{device, MemorySpace::kDevice, 1};
  std::uint64_t tasks_run = 0;  // By the last run that has left tasks.

  void SetUp() override { take_result(); }
};

TEST_P(OutOfDeviceMemoryTest, WithoutPlacesForJoinsTheOpenOnesAreHandedBack) {
  for (const std::size_t free : {0, 3'000}) {
    SCOPED_TRACE(std::to_string(free) + " bytes are free");
    queue = make_gpu_queue(*device, {.task_memory_bytes = 64 * 1024, .join_capacity = 16});
    run(trees(13, 2, 2));  // All memory but that of more joins is allocated.
    EXPECT_EQ(take_result(), 13u * 4);
    TaskList<TreeTasks> roots = trees(10, 3, 2);
    roots.append(trees(3, 40, 1));  // Each has 40 joins open at once.
    const TaskList<TreeTasks> left = left_of(roots, free);
    if (free == 0) {
      EXPECT_FALSE(left.empty());
      EXPECT_FALSE(left.joins().empty());
    }
    if (!left.empty()) run(left);
    EXPECT_EQ(take_result(), 10u * 8 + 3);
  }
}

TEST_P(OutOfDeviceMemoryTest, WithoutMemoryToUploadWhatHasSpilledItIsHandedBack) {
  constexpr std::uint32_t kBlades = 3'000;
  queue = make_gpu_queue(*device, {.task_memory_bytes = 4096});
  run(TaskList<FanTasks>(Fan{result.data(), 10}));
  EXPECT_EQ(take_result(), 10u);
  const auto left = left_of(TaskList<FanTasks>(Fan{result.data(), kBlades}), /*free=*/0);
  EXPECT_EQ(tasks_run + left.size(), 1 + kBlades);
  ASSERT_FALSE(left.empty());
  run(left);
  EXPECT_EQ(take_result(), kBlades);
}

TEST_P(OutOfDeviceMemoryTest, WithoutMemoryForItsLaunchALaterLevelIsHandedBack) {
  constexpr std::uint32_t kBlades = 700;
  queue = make_gpu_queue(*device, {.task_memory_bytes = 64 * 1024});
  run(TaskList<LateTasks>(LateFan{result.data(), 1}));
  EXPECT_EQ(take_result(), 1u);
  const auto left = left_of(TaskList<LateTasks>(LateFan{result.data(), kBlades}), /*free=*/0);
  if (GetParam() == Policy::kKernelPerType) {  // Which orders its roots by type.
    EXPECT_EQ(left.size(), kBlades);
    EXPECT_EQ(left.level(0), 1u);
  }
  if (!left.empty()) run(left);
  EXPECT_EQ(take_result(), kBlades);
}

// The first wave opens as many joins as there are places for. The next has their leaves, which are
// enough to be spread, and trees without a place have spilled.
TEST_P(OutOfDeviceMemoryTest, WithoutPlacesForJoinsWhatWasSpreadIsHandedBack) {
  constexpr std::size_t kPlaces = 32;
  constexpr std::size_t kTrees = 300;
  for (const bool has_list : {true, false}) {
    SCOPED_TRACE(has_list ? "the list of what stays is allocated" : "it is not");
    queue = make_gpu_queue(*device, {.task_memory_bytes = 64 * 1024, .join_capacity = kPlaces});
    if (has_list) {
      SpreadingPart part;
      EXPECT_TRUE(left_of(trees(kPlaces, 1, 2), /*free=*/4 << 20, &part).empty());
      EXPECT_FALSE(part.given().empty());
    }
    for (const Policy policy : kConcretePolicies) {
      run_tasks(*queue, trees(1, 2, 2), {.policy = policy});
    }
    take_result();
    SpreadingPart part;
    TaskList<TreeTasks> left = left_of(trees(kTrees, 1, 2), /*free=*/0, &part);
    const std::size_t open = left.joins().size();
    EXPECT_GT(open, 0u);
    EXPECT_EQ(leaves_in(left), 2 * open);
    // Trees that spilled before the end may have been given.
    left.append(part.given());
    EXPECT_EQ(left.size(), kTrees - open + 2 * open);
    run(left);
    EXPECT_EQ(take_result(), 2 * kTrees);
  }
}

INSTANTIATE_TEST_SUITE_P(Simt, OutOfDeviceMemoryTest, testing::ValuesIn(kConcretePolicies),
                         [](const auto& info) {
                           std::string name = to_string(info.param);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace millrace::MILLRACE_GPU
