#include <millrace/tools/command/sort_npy.h>

#include <charconv>
#include <optional>
#include <string_view>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

using radix_sort::KeyType;

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;

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

NpyArray read_npy(const PlacedFile& file) {
  NpyArray array;
  const NpyHeader header = read_npy_header(file);
  const std::string& element = header.element;
  array.first_byte = header.first_byte;
  const auto type = type_of(element.substr(1, element.size() - 2));
  if (!type) {
    refuse(file, "holds elements of " + element +
                     ", not keys: '<u4', '<u8', '<i4', '<i8', "
                     "'<f4' or '<f8'");
  }
  array.type = *type;
  array.count = count_of(file, header.shape);
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
