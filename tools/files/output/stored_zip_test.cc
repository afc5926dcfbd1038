// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/output/stored_zip.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

namespace millrace::tools {
namespace {

std::uint64_t field(const std::string& text, std::size_t at, int bytes) {
  std::uint64_t value = 0;
  for (int i = bytes; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]);
  }
  return value;
}

// A stream that counts what it would write.
class CountingBuffer final : public std::streambuf {
 public:
  std::string last;

 private:
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    constexpr std::size_t kKept = 4096;
    last.append(data, static_cast<std::size_t>(size));
    if (last.size() > kKept) last.erase(0, last.size() - kKept);
    return size;
  }
};

TEST(StoredZip, CrcIsThatOfTheStandardsCheckValue) {
  EXPECT_EQ(crc_32("123456789"), 0xcbf43926u);
  EXPECT_EQ(crc_32("6789", crc_32("12345")), 0xcbf43926u);
  EXPECT_EQ(crc_32(""), 0u);
}

TEST(StoredZip, MembersAreWhereTheDirectorySays) {
  std::ostringstream out;
  StoredZip zip(out);
  zip.begin("a.npy", 3, crc_32("xyz"));
  zip.write("x");
  zip.write("yz");
  zip.begin("bc.npy", 0, 0);
  zip.finish();
  const std::string text = out.str();

  const std::size_t end = text.size() - 22;
  ASSERT_EQ(text.substr(end, 4), "PK\5\6");
  EXPECT_EQ(field(text, end + 10, 2), 2u);
  std::size_t entry = field(text, end + 16, 4);
  EXPECT_EQ(field(text, end + 12, 4), end - entry);
  ASSERT_EQ(text.substr(entry, 4), "PK\1\2");
  EXPECT_EQ(field(text, entry + 16, 4), crc_32("xyz"));
  EXPECT_EQ(field(text, entry + 20, 4), 3u);
  EXPECT_EQ(field(text, entry + 24, 4), 3u);
  EXPECT_EQ(text.substr(entry + 46, 5), "a.npy");
  const std::size_t member = field(text, entry + 42, 4);
  ASSERT_EQ(text.substr(member, 4), "PK\3\4");
  EXPECT_EQ(field(text, member + 8, 2), 0u);  // Stored.
  EXPECT_EQ(field(text, member + 14, 4), crc_32("xyz"));
  EXPECT_EQ(text.substr(member + 30, 8), "a.npyxyz");
  entry += 46 + 5;
  ASSERT_EQ(text.substr(entry, 4), "PK\1\2");
  EXPECT_EQ(text.substr(field(text, entry + 42, 4) + 30, 6), "bc.npy");
}

TEST(StoredZip, Over4GigabytesSizesAndPlacesAreOf64Bits) {
  CountingBuffer buffer;
  std::ostream out(&buffer);
  StoredZip zip(out);
  const std::uint64_t bytes = (std::uint64_t{1} << 32) + 5;
  zip.begin("large", bytes, 1);
  const std::string piece(std::size_t{1} << 28, '\0');
  for (int i = 0; i < 16; ++i) zip.write(piece);
  zip.write("12345");
  zip.begin("far", 1, 2);
  zip.write("6");
  zip.finish();
  const std::string& text = buffer.last;

  const std::size_t end = text.size() - 22;
  ASSERT_EQ(text.substr(end, 4), "PK\5\6");
  EXPECT_EQ(field(text, end + 16, 4), 0xffffffffu);
  const std::size_t locator = end - 20;
  ASSERT_EQ(text.substr(locator, 4), "PK\6\7");
  const std::size_t record = locator - 56;
  ASSERT_EQ(text.substr(record, 4), "PK\6\6");
  EXPECT_EQ(field(text, record + 4, 8), 44u);
  EXPECT_EQ(field(text, record + 32, 8), 2u);
  // The second entry is right in front of the record: 46 bytes, "far" and its place.
  const std::size_t far = record - (46 + 3 + 12);
  ASSERT_EQ(text.substr(far, 4), "PK\1\2");
  EXPECT_EQ(field(text, far + 24, 4), 1u);
  EXPECT_EQ(field(text, far + 42, 4), 0xffffffffu);
  EXPECT_EQ(field(text, far + 46 + 3, 2), 1u);
  EXPECT_EQ(field(text, far + 46 + 3 + 4, 8), 30 + 5 + 20 + bytes);
}

}  // namespace
}  // namespace millrace::tools
