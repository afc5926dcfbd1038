// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/output/stored_zip.h>

#include <array>
#include <cstddef>

namespace millrace::tools {
namespace {

constexpr std::uint32_t kMember = 0x04034b50;
constexpr std::uint32_t kEntry = 0x02014b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kEnd64Locator = 0x07064b50;
constexpr std::uint16_t kZip64Extra = 1;
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kVersion64 = 45;
constexpr std::uint16_t kUtf8 = 1 << 11;
constexpr std::uint16_t kDate = 1 << 5 | 1;  // 1980-01-01: no time of the run is in the file.
constexpr std::uint32_t kMost32 = 0xffffffff;
constexpr std::uint16_t kMost16 = 0xffff;

// Little-endian fields.
class Fields {
 public:
  template <class Integer>
  Fields& add(Integer value) {
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
      text_ += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff);
    }
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::uint32_t low_32(std::uint64_t value, bool is_64) {
  return is_64 ? kMost32 : static_cast<std::uint32_t>(value);
}

constexpr std::array<std::uint32_t, 256> make_table() {
  constexpr std::uint32_t kPolynomial = 0xedb88320;  // Reflected.
  std::array<std::uint32_t, 256> table = {};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? kPolynomial : 0);
    table[i] = value;
  }
  return table;
}

}  // namespace

std::uint32_t crc_32(std::string_view data, std::uint32_t crc) {
  static constexpr std::array<std::uint32_t, 256> kTable = make_table();
  crc = ~crc;
  for (const char byte : data) {
    crc = crc >> 8 ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
  }
  return ~crc;
}

void StoredZip::write(std::string_view data) {
  out_.write(data.data(), static_cast<std::streamsize>(data.size()));
  position_ += data.size();
}

void StoredZip::begin(const std::string& name, std::uint64_t bytes, std::uint32_t crc) {
  const bool is_64 = bytes >= kMost32;
  members_.push_back({name, bytes, crc, position_});
  Fields header;
  header.add(kMember).add(is_64 ? kVersion64 : kVersion).add(kUtf8).add(std::uint16_t{0});
  header.add(std::uint16_t{0}).add(kDate).add(crc);
  header.add(low_32(bytes, is_64)).add(low_32(bytes, is_64));
  header.add(static_cast<std::uint16_t>(name.size()));
  header.add(static_cast<std::uint16_t>(is_64 ? 20 : 0));
  write(header.text());
  write(name);
  if (is_64) write(Fields().add(kZip64Extra).add(std::uint16_t{16}).add(bytes).add(bytes).text());
}

void StoredZip::write_entry(const Member& member) {
  const bool is_large = member.bytes >= kMost32;
  const bool is_far = member.position >= kMost32;
  Fields extra;
  if (is_large || is_far) {
    extra.add(kZip64Extra).add(static_cast<std::uint16_t>((is_large ? 16 : 0) + (is_far ? 8 : 0)));
    if (is_large) extra.add(member.bytes).add(member.bytes);
    if (is_far) extra.add(member.position);
  }
  const std::uint16_t version = is_large || is_far ? kVersion64 : kVersion;
  Fields entry;
  entry.add(kEntry).add(version).add(version).add(kUtf8).add(std::uint16_t{0});
  entry.add(std::uint16_t{0}).add(kDate).add(member.crc);
  entry.add(low_32(member.bytes, is_large)).add(low_32(member.bytes, is_large));
  entry.add(static_cast<std::uint16_t>(member.name.size()));
  entry.add(static_cast<std::uint16_t>(extra.text().size())).add(std::uint16_t{0});
  entry.add(std::uint16_t{0}).add(std::uint16_t{0}).add(std::uint32_t{0});
  entry.add(low_32(member.position, is_far));
  write(entry.text());
  write(member.name);
  write(extra.text());
}

void StoredZip::finish() {
  const std::uint64_t begin = position_;
  for (const Member& member : members_) write_entry(member);
  const std::uint64_t bytes = position_ - begin;
  const std::uint64_t end = position_;
  const std::uint64_t count = members_.size();
  const bool is_64 = count >= kMost16 || bytes >= kMost32 || begin >= kMost32;
  if (is_64) {
    constexpr std::uint64_t kRest = 44;  // Bytes of the record that follow this field.
    Fields record;
    record.add(kEnd64).add(kRest).add(kVersion64).add(kVersion64);
    record.add(std::uint32_t{0}).add(std::uint32_t{0}).add(count).add(count);
    record.add(bytes).add(begin);
    record.add(kEnd64Locator).add(std::uint32_t{0}).add(end).add(std::uint32_t{1});
    write(record.text());
  }
  const auto count_16 = is_64 ? kMost16 : static_cast<std::uint16_t>(count);
  Fields record;
  record.add(kEnd).add(std::uint16_t{0}).add(std::uint16_t{0}).add(count_16).add(count_16);
  record.add(low_32(bytes, is_64)).add(low_32(begin, is_64)).add(std::uint16_t{0});
  write(record.text());
}

}  // namespace millrace::tools
