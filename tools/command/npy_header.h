// The header of a .npy file (numpy.lib.format), read and written.
#ifndef MILLRACE_TOOLS_COMMAND_NPY_HEADER_H_
#define MILLRACE_TOOLS_COMMAND_NPY_HEADER_H_

#include <cstdint>
#include <string>

#include <millrace/tools/files/placed_file.h>

namespace millrace::tools {

struct NpyHeader {
  // Of either no more than some 200 characters, behind which are dots.
  std::string element;  // Such as '<i4', with its quotes; structured types are lists, without.
  std::string shape;    // What is between the parentheses.
  bool is_fortran_order = false;
  std::uint64_t first_byte = 0;  // Of the elements, in the file.
};

// Whether the name of a file ends in .npy.
bool is_npy(const std::string& path);

// Throws Error(kIo) for what is no .npy file of version 1 to 3.
NpyHeader read_npy_header(const PlacedFile& file);

// What precedes the elements of an array of one dimension, as of version 1; `element` as above.
std::string npy_header(const std::string& element, std::uint64_t count);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_NPY_HEADER_H_
