// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/reproduce/reproduce_selection.h>
#include <millrace/tools/reproduce/tables/paper_table.h>

#include <algorithm>
#include <cctype>

namespace millrace::tools {
namespace {

constexpr const char* kAll = "all";

// Letters and digits alone.
std::string plain(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) text += static_cast<char>(std::tolower(byte));
  }
  return text;
}

const PaperTable& table_named(const std::string& name) {
  std::string known;
  for (const PaperTable& table : paper_tables()) {
    if (plain(table.name) == plain(name)) return table;
    known += (known.empty() ? "" : ", ") + table.name;
  }
  throw Error(ErrorCode::kNotFound, "no table or figure '" + name + "'; there are: " + known);
}

void check_subject(const std::string& subject) {
  std::string known;
  for (const PaperTable& table : paper_tables()) {
    if (subject == kAll || subject == table.paper->subject) return;
    if (known.find(table.paper->subject) == known.npos) known += table.paper->subject + ", ";
  }
  throw Error(ErrorCode::kNotFound, "no paper on '" + subject + "'; there are: " + known + kAll);
}

}  // namespace

bool ReproduceSelection::has(const std::string& subject) const {
  return std::ranges::find(subjects, subject) != subjects.end();
}

ReproduceSelection select_reproductions(const std::string& subject,
                                        const std::vector<std::string>& only) {
  check_subject(subject);
  std::set<std::string> wanted;
  for (const std::string& name : only) {
    const PaperTable& table = table_named(name);
    if (subject != kAll && subject != table.paper->subject) {
      reject(table.name + " is of " + table.paper->subject + ", not of " + subject +
             "; run millrace reproduce " + table.paper->subject);
    }
    wanted.insert(table.name);
  }
  ReproduceSelection selection;
  for (const PaperTable& table : paper_tables()) {
    const std::string& of = table.paper->subject;
    if (subject != kAll && subject != of) continue;
    if (!only.empty() && !wanted.contains(table.name)) continue;
    selection.names.insert(table.name);
    if (!selection.has(of)) selection.subjects.push_back(of);
  }
  return selection;
}

}  // namespace millrace::tools
