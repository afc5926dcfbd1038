// SPDX-License-Identifier: Apache-2.0

// Writes a .npz file whose arrays grow row by row.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_NPZ_NPZ_WRITER_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_NPZ_NPZ_WRITER_H_

#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/files/output/output_file.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

// An array, of which the first dimension grows.
struct NpzArray {
  std::string name;
  std::string element;  // With quotes: "'<i4'".
  std::size_t element_bytes = 1;
  std::vector<std::uint64_t> row_shape = {};  // Other dimensions.
};

// Keeps the rows in temporary files, so that memory does not grow with them. Used by one thread at
// a time. Members throw Error(kIo).
class NpzWriter {
 public:
  // Temporary files are in `folder`.
  NpzWriter(std::vector<NpzArray> arrays, const std::string& folder);

  // Appends one row, or several, to an array; `data` has whole rows.
  void append(std::size_t array, const void* data, std::size_t bytes);

  // Adds an array of strings once all rows are appended.
  void add_strings(const std::string& name, const std::vector<std::string>& strings);

  // Writes the archive to the file, which is left to be committed.
  void write(OutputFile& file);

 private:
  struct Column {
    NpzArray array;
    PositionedFile file;
    std::uint64_t written = 0;
    std::vector<char> pending = {};
  };

  static void flush(Column& column);

  std::string folder_;
  std::vector<Column> columns_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_NPZ_NPZ_WRITER_H_
