// The file that is to be sorted.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_INPUT_H_
#define MILLRACE_TOOLS_COMMAND_SORT_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <millrace/tools/command/sort_npy.h>
#include <millrace/tools/command/sort_records.h>
#include <millrace/tools/files/placed_file.h>

namespace millrace::tools {

// All members may be called from any thread.
class SortInput {
 public:
  // A .npy file of keys, which tells their type, or records without a header, of u32 where no type
  // is given. Throws Error(kIo) if the file cannot be read or is not as described, Error
  // (kInvalidArgument) for a type other than a .npy file's own, or values in one.
  SortInput(const std::string& path, std::optional<radix_sort::KeyType> type,
            std::size_t value_bytes);

  const RecordShape& shape() const { return shape_; }
  std::uint64_t count() const { return count_; }

  // `count` records from `first` on. Throws Error(kIo).
  void read(std::uint64_t first, std::size_t count, std::byte* records) const {
    if (array_) return read_npy_keys(file_, *array_, first, count, records);
    file_.read(first * shape_.bytes(), records, count * shape_.bytes());
  }

  // The array of a .npy file.
  const std::optional<NpyArray>& array() const { return array_; }

 private:
  PlacedFile file_;
  RecordShape shape_;
  std::optional<NpyArray> array_;
  std::uint64_t count_ = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_INPUT_H_
