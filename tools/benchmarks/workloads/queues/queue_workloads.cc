// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/tools/benchmarks/harness/device_sum.h>
#include <millrace/tools/benchmarks/harness/device_values.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/queues/flat_tasks.h>
#include <millrace/tools/benchmarks/workloads/queues/quad.h>
#include <millrace/tools/benchmarks/workloads/queues/queue_loop_op.h>
#include <millrace/tools/benchmarks/workloads/queues/queue_tasks.h>
#include <millrace/tools/benchmarks/workloads/queues/queue_workloads.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

template <class Roots>
QueueRun time_run(Queue& queue, const Roots& roots, const RunOptions& options) {
  const double start = seconds_now();
  const RunReport report = run_tasks(queue, roots, options);
  const double wall_seconds = seconds_now() - start;
  return {report.tasks(), report.waves,  report.seconds,
          wall_seconds,   report.policy, report.switches};
}

void check(const std::string& name, const char* what, std::uint64_t actual,
           std::uint64_t expected) {
  if (actual == expected) return;
  throw Error(ErrorCode::kInternal, name + ": " + what + " is " + std::to_string(actual) +
                                        "; right is " + std::to_string(expected));
}

// The result that a run must have.
template <class Sum>
struct Expected {
  std::uint64_t tasks = 0;
  Sum sum = 0;
};

// `make_roots(sum)` makes the roots, whose tasks add to `sum`; `owner` keeps what they read.
template <class Sum, class MakeRoots>
QueueWorkload make_summing(const std::string& name, Queue& queue, Expected<Sum> expected,
                           const MakeRoots& make_roots, const MemoryOwner& owner = {}) {
  const auto sum = std::make_shared<DeviceSum<Sum>>(queue);
  const auto roots = std::make_shared<decltype(make_roots(sum->data()))>(make_roots(sum->data()));
  return {name, [=, &queue](const RunOptions& options) {
            static_cast<void>(owner);
            sum->clear();
            const QueueRun run = time_run(queue, *roots, options);
            check(name, "the number of tasks", run.tasks, expected.tasks);
            check(name, "the sum", sum->value(), expected.sum);
            return run;
          }};
}

// "2^24" for 16,777,216.
std::string as_power(std::uint32_t elements) {
  int exponent = 0;
  while (elements >> (exponent + 1) != 0) ++exponent;
  return "2^" + std::to_string(exponent);
}

const char* name_of(TaskWidth width) {
  return width == TaskWidth::kLane ? "lane" : width == TaskWidth::kWarp ? "warp" : "block";
}

// The expected result for all nodes from these roots on, whose ids add up.
template <class Node>
Expected<std::uint64_t> walk(std::vector<std::uint64_t> open) {
  Expected<std::uint64_t> expected;
  while (!open.empty()) {
    const std::uint64_t id = open.back();
    open.pop_back();
    ++expected.tasks;
    expected.sum += id;
    Node::visit_children(id, [&](std::uint64_t child) { open.push_back(child); });
  }
  return expected;
}

template <class Node>
QueueWorkload make_unbalanced(const std::string& name, Queue& queue,
                              const std::vector<std::uint64_t>& ids) {
  return make_summing(name, queue, walk<Node>(ids), [&](std::uint64_t* sum) {
    TaskList<TaskSet<Node>> roots;
    for (const std::uint64_t id : ids) roots.push(Node{sum, id});
    return roots;
  });
}

// Throws kInternal with the first word in which a quad of the pieces is wrong.
[[noreturn]] void reject_quad(std::size_t quad, const Quad& found, const Quad& right) {
  int word = 0;
  while (found.words[word] == right.words[word]) ++word;
  throw Error(ErrorCode::kInternal,
              "copies: word " + std::to_string(4 * (quad % kPieceQuads) + word) + " of piece " +
                  std::to_string(quad / kPieceQuads) + " is " + std::to_string(found.words[word]) +
                  "; right is " + std::to_string(right.words[word]));
}

}  // namespace

template <std::size_t kTaskBytes>
QueueWorkload make_tree(Queue& queue, std::uint32_t elements) {
  using Tree = ComputedTree<kTaskBytes>;
  static_assert(sizeof(Tree) == kTaskBytes);
  Expected<std::uint32_t> expected{2 * (elements / kLeafElements) - 1};
  for (std::uint32_t i = 0; i < elements; ++i) expected.sum += element_at(i);
  const std::string size = kTaskBytes == 16 ? "" : ", " + std::to_string(kTaskBytes) + " B";
  return make_summing(
      "tree " + as_power(elements) + size, queue, expected,
      [&](std::uint32_t* sum) { return TaskList<TaskSet<Tree>>(Tree::make(sum, 0, elements)); });
}
template QueueWorkload make_tree<16>(Queue&, std::uint32_t);
template QueueWorkload make_tree<32>(Queue&, std::uint32_t);
template QueueWorkload make_tree<64>(Queue&, std::uint32_t);
template QueueWorkload make_tree<256>(Queue&, std::uint32_t);

template <TaskWidth kLeafWidth>
QueueWorkload make_read_tree(Queue& queue, std::uint32_t elements) {
  std::vector<std::uint32_t> values(elements);
  Expected<std::uint32_t> expected{2 * (elements / kReadElements<kLeafWidth>)-1};
  for (std::uint32_t i = 0; i < elements; ++i) {
    values[i] = element_at(i);
    expected.sum += values[i];
  }
  const auto memory = std::make_shared<Buffer<std::uint32_t>>(to_device(queue, values));
  const auto make_roots = [&](std::uint32_t* sum) {
    return TaskList<ReadTreeTasks<kLeafWidth>>(
        ReadTree<kLeafWidth>{memory->data(), sum, 0, elements});
  };
  return make_summing("memory " + as_power(elements) + ", " + name_of(kLeafWidth) + " leaves",
                      queue, expected, make_roots, memory);
}
template QueueWorkload make_read_tree<TaskWidth::kLane>(Queue&, std::uint32_t);
template QueueWorkload make_read_tree<TaskWidth::kWarp>(Queue&, std::uint32_t);
template QueueWorkload make_read_tree<TaskWidth::kBlock>(Queue&, std::uint32_t);

QueueWorkload make_geo(Queue& queue, const QueueSizes& sizes) {
  constexpr std::uint64_t kSeed = 26;
  return make_unbalanced<GeoNode>("geo", queue, {GeoNode::make_id(kSeed, sizes.geo_levels)});
}

QueueWorkload make_bin(Queue& queue, const QueueSizes& sizes) {
  constexpr std::uint64_t kSeed = 19'000'057;
  std::vector<std::uint64_t> roots(sizes.bin_roots);
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = splitmix64(kSeed + i);
  return make_unbalanced<BinNode>("bin", queue, roots);
}

QueueWorkload make_calls(Queue& queue, std::uint32_t n) {
  std::uint64_t number = 0;
  std::uint64_t next = 1;
  for (std::uint32_t i = 0; i < n; ++i) number = std::exchange(next, number + next);
  const Expected<std::uint64_t> expected{2 * next - 1, number};
  return make_summing("calls", queue, expected, [n](std::uint64_t* sum) {
    return TaskList<CallTasks>(CallNode{sum, n});
  });
}

QueueWorkload make_chains(Queue& queue, const QueueSizes& sizes) {
  const std::uint64_t chains = sizes.chains;
  const std::uint64_t links = sizes.links;
  const Expected<std::uint64_t> expected{
      chains * links, links * (chains * (chains - 1) / 2) + chains * (links * (links - 1) / 2)};
  return make_summing("chains", queue, expected, [&](std::uint64_t* sum) {
    TaskList<ChainTasks> roots;
    for (std::uint32_t i = 0; i < sizes.chains; ++i) roots.push(ChainLink{sum, i, sizes.links - 1});
    return roots;
  });
}

QueueWorkload make_nothing(Queue& queue, int tasks) {
  const std::string name = tasks == 0 ? "no task" : tasks == 1 ? "one empty task" : "empty tasks";
  TaskList<NothingTasks> roots;
  for (int i = 0; i < tasks; ++i) roots.push(Nothing{});
  return {name, [=, &queue](const RunOptions& options) {
            const QueueRun run = time_run(queue, roots, options);
            check(name, "the number of tasks", run.tasks, static_cast<std::uint64_t>(tasks));
            return run;
          }};
}

struct FlatItems::State {
  Queue& queue;
  Buffer<Quad> items;
  Expected<std::uint32_t> expected;
};

FlatItems::FlatItems(Queue& queue, std::size_t count) {
  std::vector<Quad> items(count);
  Expected<std::uint32_t> expected{count};
  std::uint32_t index = 0;
  for (Quad& item : items) {
    for (std::uint32_t& word : item.words) word = element_at(index++);
    expected.sum += sum_of(item);
  }
  state_ = std::make_shared<State>(State{queue, to_device(queue, items), expected});
}

QueueWorkload FlatItems::tasks() const {
  const auto make_roots = [&](std::uint32_t* sum) {
    return IndexedTasks<FlatTasks>{.count = state_->items.size(),
                                   .arguments = {state_->items.data(), sum}};
  };
  return make_summing("flat", state_->queue, state_->expected, make_roots, state_);
}

QueueWorkload FlatItems::loop() const {
  const auto sum = std::make_shared<DeviceSum<std::uint32_t>>(state_->queue);
  return {"flat", [state = state_, sum](const RunOptions&) {
            sum->clear();
            auto& loop = OpTable<QueueLoopOp>::at(state->queue);
            const double start = seconds_now();
            const double seconds =
                loop(state->queue, state->items.data(), state->items.size(), sum->data());
            const double wall_seconds = seconds_now() - start;
            check("the loop", "the sum", sum->value(), state->expected.sum);
            return QueueRun{.tasks = state->expected.tasks,
                            .waves = 1,
                            .device_seconds = seconds,
                            .wall_seconds = wall_seconds};
          }};
}

struct CopyPieces::State {
  Queue& queue;
  std::vector<Quad> expected;
  std::size_t count;
  Buffer<TaskTag> tags;
  Buffer<Quad> source;
  Buffer<Quad> target;
};

CopyPieces::CopyPieces(Queue& queue, std::size_t count) {
  std::vector<TaskTag> tags(count);
  std::vector<Quad> source(count * kPieceQuads);
  std::vector<Quad> expected(source.size());
  for (std::size_t i = 0; i < count; ++i) tags[i] = static_cast<TaskTag>(splitmix64(i) % 2);
  std::uint32_t index = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::uint32_t turned = tags[i / kPieceQuads] == 1 ? ~0u : 0u;
    for (int word = 0; word < 4; ++word) {
      source[i].words[word] = element_at(index++);
      expected[i].words[word] = source[i].words[word] ^ turned;
    }
  }
  Buffer<Quad> target(queue.device().shared_from_this(), MemorySpace::kDevice, source.size());
  state_ = std::make_shared<State>(State{queue, std::move(expected), count, to_device(queue, tags),
                                         to_device(queue, source), std::move(target)});
}

std::size_t CopyPieces::bytes() const { return state_->source.size_bytes(); }

QueueWorkload CopyPieces::tasks() const {
  return {"copies", [state = state_](const RunOptions& options) {
            fill_bytes(state->queue, state->target.span(), std::byte{0x5A});
            state->queue.wait();
            const IndexedTasks<CopyTasks> roots{
                .tags = state->tags.data(),
                .count = state->count,
                .arguments = {state->source.data(), state->target.data()}};
            const QueueRun run = time_run(state->queue, roots, options);
            check("copies", "the number of tasks", run.tasks, state->count);
            const std::vector<Quad> copied = to_host(state->queue, state->target);
            const auto [wrong, right] = std::ranges::mismatch(
                copied, state->expected,
                [](const Quad& a, const Quad& b) { return std::ranges::equal(a.words, b.words); });
            if (wrong != copied.end()) {
              reject_quad(static_cast<std::size_t>(wrong - copied.begin()), *wrong, *right);
            }
            return run;
          }};
}

QueueWorkload CopyPieces::copy() const {
  return {
      "copies", [state = state_](const RunOptions&) {
        constexpr int kCopies = 8;  // Starting them then does not count.
        const double start = seconds_now();
        for (int i = 0; i < kCopies; ++i) {
          millrace::copy(state->queue, state->target.span(), state->source.span());
        }
        state->queue.wait();
        const double seconds = (seconds_now() - start) / kCopies;
        return QueueRun{
            .tasks = state->count, .waves = 1, .device_seconds = seconds, .wall_seconds = seconds};
      }};
}

}  // namespace millrace::tools
