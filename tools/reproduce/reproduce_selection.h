// SPDX-License-Identifier: Apache-2.0

// Which tables and figures are asked for.
#ifndef MILLRACE_TOOLS_REPRODUCE_REPRODUCE_SELECTION_H_
#define MILLRACE_TOOLS_REPRODUCE_REPRODUCE_SELECTION_H_

#include <set>
#include <string>
#include <vector>

namespace millrace::tools {

struct ReproduceSelection {
  std::vector<std::string>
      subjects;                 // That have some of the names, in the order of paper_tables().
  std::set<std::string> names;  // Of paper tables.

  bool has(const std::string& subject) const;
};

// Of a subject or "all", those in `only`, or all of them where that is empty. Spaces, case and
// marks of names do not matter: "fig 5a" is "Fig. 5(a)". Throws kNotFound, with what there is, for
// a subject or name that is none, and kInvalidArgument for a name of another subject.
ReproduceSelection select_reproductions(const std::string& subject,
                                        const std::vector<std::string>& only);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_REPRODUCE_SELECTION_H_
