// SPDX-License-Identifier: Apache-2.0

// `millrace sort` of columns of Parquet and Arrow files.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/key_file.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/tables/columns/testing/made_column.h>

#include <algorithm>
#include <type_traits>

namespace millrace::end_to_end {
namespace {

using tools::MadeColumn;
using tools::NpyNumber;
using tools::NumberKind;
using tools::TableFormat;

constexpr std::size_t kRows = 20'000;
constexpr NpyNumber kPositions = {NumberKind::kUnsigned, 4};

template <class T>
constexpr NpyNumber kNumberOf = {std::is_floating_point_v<T> ? NumberKind::kFloat
                                 : std::is_signed_v<T>       ? NumberKind::kSigned
                                                             : NumberKind::kUnsigned,
                                 sizeof(T)};

class SortColumnsTest : public EndToEndTest, public testing::WithParamInterface<TableFormat> {
 protected:
  // Returns the name with the ending of the format.
  static std::string table(const std::string& name) {
    return name + (GetParam() == TableFormat::kParquet ? ".parquet" : ".feather");
  }

  // Writes columns of several row groups or batches.
  void make(const std::vector<MadeColumn>& columns) const {
    make_table(path(table("in")), GetParam(), columns, kRows / 3);
  }

  // Returns the only column of a table.
  MadeColumn column_of(const std::string& name) const {
    const std::vector<MadeColumn> columns = tools::columns_of(path(name), GetParam());
    EXPECT_EQ(columns.size(), 1U);
    return columns.at(0);
  }

  nlohmann::json sort(const std::string& in, const std::string& out,
                      const std::vector<std::string>& arguments = {}) const {
    std::vector<std::string> all = {path(in), "-o", path(out)};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_json("sort", all);
  }

  template <class T>
  std::vector<T> random_keys(std::uint64_t values) {
    std::vector<T> keys(kRows);
    for (T& key : keys) key = static_cast<T>(random_(0, values - 1));
    return keys;
  }

  template <class T>
  void expect_sorted(std::uint64_t values) {
    const std::vector<T> keys = random_keys<T>(values);
    make({{"x", kNumberOf<T>, bytes_of(keys)}});
    sort(table("in"), table("out"), {"--check"});
    EXPECT_EQ(column_of(table("out")), (MadeColumn{"x", kNumberOf<T>, bytes_of(sorted(keys))}));
  }

  SeededRandom random_;
};

TEST_P(SortColumnsTest, EachTypeStaysWhatItIs) {
  expect_sorted<std::uint8_t>(256);
  expect_sorted<std::uint16_t>(65'536);
  expect_sorted<std::uint32_t>(1'000'000);
  expect_sorted<std::uint64_t>(1'000'000'000'000);
  expect_sorted<std::int8_t>(256);
  expect_sorted<std::int16_t>(65'536);
  expect_sorted<std::int32_t>(1ULL << 32);
  expect_sorted<std::int64_t>(1'000'000'000'000);
  expect_sorted<float>(1'000'000);
  expect_sorted<double>(1'000'000);
}

TEST_P(SortColumnsTest, HalvesWithNansAreInTheTotalOrder) {
  const std::vector<std::uint16_t> keys = random_keys<std::uint16_t>(65'536);
  const NpyNumber half = {NumberKind::kFloat, 2};
  make({{"x", half, bytes_of(keys)}});
  sort(table("in"), table("out"), {"--check"});
  const auto wanted = sorted(keys, false, [](std::uint16_t key) {
    return (key & 0x8000) != 0 ? -1 - (key & 0x7fff) : int{key};
  });
  EXPECT_EQ(column_of(table("out")), (MadeColumn{"x", half, bytes_of(wanted)}));
}

TEST_P(SortColumnsTest, AColumnIsNamedInThreeWays) {
  const auto a = random_keys<std::uint32_t>(1'000);
  const auto b = random_keys<std::int16_t>(65'536);
  make({{"a", kNumberOf<std::uint32_t>, bytes_of(a)}, {"b", kNumberOf<std::int16_t>, bytes_of(b)}});
  EXPECT_EQ(sort(table("in"), "out", {"--column", "b"})["member"], "b");
  EXPECT_EQ(bytes("out"), bytes_of(sorted(b)));
  sort(table("in"), "out", {"--member", "a"});
  EXPECT_EQ(bytes("out"), bytes_of(sorted(a)));
  sort(table("in") + ":b", "out");
  EXPECT_EQ(bytes("out"), bytes_of(sorted(b)));
}

TEST_P(SortColumnsTest, PositionsAreAColumn) {
  const auto keys = random_keys<std::int64_t>(500);
  make({{"x", kNumberOf<std::int64_t>, bytes_of(keys)}});
  sort(table("in"), table("out"), {"--argsort", "--check"});
  EXPECT_EQ(column_of(table("out")),
            (MadeColumn{"position", kPositions, bytes_of(argsorted(keys))}));
}

TEST_P(SortColumnsTest, TheGreatestOfDifferentKeys) {
  const auto keys = random_keys<std::uint16_t>(300);
  make({{"x", kNumberOf<std::uint16_t>, bytes_of(keys)}});
  const auto json = sort(table("in"), table("out"), {"--unique", "--top", "7", "--descending"});
  EXPECT_EQ(json["written"], 7);
  std::vector<std::uint16_t> wanted = sorted(keys, /*is_descending=*/true);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  wanted.resize(7);
  EXPECT_EQ(column_of(table("out")).bytes, bytes_of(wanted));
}

TEST_P(SortColumnsTest, AColumnInSeveralRuns) {
  const auto keys = random_keys<std::uint64_t>(1'000'000);
  make({{"x", kNumberOf<std::uint64_t>, bytes_of(keys)}});
  EXPECT_EQ(sort(table("in"), table("out"), {"--check", "--memory", "65536"})["runs"], 5);
  EXPECT_EQ(column_of(table("out")).bytes, bytes_of(sorted(keys)));
}

TEST_P(SortColumnsTest, ColumnsBecomeArraysAndTheOtherWayRound) {
  const auto keys = random_keys<std::int32_t>(1'000);
  make({{"x", kNumberOf<std::int32_t>, bytes_of(keys)}});
  sort(table("in"), "out.npy", {"--check"});
  EXPECT_EQ(bytes("out.npy"), npy("'<i4'", "(20000,)", bytes_of(sorted(keys))));
  put("raw", bytes_of(keys));
  sort("raw", table("out"), {"--type", "i32", "--check"});
  EXPECT_EQ(column_of(table("out")),
            (MadeColumn{"key", kNumberOf<std::int32_t>, bytes_of(sorted(keys))}));
}

TEST_P(SortColumnsTest, BytesThatAreDeclaredRawAreKeys) {
  make({{"x", kNumberOf<std::uint8_t>, std::string(100, 'k')}});
  sort(table("in"), "out", {"--raw", "--type", "u8"});
  std::string wanted = bytes(table("in"));
  std::ranges::sort(wanted, {}, [](char byte) { return static_cast<unsigned char>(byte); });
  EXPECT_EQ(bytes("out"), wanted);
}

TEST_P(SortColumnsTest, RejectsWhatIsNoColumnOfKeys) {
  const std::string eight(8, 'x');
  make({{"price", kNumberOf<std::int8_t>, eight}, {"weight", kNumberOf<std::int8_t>, eight}});
  const std::string in = table("in");
  const auto rejected = [&](const std::vector<std::string>& arguments, const std::string& message) {
    std::vector<std::string> all = {"sort"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    expect_rejected(run(all), message);
  };
  rejected({in, "-o", "new"}, in + ": has the columns price, weight; name one: " + in + ":NAME");
  rejected(
      {in + ":prize", "-o", "new"},
      in + ": has the columns price, weight, and none is named 'prize'; did you mean 'price'?");
  rejected({in + ":price", "-o", "new", "--type", "u32"},
           in + ":price: holds i8, not u32; leave out --type, or cast the column");
  rejected({in + ":price", "-o", "new", "--value-bytes", "4"},
           in + ":price: a column has keys alone, without values of 4 bytes");
  rejected({in + ":price", "-o", "new", "--bits", "0:9"}, "--bits is 0:9, and");
  put("raw", eight);
  rejected({"raw", "-o", table("new"), "--value-bytes", "4"},
           table("new") + ": " + tools::to_string(GetParam()) +
               " is written with keys alone, without values of 4 bytes");
  put(table("text"), "Dear all,\nthese are no columns.\n");
  rejected({table("text"), "-o", "new"}, table("text") + ": is no Parquet or Arrow file");
  EXPECT_EQ(names(), (std::set<std::string>{in, "raw", table("text")}));
}

INSTANTIATE_TEST_SUITE_P(Formats, SortColumnsTest,
                         testing::Values(TableFormat::kParquet, TableFormat::kArrow),
                         [](const testing::TestParamInfo<TableFormat>& info) {
                           return info.param == TableFormat::kParquet ? "Parquet" : "Arrow";
                         });

}  // namespace
}  // namespace millrace::end_to_end
