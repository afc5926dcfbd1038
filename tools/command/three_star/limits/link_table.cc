// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/three_star/limits/link_table.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/tables/read_table.h>
#include <millrace/tools/tables/text_encoding.h>

#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace millrace::tools {
namespace {

using three_star::Link;

std::string_view trimmed(std::string_view field) {
  const std::size_t first = field.find_first_not_of(" \t\r\n");
  if (first == field.npos) return {};
  return field.substr(first, field.find_last_not_of(" \t\r\n") - first + 1);
}

bool is_named(std::string_view field, std::string_view first, std::string_view second) {
  std::string name;
  for (const char c : trimmed(field)) {
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name == first || name == second;
}

class Reader {
 public:
  Reader(const std::string& name, std::size_t points) : name_(name), points_(points) {}

  std::vector<Link> read(std::string_view text) {
    read_table(text, name_, [&](const TextRow& row) {
      if (row.is_comment) return;
      line_ = row.line;
      if (std::exchange(has_rows_, true) || !take_heading(row.fields)) take(row.fields);
    });
    if (links_.empty()) {
      throw Error(ErrorCode::kIo,
                  name_ + ": has no pairs of points; give one, such as 0,1, or leave out --links");
    }
    return std::move(links_);
  }

 private:
  [[noreturn]] void reject(const std::string& what) const {
    throw Error(ErrorCode::kIo, name_ + ": line " + std::to_string(line_) + ": " + what);
  }

  // Returns false for a line of numbers.
  bool take_heading(std::span<const std::string_view> fields) {
    std::optional<std::size_t> a;
    std::optional<std::size_t> b;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (is_named(fields[i], "a", "from")) a = i;
      if (is_named(fields[i], "b", "to")) b = i;
    }
    if (a && b) {
      a_ = *a;
      b_ = *b;
      return true;
    }
    const bool is_pair = fields.size() == 2 || (fields.size() == 3 && trimmed(fields[2]).empty());
    if (!is_pair) {
      const std::string noun = fields.size() == 1 ? " column" : " columns";
      reject("has " + std::to_string(fields.size()) + noun +
             "; give two points, such as 0,1, or a first line that names columns a and b, or from "
             "and to");
    }
    return false;
  }

  void take(std::span<const std::string_view> fields) {
    const Link link = {point(fields, a_), point(fields, b_)};
    if (link.a == link.b) {
      reject("joins point " + std::to_string(link.a) + " with itself; give two points");
    }
    links_.push_back(link);
  }

  std::uint32_t point(std::span<const std::string_view> fields, std::size_t column) const {
    const std::string_view field = column < fields.size() ? trimmed(fields[column]) : "";
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error != std::errc() || end != field.data() + field.size() || number >= points_) {
      reject("'" + std::string(field.substr(0, 40)) +
             "' is no point; give a whole number from 0 to " + std::to_string(points_ - 1));
    }
    return static_cast<std::uint32_t>(number);
  }

  const std::string& name_;
  const std::size_t points_;
  std::size_t a_ = 0;
  std::size_t b_ = 1;
  bool has_rows_ = false;
  std::uint64_t line_ = 0;
  std::vector<Link> links_;
};

}  // namespace

std::vector<Link> read_links(const std::string& path, std::size_t points) {
  const PositionedFile file = PositionedFile::open(path);
  std::string bytes(file.bytes(), '\0');
  file.read(0, bytes.data(), bytes.size());
  return Reader(file.name(), points).read(to_utf8(std::move(bytes), file.name()));
}

}  // namespace millrace::tools
