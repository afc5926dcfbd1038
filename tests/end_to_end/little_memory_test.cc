// The command where the system gives it little memory.
#include <millrace/tests/end_to_end/end_to_end_test.h>

namespace millrace::end_to_end {
namespace {

using LittleMemoryTest = EndToEndTest;

TEST_F(LittleMemoryTest, IsOneSentence) {
  const ProcessOptions little = {.most_memory_bytes = std::size_t{20} << 30};
  expect_refused(
      run({"three-star", "--random", "4294967295", "--radius", "5", "--device", "tbb"}, little),
      "the run needs more memory than this process may have");
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace millrace::end_to_end
