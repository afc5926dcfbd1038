// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/tables/npy_number.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <type_traits>

namespace millrace::tools {
namespace {

static_assert(std::endian::native == std::endian::little);

// Returns the number's bytes as an unsigned integer.
std::uint64_t bits_of(const NpyNumber& number, const std::byte* from) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < number.bytes; ++i) {
    const std::size_t position = number.is_big_endian ? i : number.bytes - 1 - i;
    bits = bits << 8 | std::to_integer<std::uint64_t>(from[position]);
  }
  return bits;
}

std::int64_t sign_extended(std::uint64_t bits, std::size_t bytes) {
  const auto unused = static_cast<int>(64 - 8 * bytes);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

// Converts IEEE 754 binary16 to binary32; the payload of a NaN is kept.
std::uint32_t single_of_half(std::uint32_t half) {
  const std::uint32_t sign = (half & 0x8000) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1f;
  const std::uint32_t fraction = half & 0x3ff;
  if (exponent == 0x1f) return sign | 0x7f800000 | fraction << 13;
  if (exponent > 0) return sign | (exponent + 112) << 23 | fraction << 13;
  // A subnormal half is fraction * 2^-24, which is a normal single.
  return sign | std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24F);
}

// The inverse; exact for its results.
std::uint32_t half_of_single(std::uint32_t single) {
  const std::uint32_t sign = single >> 16 & 0x8000;
  const std::uint32_t exponent = single >> 23 & 0xff;
  const std::uint32_t fraction = single & 0x7fffff;
  if (exponent == 0xff) return sign | 0x7c00 | fraction >> 13;
  if (exponent > 112) return sign | (exponent - 112) << 10 | fraction >> 13;
  if (exponent < 103) return sign;
  return sign | (0x800000 | fraction) >> (126 - exponent);
}

std::uint64_t wide_bits(const NpyNumber& number, const std::byte* from) {
  const std::uint64_t bits = bits_of(number, from);
  if (number.kind == NumberKind::kSigned) {
    return static_cast<std::uint64_t>(sign_extended(bits, number.bytes));
  }
  if (number.kind == NumberKind::kFloat && number.bytes == 2) {
    return single_of_half(static_cast<std::uint32_t>(bits));
  }
  return bits;
}

template <class T>
std::string text_of(T value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

std::optional<NpyNumber> NpyNumber::of(const std::string& description) {
  // Without an order, the number is in this machine's.
  if (description.size() == 4) return of(description.substr(0, 1) + "=" + description.substr(1));
  if (description.size() != 5) return {};
  const char order = description[1];
  const char kind = description[2];
  const char size = description[3];
  if (order != '<' && order != '>' && order != '|' && order != '=') return {};
  NpyNumber number;
  if (kind == 'u') {
    number.kind = NumberKind::kUnsigned;
  } else if (kind == 'i') {
    number.kind = NumberKind::kSigned;
  } else if (kind == 'f') {
    number.kind = NumberKind::kFloat;
  } else {
    return {};
  }
  if (size != '1' && size != '2' && size != '4' && size != '8') return {};
  number.bytes = static_cast<std::size_t>(size - '0');
  // One byte has no order, and more have one.
  if (number.bytes == 1 && number.kind == NumberKind::kFloat) return {};
  if (number.bytes > 1 && order == '|') return {};
  number.is_big_endian = number.bytes > 1 && order == '>';
  return number;
}

std::string NpyNumber::description() const {
  const char* const name = kind == NumberKind::kUnsigned ? "u"
                           : kind == NumberKind::kSigned ? "i"
                                                         : "f";
  return std::string(bytes == 1 ? "'|" : "'<") + name + std::to_string(bytes) + "'";
}

double NpyNumber::to_double(const std::byte* from) const {
  const std::uint64_t bits = wide_bits(*this, from);
  if (kind == NumberKind::kUnsigned) return static_cast<double>(bits);
  if (kind == NumberKind::kSigned) return static_cast<double>(static_cast<std::int64_t>(bits));
  if (bytes == 8) return std::bit_cast<double>(bits);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

bool NpyNumber::is_exact(const std::byte* from) const {
  if (bytes < 8 || kind == NumberKind::kFloat) return true;
  const double value = to_double(from);
  const std::uint64_t bits = wide_bits(*this, from);
  // The largest integers become 2^64 or 2^63, which no integer of 64 bits is.
  if (kind == NumberKind::kUnsigned) {
    return value < 0x1p64 && static_cast<std::uint64_t>(value) == bits;
  }
  return value < 0x1p63 && static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) == bits;
}

std::string NpyNumber::to_text(const std::byte* from) const {
  const std::uint64_t bits = wide_bits(*this, from);
  if (kind == NumberKind::kUnsigned) return text_of(bits);
  if (kind == NumberKind::kSigned) return text_of(static_cast<std::int64_t>(bits));
  return text_of(to_double(from));
}

void NpyNumber::widen(const std::byte* from, std::size_t count, std::byte* to) const {
  const std::size_t wide = wide_bytes();
  if (!is_big_endian && bytes == wide) {
    if (count > 0) std::memcpy(to, from, count * bytes);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = wide_bits(*this, from + i * bytes);
    std::memcpy(to + i * wide, &bits, wide);
  }
}

void NpyNumber::narrow(const std::byte* from, std::size_t count, std::byte* to) const {
  const std::size_t wide = wide_bytes();
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from + i * wide, wide);
    if (kind == NumberKind::kFloat && bytes == 2) {
      bits = half_of_single(static_cast<std::uint32_t>(bits));
    }
    std::memcpy(to + i * bytes, &bits, bytes);
  }
}

std::string describe_npy_type(const std::string& description) {
  if (description.starts_with('[') || description.starts_with('{')) {
    return description + " (a structured type)";
  }
  if (description.size() < 4) return description;
  // The byte order behind the quote is optional.
  const std::size_t kind = std::string("<>|=").find(description[1]) == std::string::npos ? 1 : 2;
  const char* name = nullptr;
  switch (description[kind]) {
    case 'b': name = "booleans; a.view('u1') has numbers"; break;
    case 'c': name = "complex numbers"; break;
    case 'f': name = "long doubles; a.astype('f8') has doubles"; break;
    case 'm': name = "time spans; a.view('i8') has numbers"; break;
    case 'M': name = "times; a.view('i8') has numbers"; break;
    case 'O': name = "Python objects"; break;
    case 'S':
    case 'a': name = "bytes of text"; break;
    case 'U': name = "text"; break;
    case 'V': name = "raw bytes"; break;
    default: return description;
  }
  return description + " (" + name + ")";
}

}  // namespace millrace::tools
