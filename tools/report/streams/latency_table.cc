// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/streams/latency_table.h>

#include <string>

namespace millrace::tools {
namespace {

constexpr char kWorst[] = "worst ms";  // A value of the workload.

std::string ms_text(double seconds) { return ratio_text(1e3 * seconds); }

}  // namespace

Table latency_table(const MergedResults& merged, const std::vector<Group>& groups,
                    const RunColumn& run_column) {
  Table table{
      "Latency from the last bits of a picture, one of each stream at a time, to its "
      "features in host memory",
      {{"Stream"},
       {"Device"},
       {"Policy, strategy"},
       {"Streams at a time", true},
       {"Median, ms", true},
       {"95 % interval, ms", true},
       {"Worst, ms", true}},
      {}};
  add_run_column(table, run_column);
  for (const Group& group : groups) {
    for (const Entry& entry : group.entries) {
      const Measurement& each = *entry.measurement;
      const auto worst = each.values.find(kWorst);
      if (each.status != MeasurementStatus::kOk || worst == each.values.end()) continue;
      add_row(table,
              {group.input, name_of(merged, entry.platform), contender_of(each),
               std::to_string(each.size), ms_text(each.median_seconds),
               ms_text(each.low_seconds) + " to " + ms_text(each.high_seconds),
               ratio_text(worst->second)},
              each, run_column);
    }
  }
  return table;
}

}  // namespace millrace::tools
