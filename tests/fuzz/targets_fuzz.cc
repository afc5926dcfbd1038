// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as targets of benchmarks, and compares results with what is valid.
#include <millrace/tests/fuzz/input/input_file.h>
#include <millrace/tools/report/results/results.h>
#include <millrace/tools/report/targets/judged_targets.h>
#include <millrace/tools/report/targets/target_table.h>
#include <millrace/tools/report/targets/targets.h>

#include <cstddef>
#include <cstdint>

namespace {

millrace::tools::Measurement measured(const char* peer) {
  millrace::tools::Measurement each;
  each.workload = "sort-keys";
  each.size = 1000;
  each.device = "tbb";
  each.peer = peer;
  each.seconds.assign(6, 1e-3);
  each.median_seconds = each.low_seconds = each.high_seconds = 1e-3;
  each.limit_fraction = 0.5;
  each.values["bits per item"] = 3;
  return each;
}

millrace::tools::Results results() {
  millrace::tools::Results all;
  all.machine.label = "lab";
  all.devices.emplace_back().name = "tbb";
  all.measurements = {measured(""), measured("another")};
  return all;
}

}  // namespace

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  static const fuzz::InputFile file("targets.json");
  static const tools::Results all = results();
  file.write({data, size});
  fuzz::read_or_reject([&] {
    const tools::TargetSet set = tools::read_targets(file.path());
    const tools::JudgedTargets judged = tools::judge_targets(set, all);
    fuzz::require(tools::target_table(set, judged).rows.size() == judged.targets.size(),
                  "a target has no row");
    tools::target_summary(set, judged, all);
  });
  return 0;
}
