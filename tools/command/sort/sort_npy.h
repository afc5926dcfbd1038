// SPDX-License-Identifier: Apache-2.0

// NumPy's .npy files of one array of keys (numpy.lib.format, versions 1.0 to 3.0).
#ifndef MILLRACE_TOOLS_COMMAND_SORT_SORT_NPY_H_
#define MILLRACE_TOOLS_COMMAND_SORT_SORT_NPY_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/tools/command/sort/unbuffered_output.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/tables/npy_number.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace millrace::tools {

// Keys in a .npy file, or the numbers of a table's column. Widened keys of 1 or 2 bytes are sorted
// as keys of `type`, which hold every value of them.
struct NpyArray {
  radix_sort::KeyType type = radix_sort::KeyType::kU32;
  std::uint64_t count = 0;
  std::uint64_t first_byte = 0;  // Position of the elements in the file.
  NpyNumber stored = {};         // An element in the file.

  // Returns true if an element in the file is shorter than a key.
  bool is_narrow() const { return stored.bytes < radix_sort::key_bytes(type); }
};

// Returns the array of `count` such elements from the start of a file. Keys of 1 and 2 bytes have
// types of their own unless `is_widened`.
NpyArray array_of(const NpyNumber& element, std::uint64_t count, bool is_widened);

// Throws Error(kIo) unless the file is one whole array of one dimension, of integers or floats of
// 1 to 8 bytes. `is_widened` as above.
NpyArray read_npy(const PositionedFile& file, bool is_widened = false);

// Reads `count` keys from the one numbered `first` on. Any thread may call. Throws Error(kIo).
void read_npy_keys(const PositionedFile& file, const NpyArray& array, std::uint64_t first,
                   std::size_t count, std::byte* keys);

// Returns the type in the header of an array of such keys: "'<i4'" for KeyType::kI32.
std::string npy_element(radix_sort::KeyType type);

// A stream that writes each key of a narrow array's type to `out` as an element of `stored`, in
// little-endian order. `out` must outlive it; what `out` throws comes out of writes.
class NarrowKeyStream : public std::ostream {
 public:
  NarrowKeyStream(std::ostream& out, const NpyNumber& stored);

 private:
  class Buffer : public UnbufferedOutput {
   public:
    Buffer(std::ostream& out, const NpyNumber& stored) : out_(out), stored_(stored) {}

   private:
    std::streamsize xsputn(const char* data, std::streamsize bytes) override;

    std::ostream& out_;
    const NpyNumber stored_;
    std::vector<std::byte> wide_;  // Keys; between writes, less than one.
    std::vector<std::byte> narrow_;
  };

  Buffer buffer_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_SORT_NPY_H_
