// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/encode_table.h>

#include <cstdio>
#include <string>

namespace millrace::tools {
namespace {

constexpr char kWorkload[] = "rd";
// Values of the workload.
constexpr char kRate[] = "kbit/s, QP 32";
constexpr char kPsnr[] = "PSNR YUV, QP 32";
constexpr char kDelta[] = "BD-rate YUV %";

// Returns the value with so many decimals, "" where it was not measured.
std::string value_text(const Measurement& measurement, const char* name, const char* format) {
  const auto found = measurement.values.find(name);
  if (found == measurement.values.end()) return "";
  char text[64];
  std::snprintf(text, sizeof text, format, found->second);
  return text;
}

}  // namespace

Table encode_table(const MergedResults& merged, const Group& group, const RunColumn& run_column) {
  Table table{"Bit rate and quality of H.264 encoding, " + group.input +
                  "; PSNR is the mean (4Y + U + V) / 6",
              {{"Device"},
               {"Encoder"},
               {"Pictures/s", true},
               {"kbit/s at QP 32", true},
               {"PSNR at QP 32, dB", true},
               {"BD-rate to the first, %", true}},
              {}};
  add_run_column(table, run_column);
  if (group.workload != kWorkload) return table;
  for (const bool are_peers : {false, true}) {
    for (const Entry& entry : group.entries) {
      const Measurement& each = *entry.measurement;
      if (each.status != MeasurementStatus::kOk || each.peer.empty() == are_peers ||
          !each.values.contains(kRate)) {
        continue;
      }
      add_row(table,
              {name_of(merged, entry.platform), contender_of(each), si_text(rate_of(each).value),
               value_text(each, kRate, "%.1f"), value_text(each, kPsnr, "%.2f"),
               value_text(each, kDelta, "%+.2f")},
              each, run_column);
    }
  }
  return table;
}

}  // namespace millrace::tools
