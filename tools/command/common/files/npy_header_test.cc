// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/files/input/positioned_file.h>

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
using Shape = std::vector<std::uint64_t>;

// A header of a version whose dictionary is this text.
std::string header_with(const std::string& dictionary, int version = 1) {
  const std::string text = dictionary + "   \n";
  std::string bytes = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    bytes += static_cast<char>(text.size() >> 8 * i & 0xff);
  }
  return bytes + text;
}

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
    return read_npy_header(PositionedFile::open(folder_ / "array.npy"));
  }

  fs::path folder_;
};

TEST_F(NpyHeaderTest, IsReadAsItWasWritten) {
  for (const std::uint64_t count : {0ULL, 7ULL, 12'345'678'901ULL}) {
    const std::string written = npy_header("'<f8'", count);
    EXPECT_EQ(written.size() % 64, 0U);
    const NpyHeader header = header_of(written);
    EXPECT_EQ(header.element, "'<f8'");
    EXPECT_EQ(header.shape, Shape{count});
    EXPECT_FALSE(header.is_fortran_order);
    EXPECT_EQ(header.first_byte, written.size());
  }
}

TEST_F(NpyHeaderTest, OfAnotherFormatIsRejected) {
  std::string version_4 = npy_header("'<f8'", 7);
  version_4[6] = '\x04';
  std::string longer = npy_header("'<f8'", 7);
  longer[8] = '\x77';  // One more byte than there is.
  EXPECT_THROW(header_of("NUMPY"), Error);
  EXPECT_THROW(header_of(version_4), Error);
  EXPECT_THROW(header_of(longer), Error);
}

struct Spelling {
  const char* dictionary;
  const char* element;
  Shape shape;
  const char* shape_text;
  bool is_fortran_order;
};

const Spelling kSpellings[] = {
    {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", "'<i4'", {3}, "(3,)", false},
    {"{'shape': (3L, 2L), 'fortran_order': True, 'descr': '<f8'}", "'<f8'", {3, 2}, "(3, 2)", true},
    {R"({"descr":"<i8","fortran_order":False,"shape":(10L,)})", "'<i8'", {10}, "(10,)", false},
    {"{u'descr': u'>u2', u'fortran_order' : False , 'shape': ( 3 , 2 , ) ,}",
     "'>u2'",
     {3, 2},
     "(3, 2)",
     false},
    {"{'descr': '<i4', 'fortran_order': False, 'shape': ()}", "'<i4'", {}, "()", false},
    {"{'descr': [('a', '<i4', (2,)), ('b]', '|S3')], 'fortran_order': False, 'shape': (3,)}",
     "[('a', '<i4', (2,)), ('b]', '|S3')]",
     {3},
     "(3,)",
     false},
};

TEST_F(NpyHeaderTest, IsReadAsPythonWouldReadIt) {
  for (const Spelling& spelling : kSpellings) {
    for (const int version : {1, 2, 3}) {
      SCOPED_TRACE(spelling.dictionary);
      const std::string bytes = header_with(spelling.dictionary, version);
      const NpyHeader header = header_of(bytes + "elements");
      EXPECT_EQ(header.element, spelling.element);
      EXPECT_EQ(header.shape, spelling.shape);
      EXPECT_EQ(header.shape_text(), spelling.shape_text);
      EXPECT_EQ(header.is_fortran_order, spelling.is_fortran_order);
      EXPECT_EQ(header.first_byte, bytes.size());
    }
  }
}

TEST_F(NpyHeaderTest, BrokenDictionariesAreRejected) {
  for (const char* dictionary : {
           "",
           "{",
           "{'descr': '<i4', 'fortran_order': False}",
           "{'descr': '<i4', 'shape': (3,)}",
           "{'fortran_order': False, 'shape': (3,)}",
           "{'descr': '<i4', 'fortran_order': False, 'shape': (3,)",
           "{'descr': '<i4', 'fortran_order': False, 'shape': (3)}",
           "{'descr': '<i4', 'fortran_order': False, 'shape': (-3,)}",
           "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
           "{'descr': '<i4', 'fortran_order': 0, 'shape': (3,)}",
           "{'descr': '<i4, 'fortran_order': False, 'shape': (3,)}",
           "{'descr': [('a', '<i4'), 'fortran_order': False, 'shape': (3,)}",
           "{'descr': '<i4', 'fortran_order': False, 'shape': (3,)} 1",
       }) {
    EXPECT_THROW(header_of(header_with(dictionary)), Error) << dictionary;
  }
}

TEST_F(NpyHeaderTest, SizesThatAreNotTheShapesAreRejected) {
  NpyHeader header;
  header.shape = {3, 2};
  EXPECT_NO_THROW(check_npy_size(header, 4, 24, "in.npy"));
  EXPECT_THROW(check_npy_size(header, 4, 23, "in.npy"), Error);
  EXPECT_THROW(check_npy_size(header, 4, 28, "in.npy"), Error);
  header.shape = {std::uint64_t{1} << 62, 8};
  EXPECT_THROW(check_npy_size(header, 4, 0, "in.npy"), Error);
}

}  // namespace
}  // namespace millrace::tools
