// SPDX-License-Identifier: Apache-2.0

// The input of `millrace sort`.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_SORT_INPUT_H_
#define MILLRACE_TOOLS_COMMAND_SORT_SORT_INPUT_H_

#include <millrace/tools/command/sort/sort_npy.h>
#include <millrace/tools/command/sort/sort_records.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/tables/columns/table_format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace millrace::tools {

// Returns true if a file's name ends in .npy, in letters of any case.
bool has_npy_name(const std::string& path);

struct SortInputOptions {
  std::optional<radix_sort::KeyType> type;  // Empty: an array's or a column's own, else u32.
  std::size_t value_bytes = 0;              // Size of the value of each record.
  bool is_raw = false;          // The bytes are records, whatever they look like; `type` is given.
  bool is_widened = false;      // Keys of 1 and 2 bytes in an array are read as keys of 4.
  radix_sort::BitRange bits{};  // Bits of the keys that decide.
  std::string member{};         // Array of a .npz file, column of a table; empty: the only one.
  // Folder for the contents of a pipe and of a column; empty: temporary_folder().
  std::string folder{};
};

// All members may be called from any thread.
class SortInput {
 public:
  // Reads a file or a pipe (see PositionedFile::open). Its first bytes distinguish a .npy array
  // of keys and a table of columns, which have their type, from records without a header. Throws
  // Error(kIo) if the file cannot be read, is of another kind by its content, such as a zip archive
  // or text, or is not as described, and what read_column throws; Error (kInvalidArgument) for a
  // type other than the array's or column's own, values with one, bits that the keys do not have,
  // or no such member, or several to choose from, of a .npz file or a table.
  SortInput(const std::string& path, const SortInputOptions& options);

  const RecordShape& shape() const { return shape_; }
  const std::string& name() const { return file_.name(); }
  std::uint64_t count() const { return count_; }

  // Reads `count` records from `first` on. Throws Error(kIo).
  void read(std::uint64_t first, std::size_t count, std::byte* records) const {
    if (array_) return read_npy_keys(file_, *array_, first, count, records);
    file_.read(first * shape_.bytes(), records, count * shape_.bytes());
  }

  // The array of a .npy file, or a column.
  const std::optional<NpyArray>& array() const { return array_; }

  // Returns the name of the column or of the .npz file's array as it was read, else "".
  const std::string& member() const { return member_; }

 private:
  void open_member(const SortInputOptions& options);
  void open_npy(const SortInputOptions& options);
  void open_column(const SortInputOptions& options, TableFormat format);
  // Takes the keys of array_, unless they are to have another type or values. For messages: `what`
  // holds them, and `conversion` changes their type.
  void use_array(const SortInputOptions& options, const std::string& what,
                 const std::string& conversion);
  void open_records(const SortInputOptions& options);
  void check_bits(const SortInputOptions& options);

  PositionedFile file_;
  RecordShape shape_;
  std::optional<NpyArray> array_;
  std::string member_;
  std::uint64_t count_ = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_SORT_INPUT_H_
