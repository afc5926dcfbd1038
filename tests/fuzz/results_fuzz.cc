// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as results of benchmarks, and makes pages, tables for other programs and a check
// of run rules of what is valid.
#include <millrace/tests/fuzz/input/input_file.h>
#include <millrace/tools/report/analysis/compare_results.h>
#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/compliance/compliance.h>
#include <millrace/tools/report/export/fom_lines.h>
#include <millrace/tools/report/export/google_benchmark.h>
#include <millrace/tools/report/export/measurement_csv.h>
#include <millrace/tools/report/export/p3_csv.h>
#include <millrace/tools/report/page/markdown.h>
#include <millrace/tools/report/page/page.h>
#include <millrace/tools/report/report.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  static const fuzz::InputFile file("results.json");
  file.write({data, size});
  fuzz::read_or_reject([&] {
    const tools::MergedResults merged = tools::merge_results({file.path()});
    const tools::Document document = tools::report_of(merged, {});
    std::ostringstream page;
    tools::write_page(page, document);
    fuzz::require(page.str().find("<script") == std::string::npos, "a page has a script");
    std::ostringstream exports;
    tools::write_measurement_csv(exports, merged);
    tools::write_google_benchmark(exports, merged);
    tools::write_p3_csv(exports, merged);
    tools::write_fom_lines(exports, merged);
    for (const tools::Machine& machine : merged.machines) {
      tools::print_compliance(exports, machine.file, tools::compliance_of(machine.results));
    }
  });
  return 0;
}
