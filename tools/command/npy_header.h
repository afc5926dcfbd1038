// What the header of a .npy file says (numpy.lib.format).
#ifndef MILLRACE_TOOLS_COMMAND_NPY_HEADER_H_
#define MILLRACE_TOOLS_COMMAND_NPY_HEADER_H_

#include <cstdint>
#include <string>

#include <millrace/tools/command/sort_file_io.h>

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

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_NPY_HEADER_H_
