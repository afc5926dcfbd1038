// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/tables/columns/table_format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace millrace::tools {

std::optional<TableFormat> table_format_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  if (ending == ".parquet") return TableFormat::kParquet;
  if (ending == ".arrow" || ending == ".feather") return TableFormat::kArrow;
  return {};
}

std::optional<TableFormat> table_format_of(const FileKind& kind) {
  if (kind.family == FileKind::Family::kParquet) return TableFormat::kParquet;
  if (kind.family == FileKind::Family::kArrow) return TableFormat::kArrow;
  return {};
}

const char* to_string(TableFormat format) {
  return format == TableFormat::kParquet ? "a Parquet file" : "an Arrow file";
}

void require_arrow(const std::string& name, TableFormat format, bool is_output) {
  if (has_arrow()) return;
  const std::string kind = to_string(format);
  const std::string other =
      is_output ? "give the output a name in .npy" : "save the column by numpy.save";
  reject_file(name, (is_output ? "would be " : "is ") + kind +
                        ", and this millrace was built without Apache Arrow; install "
                        "libarrow-dev and libparquet-dev, or set ARROW_ROOT to the library's "
                        "folder, and build it again; or " +
                        other);
}

}  // namespace millrace::tools
