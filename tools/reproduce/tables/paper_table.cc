// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/reproduce/tables/paper_table.h>

#include <algorithm>
#include <iterator>

namespace millrace::tools {

std::string heading_of(const PaperTable& table) { return table.name + ": " + table.caption; }

const std::vector<PaperTable>& paper_tables() {
  static const std::vector<PaperTable> all = [] {
    std::vector<PaperTable> tables;
    for (auto* const of_subject :
         {&idct_paper_tables, &motion_paper_tables, &sort_paper_tables, &three_star_paper_tables}) {
      std::ranges::move((*of_subject)(), std::back_inserter(tables));
    }
    return tables;
  }();
  return all;
}

const PaperTable& paper_table(const std::string& name) {
  const auto found = std::ranges::find(paper_tables(), name, &PaperTable::name);
  if (found == paper_tables().end()) {
    throw Error(ErrorCode::kNotFound, "no paper has a table or figure named " + name);
  }
  return *found;
}

}  // namespace millrace::tools
