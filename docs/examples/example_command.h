// SPDX-License-Identifier: Apache-2.0

// ExampleCommand holds the parts that the examples' commands share: --device, --policy, a table of
// the runs, and the exit status.
//
//   ExampleCommand command("What it does.", {"split", "leaf"});
//   command.app().add_option("--size", size);
//   return command.run(argc, argv, [&](Queue& queue, Policy policy) {
//     command.add(run_tasks(queue, roots, {.policy = policy}));
//     return result == expected;
//   });
#ifndef MILLRACE_DOCS_EXAMPLES_EXAMPLE_COMMAND_H_
#define MILLRACE_DOCS_EXAMPLES_EXAMPLE_COMMAND_H_

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/runtime/tasks/run_report.h>

namespace millrace::examples {

class ExampleCommand {
 public:
  // Runs the example once and says whether the result is right.
  using Body = std::function<bool(Queue&, Policy)>;

  // `task_names`: the types of the example's set, in their order.
  ExampleCommand(const std::string& description, std::vector<std::string> task_names);

  // For options of the example's own.
  CLI::App& app() { return app_; }

  // Calls `body` under the policy asked for, or each of them, and prints the table and the verdict.
  // Returns the exit status: 0; 1 when a body returns false; 2, with one line on stderr, for a bad
  // command line or when Error is thrown.
  int run(int argc, char** argv, const Body& body);

  // Makes the verdict "skipped" instead of "ok", for runs whose results the caller does not check.
  void skip_check() { skips_check_ = true; }

  // A row of the table.
  void add(RunReport report) { reports_.push_back(std::move(report)); }

 private:
  bool run_each_policy(const Body& body);
  void print_reports() const;

  CLI::App app_;
  std::vector<std::string> task_names_;
  std::string device_ = "tbb";
  std::string policy_;
  bool skips_check_ = false;
  std::vector<RunReport> reports_;
};

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_EXAMPLE_COMMAND_H_
