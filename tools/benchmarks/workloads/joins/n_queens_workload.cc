// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/n_queens.h>
#include <millrace/tools/benchmarks/peers/fork_join_peers.h>
#include <millrace/tools/benchmarks/workloads/joins/join_workloads.h>
#include <millrace/tools/benchmarks/workloads/joins/value_runs.h>

#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::tools {
namespace {

constexpr int kMaxCutOff = 15;
constexpr std::string_view kUsualInput = "cut-off-usual";
constexpr std::string_view kInputBegin = "cut-off-";

// The cut-off that an input "cut-off-N" states; nothing for another input.
std::optional<int> stated_cut_off(std::string_view input) {
  if (!input.starts_with(kInputBegin)) return {};
  input.remove_prefix(kInputBegin.size());
  int cut_off = -1;
  const auto end = std::from_chars(input.data(), input.data() + input.size(), cut_off).ptr;
  const bool is_number = end == input.data() + input.size() && !input.empty();
  return is_number && cut_off >= 0 && cut_off <= kMaxCutOff ? std::optional(cut_off) : std::nullopt;
}

// Many more tasks than a GPU has lanes, or than a CPU has threads.
int usual_cut_off(const DeviceInfo& device) { return device.shares_host_memory ? 5 : 7; }

PreparedWork prepare_queens(const std::shared_ptr<Device>& device, int queens, int cut_off) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  const std::uint64_t known = examples::known_n_queens(queens);
  ValueRuns<std::uint64_t> runs(known, {static_cast<double>(known)},
                                [](std::uint64_t value) { return std::to_string(value); });
  for (const Policy policy : kAllPolicies) {
    runs.add(policy, [=] {
      return timed([&] {
        const examples::NQueensOptions options = {queens, cut_off, {.policy = policy}};
        return examples::count_n_queens(*queue, options).solutions;
      });
    });
  }
  if (!device->info().shares_host_memory || device->info().is_simulated) return runs.take();
  for (const ForkJoinPeer& peer : fork_join_peers()) {
    runs.add_peer(peer.name, [=] { return timed([&] { return peer.n_queens(queens, cut_off); }); });
  }
  runs.add_peer("one thread",
                [=] { return timed([&] { return n_queens_on_one_thread(queens); }); });
  return runs.take();
}

}  // namespace

Workload n_queens_workload() {
  Workload workload;
  workload.name = "joins-n-queens";
  workload.what = "ways to put SIZE queens on a board, a task for each placement on the first rows";
  workload.item_name = "solutions";
  workload.inputs = {std::string(kUsualInput)};  // 5 rows on a CPU, 7 elsewhere.
  workload.input_rule = "cut-off-N, where N is 0 to 15, the rows whose placements are tasks";
  workload.is_input = [](const std::string& input) { return stated_cut_off(input).has_value(); };
  workload.sizes = SizeChoice{.cpu = {13}, .gpu = {16}, .quick = 10, .simulated = 6};
  workload.size_rule = "is 4 to 18";
  workload.is_size = [](std::uint64_t size) { return size >= 4 && size <= 18; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string& input,
                        std::uint64_t size) {
    const int cut_off = stated_cut_off(input).value_or(usual_cut_off(device->info()));
    return prepare_queens(device, static_cast<int>(size), cut_off);
  };
  return workload;
}

}  // namespace millrace::tools
