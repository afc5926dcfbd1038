// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/run_history.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/task_bench/device_graph.h>
#include <millrace/tools/benchmarks/workloads/task_bench/peers/step_ops.h>
#include <millrace/tools/benchmarks/workloads/task_bench/peers/task_graph_peers.h>
#include <millrace/tools/benchmarks/workloads/task_bench/point_tasks.h>
#include <millrace/tools/benchmarks/workloads/task_bench/sweep_granularity.h>
#include <millrace/tools/benchmarks/workloads/task_bench/task_bench_workload.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::uint32_t kLeastWidth = 2;
constexpr std::uint32_t kMostWidth = 1 << 16;
constexpr std::uint64_t kMostSteps = 1 << 12;

// Runs in which kAuto settles, unless trials take too long: the first, four under each policy, and
// those before it returns to a policy that the first has left (runtime/auto/run_history.h).
constexpr int kSettlingRuns = 24;

// A pattern, and a width other than the device's.
struct GraphInput {
  DependencePattern pattern;
  std::optional<std::uint32_t> width;
};

// Returns the width that the text says, if it is one.
std::optional<std::uint32_t> width_of_text(const std::string& text) {
  std::uint32_t width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || width < kLeastWidth || width > kMostWidth) return std::nullopt;
  return width;
}

// Returns the graph of an input, if it is one: "fft" or "fft-64".
std::optional<GraphInput> parse_input(const std::string& input) {
  for (const DependencePattern pattern : kAllPatterns) {
    const std::string name = to_string(pattern);
    if (input == name) return GraphInput{pattern, std::nullopt};
    if (!input.starts_with(name + '-')) continue;
    const auto width = width_of_text(input.substr(name.size() + 1));
    if (width) return GraphInput{pattern, width};
  }
  return std::nullopt;
}

// The runs of a graph, all on one copy of it.
class GraphRuns {
 public:
  GraphRuns(const std::shared_ptr<Device>& device, const GraphShape& shape)
      : queue_(device->make_queue()),
        graph_(std::make_shared<DeviceGraph>(*queue_, shape)),
        tasks_(static_cast<double>(graph_->tables().tasks)),
        cores_(task_bench_cores(device->info())),
        is_simulated_(device->info().is_simulated) {
    if (is_simulated_) sweep_.largest_task_seconds = 0;
    // Waves on a GPU cost more than tasks on a CPU.
    if (!device->info().shares_host_memory && !is_simulated_) {
      sweep_.largest_task_seconds = 400e-6;
    }
  }

  // Returns a run of which `run` is one pass through the graph. If its policy is chosen from
  // earlier runs, it settles on one for each size of short tasks.
  WorkRun run_of(const std::function<void()>& run, bool settles = false) const {
    GraphRuns runs = *this;
    if (settles) {
      runs.sweep_.prepare = [runs = *this, run](std::uint32_t iterations) {
        RunHistory::instance().forget();
        for (int i = 0; i < kSettlingRuns; ++i) {
          runs.graph_->reset(iterations);
          run();
        }
      };
    }
    return {.check =
                [runs, run] {
                  runs.time(run, 1);
                  return RunAmount{.items = 1, .values = {{"tasks", runs.tasks_}}};
                },
            .run =
                [runs, run] {
                  const auto timed = [&](std::uint32_t iterations) {
                    return runs.time(run, iterations);
                  };
                  return metg_of(sweep_granularity(timed, runs.tasks_, runs.cores_, runs.sweep_));
                }};
  }

  WorkRun policy_run(Policy policy) const {
    WorkRun run = run_of(
        [queue = queue_, graph = graph_, policy] {
          const IndexedTasks<PointTasks> roots{.count = graph->tables().roots,
                                               .arguments = {graph->data()}};
          const RunReport report = run_tasks(*queue, roots, {.policy = policy});
          if (report.tasks() == graph->tables().tasks) return;
          throw Error(ErrorCode::kInternal, std::to_string(report.tasks()) +
                                                " tasks ran; right are " +
                                                std::to_string(graph->tables().tasks));
        },
        /*settles=*/policy == Policy::kAuto && !is_simulated_);
    run.policy = to_string(policy);
    return run;
  }

  WorkRun host_peer_run(const TaskGraphPeer& peer) const {
    // The peer reads what graph_ holds.
    const auto once = peer.prepare(graph_->graph(), graph_->tables());
    WorkRun run = run_of([graph = graph_, once] { once(); });
    run.peer = peer.name;
    return run;
  }

  // Appends the run of kernels that `Op` makes, where there are any.
  template <class Op>
  void add_kernel_run(const char* name, std::vector<WorkRun>& runs) const {
    if (OpTable<Op>::find(*queue_) == nullptr) return;
    const auto kernels = OpTable<Op>::at(*queue_)(*queue_, graph_->data(), graph_->tables());
    runs.push_back(run_of([queue = queue_, graph = graph_, kernels] { kernels(); }));
    runs.back().peer = name;
  }

 private:
  double time(const std::function<void()>& run, std::uint32_t iterations) const {
    graph_->reset(iterations);
    const double seconds = seconds_of(run);
    graph_->check();
    return seconds;
  }

  std::shared_ptr<Queue> queue_;
  std::shared_ptr<DeviceGraph> graph_;  // Uses the queue.
  double tasks_;
  double cores_;
  bool is_simulated_;
  SweepOptions sweep_;
};

PreparedWork prepare_graph(const std::shared_ptr<Device>& device, const std::string& input,
                           std::uint64_t steps) {
  const auto parsed = parse_input(input);
  if (!parsed) reject("input is '" + input + "'; it must be a pattern, or a pattern-WIDTH");
  const std::uint32_t width =
      parsed->width.value_or(std::max(kLeastWidth, task_bench_cores(device->info())));
  const GraphRuns graph(device,
                        shape_of(parsed->pattern, width, static_cast<std::uint32_t>(steps)));
  PreparedWork prepared;
  for (const Policy policy : kAllPolicies) prepared.runs.push_back(graph.policy_run(policy));
  if (device->info().shares_host_memory && !device->info().is_simulated) {
    for (const TaskGraphPeer& peer : task_graph_peers()) {
      prepared.runs.push_back(graph.host_peer_run(peer));
    }
  }
  graph.add_kernel_run<StepLaunchesOp>("a launch a step", prepared.runs);
  graph.add_kernel_run<StepGraphOp>("CUDA graph", prepared.runs);
  return prepared;
}

std::vector<std::string> pattern_names() {
  std::vector<std::string> names;
  for (const DependencePattern pattern : kAllPatterns) names.push_back(to_string(pattern));
  return names;
}

}  // namespace

std::uint32_t task_bench_cores(const DeviceInfo& device) {
  // A multiprocessor starts two instructions in double precision a cycle, and a warp has two that
  // do not wait for each other: 16 warps keep it busy.
  constexpr int kWarps = 16;
  const bool has_warps = device.warp_width > 1 && !device.is_simulated;
  return static_cast<std::uint32_t>(device.compute_units * (has_warps ? kWarps : 1));
}

std::vector<Workload> task_bench_workloads() {
  Workload metg;
  metg.name = "joins-metg";
  metg.what =
      "Task Bench's METG(50 %) of SIZE steps: a time is that of the smallest tasks that do "
      "half of the work a second that large ones do";
  metg.item_name = "tasks";
  metg.inputs = pattern_names();
  metg.input_rule = "PATTERN-N, with N points a step, 2 to 65536";
  metg.is_input = [](const std::string& input) { return parse_input(input).has_value(); };
  metg.sizes = SizeChoice{.cpu = {1000}, .gpu = {1000}, .quick = 200, .simulated = 4};
  metg.size_rule = "is 1 to 4096";
  metg.is_size = [](std::uint64_t size) { return size >= 1 && size <= kMostSteps; };
  metg.prepare = &prepare_graph;
  return {metg};
}

}  // namespace millrace::tools
