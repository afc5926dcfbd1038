// SPDX-License-Identifier: Apache-2.0

// Finds the faster of two contenders at each size.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_LEADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_LEADS_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace millrace::tools {

// Seconds by size.
using SizeSeries = std::map<std::size_t, double>;

// Times that differ by a smaller fraction are equal: noise changes medians by as much.
inline constexpr double kLeastLead = 0.02;

// A range of measured sizes over which one of two stays the faster.
struct Lead {
  bool is_first = false;  // The first one leads, else the second.
  std::size_t after = 0;  // The last size at which the other led; 0 where this lead is the first.
  std::size_t from = 0;   // The first size of this lead.
  std::size_t until = 0;  // The last one.
};

// By ascending sizes, of those that both have; where times are equal nobody leads.
std::vector<Lead> leads(const SizeSeries& first, const SizeSeries& second);

// "a is faster from 10 on; b from between 100 and 200 on"; "" without leads.
std::string describe(const std::vector<Lead>& leads, const std::string& first,
                     const std::string& second);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_LEADS_H_
