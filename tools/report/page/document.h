// SPDX-License-Identifier: Apache-2.0

// The content of a report, independent of the format it is written in.
#ifndef MILLRACE_TOOLS_REPORT_PAGE_DOCUMENT_H_
#define MILLRACE_TOOLS_REPORT_PAGE_DOCUMENT_H_

#include <millrace/tools/report/chart/chart.h>

#include <string>
#include <variant>
#include <vector>

namespace millrace::tools {

struct Column {
  std::string name;
  bool is_number = false;  // Its cells end in line.
};

// The first cell of a row names the row.
struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

// A chart, the sentence below it, which may be empty, and its figures as a table.
struct Figure {
  Chart chart;
  std::string caption;
  Table table;
};

using Paragraph = std::string;
using Block = std::variant<Paragraph, Table, Figure>;

// Its own sections come after its blocks.
struct Section {
  std::string title;
  std::vector<Block> blocks;
  std::vector<Section> sections;

  bool is_empty() const { return blocks.empty() && sections.empty(); }
};

struct Document {
  std::string title;
  std::string subtitle;
  std::vector<Section> sections;
  std::string maker = "millrace report";  // The command that made it.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PAGE_DOCUMENT_H_
