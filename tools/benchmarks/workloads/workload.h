// SPDX-License-Identifier: Apache-2.0

// The interface of work that `millrace bench` runs: a workload is work of one kind, of some inputs
// and sizes, and on a device there are runs that do it in different ways: by policy and strategy,
// or by a peer.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_WORKLOAD_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/runtime/tasks/policy.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

// The amount of work of one run.
struct RunAmount {
  double items = 0;
  double bytes = 0;        // Bytes of the traffic that `limit` bounds; 0: not known.
  std::string limit = {};  // The name of a limit in device_limits.h; empty: none.
  std::map<std::string, double> values = {};  // Figures besides time, such as "bits per item".

  // Operations of arithmetic that the method needs, whatever the code of a contender adds; 0: not
  // declared. A multiplication with an addition counts as two.
  double operations = 0;
  std::string operation_limit = {};  // The limit that bounds them; empty: none.
};

// One way to do the work, timed against the others. Used by one thread at a time.
struct WorkRun {
  std::string policy = {};    // Empty where none is chosen, as the next two.
  std::string strategy = {};  // One of Workload::strategies.
  std::string peer = {};      // Empty: Millrace itself.

  // Runs once and says what that did. Throws kInternal where the result is wrong, kUnsupported
  // where the device cannot, or the peer is not there.
  std::function<RunAmount()> check;

  // Runs once and returns its time in seconds. May also check the result, untimed.
  std::function<double()> run;

  bool is_streamed = false;  // Copies and computing overlap: a timeline shows how.
  bool is_checked = true;    // check() compares the result; false: there is nothing to compare.
};

// One input and size, ready on a device.
struct PreparedWork {
  std::string input_hash = {};  // Empty where there is no input.
  std::vector<WorkRun> runs;
};

// The ranks that do collective work, each in a process of its own.
struct RankWorld {
  Communicator& all;

  // Collective over all. Returns a communicator of the first `ranks` ranks, and null on the others.
  std::function<std::unique_ptr<Communicator>(int ranks)> make_subset;
};

struct Workload {
  std::string name;  // "sort-keys"; those with the same beginning up to a '-' are a group.
  std::string what;  // Short description for people.
  std::string item_name;
  std::vector<std::string> inputs = {""};
  bool takes_clips = false;   // A video file is an input, too, where no size counts,
  bool copies_clips = false;  // unless a size is a number of copies of it, or of its pictures.

  // The rule for other inputs, as words behind "or": "seed-N, which begins with the seed N"; empty
  // where `inputs` are all. `is_input` is true for an input that satisfies it.
  std::string input_rule = {};
  std::function<bool(const std::string& input)> is_input = {};

  std::vector<std::string> strategies = {};

  // Sizes that are measured where none is chosen, by the device; quick ones take little time.
  std::function<std::vector<std::uint64_t>(const DeviceInfo& device, bool is_quick)> sizes;

  // The rule for other sizes, as a sentence's end: "is a power of two"; empty where there is no
  // choice. `is_size` is true for a size that satisfies it.
  std::string size_rule = {};
  std::function<bool(std::uint64_t size)> is_size;

  // Throws what making the input throws, and kUnsupported where the device has nothing to run.
  // Of prepare, prepare_group and prepare_ranks exactly one is set.
  std::function<PreparedWork(const std::shared_ptr<Device>& device, const std::string& input,
                             std::uint64_t size)>
      prepare = {};

  // Prepares work that several devices share. Throws likewise.
  std::function<PreparedWork(const std::vector<std::shared_ptr<Device>>& devices,
                             const std::string& input, std::uint64_t size)>
      prepare_group = {};

  // Prepares work that all ranks share, each on its own device. Collective, as are check() and
  // run(): all ranks get the same runs, and of each the same results, times and errors.
  std::function<PreparedWork(const RankWorld& ranks, const std::shared_ptr<Device>& device,
                             const std::string& input, std::uint64_t size)>
      prepare_ranks = {};

  // True for one of `inputs` and for one that satisfies the rule; false for a video file.
  bool has_input(const std::string& input) const {
    return std::ranges::find(inputs, input) != inputs.end() || (is_input && is_input(input));
  }
};

inline constexpr Policy kAllPolicies[] = {Policy::kPersistentThreads, Policy::kUberkernel,
                                          Policy::kKernelPerType, Policy::kAuto};

// Sizes by what a device was made for: `gpu` for one with memory of its own, where the middle one
// is quick.
struct SizeChoice {
  std::vector<std::uint64_t> cpu;
  std::vector<std::uint64_t> gpu;
  std::uint64_t quick;
  std::uint64_t simulated;

  std::vector<std::uint64_t> operator()(const DeviceInfo& device, bool is_quick) const {
    if (device.is_simulated) return {simulated};
    if (!device.shares_host_memory) return is_quick ? std::vector{gpu[gpu.size() / 2]} : gpu;
    return is_quick ? std::vector{quick} : cpu;
  }
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_WORKLOAD_H_
