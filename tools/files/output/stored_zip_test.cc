// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/output/stored_zip.h>

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

std::uint64_t field(const std::string& text, std::size_t at, int bytes) {
  std::uint64_t value = 0;
  for (int i = bytes; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]);
  }
  return value;
}

// A stream that keeps the last bytes of what it would write.
class CountingBuffer final : public std::streambuf {
 public:
  std::string last;
  std::uint64_t bytes = 0;  // All of them.

 private:
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    bytes += static_cast<std::uint64_t>(size);
    constexpr std::streamsize kKept = 4096;
    const std::streamsize kept = std::min(size, kKept);
    last.append(data + size - kept, static_cast<std::size_t>(kept));
    if (last.size() > kKept) last.erase(0, last.size() - kKept);
    return size;
  }
};

// A disk that is full.
class FullBuffer final : public std::streambuf {
 private:
  std::streamsize xsputn(const char*, std::streamsize) override {
    throw Error(ErrorCode::kIo, "no space left");
  }
};

std::uint32_t crc_32(const std::string& text) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

// An entry of the directory (APPNOTE.TXT 6.3, clause 4.3.12), with 64-bit fields where there are.
struct ZipEntry {
  std::string name;
  std::uint64_t crc = 0;
  std::uint64_t packed_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t header = 0;
  bool has_64_bits = false;
};

std::vector<ZipEntry> entries_of(const std::string& directory) {
  std::vector<ZipEntry> entries;
  for (std::size_t at = 0; at < directory.size();) {
    EXPECT_EQ(directory.substr(at, 4), "PK\1\2");
    const std::size_t name = field(directory, at + 28, 2);
    const std::size_t extra = at + 46 + name;
    const std::size_t extra_end = extra + field(directory, at + 30, 2);
    ZipEntry entry = {.name = directory.substr(at + 46, name),
                      .crc = field(directory, at + 16, 4),
                      .packed_bytes = field(directory, at + 20, 4),
                      .bytes = field(directory, at + 24, 4),
                      .header = field(directory, at + 42, 4)};
    for (std::size_t i = extra; i < extra_end; i += 4 + field(directory, i + 2, 2)) {
      if (field(directory, i, 2) != 1) continue;
      std::size_t value = i + 4;
      for (auto* const number : {&entry.bytes, &entry.packed_bytes, &entry.header}) {
        if (*number != 0xffffffff) continue;
        *number = field(directory, value, 8);
        value += 8;
        entry.has_64_bits = true;
      }
    }
    entries.push_back(entry);
    at = extra_end + field(directory, at + 32, 2);
  }
  return entries;
}

TEST(StoredZip, MembersAreWhereTheDirectorySays) {
  std::ostringstream out;
  StoredZip zip(out);
  zip.begin("a.npy", 3);
  zip.write("x");
  zip.write("yz");
  zip.begin("bc.npy", 0);
  zip.finish();
  const std::string text = out.str();

  const std::size_t end = text.size() - 22;
  ASSERT_EQ(text.substr(end, 4), "PK\5\6");
  EXPECT_EQ(field(text, end + 10, 2), 2u);
  const std::size_t directory = field(text, end + 16, 4);
  const std::size_t directory_bytes = field(text, end + 12, 4);
  ASSERT_EQ(directory_bytes, end - directory);
  const std::vector<ZipEntry> entries = entries_of(text.substr(directory, directory_bytes));
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "a.npy");
  EXPECT_EQ(entries[0].crc, crc_32("xyz"));
  EXPECT_EQ(entries[0].packed_bytes, 3u);
  EXPECT_EQ(entries[0].bytes, 3u);
  EXPECT_EQ(entries[1].name, "bc.npy");
  EXPECT_EQ(entries[1].bytes, 0u);
  for (const ZipEntry& entry : entries) {
    EXPECT_FALSE(entry.has_64_bits);
    const std::size_t member = entry.header;
    ASSERT_EQ(text.substr(member, 4), "PK\3\4");
    EXPECT_EQ(field(text, member + 8, 2), 0u);  // Stored.
    EXPECT_EQ(text.substr(member + 30, entry.name.size()), entry.name);
    const std::size_t data = member + 30 + entry.name.size() + field(text, member + 28, 2);
    EXPECT_EQ(text.substr(data, entry.bytes), entry.bytes == 0 ? "" : "xyz");
  }
}

TEST(StoredZip, Over4GigabytesSizesAndOffsetsAreOf64Bits) {
  CountingBuffer buffer;
  std::ostream out(&buffer);
  StoredZip zip(out);
  const std::uint64_t bytes = (std::uint64_t{1} << 32) + 5;
  zip.begin("large", bytes);
  const std::string piece(std::size_t{1} << 28, '\0');
  for (int i = 0; i < 16; ++i) zip.write(piece);
  zip.write("12345");
  zip.begin("far", 1);
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
  const std::size_t directory_bytes = field(text, record + 40, 8);
  ASSERT_LE(directory_bytes, record);
  const std::vector<ZipEntry> entries =
      entries_of(text.substr(record - directory_bytes, directory_bytes));
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].bytes, bytes);
  EXPECT_EQ(entries[0].packed_bytes, bytes);
  EXPECT_EQ(entries[0].header, 0u);
  EXPECT_EQ(entries[1].bytes, 1u);
  EXPECT_TRUE(entries[1].has_64_bits);
  // The second header is in what was kept.
  const std::uint64_t first_kept = buffer.bytes - text.size();
  ASSERT_GT(entries[1].header, bytes);
  EXPECT_EQ(text.substr(entries[1].header - first_kept, 4), "PK\3\4");
}

TEST(StoredZip, AMemberTakesNoMoreBytesThanItHas) {
  std::ostringstream out;
  StoredZip zip(out);
  zip.begin("a", 1);
  EXPECT_THROW(zip.write("xy"), Error);
}

TEST(StoredZip, ErrorsAreThoseOfTheStream) {
  FullBuffer buffer;
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);
  StoredZip zip(out);
  try {
    zip.begin("a", 1);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "no space left");
  }
}

TEST(StoredZip, TheSameMembersGiveTheSameBytes) {
  const auto made = [] {
    std::ostringstream out;
    StoredZip zip(out);
    zip.begin("a.npy", 1);
    zip.write("x");
    zip.finish();
    return out.str();
  };
  const std::string text = made();
  EXPECT_EQ(text, made());
  EXPECT_EQ(field(text, 10, 4), 1u << 21 | 1u << 16);  // 1980-01-01, 0:00.
}

}  // namespace
}  // namespace millrace::tools
