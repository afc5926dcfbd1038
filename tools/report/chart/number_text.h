// SPDX-License-Identifier: Apache-2.0

// Numbers as people read them.
#ifndef MILLRACE_TOOLS_REPORT_CHART_NUMBER_TEXT_H_
#define MILLRACE_TOOLS_REPORT_CHART_NUMBER_TEXT_H_

#include <string>

namespace millrace::tools {

// To so many significant digits, with the prefix of SI that leaves 1 to 999 before the point:
// "1.23 M", "45.6 µ", "0". Behind it comes a unit, or nothing.
std::string si_text(double number, int digits = 3);

// The same for a mark of an axis: no more digits than it has, "10 k", and no prefix from 0.001 on
// up to 1000.
std::string tick_text(double number);

// With its unit: symbols join the prefix ("45.6 µs", "1.2 GB/s"), words follow it ("1.2 M keys/s"),
// "%" and "times" take none ("87.5 %").
std::string quantity_text(double number, const std::string& unit);

// The same where there is little space, and the unit is written elsewhere: without words.
std::string figure_text(double number, const std::string& unit);

// A ratio or a percentage's number: "1.07", "12.3", "240", "0.012".
std::string ratio_text(double number);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_NUMBER_TEXT_H_
