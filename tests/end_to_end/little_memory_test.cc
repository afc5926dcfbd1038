// SPDX-License-Identifier: Apache-2.0

// The command where the system gives it little memory.
#include <millrace/tests/end_to_end/end_to_end_test.h>

namespace millrace::end_to_end {
namespace {

using LittleMemoryTest = EndToEndTest;

TEST_F(LittleMemoryTest, IsOneSentence) {
  // As many as are allowed where the machine has 10 GB; the points alone are 1.2.
  const ProcessOptions little = {.most_memory_bytes = std::size_t{1} << 30};
  expect_rejected(
      run({"three-star", "--random", "150000000", "--radius", "5", "--device", "tbb"}, little),
      "the run needs more memory than this process may have");
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace millrace::end_to_end
