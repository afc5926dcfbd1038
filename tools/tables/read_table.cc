// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/tables/read_table.h>

#include <csv.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr char kSpaces = ' ';
constexpr std::string_view kBlanks = " \t";

// Removes the first line from the text, and returns it without its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  if (text.starts_with("\r\n")) {
    text.remove_prefix(2);
  } else if (!text.empty()) {
    text.remove_prefix(1);
  }
  return line;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(kBlanks) == line.npos; }

// Returns true for a comment, and removes the mark before its text.
bool take_comment_mark(std::string_view& line) {
  const std::size_t first = line.find_first_not_of(kBlanks);
  if (first == line.npos || (line[first] != '#' && line[first] != '%')) return false;
  line.remove_prefix(std::min(line.find_first_not_of(line[first], first), line.size()));
  return true;
}

// Returns the separator of the first line of some spreadsheets: "sep=;".
char stated_separator(std::string_view line) {
  if (line.starts_with('"')) line.remove_prefix(1);
  if (line.ends_with('"')) line.remove_suffix(1);
  return line.size() == 5 && line.starts_with("sep=") ? line.back() : '\0';
}

// Counts of separators outside of quotation marks, line by line.
class SeparatorCounter {
 public:
  static constexpr std::array kSeparators = {';', '\t', '|', ','};

  void count(std::string_view line) {
    std::array<bool, kSeparators.size()> found = {};
    bool is_begin = !is_quoted_;  // At the beginning of a field, where a quotation mark opens it.
    for (const char c : line) {
      const auto* const separator = std::ranges::find(kSeparators, c);
      if (c == '"' && (is_quoted_ || is_begin)) {
        is_quoted_ = !is_quoted_;
      } else if (!is_quoted_ && separator != kSeparators.end()) {
        found[static_cast<std::size_t>(separator - kSeparators.begin())] = true;
        is_begin = true;
      } else if (c != ' ') {
        is_begin = false;
      }
    }
    for (std::size_t i = 0; i < found.size(); ++i) in_row_[i] = in_row_[i] || found[i];
    if (is_quoted_) return;  // The row continues.
    for (std::size_t i = 0; i < kSeparators.size(); ++i) rows_with_[i] += in_row_[i] ? 1 : 0;
    in_row_ = {};
    ++rows_;
  }

  std::size_t rows() const { return rows_; }
  bool is_in_quotes() const { return is_quoted_; }

  // Returns the first of those that most rows have, if more than half of the rows have it.
  char best() const {
    const auto* const most = std::ranges::max_element(rows_with_);
    if (2 * *most <= rows_) return kSpaces;
    return kSeparators[static_cast<std::size_t>(most - rows_with_.begin())];
  }

 private:
  bool is_quoted_ = false;
  std::size_t rows_ = 0;
  std::array<bool, kSeparators.size()> in_row_ = {};
  std::array<std::size_t, kSeparators.size()> rows_with_ = {};
};

// Parses one row at a time by libcsv, whose functions are C: no exception may pass through them.
class RowParser {
 public:
  explicit RowParser(char separator) : separator_(separator) {
    // Empty fields between several spaces are distinguished from quoted ones, which are kept.
    const bool is_spaces = separator == kSpaces;
    if (csv_init(&parser_, is_spaces ? CSV_EMPTY_IS_NULL : 0) != 0) fail();
    csv_set_delim(&parser_, static_cast<unsigned char>(separator));
    if (is_spaces) csv_set_space_func(&parser_, [](unsigned char) { return 0; });
  }
  ~RowParser() { csv_free(&parser_); }
  RowParser(const RowParser&) = delete;
  RowParser& operator=(const RowParser&) = delete;

  // Parses a line and its end, if it has one. Returns true at the end of a row; the row continues
  // with the next line if a quotation mark is open.
  bool parse(std::string_view line) {
    if (is_whole_) {
      text_.clear();
      ends_.clear();
      is_whole_ = false;
    }
    if (separator_ == kSpaces && line.find('\t') != line.npos) {
      spaced_ = line;
      std::ranges::replace(spaced_, '\t', ' ');
      line = spaced_;
    }
    const std::size_t parsed =
        csv_parse(&parser_, line.data(), line.size(), &add_field, &end_row, this);
    if (parsed != line.size() || is_out_of_memory_) fail();
    return is_whole_;
  }

  // Parses a row of one line. An open mark, as in a comment about 5", ends with it.
  void parse_alone(std::string_view line) {
    parse(line);
    if (csv_fini(&parser_, &add_field, &end_row, this) != 0) fail();
  }

  // Returns the row's fields, valid until the next call.
  std::span<const std::string_view> fields() {
    fields_.clear();
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      fields_.push_back(std::string_view(text_).substr(begin, end - begin));
      begin = end;
    }
    return fields_;
  }

 private:
  [[noreturn]] void fail() const {
    throw Error(ErrorCode::kOutOfMemory, "a row of a table does not fit into memory after " +
                                             std::to_string(text_.size()) +
                                             " bytes; split it, or end its quotation mark");
  }

  static void add_field(void* data, std::size_t size, void* parser) noexcept {
    auto* const self = static_cast<RowParser*>(parser);
    if (data == nullptr) return;
    try {
      self->text_.append(static_cast<const char*>(data), size);
      self->ends_.push_back(self->text_.size());
    } catch (...) {
      self->is_out_of_memory_ = true;
    }
  }

  static void end_row(int /*character*/, void* parser) noexcept {
    static_cast<RowParser*>(parser)->is_whole_ = true;
  }

  const char separator_;
  csv_parser parser_ = {};
  std::string spaced_;  // A line without tabs.
  std::string text_;    // Text of all fields, one after another.
  std::vector<std::size_t> ends_;
  std::vector<std::string_view> fields_;
  bool is_whole_ = true;
  bool is_out_of_memory_ = false;
};

bool are_empty(std::span<const std::string_view> fields) {
  return std::ranges::all_of(fields, [](std::string_view field) { return is_blank(field); });
}

}  // namespace

char find_separator(std::string_view text) {
  constexpr std::size_t kRows = 100;
  std::string_view rest = text;
  if (const char stated = stated_separator(take_line(rest)); stated != '\0') return stated;
  SeparatorCounter counter;
  for (rest = text; !rest.empty() && counter.rows() < kRows;) {
    std::string_view line = take_line(rest);
    if (!counter.is_in_quotes() && (is_blank(line) || take_comment_mark(line))) continue;
    counter.count(line);
  }
  return counter.best();
}

void read_table(std::string_view text, const std::string& name, const RowVisitor& visitor) {
  const char separator = find_separator(text);
  RowParser rows(separator);
  std::uint64_t line_number = 0;
  std::uint64_t first_line = 0;  // First line of a row that continues; 0: none does.
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view before = rest;
    std::string_view line = take_line(rest);
    ++line_number;
    if (first_line == 0) {
      if (is_blank(line) || (line_number == 1 && stated_separator(line) != '\0')) continue;
      if (take_comment_mark(line)) {
        RowParser comment(separator);
        comment.parse_alone(line);
        visitor({line_number, comment.fields(), true});
        continue;
      }
      first_line = line_number;
    }
    const std::string_view with_end = before.substr(0, before.size() - rest.size());
    if (!rows.parse(with_end) && (line.size() < with_end.size() || !rows.parse("\n"))) continue;
    if (!are_empty(rows.fields())) visitor({first_line, rows.fields(), false});
    first_line = 0;
  }
  if (first_line == 0) return;
  throw Error(
      ErrorCode::kIo,
      name + ": line " + std::to_string(first_line) +
          ": a quotation mark is not closed; write a quotation mark in a quoted field twice");
}

}  // namespace millrace::tools
