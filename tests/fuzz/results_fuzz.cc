// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as results of benchmarks, and makes pages and comparisons of what is valid.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <millrace/tests/fuzz/input/input_file.h>
#include <millrace/tools/report/analysis/compare.h>
#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/page/markdown.h>
#include <millrace/tools/report/page/page.h>
#include <millrace/tools/report/report.h>

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
  });
  return 0;
}
