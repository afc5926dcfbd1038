// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/graph_tables.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace millrace::tools {
namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;  // Indexed by position in a step.

class TableBuilder {
 public:
  explicit TableBuilder(const GraphShape& shape) : shape_(shape) {
    tables_.width = shape.width;
    tables_.steps = shape.steps;
    tables_.missing.resize(std::size_t{shape.width} * shape.steps);
  }

  GraphTables build() {
    for (std::uint32_t step = 0; step < shape_.steps; ++step) {
      tables_.points.push_back(shape_.points_at(step));
    }
    for (std::uint32_t step = 0; step < shape_.steps; ++step) add(step);
    return std::move(tables_);
  }

 private:
  // The lists between a step and the one before it depend on the set and on the points of both.
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  Key key_of(std::uint32_t step) const {
    const PointRange before = points_before(step);
    const PointRange here = points_of(step);
    return {shape_.set_at(step), before.begin, before.end, here.begin, here.end};
  }

  void add(std::uint32_t step) {
    const PointRange points = points_of(step);
    tables_.tasks += points.size();
    tables_.step_tables.push_back(
        {points.begin, inputs_at(step), dependents_at(step + 1, points.size())});
    const std::uint32_t* const begins = &tables_.list_begins[tables_.step_tables[step].inputs];
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      const std::uint32_t inputs = begins[i + 1] - begins[i];
      const std::size_t index = std::size_t{step} * shape_.width + i;
      tables_.missing[index] = inputs;
      if (inputs == 0) add_root(step, index);
    }
  }

  void add_root(std::uint32_t step, std::size_t index) {
    if (index != tables_.roots) {
      reject("a point of step " + std::to_string(step) + " of " + std::to_string(shape_.steps) +
             " depends on nothing; give the graph at least 2 * width - 1 steps");
    }
    ++tables_.roots;
  }

  // Returns where the lists of a step's inputs begin.
  std::uint32_t inputs_at(std::uint32_t step) {
    const auto [entry, is_new] = inputs_.try_emplace(key_of(step));
    if (is_new) entry->second = append(inputs_of(step));
    return entry->second;
  }

  // Returns where the lists of those begin that depend on the `count` tasks before a step.
  std::uint32_t dependents_at(std::uint32_t step, std::uint32_t count) {
    const auto [entry, is_new] = dependents_.try_emplace(key_of(step));
    if (is_new) entry->second = append(inverse_of(inputs_of(step), count));
    return entry->second;
  }

  Lists inputs_of(std::uint32_t step) const {
    const PointRange before = points_before(step);
    const PointRange here = points_of(step);
    Lists lists(here.size());
    for (std::uint32_t i = 0; i < here.size(); ++i) {
      for (const std::uint32_t point : shape_.dependences(shape_.set_at(step), here.begin + i)) {
        if (before.contains(point)) lists[i].push_back(point - before.begin);
      }
    }
    return lists;
  }

  static Lists inverse_of(const Lists& lists, std::uint32_t count) {
    Lists inverse(count);
    for (std::uint32_t i = 0; i < lists.size(); ++i) {
      for (const std::uint32_t other : lists[i]) inverse[other].push_back(i);
    }
    return inverse;
  }

  std::uint32_t append(const Lists& lists) {
    const auto begin = static_cast<std::uint32_t>(tables_.list_begins.size());
    for (const auto& list : lists) {
      tables_.list_begins.push_back(static_cast<std::uint32_t>(tables_.lists.size()));
      tables_.lists.insert(tables_.lists.end(), list.begin(), list.end());
    }
    tables_.list_begins.push_back(static_cast<std::uint32_t>(tables_.lists.size()));
    return begin;
  }

  PointRange points_before(std::uint32_t step) const {
    return step > 0 ? tables_.points[step - 1] : PointRange();
  }
  PointRange points_of(std::uint32_t step) const {
    return step < shape_.steps ? tables_.points[step] : PointRange();
  }

  const GraphShape& shape_;
  GraphTables tables_;
  std::map<Key, std::uint32_t> inputs_;
  std::map<Key, std::uint32_t> dependents_;
};

}  // namespace

GraphTables make_graph_tables(const GraphShape& shape) {
  check_range("width", shape.width, 2, kMaxGraphTasks);
  check_range("width * steps", std::uint64_t{shape.width} * shape.steps, 1, kMaxGraphTasks);
  return TableBuilder(shape).build();
}

}  // namespace millrace::tools
