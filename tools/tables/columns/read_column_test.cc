// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/files/test_folder.h>
#include <millrace/tools/tables/columns/read_column.h>
#include <millrace/tools/tables/columns/testing/made_column.h>
#include <millrace/tools/tables/columns/testing/write_table.h>

#include <arrow/array.h>
#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_dict.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/chunked_array.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <gmock/gmock.h>

#include <memory>
#include <ostream>
#include <vector>

namespace millrace::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const NpyNumber kNumbers[] = {
    {NumberKind::kUnsigned, 1}, {NumberKind::kUnsigned, 2}, {NumberKind::kUnsigned, 4},
    {NumberKind::kUnsigned, 8}, {NumberKind::kSigned, 1},   {NumberKind::kSigned, 2},
    {NumberKind::kSigned, 4},   {NumberKind::kSigned, 8},   {NumberKind::kFloat, 2},
    {NumberKind::kFloat, 4},    {NumberKind::kFloat, 8}};

class ReadColumnTest : public TestFolder, public testing::WithParamInterface<TableFormat> {
 protected:
  std::string random_bytes(std::size_t bytes) {
    std::string text(bytes, '\0');
    for (char& byte : text) byte = static_cast<char>(random_(0, 255));
    return text;
  }

  NumberColumn read(const std::string& name = "") const {
    return read_column(PositionedFile::open(path("table")), GetParam(), name, folder_.string());
  }

  static std::string bytes_of(const NumberColumn& column) {
    std::string bytes(column.values.bytes(), '\0');
    column.values.read(0, bytes.data(), bytes.size());
    return bytes;
  }

  void make(const std::vector<MadeColumn>& columns, std::int64_t chunk_rows) const {
    make_table(path("table"), GetParam(), columns, chunk_rows);
  }

  // Writes a table of one column, "x".
  void write(const std::shared_ptr<arrow::ChunkedArray>& arrays,
             std::int64_t chunk_rows = 100) const {
    const auto schema = arrow::schema({arrow::field("x", arrays->type())});
    write_table(path("table"), GetParam(), *arrow::Table::Make(schema, {arrays}), chunk_rows);
  }

  // Returns the code and the message for the column.
  std::pair<ErrorCode, std::string> error_of(const std::string& name = "") const {
    try {
      read(name);
    } catch (const Error& error) {
      return {error.code(), error.what()};
    }
    return {ErrorCode::kInternal, "no error"};
  }

  void expect_type_rejected(const std::shared_ptr<arrow::Array>& array, const std::string& type) {
    write(std::make_shared<arrow::ChunkedArray>(array));
    const auto [code, message] = error_of("x");
    EXPECT_EQ(code, ErrorCode::kIo);
    EXPECT_THAT(message, AllOf(HasSubstr("table: the column 'x' is of " + type),
                               HasSubstr("keys are int8, int16, int32, int64, uint8, uint16, "
                                         "uint32, uint64, float16, float32 or float64; cast it")));
  }

  SeededRandom random_;
};

TEST_P(ReadColumnTest, EachTypeOfNumberInOneChunk) {
  for (const NpyNumber& number : kNumbers) {
    const std::string bytes = random_bytes(100 * number.bytes);
    make({{"x", number, bytes}}, 100);
    const NumberColumn column = read();
    EXPECT_EQ(column.name, "x");
    EXPECT_EQ(column.number, number) << number.description();
    EXPECT_EQ(column.count, 100U);
    EXPECT_TRUE(bytes_of(column) == bytes) << number.description();
  }
}

TEST_P(ReadColumnTest, ChunksOfEachTypeBecomeOneArray) {
  for (const NpyNumber& number : kNumbers) {
    const std::string bytes = random_bytes(1000 * number.bytes);
    make({{"x", number, bytes}}, 7);
    const NumberColumn column = read();
    EXPECT_EQ(column.count, 1000U);
    EXPECT_TRUE(bytes_of(column) == bytes) << number.description();
  }
}

TEST_P(ReadColumnTest, MoreRowsThanAreReadAtOnce) {
  const std::string bytes = random_bytes(200'000 * 2);
  make({{"x", {NumberKind::kSigned, 2}, bytes}}, 150'000);
  EXPECT_TRUE(bytes_of(read()) == bytes);
}

TEST_P(ReadColumnTest, OneOfSeveralColumnsByItsName) {
  const std::string a = random_bytes(50);
  const std::string b = random_bytes(200);
  make({{"a", {NumberKind::kUnsigned, 1}, a}, {"b", {NumberKind::kFloat, 4}, b}}, 20);
  EXPECT_EQ(bytes_of(read("a")), a);
  EXPECT_EQ(bytes_of(read("b")), b);
}

TEST_P(ReadColumnTest, AColumnBesideOthersThatAreNoNumbers) {
  const std::vector<std::int32_t> keys = {3, -1, 2};
  arrow::Int32Builder numbers;
  ASSERT_TRUE(numbers.AppendValues(keys).ok());
  arrow::StringBuilder words;
  ASSERT_TRUE(words.AppendValues({"a", "b", "c"}).ok());
  const auto number_array = *numbers.Finish();
  const auto inner =
      *arrow::StructArray::Make({number_array, number_array}, std::vector<std::string>{"p", "q"});
  const auto schema =
      arrow::schema({arrow::field("words", arrow::utf8()), arrow::field("pair", inner->type()),
                     arrow::field("keys", arrow::int32())});
  write_table(path("table"), GetParam(),
              *arrow::Table::Make(schema, {*words.Finish(), inner, number_array}), 100);
  EXPECT_EQ(bytes_of(read("keys")),
            std::string(reinterpret_cast<const char*>(keys.data()), 3 * sizeof(std::int32_t)));
  EXPECT_THAT(error_of("pair").second, HasSubstr("the column 'pair' is of struct<"));
}

TEST_P(ReadColumnTest, NoRows) {
  make({{"x", {NumberKind::kSigned, 8}, ""}}, 10);
  const NumberColumn column = read("x");
  EXPECT_EQ(column.count, 0U);
  EXPECT_EQ(column.values.bytes(), 0U);
}

TEST_P(ReadColumnTest, ATableWithinAFile) {
  const std::string bytes = random_bytes(400);
  make({{"x", {NumberKind::kUnsigned, 4}, bytes}}, 30);
  const std::string table = text("table");
  put("all", "ahead" + table + "behind");
  const PositionedFile all = PositionedFile::open(path("all"));
  const PositionedFile part = all.segment(5, table.size(), "part");
  EXPECT_EQ(bytes_of(read_column(part, GetParam(), "x", folder_.string())), bytes);
}

TEST_P(ReadColumnTest, NullsOfAllChunksAreCountedAndRejected) {
  arrow::Int64Builder builder;
  for (int i = 0; i < 1000; ++i) {
    const bool is_null = i == 5 || i == 500 || i == 999;
    ASSERT_TRUE((is_null ? builder.AppendNull() : builder.Append(i)).ok());
  }
  write(std::make_shared<arrow::ChunkedArray>(*builder.Finish()));
  const auto [code, message] = error_of("x");
  EXPECT_EQ(code, ErrorCode::kIo);
  EXPECT_THAT(message, HasSubstr("table: the column 'x' has nulls, 3 in 1000 rows, and keys "
                                 "are numbers; drop these rows, or fill them with a number"));
}

TEST_P(ReadColumnTest, NullsOfAnotherColumnDoNotMatter) {
  arrow::Int16Builder some;
  ASSERT_TRUE(some.AppendNull().ok() && some.Append(1).ok());
  arrow::UInt8Builder all;
  ASSERT_TRUE(all.AppendValues({8, 9}).ok());
  const auto schema =
      arrow::schema({arrow::field("some", arrow::int16()), arrow::field("all", arrow::uint8())});
  write_table(path("table"), GetParam(),
              *arrow::Table::Make(schema, {*some.Finish(), *all.Finish()}), 100);
  EXPECT_EQ(bytes_of(read("all")), "\x08\x09");
}

TEST_P(ReadColumnTest, StringsAreRejected) {
  arrow::StringBuilder builder;
  ASSERT_TRUE(builder.Append("word").ok());
  expect_type_rejected(*builder.Finish(), "string");
}

TEST_P(ReadColumnTest, DictionariesAreRejected) {
  arrow::StringDictionaryBuilder builder;
  ASSERT_TRUE(builder.Append("word").ok());
  expect_type_rejected(*builder.Finish(), "dictionary<values=string");
}

TEST_P(ReadColumnTest, TruthValuesAreRejected) {
  arrow::BooleanBuilder builder;
  ASSERT_TRUE(builder.Append(true).ok());
  expect_type_rejected(*builder.Finish(), "bool");
}

TEST_P(ReadColumnTest, TimesAreRejected) {
  arrow::TimestampBuilder builder(arrow::timestamp(arrow::TimeUnit::MICRO),
                                  arrow::default_memory_pool());
  ASSERT_TRUE(builder.Append(1).ok());
  expect_type_rejected(*builder.Finish(), "timestamp[us]");
}

TEST_P(ReadColumnTest, AMisspelledNameGetsTheNearestAndAList) {
  const std::string bytes = random_bytes(10);
  make({{"price", {NumberKind::kSigned, 1}, bytes}, {"weight", {NumberKind::kSigned, 1}, bytes}},
       10);
  const auto [code, message] = error_of("prize");
  EXPECT_EQ(code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(message, HasSubstr("table: has the columns price, weight, and none is named 'prize'; "
                                 "did you mean 'price'?"));
}

TEST_P(ReadColumnTest, OneOfSeveralIsToBeNamed) {
  const std::string bytes = random_bytes(10);
  make({{"a", {NumberKind::kSigned, 1}, bytes}, {"b", {NumberKind::kSigned, 1}, bytes}}, 10);
  const auto [code, message] = error_of("");
  EXPECT_EQ(code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(message, HasSubstr("table: has the columns a, b; name one: "));
}

TEST_P(ReadColumnTest, ANameOfTwoColumnsIsRejected) {
  const std::string bytes = random_bytes(10);
  make({{"a", {NumberKind::kSigned, 1}, bytes}, {"a", {NumberKind::kSigned, 1}, bytes}}, 10);
  const auto [code, message] = error_of("a");
  EXPECT_EQ(code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(message, HasSubstr("table: has 2 columns named 'a'; rename them"));
}

TEST_P(ReadColumnTest, EveryCutFileIsRejected) {
  make({{"x", {NumberKind::kUnsigned, 4}, random_bytes(64)}}, 8);
  const std::string whole = text("table");
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    put("table", whole.substr(0, bytes));
    const auto [code, message] = error_of("x");
    EXPECT_EQ(code, ErrorCode::kIo) << bytes << " bytes: " << message;
    EXPECT_THAT(message,
                HasSubstr(std::string("table: cannot be read as ") + to_string(GetParam())));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ReadColumnTest,
                         testing::Values(TableFormat::kParquet, TableFormat::kArrow),
                         [](const testing::TestParamInfo<TableFormat>& info) {
                           return info.param == TableFormat::kParquet ? "Parquet" : "Arrow";
                         });

}  // namespace
}  // namespace millrace::tools
