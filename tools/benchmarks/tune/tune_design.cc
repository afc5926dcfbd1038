// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/type_mix.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/tune/tune_design.h>
#include <millrace/tools/benchmarks/tune/tune_tasks.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <utility>

namespace millrace::tools {
namespace {

struct FlatShape {
  std::uint32_t items;
  std::uint32_t units;
  std::uint32_t percent = 50;  // Percentage of items of the second type, where there are two.
};

struct TreeShape {
  std::uint32_t roots;
  std::uint32_t children;
  std::uint32_t levels;
  std::uint32_t units = 0;
};

struct Shapes {
  std::vector<FlatShape> flat;
  std::vector<FlatShape> mixed_flat;
  std::vector<TreeShape> trees;
  std::vector<TreeShape> mixed_trees;
  std::vector<TreeShape> large_trees;
};

Shapes cpu_shapes() {
  return {.flat = {{1, 0}, {200, 0}, {10'000, 0}, {300'000, 0}, {3'000, 300}, {200, 20'000}},
          .mixed_flat = {{2'000, 0}, {200'000, 0}, {200'000, 0, 5}, {200'000, 0, 0}},
          .trees = {{1, 2, 7},
                    {1, 2, 12},
                    {1, 2, 16},
                    {1, 8, 4},
                    {1, 3, 9, 100},
                    {100, 1, 200},
                    {2'000, 1, 30},
                    {10'000, 2, 3},
                    {1, 20'000, 1},
                    {30, 400, 1, 300},
                    {50, 0, 0, 2'000}},
          .mixed_trees = {{1, 2, 12}, {1'000, 2, 5}, {20'000, 0, 0}},
          .large_trees = {{1, 2, 12}, {100, 4, 4}, {1'000, 1, 30}}};
}

Shapes gpu_shapes() {
  return {.flat = {{1, 0}, {5'000, 0}, {400'000, 0}, {6'000'000, 0}, {300'000, 1'000}},
          .mixed_flat = {{20'000, 0}, {3'000'000, 0}, {3'000'000, 0, 5}, {3'000'000, 0, 0}},
          .trees = {{1, 2, 8},
                    {1, 2, 14},
                    {1, 2, 18},
                    {1, 2, 21},
                    {1, 8, 6},
                    {1, 8, 7},
                    {1, 3, 11, 300},
                    {1, 1, 300},
                    {3'000, 1, 400},
                    {60'000, 1, 60},
                    {1'000'000, 2, 2},
                    {2'000, 300, 1, 300},
                    {50, 0, 0, 2'000}},
          .mixed_trees = {{1, 2, 17}, {10'000, 2, 6}, {300'000, 0, 0}},
          .large_trees = {{1, 2, 17}, {1'000, 4, 5}, {4'000, 1, 100}}};
}

Shapes simulated_shapes() {
  return {.flat = {{1, 0}, {300, 0}, {100, 100}},
          .mixed_flat = {{100, 0}, {100, 0, 0}},
          .trees = {{1, 2, 5}, {20, 1, 20}, {1, 4, 3, 100}},
          .mixed_trees = {{10, 2, 3}},
          .large_trees = {{1, 2, 6}}};
}

// By type: roots are of the first, below them there are as many of each.
template <std::size_t kTypes>
std::array<std::uint64_t, kTypes> items_of(const TreeShape& shape) {
  std::array<std::uint64_t, kTypes> items{shape.roots};
  std::uint64_t level = shape.roots;
  for (std::uint32_t i = 0; i < shape.levels; ++i) {
    level *= shape.children;
    for (std::uint64_t& own : items) own += level / kTypes;
  }
  return items;
}

// Tags of two types, in no order that a branch predictor could learn.
std::vector<TaskTag> random_tags(const FlatShape& shape) {
  std::mt19937 random(1);
  std::vector<TaskTag> tags(shape.items);
  for (TaskTag& tag : tags) tag = random() % 100 < shape.percent ? 1 : 0;
  return tags;
}

class Design {
 public:
  explicit Design(Queue& queue)
      : queue_(queue),
        sum_(std::make_shared<Buffer<std::uint32_t>>(queue.device().shared_from_this(),
                                                     MemorySpace::kDevice, 1)) {
    fill_bytes(queue, sum_->span(), std::byte{0});
    queue.wait();
  }

  template <class Set>
  void add_flat(const char* name, const FlatShape& shape) {
    std::shared_ptr<Buffer<TaskTag>> tags;
    std::array<std::uint64_t, Set::kTypes> items{shape.items};
    std::string mix;
    if constexpr (Set::kTypes > 1) {
      const std::vector<TaskTag> made = random_tags(shape);
      items[1] = static_cast<std::uint64_t>(std::ranges::count(made, TaskTag{1}));
      items[0] -= items[1];
      tags = upload(made);
      mix = ", " + std::to_string(shape.percent) + " %";
    }
    const IndexedTasks<Set> roots{.tags = tags == nullptr ? nullptr : tags->data(),
                                  .count = shape.items,
                                  .arguments = {sum_->data(), shape.units}};
    const WorkFeatures work{.roots = static_cast<double>(shape.items),
                            .items = static_cast<double>(shape.items),
                            .types = Set::kTypes,
                            .gini_simpson = gini_simpson(items),
                            .item_bytes = Set::kSlotBytes,
                            .item_seconds = static_cast<double>(shape.units),
                            .spawns = false};
    add(name + describe(shape.items, shape.units) + mix, work, roots, tags);
  }

  // All roots are of the first type.
  template <class Set>
  void add_tree(const char* name, const TreeShape& shape) {
    using Node = typename Set::template Type<0>;
    TaskList<Set> roots;
    roots.reserve(shape.roots);
    for (std::uint32_t i = 0; i < shape.roots; ++i) {
      Node node{sum_->data(), {shape.levels, shape.children, shape.units}, {}};
      node.words[0] = i;
      roots.push(node);
    }
    const auto items = items_of<Set::kTypes>(shape);
    const WorkFeatures work{.roots = static_cast<double>(shape.roots),
                            .items = std::accumulate(items.begin(), items.end(), 0.0),
                            .waves = shape.levels + 1.0,
                            .types = Set::kTypes,
                            .gini_simpson = gini_simpson(items),
                            .item_bytes = Set::kSlotBytes,
                            .item_seconds = static_cast<double>(shape.units)};
    add(name + describe(shape.roots, shape.units) + ", " + std::to_string(shape.children) +
            " children, " + std::to_string(shape.levels) + " levels",
        work, roots, nullptr);
  }

  std::vector<TuneWorkload> take() { return std::move(workloads_); }

 private:
  static std::string describe(std::uint32_t roots, std::uint32_t units) {
    return " " + std::to_string(roots) + (units == 0 ? "" : " x " + std::to_string(units));
  }

  std::shared_ptr<Buffer<TaskTag>> upload(const std::vector<TaskTag>& tags) {
    auto buffer = std::make_shared<Buffer<TaskTag>>(queue_.device().shared_from_this(),
                                                    MemorySpace::kDevice, tags.size());
    copy(queue_, buffer->span(), BufferSpan<const TaskTag>(std::span<const TaskTag>(tags)));
    queue_.wait();
    return buffer;
  }

  // `owner` keeps what the roots refer to.
  template <class Roots>
  void add(std::string name, const WorkFeatures& work, const Roots& roots,
           const MemoryOwner& owner) {
    const auto run = [&queue = queue_, name, work, roots, owner,
                      sum = sum_](const RunOptions& options) {
      const RunReport report = run_tasks(queue, roots, options);
      if (static_cast<double>(report.tasks()) == work.items) return;
      throw Error(ErrorCode::kInternal,
                  name + ": " + std::to_string(report.tasks()) + " tasks ran");
    };
    workloads_.push_back({std::move(name), work, run});
  }

  Queue& queue_;
  const std::shared_ptr<Buffer<std::uint32_t>> sum_;
  std::vector<TuneWorkload> workloads_;
};

}  // namespace

std::vector<TuneWorkload> tune_design(Queue& queue) {
  const DeviceInfo& device = queue.device().info();
  const Shapes shapes = device.is_simulated     ? simulated_shapes()
                        : device.warp_width > 1 ? gpu_shapes()
                                                : cpu_shapes();
  Design design(queue);
  for (const FlatShape& shape : shapes.flat) design.add_flat<TuneFlatTasks>("flat", shape);
  for (const FlatShape& shape : shapes.mixed_flat) {
    design.add_flat<TuneMixedFlatTasks>("two types", shape);
  }
  for (const TreeShape& shape : shapes.trees) design.add_tree<TuneTreeTasks>("tree", shape);
  for (const TreeShape& shape : shapes.mixed_trees) {
    design.add_tree<TuneMixedTreeTasks>("tree of two types", shape);
  }
  for (const TreeShape& shape : shapes.large_trees) {
    design.add_tree<TuneLargeTreeTasks>("tree of 128 bytes", shape);
  }
  return design.take();
}

}  // namespace millrace::tools
