#include <millrace/tools/command/sort_npy.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <regex>
#include <string_view>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

using radix_sort::KeyType;

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;
constexpr std::size_t kMostHeaderBytes = 65'536;  // Of other than structured types.

[[noreturn]] void refuse(const PlacedFile& file, const std::string& what) {
  throw Error(ErrorCode::kIo, file.name() + ": " + what);
}

// "<i4" for KeyType::kI32.
std::string descr(KeyType type) {
  const std::string name = radix_sort::to_string(type);
  return "<" + name.substr(0, 1) + std::to_string(radix_sort::key_bytes(type));
}

std::optional<KeyType> type_of(const std::string& text) {
  for (const KeyType type : radix_sort::kKeyTypes) {
    if (descr(type) == text) return type;
  }
  return {};
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

// The part of `text` in the pattern's parentheses.
std::string find(const PlacedFile& file, const std::string& text, const char* pattern) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(pattern))) refuse(file, "has a broken header");
  return found[1];
}

std::uint64_t count_of(const PlacedFile& file, const std::string& shape) {
  std::uint64_t count = 0;
  const char* const end = shape.data() + shape.size();
  const auto [rest, error] = std::from_chars(shape.data(), end, count);
  if (error != std::errc() || std::string_view(rest, end) != ",") {
    refuse(file, "holds an array of shape (" + shape + "), not one of one dimension");
  }
  return count;
}

}  // namespace

bool is_npy(const std::string& path) { return std::filesystem::path(path).extension() == ".npy"; }

NpyArray read_npy(const PlacedFile& file) {
  NpyArray array;
  const std::string text = header_text(file, array.first_byte);
  // Structured types are lists, without quotes around them.
  const std::string element = find(file, text, "'descr': *('[^']*'|\\[.*\\])");
  const auto type = type_of(element.substr(1, element.size() - 2));
  if (!type) {
    refuse(file, "holds elements of " + element +
                     ", not keys: '<u4', '<u8', '<i4', '<i8', "
                     "'<f4' or '<f8'");
  }
  array.type = *type;
  array.count = count_of(file, find(file, text, "'shape': *\\(([^)]*)\\)"));
  const std::uint64_t present = file.bytes() - array.first_byte;
  const std::size_t key_bytes = radix_sort::key_bytes(array.type);
  if (present % key_bytes != 0 || present / key_bytes != array.count) {
    refuse(file, "has " + std::to_string(present) + " bytes of elements, which are not the " +
                     std::to_string(array.count) + " that its header tells of");
  }
  return array;
}

std::string npy_header(KeyType type, std::uint64_t count) {
  constexpr std::size_t kAlignment = 64;
  std::string text = "{'descr': '" + descr(type) + "', 'fortran_order': False, 'shape': (" +
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
