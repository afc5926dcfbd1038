// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/example_command.h>

#include <cstdio>
#include <iterator>
#include <utility>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>

namespace millrace::examples {

ExampleCommand::ExampleCommand(const std::string& description, std::vector<std::string> task_names)
    : app_(description), task_names_(std::move(task_names)) {
  app_.add_option("--device", device_, "where to run")->capture_default_str();
  app_.add_option("--policy", policy_,
                  "persistent, uberkernel, kernel-per-type or auto (default: the first three)");
}

int ExampleCommand::run(int argc, char** argv, const Body& body) {
  try {
    app_.parse(argc, argv);
    return run_each_policy(body) ? 0 : 1;
  } catch (const CLI::Success& success) {  // --help
    return app_.exit(success);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  }
  return 2;
}

bool ExampleCommand::run_each_policy(const Body& body) {
  std::vector<Policy> policies(std::begin(kConcretePolicies), std::end(kConcretePolicies));
  if (!policy_.empty()) policies = {parse_policy(policy_)};
  const auto queue = open_device(device_)->make_queue();
  bool correct = true;
  for (const Policy policy : policies) correct = body(*queue, policy) && correct;
  print_reports();
  std::printf("\ncheck: %s\n", !correct ? "FAILED" : skips_check_ ? "skipped" : "ok");
  return correct;
}

void ExampleCommand::print_reports() const {
  std::printf("%-8s %-16s", "device", "policy");
  for (const std::string& name : task_names_) std::printf(" %12s", name.c_str());
  std::printf(" %8s %8s %10s\n", "waves", "steals", "ms");
  for (const RunReport& report : reports_) {
    std::printf("%-8s %-16s", device_.c_str(), to_string(report.policy));
    for (const std::uint64_t tasks : report.tasks_by_type) {
      std::printf(" %12llu", static_cast<unsigned long long>(tasks));
    }
    std::printf(" %8llu %8llu %10.2f\n", static_cast<unsigned long long>(report.waves),
                static_cast<unsigned long long>(report.steals), report.seconds * 1e3);
  }
}

}  // namespace millrace::examples
