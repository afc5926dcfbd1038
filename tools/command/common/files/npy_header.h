// SPDX-License-Identifier: Apache-2.0

// The header of a .npy file (numpy.lib.format), read and written.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_FILES_NPY_HEADER_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_FILES_NPY_HEADER_H_

#include <millrace/tools/files/input/positioned_file.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::tools {

struct NpyHeader {
  // The type as written in the header, such as '<i4' with its quotes or [('a', '<i4')]; at most
  // about 200 characters, then dots.
  std::string element;
  std::vector<std::uint64_t> shape;
  bool is_fortran_order = false;
  std::uint64_t first_byte = 0;  // Position of the elements in the file.

  // Returns the shape as Python prints it: "(4,)".
  std::string shape_text() const;
};

// Returns true if the name of a file ends in .npy.
bool is_npy(const std::string& path);

// Returns true if a file that begins with these bytes is a .npy file.
bool begins_as_npy(std::string_view bytes);

// Reads the header. Throws Error(kIo) for anything but a .npy file of version 1 to 3.
NpyHeader read_npy_header(const PositionedFile& file);

// Reads the header at the beginning of a file's `bytes`; errors name it `name`. The dictionary may
// have its keys in any order, be quoted either way, and be written by Python 2: {"shape": (10L,)}.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& name);

// Throws Error(kIo) unless `present` bytes are the elements of the shape, each of `element_bytes`.
void check_npy_size(const NpyHeader& header, std::size_t element_bytes, std::uint64_t present,
                    const std::string& name);

// Returns the header of an array of one dimension, of version 1; `element` as above.
std::string npy_header(const std::string& element, std::uint64_t count);

// The same of an array of any dimensions, in C order.
std::string npy_header(const std::string& element, const std::vector<std::uint64_t>& shape);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_FILES_NPY_HEADER_H_
