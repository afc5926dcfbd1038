// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/command/sort/sort_npy.h>

#include <algorithm>
#include <utility>

namespace millrace::tools {
namespace {

using radix_sort::KeyType;

KeyType key_type_of(const NpyNumber& number, bool is_widened) {
  if (number.bytes < 4 && !is_widened) {
    switch (number.kind) {
      case NumberKind::kUnsigned: return number.bytes == 1 ? KeyType::kU8 : KeyType::kU16;
      case NumberKind::kSigned: return number.bytes == 1 ? KeyType::kI8 : KeyType::kI16;
      case NumberKind::kFloat: return KeyType::kF16;
    }
  }
  const bool is_long = number.wide_bytes() == 8;
  switch (number.kind) {
    case NumberKind::kUnsigned: return is_long ? KeyType::kU64 : KeyType::kU32;
    case NumberKind::kSigned: return is_long ? KeyType::kI64 : KeyType::kI32;
    case NumberKind::kFloat: break;
  }
  return is_long ? KeyType::kF64 : KeyType::kF32;
}

}  // namespace

NpyArray array_of(const NpyNumber& element, std::uint64_t count, bool is_widened) {
  return {.type = key_type_of(element, is_widened), .count = count, .stored = element};
}

NpyArray read_npy(const PositionedFile& file, bool is_widened) {
  const NpyHeader header = read_npy_header(file);
  const std::optional<NpyNumber> number = NpyNumber::of(header.element);
  if (!number) {
    reject_file(file.name(), "holds elements of " + describe_npy_type(header.element) +
                                 "; keys are integers or floats of 1 to 8 bytes");
  }
  if (header.shape.size() != 1) {
    reject_file(file.name(), "holds an array of shape " + header.shape_text() +
                                 "; save an array of one dimension, such as a.ravel()");
  }
  check_npy_size(header, number->bytes, file.bytes() - header.first_byte, file.name());
  NpyArray array = array_of(*number, header.shape[0], is_widened);
  array.first_byte = header.first_byte;
  return array;
}

void read_npy_keys(const PositionedFile& file, const NpyArray& array, std::uint64_t first,
                   std::size_t count, std::byte* keys) {
  const NpyNumber& stored = array.stored;
  const std::uint64_t position = array.first_byte + first * stored.bytes;
  if (!array.is_narrow() && (stored.bytes < 4 || !stored.is_big_endian)) {
    file.read(position, keys, count * stored.bytes);
    if (!stored.is_big_endian || stored.bytes == 1) return;
    for (std::size_t i = 0; i < 2 * count; i += 2) std::swap(keys[i], keys[i + 1]);
    return;
  }
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::vector<std::byte> elements(std::min(count, kPiece) * stored.bytes);
  for (std::size_t begin = 0; begin < count; begin += kPiece) {
    const std::size_t some = std::min(kPiece, count - begin);
    file.read(position + begin * stored.bytes, elements.data(), some * stored.bytes);
    stored.widen(elements.data(), some, keys + begin * stored.wide_bytes());
  }
}

std::string npy_element(KeyType type) {
  const std::string name = radix_sort::to_string(type);
  return "'<" + name.substr(0, 1) + std::to_string(radix_sort::key_bytes(type)) + "'";
}

NarrowKeyStream::NarrowKeyStream(std::ostream& out, const NpyNumber& stored)
    : std::ostream(nullptr), buffer_(out, stored) {
  rdbuf(&buffer_);
  exceptions(badbit);
}

std::streamsize NarrowKeyStream::Buffer::xsputn(const char* data, std::streamsize bytes) {
  const auto* const from = reinterpret_cast<const std::byte*>(data);
  wide_.insert(wide_.end(), from, from + bytes);
  const std::size_t keys = wide_.size() / stored_.wide_bytes();
  narrow_.resize(keys * stored_.bytes);
  stored_.narrow(wide_.data(), keys, narrow_.data());
  wide_.erase(wide_.begin(),
              wide_.begin() + static_cast<std::ptrdiff_t>(keys * stored_.wide_bytes()));
  out_.write(reinterpret_cast<const char*>(narrow_.data()),
             static_cast<std::streamsize>(narrow_.size()));
  return bytes;
}

}  // namespace millrace::tools
