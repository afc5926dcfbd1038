// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/performance/stream_table.h>

#include <cstdint>
#include <string>

namespace millrace::tools {
namespace {

constexpr char kWorkload[] = "h264";
constexpr char kPicturesPerSecond[] = "pictures per s";  // Values of the workload.
constexpr char kLiveStreams[] = "live streams";

// Measurements of one input at its largest size; null if there is none.
struct StreamRow {
  const Measurement* parse = nullptr;
  const Measurement* decode = nullptr;
  const Measurement* peer = nullptr;

  const Measurement* any() const { return parse != nullptr ? parse : decode; }
};

StreamRow row_of(const Group& group) {
  StreamRow row;
  std::uint64_t size = 0;
  for (const Entry& entry : group.entries) {
    const Measurement& each = *entry.measurement;
    if (each.status != MeasurementStatus::kOk || each.size < size) continue;
    if (each.size > size) row = {};
    size = each.size;
    if (!each.peer.empty()) {
      row.peer = &each;
    } else if (each.strategy == "parse") {
      row.parse = &each;
    } else if (each.strategy == "decode") {
      row.decode = &each;
    }
  }
  return row;
}

// A size is a number of pictures, but of a whole file, whose number one run has counted.
double pictures_per_second(const Measurement& measurement) {
  if (measurement.size == 0) return value_of(measurement, kPicturesPerSecond);
  return static_cast<double>(measurement.size) / measurement.median_seconds;
}

// By the median, not by the run that counted.
double live_streams(const Measurement& measurement) {
  const double counted = value_of(measurement, kPicturesPerSecond);
  if (counted == 0) return 0;
  return value_of(measurement, kLiveStreams) * pictures_per_second(measurement) / counted;
}

std::string text_of(double figure) { return figure == 0 ? "" : si_text(figure); }

std::string bits_text(const Measurement* measurement) {
  return measurement == nullptr ? "" : si_text(1e-6 * rate_of(*measurement).value);
}

std::string ratio_of(const Measurement* measurement, const Measurement* peer) {
  if (measurement == nullptr || peer == nullptr) return "";
  return ratio_text(rate_of(*measurement).value / rate_of(*peer).value);
}

std::string live_text(const Measurement* measurement) {
  return measurement == nullptr ? "" : text_of(live_streams(*measurement));
}

}  // namespace

Table stream_table(const std::vector<Group>& groups, const RunColumn& run_column) {
  Table table{
      "H.264 streams on one core; live streams are as many of the stream's own rate as it sustains",
      {{"Stream"},
       {"Parsing, Mbit/s", true},
       {"FFmpeg's decoder, Mbit/s", true},
       {"Parsing over FFmpeg", true},
       {"Decoding, pictures/s", true},
       {"Decoding over FFmpeg", true},
       {"Live streams, parsed", true},
       {"Live streams, decoded", true},
       {"Live streams, FFmpeg", true}},
      {}};
  add_run_column(table, run_column);
  for (const Group& group : groups) {
    if (group.workload != kWorkload) continue;
    const StreamRow row = row_of(group);
    if (row.any() == nullptr) continue;
    add_row(table,
            {group.input, bits_text(row.parse), bits_text(row.peer), ratio_of(row.parse, row.peer),
             row.decode == nullptr ? "" : text_of(pictures_per_second(*row.decode)),
             ratio_of(row.decode, row.peer), live_text(row.parse), live_text(row.decode),
             live_text(row.peer)},
            *row.any(), run_column);
  }
  return table;
}

}  // namespace millrace::tools
