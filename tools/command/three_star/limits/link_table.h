// SPDX-License-Identifier: Apache-2.0

// Tables of pairs of points that receive each other.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_LIMITS_LINK_TABLE_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_LIMITS_LINK_TABLE_H_

#include <millrace/algorithms/three_star/placement/placement.h>

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {

// Reads a text table (tools/tables/read_table.h) of two points a line, counted from 0: in columns
// named a and b, or from and to; without names the table has two columns. Throws Error(kIo) with
// the name and the line for what is no such pair, and if there is none.
std::vector<three_star::Link> read_links(const std::string& path, std::size_t points);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_LIMITS_LINK_TABLE_H_
