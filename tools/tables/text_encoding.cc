// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/tables/text_encoding.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace millrace::tools {
namespace {

using namespace std::string_view_literals;

[[noreturn]] void reject(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::kIo, name + ": " + what);
}

void append_utf8(std::string& text, std::uint32_t character) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto put_rest = [&](int shift) { put(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xc0 | character >> 6);
    put_rest(0);
  } else if (character < 0x10000) {
    put(0xe0 | character >> 12);
    put_rest(6);
    put_rest(0);
  } else {
    put(0xf0 | character >> 18);
    put_rest(12);
    put_rest(6);
    put_rest(0);
  }
}

std::string from_utf16(std::string_view bytes, bool is_big_endian, const std::string& name) {
  if (bytes.size() % 2 != 0) {
    reject(name, "is UTF-16 by its mark, and has an odd number of bytes; it is cut short");
  }
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<std::uint32_t>(is_big_endian ? first << 8 | second : second << 8 | first);
  };
  std::string text;
  text.reserve(bytes.size() / 2 + bytes.size() / 8);
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    std::uint32_t character = unit(i);
    const bool is_high = character >= 0xd800 && character < 0xdc00;
    if (is_high && i + 2 < bytes.size() && (unit(i + 2) & 0xfc00) == 0xdc00) {
      character = 0x10000 + ((character - 0xd800) << 10) + (unit(i + 2) - 0xdc00);
      i += 2;
    } else if (character >= 0xd800 && character < 0xe000) {
      reject(name, "is UTF-16 by its mark, and byte " + std::to_string(i + 2) +
                       " begins half a character; save it as UTF-8");
    }
    append_utf8(text, character);
  }
  return text;
}

}  // namespace

std::string to_utf8(std::string bytes, const std::string& name) {
  const std::string_view view = bytes;
  if (view.starts_with("\x1f\x8b"sv)) reject(name, "is compressed by gzip; gunzip it before");
  if (view.starts_with("PK\x03\x04"sv)) {
    reject(name,
           "is a zip archive, as .npz and .xlsx are; unpack the array, or save the table as "
           "CSV");
  }
  if (view.starts_with("\xff\xfe\0\0"sv) || view.starts_with("\0\0\xfe\xff"sv)) {
    reject(name, "is UTF-32; save it as UTF-8");
  }
  if (view.starts_with("\xff\xfe"sv))
    bytes = from_utf16(view.substr(2), false, name);
  else if (view.starts_with("\xfe\xff"sv))
    bytes = from_utf16(view.substr(2), true, name);
  else if (view.starts_with("\xef\xbb\xbf"sv))
    bytes.erase(0, 3);
  if (const std::size_t zero = bytes.find('\0'); zero != bytes.npos) {
    reject(name, "is not text: byte " + std::to_string(zero) +
                     " is 0 (UTF-16 needs its byte order mark); give a table as CSV or .npy");
  }
  return bytes;
}

}  // namespace millrace::tools
