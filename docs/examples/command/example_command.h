// SPDX-License-Identifier: Apache-2.0

// ExampleCommand has what the examples' commands share: --device, --policy, a table of the runs,
// and the exit status.
//
//   ExampleCommand command("What it does.", {"split", "leaf"});
//   command.app().add_option("--size", size);
//   return command.run(argc, argv, [&](Queue& queue, Policy policy) {
//     command.add(run_tasks(queue, roots, {.policy = policy}));
//     return result == expected;
//   });
#ifndef MILLRACE_DOCS_EXAMPLES_COMMAND_EXAMPLE_COMMAND_H_
#define MILLRACE_DOCS_EXAMPLES_COMMAND_EXAMPLE_COMMAND_H_

#include <millrace/docs/examples/command/example_devices.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/shared_tasks.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/runtime/tasks/run_report.h>

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace millrace::examples {

class ExampleCommand {
 public:
  // Runs the example once and says whether the result is right.
  using Body = std::function<bool(Queue&, Policy)>;

  // The same on one device, on a group or on ranks.
  using SharedBody = std::function<bool(const ExampleDevices&, Policy)>;

  // `task_names`: the types of the example's set, in their order.
  ExampleCommand(const std::string& description, std::vector<std::string> task_names);

  // Takes the example's own options.
  CLI::App& app() { return app_; }

  // Calls `body` under the chosen policy, or each of them, and prints the table and the verdict.
  // Returns the exit status: 0; 1 when a body returns false; 2, with one line on stderr, for a bad
  // command line or when Error is thrown.
  int run(int argc, char** argv, const Body& body);

  // The same for an example whose --device may be a list, and which may be started by mpirun. Rank
  // 0 prints.
  int run_shared(int argc, char** argv, const SharedBody& body);

  // Makes the verdict "skipped" instead of "ok", for runs whose results the caller does not check.
  void skip_check() { skips_check_ = true; }

  // A row of the table.
  void add(RunReport report) { reports_.push_back({device_, std::move(report), {}}); }

  // A row of the table for all devices, and if these are several a row for each.
  void add(const RunReport& report, const std::vector<SharedDeviceReport>& devices);

 private:
  struct Row {
    std::string device;
    RunReport report;
    ExchangeCounts exchanged;
  };

  int run_with(int argc, char** argv, const std::function<bool()>& run);
  std::vector<Policy> policies() const;
  bool finish(bool is_correct) const;
  void print_rows() const;

  CLI::App app_;
  std::vector<std::string> task_names_;
  std::string device_ = "tbb";
  std::string policy_;
  std::string trace_;
  int repeat_ = 1;
  bool skips_check_ = false;
  std::vector<Row> reports_;
};

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_COMMAND_EXAMPLE_COMMAND_H_
