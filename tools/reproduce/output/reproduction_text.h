// SPDX-License-Identifier: Apache-2.0

// Reproductions for people and for programs.
#ifndef MILLRACE_TOOLS_REPRODUCE_OUTPUT_REPRODUCTION_TEXT_H_
#define MILLRACE_TOOLS_REPRODUCE_OUTPUT_REPRODUCTION_TEXT_H_

#include <millrace/tools/reproduce/tables/reproduction.h>

#include <nlohmann/json.hpp>

#include <string>

namespace millrace::tools {

// Its heading, both tables in one, notes, and what was found, as lines for a terminal.
std::string text_of(const Reproduction& reproduction);

// Its paper, both tables, and findings.
nlohmann::json json_of(const Reproduction& reproduction);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_OUTPUT_REPRODUCTION_TEXT_H_
