// Benchmarks, each a table of ratios measured in one run:
//   bazel run -c opt //tools:bench -- idct
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include <millrace/runtime/backend.h>
#include <millrace/tools/benchmark/idct_benchmark.h>
#include <millrace/tools/benchmark/idct_paper_benchmark.h>
#include <millrace/tools/benchmark/task_benchmark.h>
#include <millrace/tools/command/copy_rate.h>

int main(int argc, char** argv) {
  CLI::App app("Measures Millrace against the limits of the machine", "bench");
  app.require_subcommand(1);
  std::string device = "tbb";
  double seconds = 2;
  app.add_option("--device", device, "The device to measure (default: tbb)");
  app.add_option("--seconds", seconds, "Time for each part of a table (default: 2)")
      ->check(CLI::PositiveNumber);
  app.fallthrough();
  app.add_subcommand("idct", "The inverse transform over a mixed macroblock queue")->callback([&] {
    millrace::tools::benchmark_idct(device, seconds);
  });
  std::string csv;
  CLI::App* const paper = app.add_subcommand(
      "idct-paper", "Two algorithms and three ways to reach memory on a GPU, by queue length");
  paper->add_option("--csv", csv, "Write the table's figures to this file");
  paper->callback([&] { millrace::tools::benchmark_idct_paper(device, seconds, csv); });
  app.add_subcommand("tasks", "The cost of an empty task, against oneTBB")->callback([&] {
    millrace::tools::benchmark_tasks(seconds);
  });
  app.add_subcommand("copy", "Queue::copy in device memory, on one thread and on all")
      ->callback([&] {
        for (const int concurrency : {1, 0}) {
          const auto queue =
              millrace::open_device(device)->make_queue({.concurrency = concurrency});
          std::printf("%-11s %6.1f GB/s read and written\n",
                      concurrency == 1 ? "one thread" : "all threads",
                      millrace::tools::measure_copy_rate(*queue) / 1e9);
        }
      });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::cerr << "bench: " << error.what() << "; there are: idct, idct-paper, tasks, copy\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "bench: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
