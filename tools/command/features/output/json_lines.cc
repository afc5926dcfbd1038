// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/output/line_file.h>
#include <millrace/tools/command/features/output/number_text.h>
#include <millrace/tools/command/features/output/text_output.h>
#include <millrace/tools/files/output/output_file.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::string_view kStreamKey = "{\"stream\":";
constexpr std::string_view kEndKey = ",\"end\":true";

void append_field(std::string& text, std::string_view name) {
  text += ",\"";
  text += name;
  text += "\":";
}

// JSON has neither NaN nor infinity.
void append_value(std::string& text, double value) {
  if (std::isfinite(value)) {
    append_number(text, value);
  } else {
    text += "null";
  }
}

class JsonStream final : public StreamOutput {
 public:
  JsonStream(LineFile& file, const TextOutputOptions& options, const std::string& stream)
      : lines_(file, options.is_eager), set_(options.features), stream_(json_string(stream)) {}

  void add(const FeatureRow& row) override {
    append_json_line(lines_.text(), stream_, row, set_);
    lines_.end_line();
  }

  void add_fault(const h264::StreamFault& fault) override {
    std::string& text = begin_line();
    append_field(text, "fault");
    text += json_string(fault.message);
    append_field(text, "is_unsupported");
    text += fault.is_unsupported ? "true" : "false";
    add_number("nal_unit", fault.nal_unit);
    add_number("byte", fault.byte);
    add_number("picture", fault.picture);
    end_line();
  }

  void end(const StreamEnd& end) override {
    std::string& text = begin_line();
    if (end.error.empty()) {
      text += kEndKey;
    } else {
      append_field(text, "error");
      text += json_string(end.error);
    }
    add_number("frames", end.frames);
    add_number("faults", end.faults);
    add_number("lost_packets", end.lost_packets);
    if (!end.notes.empty()) {
      append_field(text, "notes");
      text += json_string(end.notes);
    }
    end_line();
    lines_.flush();
  }

 private:
  std::string& begin_line() {
    lines_.text().append(kStreamKey).append(stream_);
    return lines_.text();
  }
  void add_number(std::string_view name, std::int64_t number) {
    append_field(lines_.text(), name);
    append_number(lines_.text(), static_cast<double>(number));
  }
  void end_line() {
    lines_.text() += '}';
    lines_.end_line();
  }

  LineBuffer lines_;
  FeatureSet set_;
  std::string stream_;
};

// Returns the name in quotes that a line of JSON begins with; empty if it is of another kind.
std::string_view stream_of(std::string_view line) {
  if (!line.starts_with(kStreamKey)) return {};
  line.remove_prefix(kStreamKey.size());
  if (!line.starts_with('"')) return {};
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      return line.substr(0, i + 1);
    }
  }
  return {};
}

bool is_end(std::string_view line, std::string_view stream) {
  return line.substr(kStreamKey.size() + stream.size()).starts_with(kEndKey) && line.ends_with('}');
}

// Returns the streams that ended in a file of lines, in quotes. Throws Error(kIo) for a file of
// something else.
std::set<std::string> ended_streams(const std::string& path) {
  std::set<std::string> ended;
  std::ifstream file(path, std::ios::binary);
  std::string line;
  for (std::int64_t number = 1; std::getline(file, line); ++number) {
    const std::string_view stream = stream_of(line);
    const bool is_cut = file.eof();  // The end of its line is missing.
    if (stream.empty() && !is_cut) {
      throw Error(ErrorCode::kIo, path + ": line " + std::to_string(number) +
                                      " was not written by `millrace features`, so --resume "
                                      "cannot add to the file; name another one");
    }
    if (!is_cut && is_end(line, stream)) ended.emplace(stream);
  }
  return ended;
}

// Keeps only the lines of ended streams in the file.
void keep_ended(const std::string& path, const std::set<std::string>& ended) {
  OutputFile kept(path, /*force=*/true);
  std::ifstream file(path, std::ios::binary);
  std::string line;
  while (std::getline(file, line) && !file.eof()) {
    if (ended.contains(std::string(stream_of(line)))) kept.stream() << line << '\n';
  }
  kept.commit();
}

class JsonOutput final : public FeatureOutput {
 public:
  explicit JsonOutput(const TextOutputOptions& options) : options_(options) {
    if (!options.resumes) {
      file_ = std::make_unique<LineFile>(options.path, options.force);
      return;
    }
    if (std::filesystem::exists(options.path)) {
      ended_ = ended_streams(options.path);
      keep_ended(options.path, ended_);
    }
    file_ = std::make_unique<LineFile>(options.path);
  }

  std::unique_ptr<StreamOutput> begin(const std::string& stream) override {
    return std::make_unique<JsonStream>(*file_, options_, stream);
  }
  bool has_errors() const override { return true; }
  bool is_done(const std::string& stream) const override {
    return ended_.contains(json_string(stream));
  }
  void commit() override { file_->commit(); }

 private:
  TextOutputOptions options_;
  std::set<std::string> ended_;  // Names in quotes.
  std::unique_ptr<LineFile> file_;
};

}  // namespace

std::unique_ptr<FeatureOutput> open_json_lines(const TextOutputOptions& options) {
  return std::make_unique<JsonOutput>(options);
}

void append_json_line(std::string& text, const std::string& stream, const FeatureRow& row,
                      FeatureSet set) {
  text.append(kStreamKey).append(stream);
  double values[kMostColumnValues];
  for (const FeatureColumn& column : feature_columns(set)) {
    column.read(row, values);
    append_field(text, column.name);
    if (!column.is_array()) {
      append_value(text, values[0]);
      continue;
    }
    const bool is_object = !column.labels.empty();
    text += is_object ? '{' : '[';
    for (std::size_t i = 0; i < column.count; ++i) {
      if (i > 0) text += ',';
      if (is_object) text.append("\"").append(column.labels[i]).append("\":");
      append_value(text, values[i]);
    }
    text += is_object ? '}' : ']';
  }
  text += '}';
}

}  // namespace millrace::tools
