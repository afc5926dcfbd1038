// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/output/reproduction_text.h>
#include <millrace/tools/reproduce/tables/side_by_side.h>

#include <algorithm>
#include <cstddef>

namespace millrace::tools {
namespace {

std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string padded_right(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

// Names of columns, their units and whose figures they are stand on lines of their own.
std::string lines_of(const SideBySide& table) {
  std::size_t label_width = table.label_name.size();
  for (const SideBySide::Row& row : table.rows) {
    label_width = std::max(label_width, row.label.size());
  }
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.heads.size(); ++i) {
    const SideBySide::Head& head = table.heads[i];
    std::size_t width = std::max({head.column.size(), head.unit.size(), head.source.size()});
    for (const SideBySide::Row& row : table.rows) width = std::max(width, row.cells[i].size());
    widths.push_back(width);
  }
  std::string text;
  const auto add_line = [&](const std::string& label, const auto& cell) {
    text += padded_right(label, label_width);
    for (std::size_t i = 0; i < widths.size(); ++i) text += "  " + padded_left(cell(i), widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  add_line("", [&](std::size_t i) { return table.heads[i].column; });
  if (std::ranges::any_of(table.heads, [](const auto& head) { return !head.unit.empty(); })) {
    add_line("", [&](std::size_t i) { return table.heads[i].unit; });
  }
  add_line(table.label_name, [&](std::size_t i) { return table.heads[i].source; });
  for (const SideBySide::Row& row : table.rows) {
    add_line(row.label, [&](std::size_t i) { return row.cells[i].empty() ? "-" : row.cells[i]; });
  }
  return text;
}

nlohmann::json json_of(const DataTable& table) {
  nlohmann::json json = {{"columns", nlohmann::json::array()},
                         {"rows", nlohmann::json::array()},
                         {"notes", table.notes}};
  for (const TableColumn& column : table.columns) {
    json["columns"].push_back({{"name", column.name}, {"unit", column.unit}});
  }
  for (const TableRow& row : table.rows) {
    nlohmann::json figures = nlohmann::json::array();
    for (const auto& cell : row.cells) {
      figures.push_back(cell ? nlohmann::json(*cell) : nlohmann::json());
    }
    json["rows"].push_back({{"label", row.label}, {"figures", std::move(figures)}});
  }
  return json;
}

}  // namespace

std::string text_of(const Reproduction& reproduction) {
  const PaperTable& paper = *reproduction.paper;
  std::string text = "\n" + heading_of(paper) + "\n";
  text += lines_of(side_by_side(paper.data, reproduction.here));
  for (const std::string& note : paper.data.notes) text += note + "\n";
  for (const std::string& note : reproduction.here.notes) text += note + "\n";
  for (const Finding& finding : reproduction.findings) {
    text += "* " + finding.claim + ". " + finding.sentence() + "\n";
  }
  return text;
}

nlohmann::json json_of(const Reproduction& reproduction) {
  const PaperTable& paper = *reproduction.paper;
  nlohmann::json json = {
      {"subject", paper.paper->subject},    {"name", paper.name},
      {"caption", paper.caption},           {"paper", json_of(paper.data)},
      {"here", json_of(reproduction.here)}, {"findings", nlohmann::json::array()}};
  for (const Finding& finding : reproduction.findings) {
    json["findings"].push_back({{"claim", finding.claim},
                                {"verdict", to_string(finding.verdict)},
                                {"sentence", finding.sentence()}});
  }
  return json;
}

}  // namespace millrace::tools
