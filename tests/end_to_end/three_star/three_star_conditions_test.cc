// SPDX-License-Identifier: Apache-2.0

// GeoJSON, KML and conditions on relays. Networks are checked against definitions written here, on
// the sphere, from the files that were written.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/random/seeded_random.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>
#include <vector>

namespace millrace::end_to_end {
namespace {

using nlohmann::json;

struct Location {
  double lng = 0;
  double lat = 0;
  double range = std::numeric_limits<double>::infinity();
};

double metres(const Location& a, const Location& b) {
  const double rad = std::acos(-1.0) / 180;
  const double lat = std::sin((a.lat - b.lat) * rad / 2);
  const double lng = std::sin((a.lng - b.lng) * rad / 2);
  const double chord = lat * lat + std::cos(a.lat * rad) * std::cos(b.lat * rad) * lng * lng;
  return 2 * 6'371'008.8 * std::asin(std::sqrt(chord));
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string geojson_of(const std::vector<Location>& locations) {
  json features = json::array();
  for (const Location& location : locations) {
    json properties = json::object();
    if (std::isfinite(location.range)) properties["range"] = location.range;
    features.push_back(
        {{"type", "Feature"},
         {"properties", properties},
         {"geometry", {{"type", "Point"}, {"coordinates", {location.lng, location.lat}}}}});
  }
  return json{{"type", "FeatureCollection"}, {"features", features}}.dump();
}

// The relays of a GeoJSON result.
std::vector<Location> relays_in(const std::string& text) {
  std::vector<Location> relays;
  const json written = json::parse(text);
  for (const json& feature : written.at("features")) {
    const json& geometry = feature.at("geometry");
    if (geometry.at("type") != "Point" || !feature.at("properties").contains("relay")) continue;
    relays.push_back({geometry.at("coordinates").at(0), geometry.at("coordinates").at(1)});
  }
  return relays;
}

Location eastern(Location location) {
  if (location.lng < 0) location.lng += 360;
  return location;
}

bool is_inside(const std::vector<std::array<double, 2>>& ring, const Location& location) {
  bool is_odd = false;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto& [ax, ay] = ring[i];
    const auto& [bx, by] = ring[(i + 1) % ring.size()];
    if ((ay > location.lat) == (by > location.lat)) continue;
    if (location.lng < ax + (location.lat - ay) / (by - ay) * (bx - ax)) is_odd = !is_odd;
  }
  return is_odd;
}

class ThreeStarConditionsTest : public EndToEndTest {
 protected:
  static constexpr double kRadius = 5000;

  json place(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--radius", number(kRadius), "--place"});
    return run_json("three-star", arguments).at("placement");
  }

  // Components of sensors whose network has these relays, by the smaller range of two.
  static std::size_t components(std::vector<Location> nodes, const std::vector<Location>& relays) {
    const std::size_t sensors = nodes.size();
    nodes.insert(nodes.end(), relays.begin(), relays.end());
    std::vector<std::size_t> group(nodes.size());
    std::iota(group.begin(), group.end(), 0U);
    constexpr double kError = 1.001;  // Error of the projection and of rounding to its grid.
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t a = 0; a < nodes.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          const double a_range = std::isinf(nodes[a].range) ? kRadius : nodes[a].range;
          const double b_range = std::isinf(nodes[b].range) ? kRadius : nodes[b].range;
          if (group[a] == group[b]) continue;
          if (metres(nodes[a], nodes[b]) > kError * std::min(a_range, b_range)) continue;
          group[a] = group[b] = std::min(group[a], group[b]);
          is_changed = true;
        }
      }
    }
    std::sort(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(sensors));
    return static_cast<std::size_t>(
        std::unique(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(sensors)) -
        group.begin());
  }

  // Some 60 km around a location on the 180th meridian.
  static std::vector<Location> scattered(SeededRandom& random, std::size_t count) {
    std::vector<Location> locations(count);
    for (Location& location : locations) {
      const double lng = 179.7 + static_cast<double>(random(0, 600'000)) / 1e6;
      location = {lng > 180 ? lng - 360 : lng, 10 + static_cast<double>(random(0, 600'000)) / 1e6};
    }
    return locations;
  }
};

TEST_F(ThreeStarConditionsTest, GeojsonKmlAndTablesAreTheSamePoints) {
  put("in.csv", "lat,lng\n47,8\n47.05,8.05\n46.98,8.12\n47.2,8.3\n");
  put("geo", geojson_of({{8, 47}, {8.05, 47.05}, {8.12, 46.98}, {8.3, 47.2}}));
  std::string kml = "<kml xmlns=\"http://www.opengis.net/kml/2.2\">";
  for (const char* const position : {"8,47", "8.05,47.05,400", "8.12,46.98", "8.3,47.2"}) {
    kml += std::string("<Placemark><Point><coordinates>") + position +
           "</coordinates></Point></Placemark>";
  }
  put("kml", kml + "</kml>");
  const json table = place({path("in.csv")});
  for (const char* const name : {"geo", "kml"}) {
    const json found = place({path(name)});
    EXPECT_EQ(found.at("relays"), table.at("relays"));
    EXPECT_EQ(found.at("components"), table.at("components"));
  }
}

TEST_F(ThreeStarConditionsTest, WrittenRelaysConnectAcrossTheAntimeridian) {
  SeededRandom random;
  const std::vector<Location> sensors = scattered(random, 30);
  put("in.geojson", geojson_of(sensors));
  for (const char* const projection : {"stereographic", "equirectangular"}) {
    const json report =
        place({path("in.geojson"), "--projection", projection, "--relays", path("out.geojson")});
    const json written = json::parse(bytes("out.geojson"));
    const std::vector<Location> relays = relays_in(bytes("out.geojson"));
    EXPECT_EQ(relays.size(), report.at("relays"));
    EXPECT_EQ(components(sensors, relays), 1U);
    std::size_t links = 0;
    std::size_t cuts = 0;
    for (const json& feature : written.at("features")) {
      const json& geometry = feature.at("geometry");
      if (feature.at("properties").at("kind") != "link") {
        EXPECT_TRUE(feature.at("properties").contains("marker-color"));
        EXPECT_LE(std::abs(geometry.at("coordinates").at(0).get<double>()), 180);
        continue;
      }
      ++links;
      EXPECT_LE(feature.at("properties").at("metres"), 1.001 * kRadius);
      EXPECT_TRUE(feature.at("properties").contains("stroke"));
      const bool is_cut = geometry.at("type") == "MultiLineString";
      const json lines =
          is_cut ? geometry.at("coordinates") : json::array({geometry.at("coordinates")});
      EXPECT_TRUE(is_cut || geometry.at("type") == "LineString");
      for (const json& line : lines) {
        EXPECT_LT(std::abs(line.at(0).at(0).get<double>() - line.at(1).at(0).get<double>()), 180);
      }
      if (!is_cut) continue;
      ++cuts;
      EXPECT_EQ(std::abs(lines.at(0).at(1).at(0).get<double>()), 180);
      EXPECT_EQ(lines.at(0).at(1).at(1), lines.at(1).at(0).at(1));
    }
    EXPECT_EQ(links + 1, sensors.size() + relays.size());
    EXPECT_GT(cuts, 0U);
  }
}

// Returns what the text has between two others, and removes all up to there; "" if it has not both.
std::string take_between(std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  const std::size_t to = from == text.npos ? from : text.find(end, from + begin.size());
  if (to == text.npos) return "";
  std::string found = text.substr(from + begin.size(), to - from - begin.size());
  text.erase(0, to + end.size());
  return found;
}

// Returns the parts of a Placemark. Values of its data are numbers where they are written so.
json feature_of(std::string placemark) {
  json feature = {{"title", take_between(placemark, "<name>", "</name>")},
                  {"style", take_between(placemark, "<styleUrl>#", "</styleUrl>")},
                  {"data", json::object()}};
  std::string data = take_between(placemark, "<ExtendedData>", "</ExtendedData>");
  for (std::string name; !(name = take_between(data, "<Data name=\"", "\">")).empty();) {
    const std::string value = take_between(data, "<value>", "</value>");
    const json number = json::parse(value, nullptr, false);
    feature["data"][name] = number.is_number() ? number : json(value);
  }
  feature["geometry"] = take_between(placemark, "", "<coordinates>");
  std::istringstream positions(take_between(placemark, "", "</coordinates>"));
  for (std::string position; positions >> position;) {
    feature["coordinates"].push_back(json::parse('[' + position + ']'));
  }
  return feature;
}

// "aabbggrr" of KML for "#rrggbb" of simplestyle, opaque.
std::string kml_colour(const std::string& colour) {
  return "ff" + colour.substr(5, 2) + colour.substr(3, 2) + colour.substr(1, 2);
}

// Returns the style of each id.
std::map<std::string, std::string> styles_of(std::string kml) {
  std::map<std::string, std::string> styles;
  for (std::string id; !(id = take_between(kml, "<Style id=\"", "\">")).empty();) {
    styles[id] = take_between(kml, "", "</Style>");
  }
  return styles;
}

// A link is one line in KML, also across the 180th meridian, where GeoJSON's are cut.
void expect_same_link(const json& feature, const json& mark, const std::string& style) {
  const json& properties = feature.at("properties");
  EXPECT_EQ(mark.at("title"),
            properties.at("a").get<std::string>() + ' ' + properties.at("b").get<std::string>());
  EXPECT_EQ(style, "<LineStyle><color>" + kml_colour(properties.at("stroke")) + "</color><width>" +
                       properties.at("stroke-width").dump() + "</width></LineStyle>");
  const json& lines = feature.at("geometry").at("coordinates");
  const bool is_cut = feature.at("geometry").at("type") == "MultiLineString";
  EXPECT_EQ(mark.at("coordinates"),
            is_cut ? json::array({lines.front().front(), lines.back().back()}) : lines);
  EXPECT_EQ(mark.at("geometry"), "<LineString><tessellate>1</tessellate>");
}

void expect_same_relay(const json& feature, const json& mark, const std::string& style) {
  const json& properties = feature.at("properties");
  EXPECT_EQ(mark.at("title"), properties.at("title"));
  EXPECT_EQ(style, "<IconStyle><color>" + kml_colour(properties.at("marker-color")) +
                       "</color></IconStyle>");
  EXPECT_EQ(mark.at("coordinates"), json::array({feature.at("geometry").at("coordinates")}));
  EXPECT_EQ(mark.at("geometry"), "<Point>");
}

TEST_F(ThreeStarConditionsTest, KmlSaysWhatGeojsonSays) {
  SeededRandom random;
  put("in.geojson", geojson_of(scattered(random, 40)));
  put("fixed.geojson", geojson_of(scattered(random, 40)));
  for (const char* const name : {"out.geojson", "out.kml"}) {
    place({path("in.geojson"), "--fixed-relays", path("fixed.geojson"), "--relays", path(name)});
  }
  std::string kml = bytes("out.kml");
  EXPECT_TRUE(kml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml "));
  const std::map<std::string, std::string> styles = styles_of(kml);
  std::map<std::string, int> kinds;
  int crossings = 0;
  const json written = json::parse(bytes("out.geojson"));
  for (const json& feature : written.at("features")) {
    const std::string kind = feature.at("properties").at("kind");
    const json mark = feature_of(take_between(kml, "<Placemark>", "</Placemark>"));
    ASSERT_EQ(mark.at("style"), kind) << feature;
    ASSERT_TRUE(styles.contains(kind));
    (kind == "link" ? expect_same_link : expect_same_relay)(feature, mark, styles.at(kind));
    json data = feature.at("properties");  // Without what a name and a style say in KML.
    for (const char* const name :
         {"title", "marker-color", "marker-size", "stroke", "stroke-width"}) {
      data.erase(name);
    }
    EXPECT_EQ(mark.at("data"), data);
    ++kinds[kind];
    if (feature.at("geometry").at("type") == "MultiLineString") ++crossings;
  }
  EXPECT_EQ(kml.find("<Placemark>"), kml.npos);
  EXPECT_GT(kinds["tree"], 0);
  EXPECT_GT(kinds["fixed"], 0);
  EXPECT_GT(crossings, 0);
}

TEST_F(ThreeStarConditionsTest, WrittenRelaysServeAsFixedOnes) {
  SeededRandom random;
  const std::vector<Location> sensors = scattered(random, 25);
  put("in.geojson", geojson_of(sensors));
  for (const char* const name : {"relays.geojson", "relays.kml", "relays.csv"}) {
    const json first = place({path("in.geojson"), "--relays", path(name)});
    const json second = place({path("in.geojson"), "--fixed-relays", path(name)});
    EXPECT_EQ(second.at("fixed_relays"), first.at("relays"));
    // Rounding to the grid may lose some links that are as long as the range.
    EXPECT_LE(second.at("relays"), first.at("relays").get<std::size_t>() / 4);
  }
}

TEST_F(ThreeStarConditionsTest, FixedRelaysTakeFewerNewOnes) {
  SeededRandom random;
  const std::vector<Location> sensors = scattered(random, 40);
  const std::vector<Location> fixed = scattered(random, 40);
  put("in.geojson", geojson_of(sensors));
  put("fixed.geojson", geojson_of(fixed));
  const json without = place({path("in.geojson")});
  const json with = place({path("in.geojson"), "--fixed-relays", path("fixed.geojson"), "--relays",
                           path("out.geojson")});
  EXPECT_EQ(with.at("fixed_relays"), 40);
  EXPECT_GT(with.at("fixed_relays_used"), 0);
  EXPECT_LT(with.at("tree_relays"), without.at("tree_relays"));
  std::vector<Location> relays = relays_in(bytes("out.geojson"));
  EXPECT_EQ(relays.size(), with.at("relays"));
  relays.insert(relays.end(), fixed.begin(), fixed.end());
  EXPECT_EQ(components(sensors, relays), 1U);
}

TEST_F(ThreeStarConditionsTest, RangesOfSensorsHold) {
  SeededRandom random;
  std::vector<Location> sensors = scattered(random, 30);
  std::ostringstream table;
  table << "id,lat,lng,range\n";
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    if (random(0, 2) > 0) sensors[i].range = static_cast<double>(random(500, 9000));
    table << i << ',' << number(sensors[i].lat) << ',' << number(sensors[i].lng) << ',';
    if (std::isfinite(sensors[i].range)) table << sensors[i].range;
    table << '\n';
  }
  put("in.csv", table.str());
  put("in.geojson", geojson_of(sensors));
  const json by_table = place({path("in.csv"), "--relays", path("table.geojson")});
  const json report = place({path("in.geojson"), "--relays", path("out.geojson")});
  EXPECT_EQ(by_table.at("relays"), report.at("relays"));
  EXPECT_EQ(report.at("own_ranges"), std::ranges::count_if(sensors, [](const Location& each) {
              return std::isfinite(each.range);
            }));
  EXPECT_EQ(components(sensors, relays_in(bytes("out.geojson"))), 1U);
}

TEST_F(ThreeStarConditionsTest, NoRelayIsInAForbiddenPolygon) {
  SeededRandom random;
  const std::vector<Location> sensors = scattered(random, 30);
  put("in.geojson", geojson_of(sensors));
  for (const char* const projection : {"stereographic", "equirectangular", "mercator"}) {
    place({path("in.geojson"), "--projection", projection, "--relays", path("free.geojson")});
    // Around a relay, across the antimeridian, 40 km long and less than two ranges high; its edges
    // along parallels are no great circles.
    const std::vector<Location> free = relays_in(bytes("free.geojson"));
    const auto drowned = std::ranges::find_if(
        free, [](const Location& relay) { return std::abs(eastern(relay).lng - 180) < 0.15; });
    ASSERT_NE(drowned, free.end());
    const double south = drowned->lat - 0.025;
    const double north = drowned->lat + 0.025;
    put("lake.geojson",
        json{{"type", "Polygon"},
             {"coordinates",
              {{{179.8, south}, {-179.8, south}, {-179.8, north}, {179.8, north}, {179.8, south}}}}}
            .dump());
    const std::vector<std::array<double, 2>> lake = {
        {179.8, south}, {180.2, south}, {180.2, north}, {179.8, north}};
    EXPECT_TRUE(is_inside(lake, eastern(*drowned)));
    const json report = place({path("in.geojson"), "--projection", projection, "--forbidden",
                               path("lake.geojson"), "--relays", path("out.geojson")});
    EXPECT_GE(report.at("forbidden_polygons"), 1);
    const std::vector<Location> relays = relays_in(bytes("out.geojson"));
    EXPECT_EQ(components(sensors, relays), 1U);
    for (const Location& relay : relays) {
      EXPECT_FALSE(is_inside(lake, eastern(relay))) << relay.lng << ' ' << relay.lat;
    }
  }
}

TEST_F(ThreeStarConditionsTest, LinksOfAPlannerDecide) {
  // 0 and 1 are at a distance of 1.1 km, 2 is 110 km away.
  put("in.csv", "lat,lng\n0,0\n0.01,0\n1,0\n");
  put("links.csv", "from,to,loss\n0,2,120\n2,1,118\n");
  EXPECT_EQ(place({path("in.csv"), "--links", path("links.csv")}).at("components"), 1);
  put("links.csv", "0,2\n");
  const json one = place({path("in.csv"), "--links", path("links.csv")});
  EXPECT_EQ(one.at("components"), 1) << "1 is not in the file";
  put("in.csv", "lat,lng\n0,0\n0.01,0\n1,0\n1.01,0\n");
  put("links.csv", "a,b\n0,2\n1,3\n");
  const json two = place({path("in.csv"), "--links", path("links.csv")});
  EXPECT_EQ(two.at("components"), 2);
  EXPECT_EQ(two.at("relays"), 1);
  EXPECT_EQ(two.at("listed_links"), 2);
}

TEST_F(ThreeStarConditionsTest, PolygonsOfPointsInThePlaneHaveXAndY) {
  put("in.csv", "x,y\n0,0\n40000,0\n");
  put("wall.geojson",
      R"({"type":"Polygon","coordinates":[[[9000,-900],[31000,-900],[31000,900],[9000,900]]]})");
  const auto relays_in_table = [&] {
    std::istringstream lines(bytes("relays.csv"));
    std::string line;
    std::getline(lines, line);
    std::vector<std::array<double, 2>> relays;
    while (std::getline(lines, line)) {
      int index = 0;
      auto& [x, y] = relays.emplace_back();
      EXPECT_EQ(std::sscanf(line.c_str(), "%d,%lf,%lf", &index, &x, &y), 3) << line;
    }
    return relays;
  };
  const auto is_in_wall = [](const std::array<double, 2>& relay) {
    return relay[0] > 9000 && relay[0] < 31000 && relay[1] > -900 && relay[1] < 900;
  };
  place({path("in.csv"), "--relays", path("relays.csv")});
  EXPECT_GT(std::ranges::count_if(relays_in_table(), is_in_wall), 0);
  const json report =
      place({path("in.csv"), "--forbidden", path("wall.geojson"), "--relays", path("relays.csv")});
  const auto relays = relays_in_table();
  EXPECT_EQ(std::ranges::count_if(relays, is_in_wall), 0);
  EXPECT_EQ(relays.size(), report.at("relays"));
  EXPECT_GE(relays.size(), 7U);
}

TEST_F(ThreeStarConditionsTest, ThePageNeedsNothingFromElsewhere) {
  put("in.csv", "lat,lng\n47.00,8.00\n47.05,8.05\n46.98,8.12\n47.20,8.30\n");
  place({path("in.csv"), "--map", path("map.html")});
  const std::string page = bytes("map.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* const word : {"http:", "https:", "src=", "href=", "@import", "url("}) {
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace millrace::end_to_end
