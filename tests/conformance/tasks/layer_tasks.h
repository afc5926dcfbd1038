// SPDX-License-Identifier: Apache-2.0

// A graph of layers: each node waits for all nodes of the layer before. Layers of one node each are
// a chain; where every other layer is wider they are diamonds.
#ifndef MILLRACE_TESTS_CONFORMANCE_TASKS_LAYER_TASKS_H_
#define MILLRACE_TESTS_CONFORMANCE_TASKS_LAYER_TASKS_H_

#include <millrace/runtime/host/splitmix64.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::conformance {

struct Layers {
  std::uint32_t count;
  std::uint32_t width;     // Nodes of layers 1, 3, 5, ...; the others have one.
  std::uint32_t* missing;  // Predecessors of each node, `width` words a layer.
  std::uint64_t* values;   // Value of each node, `width` words a layer.

  MILLRACE_FUNCTION std::uint32_t width_of(std::uint32_t layer) const {
    return layer % 2 == 1 ? width : 1;
  }
  MILLRACE_FUNCTION std::size_t index_of(std::uint32_t layer, std::uint32_t node) const {
    return std::size_t{layer} * width + node;
  }

  // The value of a node, by the sum of the values of the layer before.
  MILLRACE_FUNCTION static std::uint64_t value(std::uint64_t sum, std::uint32_t node) {
    return splitmix64(sum + node);
  }
};

struct LayerNode {
  Layers layers;
  std::uint32_t layer;
  std::uint32_t node;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    layers.values[layers.index_of(layer, node)] = Layers::value(sum_before(), node);
    const std::uint32_t next = layer + 1;
    if (next == layers.count) return;
    for (std::uint32_t i = 0; i < layers.width_of(next); ++i) {
      context.arrive(&layers.missing[layers.index_of(next, i)], LayerNode{layers, next, i});
    }
  }

 private:
  MILLRACE_FUNCTION std::uint64_t sum_before() const {
    if (layer == 0) return 0;
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < layers.width_of(layer - 1); ++i) {
      sum += layers.values[layers.index_of(layer - 1, i)];
    }
    return sum;
  }
};
using LayerTasks = TaskSet<LayerNode>;

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_TASKS_LAYER_TASKS_H_
