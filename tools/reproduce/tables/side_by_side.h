// SPDX-License-Identifier: Apache-2.0

// A paper's figures and ours in one table.
#ifndef MILLRACE_TOOLS_REPRODUCE_TABLES_SIDE_BY_SIDE_H_
#define MILLRACE_TOOLS_REPRODUCE_TABLES_SIDE_BY_SIDE_H_

#include <millrace/tools/reproduce/tables/data_table.h>

#include <string>
#include <vector>

namespace millrace::tools {

struct SideBySide {
  struct Head {
    std::string column;
    std::string unit;
    std::string source;  // "paper" or "here".
  };
  struct Row {
    std::string label;
    std::vector<std::string> cells;  // One a head; "" where there is no figure.
  };

  std::string label_name;
  std::vector<Head> heads;
  std::vector<Row> rows;
};

// Each column of the paper's and then of ours, as far as there are figures in it: the paper's, and
// ours right of them. Rows of one label are one, and those without any figure are left out.
// Numbers that label rows ascend; other rows of ours follow the paper's, but for a last one that
// both have.
SideBySide side_by_side(const DataTable& paper, const DataTable& here);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_TABLES_SIDE_BY_SIDE_H_
