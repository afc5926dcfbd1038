// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/bench/bench_targets.h>
#include <millrace/tools/report/targets/judged_targets.h>
#include <millrace/tools/report/targets/target_table.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace millrace::tools {
namespace {

// Returns the number of characters of UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool is_number) {
  const std::string space(width - width_of(text), ' ');
  return is_number ? space + text : text + space;
}

void print_row(const Table& table, const std::vector<std::string>& row,
               const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    line += "  " + padded(row[i], widths[i], table.columns[i].is_number);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  std::printf("%s\n", line.c_str());
}

void print_table(const Table& table) {
  std::vector<std::string> head;
  for (const Column& column : table.columns) head.push_back(column.name);
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < head.size(); ++i) {
    std::size_t width = width_of(head[i]);
    for (const auto& row : table.rows) width = std::max(width, width_of(row[i]));
    widths.push_back(width);
  }
  print_row(table, head, widths);
  for (const auto& row : table.rows) print_row(table, row, widths);
}

}  // namespace

std::vector<TargetSet> read_target_files(const std::vector<std::string>& paths) {
  std::vector<TargetSet> sets;
  for (const std::string& path : paths) sets.push_back(read_targets(path));
  return sets;
}

void print_targets(const TargetSet& set, const Results& results) {
  const JudgedTargets judged = judge_targets(set, results);
  const Table table = target_table(set, judged);
  if (!table.rows.empty()) print_table(table);
  std::printf("%s\n", target_summary(set, judged, results).c_str());
}

}  // namespace millrace::tools
