// SPDX-License-Identifier: Apache-2.0

// The tables and figures of the three papers, with the figures that the papers print: what a paper
// only draws is not here.
#ifndef MILLRACE_TOOLS_REPRODUCE_TABLES_PAPER_TABLE_H_
#define MILLRACE_TOOLS_REPRODUCE_TABLES_PAPER_TABLE_H_

#include <millrace/tools/reproduce/tables/data_table.h>

#include <string>
#include <vector>

namespace millrace::tools {

struct Paper {
  std::string subject;  // What `millrace reproduce` takes, such as "idct".
  std::string title;    // Title of the subject, for readers.
  std::string citation;
  std::string hardware;  // Hardware of the paper's measurements.
};

struct PaperTable {
  const Paper* paper = nullptr;
  std::string name;  // As the paper has it, such as "Fig. 5(a)"; no two are the same.
  std::string caption;
  DataTable data;  // Figures of the paper; no rows if the text has none.
};

// "Fig. 9: 3-stars of random points".
std::string heading_of(const PaperTable& table);

// One file each: the paper's text is its source.
std::vector<PaperTable> idct_paper_tables();
std::vector<PaperTable> motion_paper_tables();
std::vector<PaperTable> sort_paper_tables();
std::vector<PaperTable> three_star_paper_tables();

// All of them, in the order above. Lives as long as the program.
const std::vector<PaperTable>& paper_tables();

// Throws Error (kNotFound) for a name that none has.
const PaperTable& paper_table(const std::string& name);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_TABLES_PAPER_TABLE_H_
