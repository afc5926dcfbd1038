// SPDX-License-Identifier: Apache-2.0

// Parses which tables and figures are requested.
#ifndef MILLRACE_TOOLS_REPRODUCE_REPRODUCE_SELECTION_H_
#define MILLRACE_TOOLS_REPRODUCE_REPRODUCE_SELECTION_H_

#include <set>
#include <string>
#include <vector>

namespace millrace::tools {

struct ReproduceSelection {
  std::vector<std::string>
      subjects;                 // Subjects with some of the names, in the order of paper_tables().
  std::set<std::string> names;  // Names of paper tables.

  bool has(const std::string& subject) const;
};

// Selects tables of a subject or "all": those in `only`, or all of them if that is empty. Spaces,
// case and marks of names are ignored: "fig 5a" is "Fig. 5(a)". Throws kNotFound, which lists the
// known ones, for an unknown subject or name, and kInvalidArgument for a name of another subject.
ReproduceSelection select_reproductions(const std::string& subject,
                                        const std::vector<std::string>& only);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_REPRODUCE_SELECTION_H_
