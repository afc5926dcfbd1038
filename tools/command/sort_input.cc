#include <millrace/tools/command/sort_input.h>

#include <millrace/runtime/error.h>
#include <millrace/tools/command/npy_header.h>

namespace millrace::tools {

using radix_sort::KeyType;

SortInput::SortInput(const std::string& path, std::optional<KeyType> type, std::size_t value_bytes)
    : file_(PlacedFile::open(path)) {
  shape_ = {.type = type.value_or(KeyType::kU32), .value_bytes = value_bytes};
  if (!is_npy(path)) {
    count_ = file_.bytes() / shape_.bytes();
    if (file_.bytes() % shape_.bytes() != 0) {
      throw Error(ErrorCode::kIo, path + ": has " + std::to_string(file_.bytes()) +
                                      " bytes, which is no multiple of a record's " +
                                      std::to_string(shape_.bytes()));
    }
    return;
  }
  array_ = read_npy(file_);
  const NpyArray& array = *array_;
  if (type && *type != array.type) {
    throw Error(ErrorCode::kInvalidArgument,
                path + ": holds " + to_string(array.type) + ", not " + to_string(*type));
  }
  if (value_bytes > 0) {
    throw Error(ErrorCode::kInvalidArgument,
                path + ": a .npy file has keys alone, without values of " +
                    std::to_string(value_bytes) + " bytes");
  }
  shape_.type = array.type;
  count_ = array.count;
}

}  // namespace millrace::tools
