// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/command/sort/sort_input.h>
#include <millrace/tools/files/input/file_kind.h>
#include <millrace/tools/files/input/zip_member.h>
#include <millrace/tools/files/names/reject_member.h>
#include <millrace/tools/tables/columns/read_column.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using Family = FileKind::Family;

// Throws for what is clearly no raw data.
void check_is_raw(const PositionedFile& file, const FileKind& kind) {
  if (!kind.is_known()) return;
  throw Error(ErrorCode::kIo, rejection(file.name(), kind, "raw keys") +
                                  "; if its bytes are keys, give --type and --raw");
}

bool is_zip(const PositionedFile& file) {
  char head[4] = {};
  if (file.bytes() < sizeof head) return false;
  file.read(0, head, sizeof head);
  return std::string_view(head, sizeof head) == "PK\x03\x04";
}

// Returns the name of an array by which numpy.load gives it.
std::string array_name(const std::string& member) {
  return member.ends_with(".npy") ? member.substr(0, member.size() - 4) : member;
}

// Returns true for an archive as numpy.savez writes it.
bool has_arrays_alone(const PositionedFile& archive) {
  try {
    const std::vector<ZipMember> members = zip_members(archive);
    return !members.empty() && std::ranges::all_of(members, [](const ZipMember& member) {
      return member.name.ends_with(".npy");
    });
  } catch (const Error&) {
    return false;  // A zip archive that is damaged is rejected as one.
  }
}

}  // namespace

bool has_npy_name(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return extension == ".npy";
}

SortInput::SortInput(const std::string& path, const SortInputOptions& options)
    : file_(PositionedFile::open(path, options.folder)) {
  const bool is_archive = is_zip(file_) && (!options.member.empty() || has_arrays_alone(file_));
  if (!options.is_raw && is_archive) open_member(options);
  const FileKind kind = options.is_raw ? FileKind() : kind_of(file_);
  const std::optional<TableFormat> format = table_format_of(kind);
  if (!is_archive && !format && !options.member.empty()) {
    reject(file_.name() + ": is no .npz, Parquet or Arrow file; leave out the array or column '" +
           options.member + "'");
  }
  if (kind.family == Family::kNpy || format) {
    format ? open_column(options, *format) : open_npy(options);
    check_bits(options);
    return;
  }
  if (!options.is_raw && table_format_of(path)) {
    reject_file(file_.name(),
                "is no Parquet or Arrow file; write it again, or if its bytes are keys, give "
                "--type and --raw");
  }
  if (!options.is_raw && (has_npy_name(path) || is_archive)) {
    throw Error(ErrorCode::kIo, file_.name() +
                                    ": is no .npy file; write one by numpy.save, or if its bytes "
                                    "are keys, give --type and --raw");
  }
  check_is_raw(file_, kind);
  open_records(options);
  check_bits(options);
}

void SortInput::check_bits(const SortInputOptions& options) {
  const auto bits = static_cast<int>(8 * shape_.key_bytes());
  if (options.bits.end_of(shape_.type) > bits || options.bits.first >= bits) {
    reject("--bits is " + std::to_string(options.bits.first) + ":" +
           std::to_string(options.bits.end) + ", and " + name() + " has keys of " +
           to_string(shape_.type) + "; give LOW:HIGH from 0:1 to " + std::to_string(bits - 1) +
           ":" + std::to_string(bits));
  }
  shape_.bits = options.bits;
}

void SortInput::open_member(const SortInputOptions& options) {
  const std::vector<ZipMember> members = zip_members(file_);
  std::vector<std::string> names;
  for (const ZipMember& member : members) {
    const std::string array = array_name(member.name);
    const bool is_only = options.member.empty() && members.size() == 1;
    if (is_only || member.name == options.member || array == options.member) {
      file_ = open_zip_member(file_, member, options.folder);
      member_ = array;
      return;
    }
    names.push_back(array);
  }
  reject_member(file_.name(), "arrays", names, options.member);
}

void SortInput::open_npy(const SortInputOptions& options) {
  array_ = read_npy(file_, options.is_widened);
  use_array(options, "a .npy file", "convert the array by astype");
}

void SortInput::open_column(const SortInputOptions& options, TableFormat format) {
  NumberColumn column = read_column(file_, format, options.member, options.folder);
  file_ = std::move(column.values);
  member_ = std::move(column.name);
  array_ = array_of(column.number, column.count, options.is_widened);
  use_array(options, "a column", "cast the column and write the table again");
}

void SortInput::use_array(const SortInputOptions& options, const std::string& what,
                          const std::string& conversion) {
  if (options.type && *options.type != array_->type) {
    reject(name() + ": holds " + to_string(array_->type) + ", not " + to_string(*options.type) +
           "; leave out --type, or " + conversion);
  }
  if (options.value_bytes > 0) {
    reject(name() + ": " + what + " has keys alone, without values of " +
           std::to_string(options.value_bytes) +
           " bytes; leave out --value-bytes, or write raw records");
  }
  shape_.type = array_->type;
  count_ = array_->count;
}

void SortInput::open_records(const SortInputOptions& options) {
  shape_ = {.type = options.type.value_or(radix_sort::KeyType::kU32),
            .value_bytes = options.value_bytes};
  count_ = file_.bytes() / shape_.bytes();
  if (file_.bytes() % shape_.bytes() == 0) return;
  throw Error(ErrorCode::kIo, name() + ": has " + std::to_string(file_.bytes()) +
                                  " bytes, which is no multiple of a record's " +
                                  std::to_string(shape_.bytes()) +
                                  "; describe its records by --type and --value-bytes, or cut "
                                  "it to whole ones");
}

}  // namespace millrace::tools
