// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as a timeline, which `millrace report` draws.
#include <millrace/tests/fuzz/input/input_file.h>
#include <millrace/tools/report/analysis/trace_lanes.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  static const fuzz::InputFile file("trace.json");
  file.write({data, size});
  fuzz::read_or_reject([&] {
    const std::vector<tools::ChartLane> lanes = tools::read_trace_lanes(file.path());
    const tools::Overlap overlap = tools::overlap_of(lanes);
    fuzz::require(overlap.overlap <= overlap.busy && overlap.busy <= overlap.whole * (1 + 1e-9),
                  "lanes are busy for longer than they last");
    tools::joined(lanes, overlap.whole);
  });
  return 0;
}
