// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/reproduce/output/reproduction_document.h>
#include <millrace/tools/reproduce/tables/side_by_side.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

namespace millrace::tools {
namespace {

constexpr bool kNumber = true;

Table table_of(const SideBySide& both, const std::string& caption) {
  Table table{caption, {{both.label_name}}, {}};
  for (const SideBySide::Head& head : both.heads) {
    const std::string unit = head.unit.empty() ? "" : ", " + head.unit;
    table.columns.push_back({head.column + unit + " (" + head.source + ")", kNumber});
  }
  for (const SideBySide::Row& row : both.rows) {
    std::vector<std::string>& cells = table.rows.emplace_back(std::vector{row.label});
    for (const std::string& cell : row.cells) cells.push_back(cell.empty() ? "–" : cell);
  }
  return table;
}

// The figures that are drawn.
Table table_of(const LineChart& chart) {
  Table table{
      "The figures drawn", {{"line"}, {chart.x_label, kNumber}, {chart.y_label, kNumber}}, {}};
  for (const ChartLine& line : chart.lines) {
    for (const ChartPoint& point : line.points) {
      table.rows.push_back({line.name, in_words(point.x), quantity_text(point.y, chart.y_label)});
    }
  }
  return table;
}

Table table_of(const BarChart& chart) {
  Table table{"The figures drawn, " + chart.unit, {{"bar"}}, {}};
  for (const std::string& series : chart.series) table.columns.push_back({series, kNumber});
  for (const ChartBar& bar : chart.bars) {
    std::vector<std::string>& cells = table.rows.emplace_back(std::vector{bar.name});
    for (const double figure : bar.figures) cells.push_back(si_text(figure));
  }
  return table;
}

Table table_of(const LaneChart& chart) { return {chart.title, {}, {}}; }
Table table_of(const SequenceChart& chart) { return {chart.title, {}, {}}; }
Table table_of(const CascadeChart& chart) { return {chart.title, {}, {}}; }

Section section_of(const Reproduction& reproduction) {
  const PaperTable& paper = *reproduction.paper;
  Section section{heading_of(paper), {}, {}};
  for (const Finding& finding : reproduction.findings) {
    section.blocks.emplace_back(finding.claim + ". " + finding.sentence());
  }
  section.blocks.emplace_back(
      table_of(side_by_side(paper.data, reproduction.here), paper.name + ", the paper's and here"));
  for (const Chart& chart : reproduction.charts) {
    Table drawn = std::visit([](const auto& each) { return table_of(each); }, chart);
    section.blocks.emplace_back(Figure{chart, paper.caption + ".", std::move(drawn)});
  }
  for (const auto* const notes : {&paper.data.notes, &reproduction.here.notes}) {
    for (const std::string& note : *notes) section.blocks.emplace_back(note);
  }
  return section;
}

std::string in_capitals(const char* verdict) {
  std::string text = verdict;
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

Section summary_of(const std::vector<Reproduction>& reproductions, const std::string& how) {
  Table table{"What the papers find, and what is so here",
              {{"Table or figure"}, {"The paper finds"}, {"Here"}, {"By these figures"}},
              {}};
  std::size_t counts[4] = {};
  for (const Reproduction& reproduction : reproductions) {
    for (const Finding& finding : reproduction.findings) {
      ++counts[static_cast<std::size_t>(finding.verdict)];
      table.rows.push_back({reproduction.paper->name + ", " + reproduction.paper->paper->subject,
                            finding.claim, in_capitals(to_string(finding.verdict)),
                            finding.reason});
    }
  }
  const auto count = [&](FindingVerdict verdict) {
    return std::to_string(counts[static_cast<std::size_t>(verdict)]);
  };
  Section section{"What holds here", {}, {}};
  section.blocks.emplace_back(
      "Of " + std::to_string(table.rows.size()) + " findings " + count(FindingVerdict::kHolds) +
      " hold here, " + count(FindingVerdict::kWeaker) +
      " hold with less than half of the paper's effect (by logarithms of ratios), " +
      count(FindingVerdict::kFails) + " do not hold, and " + count(FindingVerdict::kUntested) +
      " could not be tested. Each verdict and sentence is computed from the figures below.");
  section.blocks.emplace_back(how);
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace

Document document_of(const std::vector<Reproduction>& reproductions, const DeviceRecord& device,
                     const std::string& how) {
  Document document{"Three papers' tables and figures, measured anew",
                    device.name + ": " + device.description,
                    {},
                    "millrace reproduce"};
  document.sections.push_back(summary_of(reproductions, how));
  const Paper* paper = nullptr;
  for (const Reproduction& reproduction : reproductions) {
    if (paper != reproduction.paper->paper) {
      paper = reproduction.paper->paper;
      Section& section = document.sections.emplace_back(Section{paper->title, {}, {}});
      section.blocks.emplace_back("The paper: " + paper->citation + ".");
      section.blocks.emplace_back("Its hardware: " + paper->hardware + ".");
    }
    document.sections.back().sections.push_back(section_of(reproduction));
  }
  return document;
}

}  // namespace millrace::tools
