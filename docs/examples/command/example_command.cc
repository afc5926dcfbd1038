// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/command/example_command.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/timeline/internal/timeline_json.h>
#include <millrace/runtime/timeline/timeline.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

namespace millrace::examples {

ExampleCommand::ExampleCommand(const std::string& description, std::vector<std::string> task_names)
    : app_(description), task_names_(std::move(task_names)) {
  app_.add_option("--device", device_, "where to run")->capture_default_str();
  app_.add_option("--policy", policy_,
                  "persistent, uberkernel, kernel-per-type or auto (default: the first three)");
}

int ExampleCommand::run(int argc, char** argv, const Body& body) {
  return run_with(argc, argv, [&] {
    const auto queue = open_device(device_)->make_queue();
    bool is_correct = true;
    for (const Policy policy : policies()) is_correct = body(*queue, policy) && is_correct;
    return finish(is_correct);
  });
}

int ExampleCommand::run_shared(int argc, char** argv, const SharedBody& body) {
  app_.add_option("--trace", trace_, "file for a timeline of the devices");
  app_.add_option("--repeat", repeat_, "runs under each policy; the first also allocates memory")
      ->capture_default_str();
  return run_with(argc, argv, [&] {
    const ExampleDevices devices(device_);
    if (!devices.is_first() && std::freopen("/dev/null", "w", stdout) == nullptr) {
      throw Error(ErrorCode::kIo, "cannot open /dev/null");
    }
    Timeline timeline;
    bool is_correct = true;
    {
      std::optional<Timeline::Recording> recording;
      if (!trace_.empty()) recording.emplace(timeline);
      for (int i = 0; i < repeat_; ++i) {
        for (const Policy policy : policies()) is_correct = body(devices, policy) && is_correct;
      }
    }
    if (!trace_.empty() && devices.is_first()) {
      std::ofstream file(trace_);
      write_chrome_trace(timeline, file);
      if (!file.flush()) throw Error(ErrorCode::kIo, "cannot write '" + trace_ + "'");
    }
    return finish(is_correct);
  });
}

void ExampleCommand::add(const RunReport& report, const std::vector<SharedDeviceReport>& devices) {
  reports_.push_back({device_, report, {}});
  if (devices.size() < 2) return;
  for (const SharedDeviceReport& device : devices) {
    reports_.push_back({"  " + device.device, device.run, device.exchanged});
  }
}

int ExampleCommand::run_with(int argc, char** argv, const std::function<bool()>& run) {
  try {
    app_.parse(argc, argv);
    return run() ? 0 : 1;
  } catch (const CLI::Success& success) {  // --help
    return app_.exit(success);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  }
  return 2;
}

std::vector<Policy> ExampleCommand::policies() const {
  if (!policy_.empty()) return {parse_policy(policy_)};
  return {std::begin(kConcretePolicies), std::end(kConcretePolicies)};
}

bool ExampleCommand::finish(bool is_correct) const {
  print_rows();
  std::printf("\ncheck: %s\n", !is_correct ? "FAILED" : skips_check_ ? "skipped" : "ok");
  return is_correct;
}

void ExampleCommand::print_rows() const {
  std::printf("%-8s %-16s", "device", "policy");
  for (const std::string& name : task_names_) std::printf(" %12s", name.c_str());
  std::printf(" %8s %8s %10s\n", "waves", "steals", "ms");
  for (const Row& row : reports_) {
    std::printf("%-8s %-16s", row.device.c_str(), to_string(row.report.policy));
    for (const std::uint64_t tasks : row.report.tasks_by_type) {
      std::printf(" %12llu", static_cast<unsigned long long>(tasks));
    }
    std::printf(" %8llu %8llu %10.2f", static_cast<unsigned long long>(row.report.waves),
                static_cast<unsigned long long>(row.report.steals), row.report.seconds * 1e3);
    if (row.exchanged.segments > 0) {
      std::printf("  %llu segments, %llu tasks taken, %llu given, %llu arrivals sent",
                  static_cast<unsigned long long>(row.exchanged.segments),
                  static_cast<unsigned long long>(row.exchanged.tasks_taken),
                  static_cast<unsigned long long>(row.exchanged.tasks_given),
                  static_cast<unsigned long long>(row.exchanged.arrivals_sent));
    }
    std::printf("\n");
  }
}

}  // namespace millrace::examples
