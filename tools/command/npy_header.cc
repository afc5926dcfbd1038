#include <millrace/tools/command/npy_header.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;
constexpr std::size_t kMostHeaderBytes = 65'536;  // Of other than structured types.

[[noreturn]] void refuse(const PlacedFile& file, const std::string& what) {
  throw Error(ErrorCode::kIo, file.name() + ": " + what);
}

// What is between the file's first bytes and the elements, and where they begin.
std::string header_text(const PlacedFile& file, std::uint64_t& first_byte) {
  std::string start(std::min<std::uint64_t>(file.bytes(), 12), '\0');
  file.read(0, start.data(), start.size());
  if (!start.starts_with(kMagic) || start.size() < 12) refuse(file, "is no .npy file");
  const int version = static_cast<unsigned char>(start[kMagic.size()]);
  if (version < 1 || version > 3) {
    refuse(file, "is a .npy file of version " + std::to_string(version) + ", not 1 to 3");
  }
  const std::size_t size_bytes = version == 1 ? 2 : 4;
  std::size_t size = 0;
  for (std::size_t i = size_bytes; i-- > 0;) {
    size = size << 8 | static_cast<unsigned char>(start[kVersionEnd + i]);
  }
  first_byte = kVersionEnd + size_bytes + size;
  if (size > kMostHeaderBytes || first_byte > file.bytes()) refuse(file, "has a broken header");
  std::string text(size, '\0');
  file.read(kVersionEnd + size_bytes, text.data(), size);
  return text;
}

// What follows the key of the header's dictionary; empty where it has none.
std::string_view behind(std::string_view text, const std::string& key) {
  const std::size_t found = text.find("'" + key + "':");
  if (found == text.npos) return {};
  const std::size_t begin = text.find_first_not_of(' ', found + key.size() + 3);
  return begin == text.npos ? std::string_view() : text.substr(begin);
}

// As it is, or the beginning of what is too long to be shown.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 200;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

// A string with its quotes, or a list.
std::string element_in(const PlacedFile& file, std::string_view text) {
  const std::string_view value = behind(text, "descr");
  std::size_t last = value.npos;
  if (value.starts_with('\'')) last = value.find('\'', 1);
  if (value.starts_with('[')) last = value.substr(0, value.find('\n')).rfind(']');
  if (last == value.npos) refuse(file, "has a broken header");
  return shown(value.substr(0, last + 1));
}

// What is between the parentheses.
std::string shape_in(const PlacedFile& file, std::string_view text) {
  const std::string_view value = behind(text, "shape");
  const std::size_t last = value.find(')');
  if (!value.starts_with('(') || last == value.npos) refuse(file, "has a broken header");
  return shown(value.substr(1, last - 1));
}

}  // namespace

bool is_npy(const std::string& path) { return std::filesystem::path(path).extension() == ".npy"; }

NpyHeader read_npy_header(const PlacedFile& file) {
  NpyHeader header;
  const std::string text = header_text(file, header.first_byte);
  header.element = element_in(file, text);
  header.shape = shape_in(file, text);
  header.is_fortran_order = text.find("'fortran_order': True") != text.npos;
  return header;
}

std::string npy_header(const std::string& element, std::uint64_t count) {
  constexpr std::size_t kAlignment = 64;
  std::string text = "{'descr': " + element + ", 'fortran_order': False, 'shape': (" +
                     std::to_string(count) + ",), }";
  const std::size_t unpadded = kVersionEnd + 2 + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  const std::string version = {'\x01', '\x00'};
  const std::string size = {static_cast<char>(text.size() & 0xff),
                            static_cast<char>(text.size() >> 8)};
  return std::string(kMagic) + version + size + text;
}

}  // namespace millrace::tools
