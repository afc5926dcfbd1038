// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/files/test_folder.h>
#include <millrace/tools/tables/columns/column_writer.h>
#include <millrace/tools/tables/columns/testing/made_column.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <streambuf>
#include <vector>

namespace millrace::tools {
namespace {

const NpyNumber kNumbers[] = {
    {NumberKind::kUnsigned, 1}, {NumberKind::kUnsigned, 2}, {NumberKind::kUnsigned, 4},
    {NumberKind::kUnsigned, 8}, {NumberKind::kSigned, 1},   {NumberKind::kSigned, 2},
    {NumberKind::kSigned, 4},   {NumberKind::kSigned, 8},   {NumberKind::kFloat, 2},
    {NumberKind::kFloat, 4},    {NumberKind::kFloat, 8}};

class ColumnWriterTest : public TestFolder, public testing::WithParamInterface<TableFormat> {
 protected:
  std::string random_bytes(std::size_t bytes) {
    std::string text(bytes, '\0');
    for (char& byte : text) byte = static_cast<char>(random_(0, 255));
    return text;
  }

  WrittenColumn column(const NpyNumber& number) const {
    return {.file = "out", .name = "x", .format = GetParam(), .number = number};
  }

  // Returns the columns that Arrow reads in what was written.
  std::vector<MadeColumn> written(const std::string& bytes) const {
    put("table", bytes);
    return columns_of(path("table"), GetParam());
  }

  void expect_round_trip(const NpyNumber& number, const std::string& bytes) const {
    std::ostringstream out;
    const auto writer = make_column_writer(out, column(number));
    writer->write(bytes.data(), bytes.size());
    writer->finish();
    const std::vector<MadeColumn> columns = written(out.str());
    ASSERT_EQ(columns.size(), 1U);
    EXPECT_EQ(columns[0].name, "x");
    EXPECT_EQ(columns[0].number, number);
    EXPECT_TRUE(columns[0].bytes == bytes) << number.description();
  }

  SeededRandom random_;
};

TEST_P(ColumnWriterTest, ArrowReadsEachTypeOfNumber) {
  for (const NpyNumber& number : kNumbers) {
    expect_round_trip(number, random_bytes(500 * number.bytes));
  }
}

// Arrow writes pages with dictionaries of their values.
TEST_P(ColumnWriterTest, NansKeepTheirSignsAndPayloads) {
  const std::vector<std::uint64_t> bits = {0xfff8000000000001, 0xffffffffffffffff,
                                           0x8000000000000000, 0,
                                           0x7ff8000000000000, 0x7ff8000000000002};
  expect_round_trip({NumberKind::kFloat, 8},
                    {reinterpret_cast<const char*>(bits.data()), 8 * bits.size()});
  const std::vector<std::uint32_t> single_bits = {0xffc00001, 0x80000000, 0, 0x7fc00000,
                                                  0x7fffffff};
  expect_round_trip({NumberKind::kFloat, 4},
                    {reinterpret_cast<const char*>(single_bits.data()), 4 * single_bits.size()});
  const std::vector<std::uint16_t> half_bits = {0xfe01, 0x8000, 0, 0x7e00, 0x7fff};
  expect_round_trip({NumberKind::kFloat, 2},
                    {reinterpret_cast<const char*>(half_bits.data()), 2 * half_bits.size()});
}

TEST_P(ColumnWriterTest, BytesMayBeCutAnywhere) {
  const NpyNumber number = {NumberKind::kSigned, 4};
  const std::string bytes = random_bytes(200'000 * number.bytes);
  std::ostringstream out;
  const auto writer = make_column_writer(out, column(number));
  for (std::size_t done = 0; done < bytes.size();) {
    const std::size_t some = std::min<std::size_t>(random_(1, 100'000), bytes.size() - done);
    writer->write(bytes.data() + done, some);
    done += some;
  }
  writer->finish();
  EXPECT_TRUE(written(out.str()).at(0).bytes == bytes);
}

TEST_P(ColumnWriterTest, AColumnWithoutRows) { expect_round_trip({NumberKind::kUnsigned, 8}, ""); }

TEST_P(ColumnWriterTest, BeginsAtThePositionOfTheStream) {
  const std::string bytes = random_bytes(80);
  std::ostringstream out;
  out << "ahead";
  const auto writer = make_column_writer(out, column({NumberKind::kUnsigned, 8}));
  writer->write(bytes.data(), bytes.size());
  writer->finish();
  EXPECT_EQ(written(out.str().substr(5)).at(0).bytes, bytes);
}

TEST_P(ColumnWriterTest, WithoutAFinishThereIsNoEnd) {
  const std::string bytes = random_bytes(300'000);
  std::ostringstream out;
  auto writer = make_column_writer(out, column({NumberKind::kUnsigned, 1}));
  writer->write(bytes.data(), bytes.size());
  const std::string before = out.str();
  writer.reset();
  EXPECT_TRUE(out.str() == before);
  EXPECT_ANY_THROW(written(out.str()));
}

TEST_P(ColumnWriterTest, RejectsAPartOfANumber) {
  std::ostringstream out;
  const auto writer = make_column_writer(out, column({NumberKind::kUnsigned, 4}));
  writer->write("12345", 5);
  EXPECT_THROW(writer->finish(), Error);
}

// Throws once it has taken some bytes.
class FullBuffer : public std::streambuf {
 public:
  explicit FullBuffer(std::streamsize capacity) : capacity_(capacity) {}

 private:
  std::streamsize xsputn(const char*, std::streamsize bytes) override {
    capacity_ -= bytes;
    if (capacity_ < 0) throw Error(ErrorCode::kIo, "the disk is full");
    return bytes;
  }

  std::streamsize capacity_;
};

TEST_P(ColumnWriterTest, TheErrorOfTheStreamComesOut) {
  FullBuffer buffer(100'000);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);
  const auto writer = make_column_writer(out, column({NumberKind::kUnsigned, 8}));
  const std::string bytes = random_bytes(8 * 200'000);
  try {
    writer->write(bytes.data(), bytes.size());
    writer->finish();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the disk is full");
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ColumnWriterTest,
                         testing::Values(TableFormat::kParquet, TableFormat::kArrow),
                         [](const testing::TestParamInfo<TableFormat>& info) {
                           return info.param == TableFormat::kParquet ? "Parquet" : "Arrow";
                         });

}  // namespace
}  // namespace millrace::tools
