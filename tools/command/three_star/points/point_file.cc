// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/command/three_star/points/point_file.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/geography/formats/geometry_file.h>
#include <millrace/tools/tables/decimal_number.h>
#include <millrace/tools/tables/npy_number.h>
#include <millrace/tools/tables/read_table.h>
#include <millrace/tools/tables/text_encoding.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace millrace::tools {
namespace {

[[noreturn]] void reject_inexact(const std::string& position, std::string_view number) {
  reject_file(
      position,
      std::string(number) +
          " is not exact as a double; subtract an origin, so that coordinates are at most 2^53");
}

// Returns the field in small letters, without spaces around it.
std::string name_in(std::string_view field) {
  std::string name;
  for (const char c : field) {
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  name.erase(0, name.find_first_not_of(" \t\r\n"));
  name.erase(name.find_last_not_of(" \t\r\n") + 1);
  return name;
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Columns of the coordinates in a heading.
struct Heading {
  PointColumns columns = PointColumns::kUnnamed;
  std::size_t x = 0;
  std::size_t y = 1;
  std::size_t fields = 2;
  std::size_t range = kNone;
};

// Returns the field with one of these names, or kNone. Throws Error(kIo) if two have one.
std::size_t find(std::span<const std::string_view> fields,
                 std::initializer_list<std::string_view> names, const std::string& position) {
  std::size_t found = kNone;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string name = name_in(fields[i]);
    if (std::ranges::find(names, name) == names.end()) continue;
    if (found != kNone) {
      reject_file(position, "names columns " + std::to_string(found + 1) + " and " +
                                std::to_string(i + 1) + " both '" + name +
                                "'; give one of them another name");
    }
    found = i;
  }
  return found;
}

std::optional<Heading> heading_of(std::span<const std::string_view> fields,
                                  const std::string& position) {
  const auto pair = [&](PointColumns columns, std::initializer_list<std::string_view> x_names,
                        std::initializer_list<std::string_view> y_names) -> std::optional<Heading> {
    const std::size_t x = find(fields, x_names, position);
    const std::size_t y = find(fields, y_names, position);
    if (x == kNone || y == kNone) return {};
    return Heading{columns, x, y, fields.size(), find(fields, {"range"}, position)};
  };
  if (const auto plane = pair(PointColumns::kXY, {"x"}, {"y"})) return plane;
  if (const auto degrees =
          pair(PointColumns::kLatLng, {"lat", "latitude"}, {"lng", "longitude", "lon", "long"})) {
    return degrees;
  }
  return pair(PointColumns::kXY, {"easting"}, {"northing"});
}

// Returns the fields without empty ones at the end, which trailing separators make.
std::span<const std::string_view> without_empty_end(std::span<const std::string_view> fields) {
  while (!fields.empty() && name_in(fields.back()).empty())
    fields = fields.first(fields.size() - 1);
  return fields;
}

class TextReader {
 public:
  TextReader(std::string name, bool with_ranges) : with_ranges_(with_ranges) {
    result_.name = std::move(name);
  }

  PointFile read(std::string_view text) {
    separator_ = find_separator(text);
    read_table(text, result_.name, [&](const TextRow& row) { take(row); });
    return std::move(result_);
  }

 private:
  void take(const TextRow& row) {
    line_ = row.line;
    if (row.is_comment) {
      take_comment(row.fields);
    } else if (!std::exchange(has_rows_, true) && take_heading(row.fields)) {
      return;
    } else {
      take_point(row.fields);
    }
  }

  // The last comment ahead of all rows that names columns is the heading.
  void take_comment(std::span<const std::string_view> fields) {
    ++result_.comment_lines;
    if (has_rows_) return;
    std::optional<Heading> named;
    try {
      named = heading_of(without_empty_end(fields), position());
    } catch (const Error&) {
      named.reset();  // A sentence may have a word twice.
    }
    if (named && !std::exchange(commented_, named)) --result_.comment_lines;
  }

  // Returns true for a line of names, false for one of numbers.
  bool take_heading(std::span<const std::string_view> fields) {
    double number = 0;
    const auto is_number = [&](std::string_view field) { return parse(field, number); };
    const auto kept = without_empty_end(fields);
    if (std::ranges::any_of(kept, is_number)) {
      if (commented_ && commented_->fields == kept.size()) {
        heading_ = *commented_;
      } else if (kept.size() != 2) {
        reject_line("has " + std::to_string(kept.size()) +
                    (kept.size() == 1 ? " column" : " columns") +
                    "; give two columns, or a first line that names x,y or lat,lng");
      }
      if (commented_ && commented_->fields != kept.size()) ++result_.comment_lines;
      return false;
    }
    if (commented_) ++result_.comment_lines;
    const auto named = heading_of(fields, position());
    if (!named) {
      reject_line("'" + beginning_of(fields) +
                  "' is neither a point nor a heading; write a first line that names x,y or, in "
                  "degrees, lat,lng, and below it points such as 52.52,13.40");
    }
    heading_ = *named;
    return true;
  }

  void take_point(std::span<const std::string_view> fields) {
    if (heading_.columns == PointColumns::kUnnamed && without_empty_end(fields).size() != 2) {
      reject_line("'" + beginning_of(fields) +
                  "' is not a pair of numbers; write two, such as 52.52,13.40");
    }
    result_.columns = heading_.columns;
    result_.points.push_back({number(fields, heading_.x), number(fields, heading_.y)});
    if (with_ranges_ && heading_.range != kNone) result_.ranges.push_back(range(fields));
    if (line_ != std::exchange(last_line_, line_) + 1 || result_.lines.empty()) {
      result_.lines.push_back({result_.points.size() - 1, line_});
    }
  }

  // Returns the beginning of a line, for messages.
  std::string beginning_of(std::span<const std::string_view> fields) const {
    std::string line;
    for (std::size_t i = 0; i < fields.size() && line.size() < 40; ++i) {
      if (i > 0) line += separator_;
      line += fields[i].substr(0, 40);
    }
    return line.substr(0, 40);
  }

  // Parses a number with a decimal point, or a comma if no comma separates fields.
  bool parse(std::string_view field, double& number) const {
    if (parse_decimal_number(field, number)) return true;
    return separator_ != ',' && parse_decimal_number(field, number, DecimalMark::kComma);
  }

  double number(std::span<const std::string_view> fields, std::size_t column) {
    if (column >= fields.size()) {
      reject_line("ends before column " + std::to_string(column + 1) + "; write a number there");
    }
    const std::string_view field = fields[column];
    double number = 0;
    if (!parse(field, number)) {
      reject_line("'" + std::string(field.substr(0, 40)) + "' is not a finite number (column " +
                  std::to_string(column + 1) + "); write one, such as 52.52");
    }
    if (separator_ != ',') check_mark(field);
    if (!is_exact(field, number)) reject_inexact(position(), field.substr(0, 40));
    return number;
  }

  // Returns infinity for an empty field.
  double range(std::span<const std::string_view> fields) {
    const bool is_empty =
        heading_.range >= fields.size() || name_in(fields[heading_.range]).empty();
    if (is_empty) return std::numeric_limits<double>::infinity();
    const double range = number(fields, heading_.range);
    if (!(range > 0)) {
      reject_line("range is '" + std::string(fields[heading_.range].substr(0, 40)) +
                  "'; give a number greater than 0, or leave it empty");
    }
    return range;
  }

  // Rejects 1,234 beside 5.6, which may mean a thousand.
  void check_mark(std::string_view field) {
    const std::size_t mark = field.find_first_of(".,");
    if (mark == field.npos) return;
    std::uint64_t& first = field[mark] == ',' ? comma_line_ : point_line_;
    if (first == 0) first = line_;
    if (comma_line_ == 0 || point_line_ == 0) return;
    reject_line("'" + std::string(field.substr(0, 40)) + "' and line " +
                std::to_string(std::min(comma_line_, point_line_)) +
                " have a decimal comma and a decimal point; write all numbers with the same one");
  }

  std::string position() const { return result_.name + ": line " + std::to_string(line_); }
  [[noreturn]] void reject_line(const std::string& what) const { reject_file(position(), what); }

  const bool with_ranges_;
  PointFile result_;
  char separator_ = ',';
  std::optional<Heading> commented_;
  Heading heading_;
  bool has_rows_ = false;
  std::uint64_t line_ = 0;
  std::uint64_t last_line_ = 0;   // Last line that had a point.
  std::uint64_t comma_line_ = 0;  // First line with a decimal comma; 0: none.
  std::uint64_t point_line_ = 0;
};

PointFile read_npy_points(std::string_view bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, name);
  const std::optional<NpyNumber> type = NpyNumber::of(header.element);
  if (!type) {
    reject_file(name, "holds elements of " + describe_npy_type(header.element) +
                          "; coordinates are integers or floats of 1 to 8 bytes");
  }
  if (header.shape.size() != 2 || header.shape[1] != 2) {
    const bool is_turned = header.shape.size() == 2 && header.shape[0] == 2;
    reject_file(name, "holds an array of shape " + header.shape_text() +
                          "; its shape must be (N, 2)" + (is_turned ? ", which a.T has" : ""));
  }
  check_npy_size(header, type->bytes, bytes.size() - header.first_byte, name);
  const std::uint64_t rows = header.shape[0];
  const auto* const elements = reinterpret_cast<const std::byte*>(bytes.data() + header.first_byte);
  const auto coordinate = [&](std::uint64_t row, std::uint64_t column) {
    const std::uint64_t at = header.is_fortran_order ? column * rows + row : 2 * row + column;
    const std::byte* const element = elements + at * type->bytes;
    const double number = type->to_double(element);
    const auto position = [&] { return name + ": row " + std::to_string(row); };
    if (!type->is_exact(element)) reject_inexact(position(), type->to_text(element));
    if (!std::isfinite(number)) {
      throw Error(ErrorCode::kIo,
                  position() + " has a number that is not finite; leave the row out");
    }
    return number;
  };
  PointFile result;
  result.name = name;
  result.points.reserve(rows);
  for (std::uint64_t row = 0; row < rows; ++row) {
    result.points.push_back({coordinate(row, 0), coordinate(row, 1)});
  }
  return result;
}

PointFile read_geometry_points(std::string_view text, const std::string& name, bool with_ranges) {
  GeometryFile file = read_geometry(text, name, GeometryUse::kPoints);
  PointFile result;
  result.columns = PointColumns::kLatLng;
  result.name = name;
  for (GeometryPoint& point : file.points) {
    result.points.push_back({point.position.latitude, point.position.longitude});
    result.locations.push_back(std::move(point.location));
    result.ranges.push_back(point.range.value_or(std::numeric_limits<double>::infinity()));
  }
  const auto is_none = [](double range) { return std::isinf(range); };
  if (!with_ranges || std::ranges::all_of(result.ranges, is_none)) result.ranges.clear();
  return result;
}

}  // namespace

std::string PointFile::location_of(std::size_t point) const {
  if (name.empty()) return "point " + std::to_string(point);
  if (!locations.empty()) return name + (locations[point].empty() ? "" : ": " + locations[point]);
  if (lines.empty()) return name + ": row " + std::to_string(point);
  const auto after =
      std::upper_bound(lines.begin(), lines.end(), point,
                       [](std::size_t wanted, const Lines& some) { return wanted < some.point; });
  const Lines& of = *std::prev(after);
  return name + ": line " + std::to_string(of.line + (point - of.point));
}

PointFile read_points(const std::string& path, bool with_ranges) {
  const PositionedFile file = PositionedFile::open(path);
  const std::string& name = file.name();
  std::string bytes(file.bytes(), '\0');
  file.read(0, bytes.data(), bytes.size());
  if (bytes.empty()) reject_file(name, "is empty; give points, one a line, such as 52.52,13.40");
  PointFile result;
  if (begins_as_npy(bytes)) {
    result = read_npy_points(bytes, name);
  } else if (is_npy(path)) {
    reject_file(name, "is named .npy and is not a .npy file; give a table another name");
  } else if (bytes.starts_with("3STAFIL")) {
    reject_file(name, "has 3-stars of another version of the format; write the file again with -o");
  } else {
    // Expat knows encodings of XML.
    std::string text = to_utf8(bytes, name);
    if (!is_geometry(text)) {
      result = TextReader(name, with_ranges).read(text);
    } else {
      const bool is_json = text.find('<') > text.find_first_of("{[");
      result = read_geometry_points(is_json ? text : bytes, name, with_ranges);
    }
  }
  if (result.points.empty()) reject_file(name, "has no points; give one or more");
  return result;
}

}  // namespace millrace::tools
