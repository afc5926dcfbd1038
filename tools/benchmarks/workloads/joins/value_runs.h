// SPDX-License-Identifier: Apache-2.0

// Runs that compute the same value in different ways, by tasks or by a peer.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_VALUE_RUNS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_VALUE_RUNS_H_

#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

#include <functional>
#include <string>
#include <utility>

namespace millrace::tools {

// A value and the seconds that it took to compute it.
template <class Value>
struct TimedValue {
  Value value;
  double seconds;
};

// Returns the value of compute(), and the time of the call.
template <class Compute>
auto timed(const Compute& compute) {
  const double begin = seconds_now();
  auto value = compute();
  return TimedValue<decltype(value)>{std::move(value), seconds_now() - begin};
}

template <class Value>
class ValueRuns {
 public:
  using Compute = std::function<TimedValue<Value>()>;
  using ToText = std::function<std::string(const Value&)>;

  // Each run is `amount` of work, and throws kInternal for another value than `right`.
  ValueRuns(Value right, RunAmount amount, ToText to_text)
      : right_(std::move(right)), amount_(std::move(amount)), to_text_(std::move(to_text)) {}

  void add(Policy policy, const Compute& compute) {
    add(compute);
    prepared_.runs.back().policy = to_string(policy);
  }
  void add_peer(const std::string& name, const Compute& compute) {
    add(compute);
    prepared_.runs.back().peer = name;
  }

  PreparedWork take() { return std::move(prepared_); }

 private:
  void add(const Compute& compute) {
    const auto run = [compute, right = right_, to_text = to_text_] {
      const TimedValue<Value> found = compute();
      if (found.value == right) return found.seconds;
      throw Error(ErrorCode::kInternal,
                  "the result is " + to_text(found.value) + "; right is " + to_text(right));
    };
    prepared_.runs.push_back({.check =
                                  [run, amount = amount_] {
                                    run();
                                    return amount;
                                  },
                              .run = run});
  }

  Value right_;
  RunAmount amount_;
  ToText to_text_;
  PreparedWork prepared_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_VALUE_RUNS_H_
