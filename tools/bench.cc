// SPDX-License-Identifier: Apache-2.0

// Benchmarks, each a table of ratios measured in one run:
//   bazel run -c opt //tools:bench -- tasks
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/drivers/runtime/auto_benchmark.h>
#include <millrace/tools/benchmarks/drivers/runtime/codec_benchmark.h>
#include <millrace/tools/benchmarks/drivers/runtime/copy_benchmark.h>
#include <millrace/tools/benchmarks/drivers/runtime/group_benchmark.h>
#include <millrace/tools/benchmarks/drivers/runtime/pipeline_benchmark.h>
#include <millrace/tools/benchmarks/drivers/runtime/queue_benchmark.h>
#include <millrace/tools/benchmarks/drivers/runtime/rank_benchmark.h>
#include <millrace/tools/benchmarks/drivers/runtime/stress_benchmark.h>
#include <millrace/tools/benchmarks/drivers/runtime/task_benchmark.h>

namespace {

constexpr int kUnsupportedStatus = 3;  // A benchmark that the device has no part in.

void add_auto(CLI::App& app, const std::string& device, const double& seconds,
              std::size_t& failures) {
  const auto options = std::make_shared<millrace::tools::AutoBenchmarkOptions>();
  CLI::App* const command = app.add_subcommand(
      "auto", "The policy that chooses itself against each of the others, on many workloads");
  command->add_option("--csv", options->csv, "Write the table's figures to this file");
  command->add_option("--cases", options->cases, "Only workloads with this in their names");
  command->add_flag("--quick", options->is_quick, "Small workloads: whether it works");
  const auto is_strict = std::make_shared<bool>(false);
  command->add_flag("--strict", *is_strict, "Exit status 1 where a bar is missed");
  command->callback([options, is_strict, &device, &seconds, &failures] {
    options->device = device;
    options->seconds = seconds;
    if (!millrace::tools::benchmark_auto(*options) && *is_strict) ++failures;
  });
}

void add_queues(CLI::App& app, const std::string& device, const double& seconds) {
  const auto options = std::make_shared<millrace::tools::QueueBenchmarkOptions>();
  CLI::App* const queues = app.add_subcommand(
      "queues", "Queues of many shapes under every policy, against prototypes on an H200");
  queues->add_option("--csv", options->csv, "Write the table's figures to this file");
  queues->add_flag("--quick", options->is_quick, "Small queues: whether it works");
  queues->callback([options, &device, &seconds] {
    options->device = device;
    options->seconds = seconds;
    millrace::tools::benchmark_queues(*options);
  });
}

void add_stress(CLI::App& app, const std::string& device, const CLI::Option& seconds,
                std::size_t& failures) {
  const auto options = std::make_shared<millrace::tools::StressOptions>();
  CLI::App* const stress = app.add_subcommand(
      "stress", "Short runs of random shape, each checked; --seconds ends them before --runs");
  stress->add_option("--runs", options->runs, "How many (default: 1000)")
      ->check(CLI::Range(1, 1'000'000'000));
  stress->add_option("--seed", options->seed, "The first run's (default: 1)");
  stress->callback([options, &device, &seconds, &failures] {
    options->device = device;
    if (seconds.count() > 0) options->seconds = seconds.as<double>();
    failures = millrace::tools::stress_queues(*options);
  });
}

void add_codecs(CLI::App& app, const std::string& device, const double& seconds) {
  const auto options = std::make_shared<millrace::tools::CodecBenchmarkOptions>();
  CLI::App* const codecs =
      app.add_subcommand("codecs", "What codecs save, and their rates on the CPU and on a device");
  codecs->add_option("--items", options->items, "Integers in a chunk (default: 1e7, then 1e8)")
      ->check(CLI::Range(1, 2'000'000'000));
  codecs->callback([options, &device, &seconds] {
    options->device = device;
    options->seconds = seconds;
    millrace::tools::benchmark_codecs(*options);
  });
}

void add_groups(CLI::App& app, const std::string& device, const double& seconds) {
  const auto options = std::make_shared<millrace::tools::GroupBenchmarkOptions>();
  CLI::App* const groups = app.add_subcommand(
      "group", "Calls that devices share, against one of them: --device cuda:0,cuda:1");
  groups->add_option("--part", options->parts, "motion, three-star, sort, idct (default: all)")
      ->check(CLI::IsMember({"motion", "three-star", "sort", "idct"}));
  groups->add_option("--most", options->most, "Records to sort (default: 1000000000)");
  groups->add_option("--points", options->points, "Points to search (default: 409600)");
  groups->add_option("--pictures", options->pictures, "Pictures to search (default: 1000)");
  groups->callback([options, &device, &seconds] {
    options->devices = device;
    options->seconds = seconds;
    millrace::tools::benchmark_group(*options);
  });
}

void add_ranks(CLI::App& app, const std::string& device, const double& seconds) {
  const auto options = std::make_shared<millrace::tools::RankBenchmarkOptions>();
  CLI::App* const ranks = app.add_subcommand(
      "ranks", "Sort, 3-stars and motion over 1, 2, 4 ... of the ranks that mpirun has started");
  ranks->add_option("--keys", options->keys, "To sort (default: 10000000)");
  ranks->add_option("--points", options->points, "To search (default: 50000)");
  ranks->add_option("--pictures", options->pictures, "To search (default: 8)");
  ranks->callback([options, &device, &seconds] {
    options->device = device;
    options->seconds = seconds;
    millrace::tools::benchmark_ranks(*options);
  });
}

// Returns the names of all benchmarks.
std::string names_in(const CLI::App& app) {
  std::string names;
  for (const CLI::App* const each : app.get_subcommands([](const CLI::App*) { return true; })) {
    names += (names.empty() ? "" : ", ") + each->get_name();
  }
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures Millrace against the limits of the machine", "bench");
  app.require_subcommand(1);
  std::string device = "tbb";
  double seconds = 2;
  app.add_option("--device", device, "The device to measure (default: tbb)");
  const CLI::Option* const seconds_option =
      app.add_option("--seconds", seconds, "Time for each part of a table (default: 2)")
          ->check(CLI::Range(0.001, 86'400.0));
  app.fallthrough();
  app.add_subcommand("tasks", "The cost of an empty task, against oneTBB")->callback([&] {
    millrace::tools::benchmark_tasks(seconds);
  });
  std::size_t failures = 0;
  add_auto(app, device, seconds, failures);
  add_queues(app, device, seconds);
  add_stress(app, device, *seconds_option, failures);
  add_codecs(app, device, seconds);
  add_groups(app, device, seconds);
  add_ranks(app, device, seconds);
  app.add_subcommand("copy", "Queue::copy in device memory and between it and the host, and pools")
      ->callback([&] { millrace::tools::benchmark_copies(device, seconds); });
  app.add_subcommand("pipeline", "Chunks through a device and back, against copies both ways")
      ->callback([&] { millrace::tools::benchmark_pipeline(device, seconds); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::cerr << "bench: " << error.what();
    if (app.get_subcommands().empty()) std::cerr << "; there are: " << names_in(app);
    std::cerr << '\n';
    return 2;
  } catch (const millrace::Error& error) {
    std::cerr << "bench: " << error.what() << '\n';
    return error.code() == millrace::ErrorCode::kUnsupported ? kUnsupportedStatus : 2;
  } catch (const std::exception& error) {
    std::cerr << "bench: " << error.what() << '\n';
    return 2;
  }
  return failures == 0 ? 0 : 1;
}
