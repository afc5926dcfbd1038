// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_runs.h>
#include <millrace/tools/files/interrupt_guard.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::string_view kSeed = "seed-";

}  // namespace

std::optional<std::uint64_t> stress_seed(const std::string& input) {
  if (!input.starts_with(kSeed)) return {};
  std::uint64_t seed = 0;
  const char* const begin = input.data() + kSeed.size();
  const char* const end = input.data() + input.size();
  const auto [parsed, error] = std::from_chars(begin, end, seed);
  if (error != std::errc() || parsed != end) return {};
  return seed;
}

void take_stress_seeds(Workload& workload) {
  workload.item_name = "runs";
  workload.inputs = {std::string(kSeed) + '1'};
  workload.input_rule = "seed-N, which begins with the seed N";
  workload.is_input = [](const std::string& input) { return stress_seed(input).has_value(); };
  workload.sizes = SizeChoice{.cpu = {1000}, .gpu = {1000}, .quick = 50, .simulated = 20};
  workload.size_rule = "is at most 1000000000";
  workload.is_size = [](std::uint64_t size) { return size <= 1'000'000'000; };
}

std::string stress_failure(const StressShape& shape, const std::string& fault) {
  return to_text(shape) + ": " + fault + "; --input " + std::string(kSeed) +
         std::to_string(shape.seed) + " --size 1 begins with this run";
}

StressRuns::StressRuns(std::uint64_t first_seed, std::uint64_t runs, Draw draw, RunShape run_shape)
    : next_seed_(first_seed),
      runs_(runs),
      draw_(std::move(draw)),
      run_shape_(std::move(run_shape)) {}

double StressRuns::run_some() {
  const std::uint64_t count = std::min(runs_, kMostTimed);
  return run_next(count) * static_cast<double>(runs_) / static_cast<double>(count);
}

double StressRuns::run_next(std::uint64_t count) {
  double seconds = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    throw_if_interrupted();
    seconds += run_one();
  }
  return seconds;
}

double StressRuns::run_one() {
  const StressShape shape = draw_(next_seed_++);
  double seconds = 0;
  const std::string fault = fault_after_run(shape, seconds);
  if (fault.empty()) return seconds;
  throw Error(ErrorCode::kInternal, stress_failure(shape, fault));
}

// A run that fails is as wrong as one that loses tasks, unless the device is lost to all.
std::string StressRuns::fault_after_run(const StressShape& shape, double& seconds) {
  try {
    return fault_of(shape, run_shape_(shape, seconds));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kDeviceLost) {
      throw Error(error.code(), stress_failure(shape, error.what()));
    }
    return error.what();
  }
}

}  // namespace millrace::tools
