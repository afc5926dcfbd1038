// SPDX-License-Identifier: Apache-2.0

// Numbers of a .npy array (numpy.lib.format): integers and floats of 1 to 8 bytes in either order.
//
//   const std::optional<NpyNumber> number = NpyNumber::of("'>i2'");
//   double value = number->to_double(bytes);
#ifndef MILLRACE_TOOLS_TABLES_NPY_NUMBER_H_
#define MILLRACE_TOOLS_TABLES_NPY_NUMBER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace millrace::tools {

enum class NumberKind { kUnsigned, kSigned, kFloat };

struct NpyNumber {
  NumberKind kind = NumberKind::kUnsigned;
  std::size_t bytes = 4;  // 1, 2, 4 or 8; for a float 2, 4 or 8.
  bool is_big_endian = false;

  // Returns the type for a header's description, such as "'<i4'" with its quotes; nothing for any
  // other type.
  static std::optional<NpyNumber> of(const std::string& description);

  // Returns the description of the type in little-endian order: "'<i4'", "'|u1'".
  std::string description() const;

  // Returns the value of a number in a file. Integers beyond 2^53 become the nearest double; see
  // is_exact().
  double to_double(const std::byte* from) const;

  // Returns true if to_double() is exact.
  bool is_exact(const std::byte* from) const;

  // Returns the number as text for messages.
  std::string to_text(const std::byte* from) const;

  // Returns the bytes of widen()'s results: 4 or 8.
  std::size_t wide_bytes() const { return bytes == 8 ? 8 : 4; }

  // Writes `count` numbers of a file as little-endian ones of the same kind and wide_bytes(). No
  // value changes. `from` and `to` must not overlap.
  void widen(const std::byte* from, std::size_t count, std::byte* to) const;

  // The inverse of widen(), in little-endian order.
  void narrow(const std::byte* from, std::size_t count, std::byte* to) const;

  friend bool operator==(const NpyNumber&, const NpyNumber&) = default;
};

// Returns an array's type for messages, with its name if it has one: "'<c16' (complex numbers)".
std::string describe_npy_type(const std::string& description);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_NPY_NUMBER_H_
