// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/timeline/internal/timeline_json.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace millrace {
namespace {

using Span = Timeline::Span;

double microseconds(Timeline::Time::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

// Assigns rows to spans: a span gets the first row of its track that is free when it begins.
class Rows {
 public:
  // Adds a span. Spans must be added in the order of their begins; tracks keep that order.
  void add(const Span& span) {
    auto [track, is_new] = track_by_name_.try_emplace(span.track, tracks_.size());
    if (is_new) tracks_.push_back({span.track, {}});
    std::vector<Timeline::Time>& ends = tracks_[track->second].row_ends;
    const auto free = std::find_if(ends.begin(), ends.end(),
                                   [&span](Timeline::Time end) { return end <= span.begin; });
    positions_.push_back({track->second, static_cast<std::size_t>(free - ends.begin())});
    if (free == ends.end()) {
      ends.push_back(span.end);
    } else {
      *free = span.end;
    }
  }

  // Returns the names of all rows from the top down, once all spans are added.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Track& track : tracks_) {
      names.insert(names.end(), track.row_ends.size(), track.name);
    }
    return names;
  }

  // Returns the row of each span, once all spans are added.
  std::vector<std::size_t> of_spans() const {
    std::vector<std::size_t> first_rows;
    std::size_t rows = 0;
    for (const Track& track : tracks_) {
      first_rows.push_back(rows);
      rows += track.row_ends.size();
    }
    std::vector<std::size_t> result;
    for (const Position& position : positions_) {
      result.push_back(first_rows[position.track] + position.row);
    }
    return result;
  }

 private:
  struct Track {
    std::string name;
    std::vector<Timeline::Time> row_ends;
  };
  struct Position {
    std::size_t track;
    std::size_t row;  // Index among the track's rows.
  };

  std::map<std::string, std::size_t> track_by_name_;
  std::vector<Track> tracks_;
  std::vector<Position> positions_;
};

nlohmann::json to_json(const Span& span, Timeline::Time zero, std::size_t row) {
  nlohmann::json event = {{"ph", "X"},
                          {"pid", 1},
                          {"tid", row},
                          {"name", span.name},
                          {"ts", microseconds(span.begin - zero)},
                          {"dur", microseconds(span.end - span.begin)}};
  if (span.bytes > 0) {
    event["args"]["bytes"] = span.bytes;
    const double seconds = std::chrono::duration<double>(span.end - span.begin).count();
    if (seconds > 0) event["args"]["GB/s"] = static_cast<double>(span.bytes) / seconds / 1e9;
  }
  return event;
}

// Return the metadata of a row for the viewer: its name and its position.
nlohmann::json name_of_row(const std::string& name, std::size_t row) {
  return {
      {"ph", "M"}, {"pid", 1}, {"tid", row}, {"name", "thread_name"}, {"args", {{"name", name}}}};
}
nlohmann::json position_of_row(std::size_t row) {
  return {{"ph", "M"},
          {"pid", 1},
          {"tid", row},
          {"name", "thread_sort_index"},
          {"args", {{"sort_index", row}}}};
}

std::string text(const nlohmann::json& event) {
  return event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void write_chrome_trace(const Timeline& timeline, std::ostream& out) {
  std::vector<Span> spans = timeline.spans();
  std::stable_sort(spans.begin(), spans.end(),
                   [](const Span& a, const Span& b) { return a.begin < b.begin; });
  Rows rows;
  for (const Span& span : spans) rows.add(span);

  out << "{\"traceEvents\": [\n";
  const std::vector<std::string> names = rows.names();
  for (std::size_t row = 0; row < names.size(); ++row) {
    out << text(name_of_row(names[row], row)) << ",\n" << text(position_of_row(row)) << ",\n";
  }
  const std::vector<std::size_t> row_of = rows.of_spans();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const bool is_last = i + 1 == spans.size();
    out << text(to_json(spans[i], spans.front().begin, row_of[i])) << (is_last ? "\n" : ",\n");
  }
  out << "],\n\"otherData\": " << text({{"spans left out", timeline.left_out()}}) << "}\n";
}

}  // namespace millrace
