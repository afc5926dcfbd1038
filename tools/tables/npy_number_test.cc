// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/tables/npy_number.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

struct Stored {
  const char* description;
  std::string bytes;
  double value;
};

const Stored kStored[] = {
    {"'|u1'", "\xff", 255},
    {"'<u1'", "\xff", 255},
    {"'|i1'", "\xff", -1},
    {"'<i2'", std::string("\x00\x80", 2), -32768},
    {"'>i2'", std::string("\x00\x80", 2), 128},
    {"'=u2'", std::string("\x01\x80", 2), 32769},
    {"'i4'", std::string("\xfe\xff\xff\xff", 4), -2},
    {"'>u4'", std::string("\x80\x00\x00\x01", 4), 2147483649.0},
    {"'<i8'", std::string("\x00\x00\x00\x00\x00\x00\x00\x80", 8), -0x1p63},
    {"'>u8'", std::string("\x80\x00\x00\x00\x00\x00\x00\x00", 8), 0x1p63},
    {"'<f2'", std::string("\x00\x3c", 2), 1},
    {"'>f2'", std::string("\xc0\x00", 2), -2},
    {"'<f2'", std::string("\x01\x00", 2), 0x1p-24},
    {"'<f2'", std::string("\xff\x03", 2), 1023 * 0x1p-24},
    {"'<f2'", std::string("\xff\x7b", 2), 65504},
    {"'<f4'", std::string("\x00\x00\xc0\xbf", 4), -1.5},
    {"'>f4'", std::string("\xbf\xc0\x00\x00", 4), -1.5},
    {"'>f8'", std::string("\x40\x09\x21\xfb\x54\x44\x2d\x18", 8), 3.141592653589793},
};

TEST(NpyNumberTest, HasTheValueOfItsBytes) {
  for (const Stored& stored : kStored) {
    SCOPED_TRACE(stored.description);
    const auto number = NpyNumber::of(stored.description);
    ASSERT_TRUE(number);
    ASSERT_EQ(number->bytes, stored.bytes.size());
    const auto bytes = bytes_of(stored.bytes);
    EXPECT_EQ(number->to_double(bytes.data()), stored.value);
    EXPECT_TRUE(number->is_exact(bytes.data()));
  }
}

TEST(NpyNumberTest, OtherTypesAreNone) {
  for (const char* description :
       {"'|b1'", "'<c8'", "'<f16'", "'|O'", "'<U5'", "'|S4'", "'<M8[ns]'", "'|V8'", "'<i3'",
        "'|i2'", "'<f1'", "'<i16'", "", "''", "'<'", "[('x', '<f8')]"}) {
    EXPECT_FALSE(NpyNumber::of(description)) << description;
  }
}

TEST(NpyNumberTest, RecognisesIntegersThatNoDoubleHolds) {
  const auto is_exact = [](const char* description, std::uint64_t bits) {
    std::byte bytes[8];
    std::memcpy(bytes, &bits, 8);
    return NpyNumber::of(description)->is_exact(bytes);
  };
  EXPECT_TRUE(is_exact("'<u8'", std::uint64_t{1} << 53));
  EXPECT_FALSE(is_exact("'<u8'", (std::uint64_t{1} << 53) + 1));
  EXPECT_FALSE(is_exact("'<u8'", UINT64_MAX));
  EXPECT_FALSE(is_exact("'<i8'", INT64_MAX));
  EXPECT_TRUE(is_exact("'<i8'", static_cast<std::uint64_t>(INT64_MIN)));
  EXPECT_TRUE(is_exact("'<i8'", static_cast<std::uint64_t>(-1)));
}

// All 2^16 numbers of two bytes, NaNs among them, in both orders.
TEST(NpyNumberTest, NarrowingUndoesWidening) {
  std::vector<std::byte> all(2 << 16);
  for (std::uint32_t i = 0; i < 1 << 16; ++i) std::memcpy(all.data() + 2 * i, &i, 2);
  for (const char* description : {"'<u2'", "'<i2'", "'<f2'", "'|u1'", "'|i1'"}) {
    SCOPED_TRACE(description);
    const auto number = NpyNumber::of(description);
    ASSERT_TRUE(number);
    const std::size_t count = all.size() / number->bytes;
    std::vector<std::byte> wide(4 * count);
    std::vector<std::byte> narrow(all.size());
    number->widen(all.data(), count, wide.data());
    number->narrow(wide.data(), count, narrow.data());
    EXPECT_TRUE(narrow == all);
  }
}

TEST(NpyNumberTest, WideningKeepsValues) {
  for (const Stored& stored : kStored) {
    SCOPED_TRACE(stored.description);
    const auto number = NpyNumber::of(stored.description);
    const auto bytes = bytes_of(stored.bytes);
    std::byte wide[8];
    number->widen(bytes.data(), 1, wide);
    NpyNumber wider = *number;
    wider.bytes = number->wide_bytes();
    wider.is_big_endian = false;
    EXPECT_EQ(wider.to_double(wide), stored.value);
  }
}

TEST(DescribeNpyTypeTest, NamesWhatIsNoNumber) {
  EXPECT_EQ(describe_npy_type("'<c16'"), "'<c16' (complex numbers)");
  EXPECT_EQ(describe_npy_type("'|O'"), "'|O' (Python objects)");
  EXPECT_EQ(describe_npy_type("'<U5'"), "'<U5' (text)");
  EXPECT_EQ(describe_npy_type("[('x', '<f8')]"), "[('x', '<f8')] (a structured type)");
  EXPECT_EQ(describe_npy_type("'xxx'"), "'xxx'");
  EXPECT_NE(describe_npy_type("'<f16'").find("astype('f8')"), std::string::npos);
  EXPECT_NE(describe_npy_type("'|b1'").find("view('u1')"), std::string::npos);
}

}  // namespace
}  // namespace millrace::tools
