// NumPy's .npy files of one array of keys (numpy.lib.format, versions 1.0 to 3.0).
#ifndef MILLRACE_TOOLS_COMMAND_SORT_NPY_H_
#define MILLRACE_TOOLS_COMMAND_SORT_NPY_H_

#include <cstdint>
#include <string>

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/tools/files/placed_file.h>

namespace millrace::tools {

struct NpyArray {
  radix_sort::KeyType type = radix_sort::KeyType::kU32;
  std::uint64_t count = 0;
  std::uint64_t first_byte = 0;  // Of the elements, in the file.
};

// Throws Error(kIo) unless the file is one whole array of one dimension, of a key type in
// little-endian order.
NpyArray read_npy(const PlacedFile& file);

// How the header of such an array says its type: "'<i4'" for KeyType::kI32.
std::string npy_element(radix_sort::KeyType type);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_NPY_H_
