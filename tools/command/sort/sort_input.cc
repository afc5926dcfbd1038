// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/sort/sort_input.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/files/input/file_kind.h>

namespace millrace::tools {
namespace {

using Family = FileKind::Family;

// Throws for what is clearly no raw data.
void check_is_raw(const PlacedFile& file, const FileKind& kind) {
  if (!kind.is_known()) return;
  throw Error(ErrorCode::kIo, rejection(file.name(), kind, "raw keys") +
                                  "; if its bytes are keys, give --type and --raw");
}

}  // namespace

bool has_npy_name(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return extension == ".npy";
}

SortInput::SortInput(const std::string& path, const SortInputOptions& options)
    : file_(PlacedFile::open(path, options.folder)) {
  const FileKind kind = options.is_raw ? FileKind() : kind_of(file_);
  if (kind.family == Family::kNpy) {
    open_npy(options);
    return;
  }
  if (!options.is_raw && has_npy_name(path)) {
    throw Error(ErrorCode::kIo, file_.name() +
                                    ": is no .npy file; write one by numpy.save, or if its bytes "
                                    "are keys, give --type and --raw");
  }
  check_is_raw(file_, kind);
  open_records(options);
}

void SortInput::open_npy(const SortInputOptions& options) {
  array_ = read_npy(file_);
  const NpyArray& array = *array_;
  if (options.type && *options.type != array.type) {
    throw Error(ErrorCode::kInvalidArgument,
                name() + ": holds " + to_string(array.type) + ", not " + to_string(*options.type) +
                    "; leave out --type, or convert the array by astype");
  }
  if (options.value_bytes > 0) {
    throw Error(ErrorCode::kInvalidArgument,
                name() + ": a .npy file has keys alone, without values of " +
                    std::to_string(options.value_bytes) +
                    " bytes; leave out --value-bytes, or write raw records");
  }
  shape_.type = array.type;
  count_ = array.count;
}

void SortInput::open_records(const SortInputOptions& options) {
  shape_ = {.type = options.type.value_or(radix_sort::KeyType::kU32),
            .value_bytes = options.value_bytes};
  count_ = file_.bytes() / shape_.bytes();
  if (file_.bytes() % shape_.bytes() == 0) return;
  throw Error(ErrorCode::kIo, name() + ": has " + std::to_string(file_.bytes()) +
                                  " bytes, which is no multiple of a record's " +
                                  std::to_string(shape_.bytes()) +
                                  "; say its records by --type and --value-bytes, or cut it to "
                                  "whole ones");
}

}  // namespace millrace::tools
