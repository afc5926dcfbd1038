#include <millrace/tools/command/sort_npy.h>

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

#include <millrace/runtime/error.h>
#include <millrace/tools/command/npy_header.h>

namespace millrace::tools {
namespace {

using radix_sort::KeyType;

[[noreturn]] void refuse(const PlacedFile& file, const std::string& what) {
  throw Error(ErrorCode::kIo, file.name() + ": " + what);
}

std::optional<KeyType> type_of(const std::string& element) {
  for (const KeyType type : radix_sort::kKeyTypes) {
    if (npy_element(type) == element) return type;
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
  array.first_byte = header.first_byte;
  const auto type = type_of(header.element);
  if (!type) {
    refuse(file, "holds elements of " + header.element +
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

std::string npy_element(KeyType type) {
  const std::string name = radix_sort::to_string(type);
  return "'<" + name.substr(0, 1) + std::to_string(radix_sort::key_bytes(type)) + "'";
}

}  // namespace millrace::tools
