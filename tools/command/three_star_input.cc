#include <millrace/tools/command/three_star_input.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>

#include <millrace/runtime/error.h>
#include <millrace/tools/command/npy_header.h>
#include <millrace/tools/files/placed_file.h>

namespace millrace::tools {
namespace {

using three_star::Position;

[[noreturn]] void refuse(const PlacedFile& file, const std::string& what) {
  throw Error(ErrorCode::kIo, file.name() + ": " + what);
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

constexpr double kWholeNumbers = 0x1p53;  // All of them up to it are doubles.

[[noreturn]] void refuse_inexact(const std::string& place, std::string_view number) {
  throw Error(ErrorCode::kIo, place + ": " + std::string(number) +
                                  " is no double; subtract an origin, so that coordinates are at "
                                  "most 2^53");
}

// Whether digits, which were read as this double, are that very number. Of exponents it may be
// anything.
bool is_exact(std::string_view digits, double number) {
  if (std::abs(number) < kWholeNumbers || digits.find_first_of("eE") != digits.npos) return true;
  char exact[400];
  const auto [end, error] =
      std::to_chars(exact, exact + sizeof exact, number, std::chars_format::fixed, 0);
  const bool is_negative = digits.starts_with('-');
  const std::size_t first = std::min(digits.find_first_not_of('0', is_negative), digits.size());
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::string_view whole(exact + is_negative, end);
  return error == std::errc() && digits.substr(first, point - first) == whole &&
         digits.find_first_not_of(".0", point) == digits.npos;
}

// The fields of a line; commas between quotation marks separate nothing.
void split(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  bool is_quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') is_quoted = !is_quoted;
    if (i < line.size() && (line[i] != ',' || is_quoted)) continue;
    std::string_view field = trimmed(line.substr(begin, i - begin));
    if (field.size() > 1 && field.starts_with('"') && field.ends_with('"')) {
      field = trimmed(field.substr(1, field.size() - 2));
    }
    fields.push_back(field);
    begin = i + 1;
  }
}

class CsvReader {
 public:
  explicit CsvReader(const PlacedFile& file) : file_(file) {}

  PointFile read() {
    result_.name = file_.name();
    std::string text(file_.bytes(), '\0');
    file_.read(0, text.data(), text.size());
    std::string_view rest = text;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // A byte order mark.
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      ++line_;
      take(trimmed(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return std::move(result_);
  }

 private:
  void take(std::string_view line) {
    if (line.empty()) return;
    split(line, fields_);
    if (is_first_) {
      is_first_ = false;
      if (take_header()) return;
    }
    result_.points.push_back({number(x_), number(y_)});
    if (line_ != std::exchange(last_line_, line_) + 1 || result_.lines.empty()) {
      result_.lines.push_back({result_.points.size() - 1, line_});
    }
  }

  // Whether the first line is one; else it is to be of two numbers.
  bool take_header() {
    double number = 0;
    const auto is_number = [&](std::string_view field) { return parse_number(field, number); };
    if (std::any_of(fields_.begin(), fields_.end(), is_number)) {
      if (fields_.size() != 2) {
        refuse_line("has " + std::to_string(fields_.size()) +
                    " columns; without names (x,y or lat,lng) there are two");
      }
      return false;
    }
    if (find("x", "x", x_) && find("y", "y", y_)) {
      result_.columns = PointColumns::kXY;
    } else if (find("lat", "latitude", x_) &&
               (find("lng", "longitude", y_) || find("lon", "long", y_))) {
      result_.columns = PointColumns::kLatLng;
    } else {
      refuse_line("names no columns x and y, nor lat and lng, and is no pair of numbers");
    }
    return true;
  }

  bool find(std::string_view name, std::string_view other, std::size_t& column) const {
    for (column = 0; column < fields_.size(); ++column) {
      std::string field(fields_[column]);
      for (char& c : field) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (field == name || field == other) return true;
    }
    return false;
  }

  double number(std::size_t column) const {
    const bool has_names = result_.columns != PointColumns::kUnnamed;
    if (!has_names && fields_.size() != 2) refuse_line("is no pair of numbers");
    if (column >= fields_.size()) {
      refuse_line("ends before column " + std::to_string(column + 1));
    }
    double number = 0;
    if (!parse_number(fields_[column], number)) {
      refuse_line("'" + std::string(fields_[column].substr(0, 40)) + "' is no finite number");
    }
    if (!is_exact(fields_[column], number)) {
      refuse_inexact(file_.name() + ": line " + std::to_string(line_),
                     fields_[column].substr(0, 40));
    }
    return number;
  }

  [[noreturn]] void refuse_line(const std::string& what) const {
    refuse(file_, "line " + std::to_string(line_) + ": " + what);
  }

  const PlacedFile& file_;
  PointFile result_;
  std::vector<std::string_view> fields_;
  std::uint64_t line_ = 0;
  std::uint64_t last_line_ = 0;  // That had a point.
  bool is_first_ = true;
  std::size_t x_ = 0;
  std::size_t y_ = 1;
};

// A coordinate of a row.
template <class T>
double coordinate(const PlacedFile& file, std::uint64_t row, T number) {
  const auto coordinate = static_cast<double>(number);
  const auto place = [&] { return file.name() + ": row " + std::to_string(row); };
  if constexpr (std::is_same_v<T, std::int64_t>) {
    // As a double, the largest ones are one too many.
    if (!(coordinate < 0x1p63) || static_cast<T>(coordinate) != number) {
      refuse_inexact(place(), std::to_string(number));
    }
  } else if (!std::isfinite(coordinate)) {
    throw Error(ErrorCode::kIo, place() + " has what is no finite number");
  }
  return coordinate;
}

template <class T>
std::vector<Position> elements(const PlacedFile& file, const NpyHeader& header,
                               std::uint64_t rows) {
  std::vector<T> numbers(2 * rows);
  file.read(header.first_byte, numbers.data(), numbers.size() * sizeof(T));
  std::vector<Position> points(rows);
  for (std::uint64_t row = 0; row < rows; ++row) {
    points[row] = {coordinate(file, row, numbers[2 * row]),
                   coordinate(file, row, numbers[2 * row + 1])};
  }
  return points;
}

std::uint64_t rows_of(const PlacedFile& file, const std::string& shape) {
  std::uint64_t rows = 0;
  const char* const end = shape.data() + shape.size();
  const auto [rest, error] = std::from_chars(shape.data(), end, rows);
  std::string columns(rest, end);
  std::erase(columns, ' ');
  if (error != std::errc() || (columns != ",2" && columns != ",2,")) {
    refuse(file, "holds an array of shape (" + shape + "), not (N, 2)");
  }
  return rows;
}

PointFile read_npy_points(const PlacedFile& file) {
  const NpyHeader header = read_npy_header(file);
  const std::string& type = header.element;
  const bool is_long = type == "'<i8'" || type == "'<f8'";
  if (!is_long && type != "'<i4'" && type != "'<f4'") {
    refuse(file, "holds elements of " + type + ", not '<i4', '<i8', '<f4' or '<f8'");
  }
  if (header.is_fortran_order) refuse(file, "is in Fortran's order, not in C's");
  const std::uint64_t rows = rows_of(file, header.shape);
  const std::uint64_t present = file.bytes() - header.first_byte;
  const std::uint64_t row_bytes = is_long ? 16 : 8;
  if (present % row_bytes != 0 || present / row_bytes != rows) {
    refuse(file, "has " + std::to_string(present) + " bytes of elements, which are not the " +
                     std::to_string(rows) + " rows that its header tells of");
  }
  PointFile result;
  result.name = file.name();
  if (type == "'<i4'") result.points = elements<std::int32_t>(file, header, rows);
  if (type == "'<i8'") result.points = elements<std::int64_t>(file, header, rows);
  if (type == "'<f4'") result.points = elements<float>(file, header, rows);
  if (type == "'<f8'") result.points = elements<double>(file, header, rows);
  return result;
}

}  // namespace

std::string PointFile::place_of(std::size_t point) const {
  if (name.empty()) return "point " + std::to_string(point);
  if (lines.empty()) return name + ": row " + std::to_string(point);
  const auto after =
      std::upper_bound(lines.begin(), lines.end(), point,
                       [](std::size_t wanted, const Lines& some) { return wanted < some.point; });
  const Lines& of = *std::prev(after);
  return name + ": line " + std::to_string(of.line + (point - of.point));
}

PointFile read_points(const std::string& path) {
  const PlacedFile file = PlacedFile::open(path);
  if (file.bytes() == 0) refuse(file, "is empty");
  PointFile result = is_npy(path) ? read_npy_points(file) : CsvReader(file).read();
  if (result.points.empty()) refuse(file, "has no points");
  return result;
}

bool parse_number(std::string_view text, double& number) {
  const std::string word(trimmed(text));
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  return rest == end && error == std::errc() && std::isfinite(number);
}

}  // namespace millrace::tools
