// SPDX-License-Identifier: Apache-2.0

// Compares rows of bytes, such as those of a plane, on all host threads.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_EQUAL_ROWS_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_EQUAL_ROWS_H_

#include <cstddef>

namespace millrace::tools {

// The shape of both sides. What lies between the end of a row and the next row is not compared.
struct RowShape {
  std::size_t bytes = 0;   // A row's.
  std::size_t stride = 0;  // Bytes from one row to the next.
  std::size_t count = 0;
};

// Returns true if all rows of `a` are those of `b`. Any thread may call it but a job of the host
// threads.
bool equal_rows(const std::byte* a, const std::byte* b, const RowShape& shape);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_EQUAL_ROWS_H_
