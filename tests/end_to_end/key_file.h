// SPDX-License-Identifier: Apache-2.0

// Files of keys for tests, and sorts that share no code with the command.
#ifndef MILLRACE_TESTS_END_TO_END_KEY_FILE_H_
#define MILLRACE_TESTS_END_TO_END_KEY_FILE_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace millrace::end_to_end {

// Returns the bytes of the elements in a file.
template <class T>
std::string bytes_of(const std::vector<T>& elements) {
  static_assert(std::is_trivially_copyable_v<T> && std::endian::native == std::endian::little);
  return {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T)};
}

// The inverse; an incomplete element at the end is dropped.
template <class T>
std::vector<T> elements_of(const std::string& bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
  return elements;
}

// Sorts records by the keys that `key_of` returns; those of equal keys keep their order.
template <class T, class KeyOf>
std::vector<T> sorted(std::vector<T> records, bool is_descending, const KeyOf& key_of) {
  std::stable_sort(records.begin(), records.end(), [&](const T& a, const T& b) {
    return is_descending ? key_of(b) < key_of(a) : key_of(a) < key_of(b);
  });
  return records;
}

template <class T>
std::vector<T> sorted(const std::vector<T>& keys, bool is_descending = false) {
  return sorted(keys, is_descending, [](const T& key) { return key; });
}

// Returns the positions of the keys in order.
template <class T>
std::vector<std::uint32_t> argsorted(const std::vector<T>& keys, bool is_descending = false) {
  std::vector<std::uint32_t> positions(keys.size());
  std::iota(positions.begin(), positions.end(), 0U);
  return sorted(positions, is_descending, [&](std::uint32_t position) { return keys[position]; });
}

// Returns a .npy file of version 1.0 (numpy.lib.format) with this dictionary and these elements.
inline std::string npy(const std::string& descr, const std::string& shape,
                       const std::string& elements) {
  std::string text = "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }";
  text.resize(117, ' ');
  text += '\n';
  return std::string("\x93NUMPY\x01\0", 8) + std::string("\x76\0", 2) + text + elements;
}

}  // namespace millrace::end_to_end

#endif  // MILLRACE_TESTS_END_TO_END_KEY_FILE_H_
