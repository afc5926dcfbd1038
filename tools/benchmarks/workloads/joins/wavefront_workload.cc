// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/wavefront/alignment.h>
#include <millrace/docs/examples/wavefront/alignment_memory.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/tools/benchmarks/workloads/joins/diagonal_launches_op.h>
#include <millrace/tools/benchmarks/workloads/joins/join_workloads.h>
#include <millrace/tools/benchmarks/workloads/joins/value_runs.h>

#include <cstdint>
#include <memory>
#include <string>

namespace millrace::tools {
namespace {

using examples::Alignment;
using examples::AlignmentMemory;
using examples::AlignmentTasks;
using examples::AlignmentTile;

constexpr std::uint64_t kLeastLetters = 64;
constexpr std::uint64_t kMostLetters = 131'072;

std::string alignment_text(const Alignment& alignment) {
  return "score " + std::to_string(alignment.score) + " at letters " +
         std::to_string(alignment.first_end) + " and " + std::to_string(alignment.second_end);
}

// Fills the table by `compute`, which is timed, and returns the best alignment.
template <class Compute>
TimedValue<Alignment> fill_table(AlignmentMemory& memory, const Compute& compute) {
  memory.clear();
  const double seconds = seconds_of(compute);
  return {memory.best(), seconds};
}

PreparedWork prepare_alignments(const std::shared_ptr<Device>& device, std::size_t letters) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  const std::string first = examples::random_sequence(letters, 1);
  const std::string second = examples::random_sequence(letters, 2);
  const auto memory =
      std::make_shared<AlignmentMemory>(*queue, first, second, examples::AlignmentOptions{});
  const double cells = static_cast<double>(letters) * static_cast<double>(letters);
  ValueRuns<Alignment> runs(examples::align_directly(first, second), {cells}, &alignment_text);
  for (const Policy policy : kAllPolicies) {
    runs.add(policy, [=] {
      const TaskList<AlignmentTasks> roots(AlignmentTile{memory->table(), 0, 0});
      return fill_table(*memory, [&] { run_tasks(*queue, roots, {.policy = policy}); });
    });
  }
  runs.add_peer("a launch per diagonal", [=] {
    auto& launches = OpTable<DiagonalLaunchesOp>::at(*queue);
    return fill_table(*memory, [&] { launches(*queue, memory->table()); });
  });
  return runs.take();
}

}  // namespace

Workload wavefront_workload() {
  Workload workload;
  workload.name = "joins-wavefront";
  workload.what = "the local alignment of two sequences of SIZE letters, a task for each 64 x 64";
  workload.item_name = "cells";
  workload.sizes = SizeChoice{.cpu = {8'192}, .gpu = {32'768}, .quick = 2'048, .simulated = 150};
  workload.size_rule = "is 64 to 131072";
  workload.is_size = [](std::uint64_t size) {
    return size >= kLeastLetters && size <= kMostLetters;
  };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) { return prepare_alignments(device, size); };
  return workload;
}

}  // namespace millrace::tools
