// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/geography/formats/geometry_sink.h>
#include <millrace/tools/tables/decimal_number.h>

#include <expat.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

// Returns the name of an element without the prefix of its namespace.
std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

bool is_geometry_name(std::string_view name) {
  for (const char* const known :
       {"Point", "LineString", "LinearRing", "Polygon", "Model", "Track", "MultiTrack"}) {
    if (name == known) return true;
  }
  return false;
}

// Takes elements from expat, whose functions are C: no exception may pass through them.
class KmlReader {
 public:
  explicit KmlReader(GeometrySink sink)
      : sink_(std::move(sink)), parser_(XML_ParserCreate(nullptr), &XML_ParserFree) {
    if (!parser_) throw Error(ErrorCode::kOutOfMemory, "no memory for a parser of XML");
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<KmlReader*>(self)->guard(
              [&](KmlReader& reader) { reader.begin(local_name(name), attributes); });
        },
        [](void* self, const XML_Char* name) {
          static_cast<KmlReader*>(self)->guard(
              [&](KmlReader& reader) { reader.end(local_name(name)); });
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text, int length) {
      static_cast<KmlReader*>(self)->guard(
          [&](KmlReader& reader) { reader.text_.append(text, static_cast<std::size_t>(length)); });
    });
  }

  GeometryFile read(std::string_view text) {
    constexpr std::size_t kMostAtOnce = 1 << 24;
    while (true) {
      const std::string_view piece = text.substr(0, kMostAtOnce);
      text.remove_prefix(piece.size());
      const XML_Status status =
          XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()),
                    text.empty() ? XML_TRUE : XML_FALSE);
      if (error_) std::rethrow_exception(error_);
      if (status != XML_STATUS_OK) {
        sink_.reject(location(), std::string("is not valid XML: ") +
                                     XML_ErrorString(XML_GetErrorCode(parser_.get())) +
                                     "; export the file again");
      }
      if (text.empty()) break;
    }
    return sink_.take();
  }

 private:
  struct Mark {
    std::string location;
    std::optional<double> range{};
    std::vector<GeometryPoint> points{};
    std::vector<GeometryPolygon> polygons{};
    std::string rejected{};  // The type of the first geometry of the wrong kind,
    std::string rejected_location{};
    bool is_link = false;  // whose lines are skipped.
  };

  template <class Function>
  void guard(const Function& function) {
    if (error_) return;
    try {
      function(*this);
    } catch (...) {
      error_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  std::string location() const {
    return "line " + std::to_string(XML_GetCurrentLineNumber(parser_.get()));
  }

  void begin(std::string_view name, const XML_Char** attributes) {
    text_.clear();
    if (depth_++ == 0 && name != "kml") {
      sink_.reject("", "is XML of type '" + std::string(name.substr(0, 40)) +
                           "'; of XML, KML alone is read, so export it as KML");
    }
    if (name == "Placemark") mark_ = Mark{.location = location()};
    if (name == "Data" || name == "SimpleData") data_ = attribute(attributes, "name");
    if (!mark_) return;
    if (name == "Polygon") polygon_ = GeometryPolygon{{}, location()};
    if (!is_geometry_name(name) || (name == "LinearRing" && polygon_)) return;
    const bool is_wanted = name == (sink_.wants_points() ? "Point" : "Polygon");
    if (is_wanted || !mark_->rejected.empty()) return;
    mark_->rejected = name;
    mark_->rejected_location = location();
  }

  static std::string attribute(const XML_Char** attributes, std::string_view name) {
    for (; *attributes != nullptr; attributes += 2) {
      if (attributes[0] == name) return attributes[1];
    }
    return "";
  }

  void end(std::string_view name) {
    --depth_;
    if (!mark_) return;
    if (name == "coordinates") {
      take_coordinates();
    } else if (name == "value" || name == "SimpleData") {
      take_data();
    } else if (name == "Polygon" && polygon_) {
      mark_->polygons.push_back(std::move(*polygon_));
      polygon_.reset();
    } else if (name == "Placemark") {
      finish_mark();
    }
    const bool is_point = name == "Point" && mark_ && sink_.wants_points();
    if (is_point && mark_->points.empty() && mark_->rejected.empty()) {
      sink_.reject(location(),
                   "is a Point without coordinates; write them in degrees, such as 13.40,52.52");
    }
  }

  void take_data() {
    if (data_ == "kind" && text_ == "link") mark_->is_link = true;
    if (data_ != "range" || !sink_.wants_points()) return;
    if (text_.find_first_not_of(" \t\r\n") == text_.npos) return;
    double range = 0;
    if (!parse_decimal_number(trimmed(text_), range)) {
      sink_.reject(location(), "range is '" + text_.substr(0, 40) +
                                   "'; give a number greater than 0, or leave it out");
    }
    mark_->range = range;
  }

  static std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
  }

  // Tuples of longitude, latitude and perhaps an altitude, with blanks between them.
  std::vector<LatLng> positions_in(std::string_view text) const {
    std::vector<LatLng> positions;
    while (!(text = trimmed(text)).empty()) {
      const std::string_view tuple = text.substr(0, text.find_first_of(" \t\r\n"));
      text.remove_prefix(tuple.size());
      const std::size_t comma = tuple.find(',');
      const std::string_view rest = comma == tuple.npos ? "" : tuple.substr(comma + 1);
      LatLng position;
      if (!parse_decimal_number(tuple.substr(0, comma), position.longitude) ||
          !parse_decimal_number(rest.substr(0, rest.find(',')), position.latitude)) {
        sink_.reject(
            location(),
            "'" + std::string(tuple.substr(0, 40)) +
                "' is not a longitude and a latitude; write them in degrees, such as 13.40,52.52");
      }
      positions.push_back(position);
    }
    return positions;
  }

  void take_coordinates() {
    if (polygon_) {
      polygon_->rings.push_back(positions_in(text_));
      return;
    }
    if (!mark_->rejected.empty() || !sink_.wants_points()) return;
    const std::vector<LatLng> positions = positions_in(text_);
    if (positions.size() != 1) {
      sink_.reject(location(),
                   "is a Point of " + std::to_string(positions.size()) + " positions; give one");
    }
    mark_->points.push_back({positions[0], {}, location()});
  }

  void finish_mark() {
    Mark mark = std::move(*mark_);
    mark_.reset();
    if (!mark.rejected.empty()) {
      if (mark.is_link && mark.rejected == "LineString") return;
      sink_.reject_type(mark.rejected_location, mark.rejected);
    }
    for (GeometryPoint& point : mark.points) {
      point.range = mark.range;
      sink_.add_point(std::move(point));
    }
    if (sink_.wants_points()) return;
    for (GeometryPolygon& polygon : mark.polygons) sink_.add_polygon(std::move(polygon));
  }

  GeometrySink sink_;
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  std::exception_ptr error_;
  std::uint64_t depth_ = 0;
  std::string text_;  // Text of the innermost element.
  std::string data_;  // Name of the data that the next value is of.
  std::optional<Mark> mark_;
  std::optional<GeometryPolygon> polygon_;
};

}  // namespace

GeometryFile read_kml(std::string_view text, GeometrySink sink) {
  return KmlReader(std::move(sink)).read(text);
}

}  // namespace millrace::tools
