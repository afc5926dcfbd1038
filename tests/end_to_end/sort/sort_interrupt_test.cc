// SPDX-License-Identifier: Apache-2.0

// Ctrl-C while a file is sorted that would take hours.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <algorithm>
#include <csignal>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

class SortInterruptTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    put("long", "");
    fs::resize_file(path("long"), std::uint64_t{1} << 40);  // Takes no space on the disk.
    put("out", "mine");
  }

  bool has_begun() const {
    const auto all = names();
    return std::any_of(all.begin(), all.end(), [](const std::string& name) {
      return fs::path(name).extension() == ".part";
    });
  }

  Finished run_and_send(int signal) {
    MillraceProcess process(folder_, {"sort", "long", "-o", "out", "--force", "--device", "tbb",
                                      "--memory", "1000000"});
    process.wait_until([&] { return has_begun(); });
    process.send_signal(signal);
    return process.wait();
  }
};

TEST_F(SortInterruptTest, LeavesTheFolderAsItWas) {
  for (const int signal : kEndingSignals) {
    const auto before = names();
    const Finished finished = run_and_send(signal);
    EXPECT_EQ(finished.exit_status, 128 + signal);
    EXPECT_EQ(finished.err, "millrace: " + interruption(signal) + "; nothing was written\n");
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(names(), before);
    EXPECT_EQ(bytes("out"), "mine");
  }
}

}  // namespace
}  // namespace millrace::end_to_end
