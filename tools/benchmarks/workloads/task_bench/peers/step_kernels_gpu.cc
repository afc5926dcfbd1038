// SPDX-License-Identifier: Apache-2.0

// The kernels of step_ops.h.
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/tools/benchmarks/workloads/task_bench/peers/step_ops.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace millrace::MILLRACE_GPU {
namespace {

using tools::GraphTables;
using tools::TaskGraph;

MILLRACE_KERNEL void run_step(const TaskGraph* graph, std::uint32_t step, std::uint32_t points) {
  const auto thread = static_cast<std::uint32_t>(block_index() * block_threads() + thread_index());
  const std::uint32_t point = thread / warp_width();
  if (point >= points) return;
  const std::uint32_t errors = graph->run_lane(step, point, lane_index(), warp_width());
  if (errors > 0) reduce_add(graph->errors, errors);
}

// Launches a kernel for each step.
void launch_steps(GpuQueue& queue, const TaskGraph* graph, const GraphTables& tables) {
  const gpu::Properties& device = queue.gpu_device().properties();
  gpu::LaunchShape shape;
  shape.threads = std::min(128, device.max_threads_per_block);
  const std::uint32_t warps = shape.threads / device.warp_width;
  for (std::uint32_t step = 0; step < tables.steps; ++step) {
    const std::uint32_t points = tables.points[step].size();
    shape.blocks = static_cast<int>((points + warps - 1) / warps);
    launch(run_step, shape, queue.stream(), graph, step, points);
  }
}

std::function<void()> prepare_launches(Queue& queue, const TaskGraph* graph,
                                       const GraphTables& tables) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  return [&gpu_queue, graph, &tables] {
    gpu_queue.enqueue([&] { launch_steps(gpu_queue, graph, tables); }, GpuQueue::Start::kAtWait);
    gpu_queue.wait();
  };
}

const RegisterOp<tools::StepLaunchesOp> registered_launches(kBackend, &prepare_launches);

#ifdef CUDART_VERSION
void require(cudaError_t result) {
  if (result == cudaSuccess) return;
  throw Error(ErrorCode::kInternal,
              std::string("a CUDA graph cannot be made or run: ") + cudaGetErrorString(result));
}

// An executable graph of what is launched into a stream.
class StepGraph {
 public:
  StepGraph(GpuQueue& queue, const TaskGraph* graph, const GraphTables& tables) {
    require(cudaStreamBeginCapture(queue.stream(), cudaStreamCaptureModeThreadLocal));
    cudaGraph_t captured = nullptr;
    try {
      launch_steps(queue, graph, tables);
    } catch (...) {
      cudaStreamEndCapture(queue.stream(), &captured);
      throw;
    }
    require(cudaStreamEndCapture(queue.stream(), &captured));
    const cudaError_t result = cudaGraphInstantiateWithFlags(&graph_, captured, 0);
    cudaGraphDestroy(captured);
    require(result);
  }
  ~StepGraph() { cudaGraphExecDestroy(graph_); }
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;

  void launch(Stream stream) const { require(cudaGraphLaunch(graph_, stream)); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

std::function<void()> prepare_graph(Queue& queue, const TaskGraph* graph,
                                    const GraphTables& tables) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  std::shared_ptr<const StepGraph> steps;
  gpu_queue.enqueue([&] { steps = std::make_shared<StepGraph>(gpu_queue, graph, tables); },
                    GpuQueue::Start::kAtWait);
  gpu_queue.wait();
  return [&gpu_queue, steps] {
    gpu_queue.enqueue([&] { steps->launch(gpu_queue.stream()); }, GpuQueue::Start::kAtWait);
    gpu_queue.wait();
  };
}

const RegisterOp<tools::StepGraphOp> registered_graph(kBackend, &prepare_graph);
#endif

}  // namespace
}  // namespace millrace::MILLRACE_GPU
