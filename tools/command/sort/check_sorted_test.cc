// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/sort/check_sorted.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/files/interrupt_guard.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;
using radix_sort::KeyType;
using radix_sort::SortOrder;
using Words = std::vector<std::uint32_t>;

class SortCheckTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/sort_check_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string put(const std::string& name, const Words& words) const {
    std::ofstream file(folder_ / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size() * sizeof(words[0])));
    return (folder_ / name).string();
  }

  // Returns the error of the check of `sorted` against `input`; "" for none.
  std::string complaint(const Words& input, const Words& sorted,
                        std::size_t value_bytes = 0) const {
    return complaint_of(input, sorted, value_bytes, false);
  }
  std::string complaint_about_positions(const Words& keys, const Words& positions) const {
    return complaint_of(keys, positions, 0, true);
  }

  std::size_t memory_bytes_ = 1 << 16;  // Used to look up keys.

 private:
  std::string complaint_of(const Words& input, const Words& sorted, std::size_t value_bytes,
                           bool is_argsort) const {
    const SortInput opened(put("in", input),
                           {.type = KeyType::kU32, .value_bytes = value_bytes, .is_raw = true});
    const PositionedFile file = PositionedFile::open(put("out", sorted));
    const InterruptGuard interrupt;
    SortWatch watch(interrupt, 0);
    try {
      if (is_argsort) {
        check_argsorted(opened, SortOrder::kAscending, {file}, sizeof(sorted[0]), memory_bytes_,
                        watch);
      } else {
        check_sorted(opened, SortOrder::kAscending, {file}, watch);
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInternal);
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(SortCheckTest, TakesSortedKeys) { EXPECT_EQ(complaint({3, 1, 2, 1}, {1, 1, 2, 3}), ""); }

TEST_F(SortCheckTest, FindsKeysOutOfOrder) {
  EXPECT_EQ(complaint({3, 1, 2}, {1, 3, 2}),
            "--check: record 2 of the result is out of order: its key belongs before that of the "
            "record before it");
}

TEST_F(SortCheckTest, FindsAnotherKey) {
  EXPECT_EQ(complaint({3, 1, 2}, {1, 2, 4}),
            "--check: the records of the result are not those of the input");
}

TEST_F(SortCheckTest, FindsAKeyThatIsThereTwiceInsteadOfAnother) {
  EXPECT_EQ(complaint({1, 1, 2}, {1, 2, 2}),
            "--check: the records of the result are not those of the input");
}

TEST_F(SortCheckTest, FindsAMissingKey) {
  EXPECT_EQ(complaint({3, 1}, {1}), "--check: the result has 4 bytes, not 8");
}

TEST_F(SortCheckTest, FindsValuesThatChangedTheirKeys) {
  EXPECT_EQ(complaint({1, 10, 2, 20}, {1, 10, 2, 20}, 4), "");
  EXPECT_EQ(complaint({1, 10, 2, 20}, {1, 20, 2, 10}, 4),
            "--check: the records of the result are not those of the input");
}

TEST_F(SortCheckTest, TakesPositionsInOrder) {
  EXPECT_EQ(complaint_about_positions({3, 1, 2, 1}, {1, 3, 2, 0}), "");
}

TEST_F(SortCheckTest, LooksUpKeysInTheFileWithoutMemoryForThem) {
  memory_bytes_ = 0;
  EXPECT_EQ(complaint_about_positions({3, 1, 2, 1}, {1, 3, 2, 0}), "");
  EXPECT_NE(complaint_about_positions({3, 1, 2, 1}, {1, 3, 0, 2}), "");
}

TEST_F(SortCheckTest, FindsPositionsOfEqualKeysOutOfOrder) {
  EXPECT_EQ(complaint_about_positions({3, 1, 2, 1}, {3, 1, 2, 0}),
            "--check: record 1 of the result is out of order: its key belongs before that of the "
            "record before it");
}

TEST_F(SortCheckTest, FindsAPositionThatIsThereTwice) {
  EXPECT_EQ(complaint_about_positions({3, 1}, {1, 1}),
            "--check: record 1 of the result is out of order: its key belongs before that of the "
            "record before it");
}

TEST_F(SortCheckTest, FindsAPositionThatHasNoKey) {
  EXPECT_EQ(complaint_about_positions({3, 1}, {1, 7}), "--check: position 7 is outside the input");
}

}  // namespace
}  // namespace millrace::tools
