// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/command/sort/check_sorted.h>
#include <millrace/tools/command/sort/result_form.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/tables/columns/read_column.h>

namespace millrace::tools {

using radix_sort::KeyType;

std::string ResultForm::element() const {
  const KeyType of_positions = plan_.run_shape().value_bytes == 8 ? KeyType::kU64 : KeyType::kU32;
  if (options_.sort.is_argsort) return npy_element(of_positions);
  const NpyArray* const narrow = narrow_array();
  return narrow != nullptr ? narrow->stored.description() : npy_element(input_.shape().type);
}

std::string ResultForm::header(std::uint64_t count) const {
  return has_npy_name(options_.out) ? npy_header(element(), count) : "";
}

const NpyArray* ResultForm::narrow_array() const {
  const bool is_narrow = input_.array() && input_.array()->is_narrow() && !options_.sort.is_argsort;
  return is_narrow ? &*input_.array() : nullptr;
}

std::optional<WrittenColumn> ResultForm::column() const {
  const std::optional<TableFormat> format = table_format_of(options_.out);
  if (!format) return {};
  const std::string keys = input_.member().empty() ? "key" : input_.member();
  return WrittenColumn{.file = options_.out,
                       .name = options_.sort.is_argsort ? "position" : keys,
                       .format = *format,
                       .number = NpyNumber::of(element()).value()};
}

void ResultForm::check(const std::string& path, SortWatch& watch) const {
  const TimelineScope scope("host check", "result");
  PositionedFile file = PositionedFile::open(path);
  if (const auto format = table_format_of(options_.out)) {
    file = read_column(file, *format, "", options_.sort.folder).values;
  }
  const SortedFile sorted = {file, header(input_.count()).size(), narrow_array()};
  if (options_.sort.is_argsort) {
    check_argsorted(input_, options_.sort.order, sorted, plan_.run_shape().value_bytes,
                    options_.sort.memory_bytes, watch);
  } else {
    check_sorted(input_, options_.sort.order, sorted, watch);
  }
}

}  // namespace millrace::tools
