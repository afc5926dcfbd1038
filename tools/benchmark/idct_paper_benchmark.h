// `bench idct-paper`: Fig. 5 of Chen, Wang, Zhuang and Liu (algorithms/idct/idct_strategies.h) on
// this device, from a thousand macroblocks to a million, beside the runtime's policies.
#ifndef MILLRACE_TOOLS_BENCHMARK_IDCT_PAPER_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARK_IDCT_PAPER_BENCHMARK_H_

#include <string>

namespace millrace::tools {

// Prints a table and where one algorithm or access becomes faster than another; `csv` names a file
// for the table's figures, or is empty. `seconds` is spent on each number of macroblocks. Throws
// kUnsupported on a device that is no GPU, kIo where the file cannot be written, and kInternal
// where a result differs from the reference (which is checked before any timing).
void benchmark_idct_paper(const std::string& device, double seconds, const std::string& csv);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARK_IDCT_PAPER_BENCHMARK_H_
