#include <millrace/tools/command/npy_header.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <millrace/runtime/error.h>
#include <millrace/tools/files/placed_file.h>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

class NpyHeaderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/npy_header_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  NpyHeader header_of(const std::string& bytes) const {
    std::ofstream(folder_ / "array.npy", std::ios::binary) << bytes;
    return read_npy_header(PlacedFile::open(folder_ / "array.npy"));
  }

  fs::path folder_;
};

TEST_F(NpyHeaderTest, IsReadAsItWasWritten) {
  for (const std::uint64_t count : {0ULL, 7ULL, 12'345'678'901ULL}) {
    const std::string written = npy_header("'<f8'", count);
    EXPECT_EQ(written.size() % 64, 0U);
    const NpyHeader header = header_of(written);
    EXPECT_EQ(header.element, "'<f8'");
    EXPECT_EQ(header.shape, std::to_string(count) + ",");
    EXPECT_FALSE(header.is_fortran_order);
    EXPECT_EQ(header.first_byte, written.size());
  }
}

TEST_F(NpyHeaderTest, OfAnotherFormatIsRefused) {
  std::string version_4 = npy_header("'<f8'", 7);
  version_4[6] = '\x04';
  std::string longer = npy_header("'<f8'", 7);
  longer[8] = '\x77';  // One more byte than there is.
  EXPECT_THROW(header_of("NUMPY"), Error);
  EXPECT_THROW(header_of(version_4), Error);
  EXPECT_THROW(header_of(longer), Error);
}

}  // namespace
}  // namespace millrace::tools
