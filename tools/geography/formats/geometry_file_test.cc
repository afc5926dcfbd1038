// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/geography/formats/geometry_file.h>

#include <gtest/gtest.h>

#include <string>

namespace millrace::tools {
namespace {

GeometryFile points(const std::string& text) {
  return read_geometry(text, "in", GeometryUse::kPoints);
}

GeometryFile polygons(const std::string& text) {
  return read_geometry(text, "in", GeometryUse::kPolygons);
}

std::string message(const std::string& text, GeometryUse use) {
  try {
    read_geometry(text, "in", use);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    return error.what();
  }
  return "no error";
}

void expect_message(const std::string& text, const std::string& wanted,
                    GeometryUse use = GeometryUse::kPoints) {
  const std::string found = message(text, use);
  EXPECT_NE(found.find(wanted), std::string::npos) << found;
}

std::string feature(const std::string& geometry, const std::string& properties = "null") {
  return R"({"type":"Feature","properties":)" + properties + R"(,"geometry":)" + geometry + "}";
}

std::string collection(const std::string& features) {
  return R"({"type":"FeatureCollection","features":[)" + features + "]}";
}

std::string kml(const std::string& placemarks) {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder>)" +
         placemarks + "</Folder></Document></kml>";
}

TEST(GeometryFileTest, KnowsFormatsByTheirBeginning) {
  EXPECT_TRUE(is_geometry(" {\n\"type\""));
  EXPECT_TRUE(is_geometry("[[1, 2]]"));
  EXPECT_FALSE(is_geometry("[m] [m]\n1 2\n"));
  EXPECT_TRUE(is_geometry("\xEF\xBB\xBF \n<kml"));
  EXPECT_FALSE(is_geometry("x,y\n"));
  EXPECT_FALSE(is_geometry(""));
}

TEST(GeometryFileTest, ReadsPointsOfAFeatureCollection) {
  const GeometryFile file = points(
      collection(feature(R"({"type":"Point","coordinates":[8.5,47.25,400]})", R"({"range":75.5})") +
                 "," + feature(R"({"type":"MultiPoint","coordinates":[[179.5,-1],[-179.5,1]]})")));
  ASSERT_EQ(file.points.size(), 3U);
  EXPECT_EQ(file.points[0].position, (LatLng{47.25, 8.5}));
  EXPECT_EQ(file.points[0].range, 75.5);
  EXPECT_EQ(file.points[0].location, "features[0]");
  EXPECT_EQ(file.points[1].position, (LatLng{-1, 179.5}));
  EXPECT_EQ(file.points[2].position, (LatLng{1, -179.5}));
  EXPECT_FALSE(file.points[2].range.has_value());
  EXPECT_EQ(file.points[2].location, "features[1]");
}

TEST(GeometryFileTest, ReadsAFeatureAndAGeometryAlone) {
  EXPECT_EQ(points(feature(R"({"type":"Point","coordinates":[1,2]})")).points.size(), 1U);
  EXPECT_EQ(points(R"({"type":"MultiPoint","coordinates":[[1,2],[3,4]]})").points.size(), 2U);
  EXPECT_EQ(
      polygons(R"({"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]})").polygons.size(),
      1U);
}

TEST(GeometryFileTest, ReadsPolygonsWithHoles) {
  const GeometryFile file = polygons(collection(feature(
      R"({"type":"MultiPolygon","coordinates":[
         [[[0,0],[9,0],[9,9],[0,9],[0,0]],[[3,3],[3,6],[6,6],[3,3]]],
         [[[20,0],[21,0],[21,1],[20,0]]]]})")));
  ASSERT_EQ(file.polygons.size(), 2U);
  ASSERT_EQ(file.polygons[0].rings.size(), 2U);
  EXPECT_EQ(file.polygons[0].rings[0].size(), 4U);
  EXPECT_EQ(file.polygons[0].rings[1].size(), 3U);
}

TEST(GeometryFileTest, EdgesTakeTheShorterWayAroundTheEarth) {
  GeometryFile file =
      polygons(R"({"type":"Polygon","coordinates":[[[179,0],[-179,0],[-179,1],[179,1],[179,0]]]})");
  auto& ring = file.polygons.at(0).rings.at(0);
  EXPECT_EQ(ring[1].longitude, -179);
  make_continuous(ring);
  EXPECT_EQ(ring[0].longitude, 179);
  EXPECT_EQ(ring[1].longitude, 181);
  EXPECT_EQ(ring[2].longitude, 181);
  EXPECT_EQ(ring[3].longitude, 179);
}

TEST(GeometryFileTest, OtherGeometriesAreRejectedByName) {
  for (const char* const type : {"LineString", "MultiLineString", "Polygon", "MultiPolygon"}) {
    expect_message(
        collection(feature(std::string(R"({"type":")") + type + R"(","coordinates":[]})")),
        std::string("in: features[0]: is a ") + type + "; give Point and MultiPoint");
  }
  expect_message(R"({"type":"GeometryCollection","geometries":[]})",
                 "is a GeometryCollection; give Point and MultiPoint");
  expect_message(R"({"type":"Point","coordinates":[1,2]})",
                 "is a Point; give Polygon and MultiPolygon", GeometryUse::kPolygons);
  expect_message(R"({"type":"Topology"})", "is of type 'Topology'");
}

TEST(GeometryFileTest, LinksOfOurOwnAreSkipped) {
  const std::string line = R"({"type":"LineString","coordinates":[[0,0],[1,1]]})";
  EXPECT_EQ(points(collection(feature(line, R"({"kind":"link"})") + "," +
                              feature(R"({"type":"Point","coordinates":[1,2]})")))
                .points.size(),
            1U);
  expect_message(collection(feature(line, R"({"kind":"road"})")), "is a LineString");
}

TEST(GeometryFileTest, WrongGeojsonIsRejected) {
  expect_message("{\"type\":", "is not valid JSON at byte");
  expect_message("[1,2]", "it has no type");
  expect_message("{}", "it has no type");
  expect_message(R"({"type":"FeatureCollection"})", "without an array of features");
  expect_message(collection("7"), "features[0]: is no Feature");
  expect_message(collection(R"({"type":"Feature"})"), "features[0]: has no geometry");
  expect_message(collection(feature("null")), "has a geometry of null");
  expect_message(feature(R"({"type":"Point","coordinates":["1",2]})"),
                 "[\"1\",2] is not a longitude and a latitude");
  expect_message(feature(R"({"type":"Point","coordinates":[1]})"), "[1] is not a longitude");
  expect_message(feature(R"({"type":"Point"})"), "is a Point without coordinates");
  for (const char* const range : {"\"75\"", "-1", "0", "true"}) {
    expect_message(feature(R"({"type":"Point","coordinates":[1,2]})",
                           std::string("{\"range\":") + range + "}"),
                   "give a number greater than 0, or leave it out");
  }
  expect_message(R"({"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]})",
                 "has a ring of 2 corners", GeometryUse::kPolygons);
  expect_message(std::string(5000, '['), "");
  expect_message(std::string(5000, '[') + std::string(5000, ']'), "nests values too deeply");
}

TEST(GeometryFileTest, OtherSystemsAreRejected) {
  const auto with_crs = [](const std::string& system) {
    return R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":")" + system +
           R"("}},"features":[]})";
  };
  EXPECT_TRUE(points(with_crs("urn:ogc:def:crs:OGC:1.3:CRS84")).points.empty());
  EXPECT_TRUE(points(with_crs("urn:ogc:def:crs:EPSG::4326")).points.empty());
  expect_message(with_crs("urn:ogc:def:crs:EPSG::25832"), "EPSG::25832'; convert them");
}

TEST(GeometryFileTest, ReadsPointsOfKml) {
  const GeometryFile file = points(
      kml("<Placemark><name>a</name><ExtendedData><Data name=\"range\"><value> 75.5 "
          "</value></Data></ExtendedData><Point><coordinates> 8.5,47.25,400 </coordinates></Point>"
          "</Placemark>\n"
          "<Placemark><MultiGeometry><Point><coordinates>179.5,-1</coordinates></Point><Point>"
          "<coordinates>-179.5,1</coordinates></Point></MultiGeometry></Placemark>"
          "<Placemark><Point><coordinates>1,2</coordinates></Point><ExtendedData><SchemaData>"
          "<SimpleData name=\"range\">9</SimpleData></SchemaData></ExtendedData></Placemark>"));
  ASSERT_EQ(file.points.size(), 4U);
  EXPECT_EQ(file.points[0].position, (LatLng{47.25, 8.5}));
  EXPECT_EQ(file.points[0].range, 75.5);
  EXPECT_EQ(file.points[0].location, "line 2");
  EXPECT_EQ(file.points[1].position, (LatLng{-1, 179.5}));
  EXPECT_EQ(file.points[1].location, "line 3");
  EXPECT_FALSE(file.points[2].range.has_value());
  EXPECT_EQ(file.points[3].range, 9);
}

TEST(GeometryFileTest, ReadsKmlWithPrefixes) {
  const std::string text =
      "<k:kml xmlns:k=\"http://www.opengis.net/kml/2.2\"><k:Placemark><k:Point><k:coordinates>1,2"
      "</k:coordinates></k:Point></k:Placemark></k:kml>";
  EXPECT_EQ(points(text).points.size(), 1U);
}

TEST(GeometryFileTest, ReadsPolygonsOfKml) {
  const GeometryFile file = polygons(
      kml("<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 9,0 9,9 0,9 0,0"
          "</coordinates></LinearRing></outerBoundaryIs><innerBoundaryIs><LinearRing><coordinates>"
          "3,3 3,6 6,6 3,3</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark>"));
  ASSERT_EQ(file.polygons.size(), 1U);
  ASSERT_EQ(file.polygons[0].rings.size(), 2U);
  EXPECT_EQ(file.polygons[0].rings[0].size(), 4U);
  EXPECT_EQ(file.polygons[0].rings[0][1], (LatLng{0, 9}));
}

TEST(GeometryFileTest, WrongKmlIsRejected) {
  expect_message("<svg/>", "is XML of type 'svg'");
  expect_message(kml("<Placemark>"), "is not valid XML: mismatched tag");
  expect_message(kml("<Placemark><LineString><coordinates>0,0 1,1</coordinates></LineString>"
                     "</Placemark>"),
                 "in: line 2: is a LineString; give Point and MultiPoint alone");
  expect_message(kml("<Placemark><Polygon/></Placemark>"), "is a Polygon");
  expect_message(kml("<Placemark><Point><coordinates>1</coordinates></Point></Placemark>"),
                 "'1' is not a longitude and a latitude");
  expect_message(kml("<Placemark><Point><coordinates>1,2 3,4</coordinates></Point></Placemark>"),
                 "is a Point of 2 positions");
  expect_message(kml("<Placemark><Point></Point></Placemark>"), "is a Point without coordinates");
  expect_message(kml("<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>"),
                 "is a Point; give Polygon", GeometryUse::kPolygons);
  expect_message(kml("<Placemark><Point><coordinates>1,2</coordinates></Point><ExtendedData>"
                     "<Data name=\"range\"><value>far</value></Data></ExtendedData></Placemark>"),
                 "range is 'far'");
}

TEST(GeometryFileTest, LinksOfOurOwnKmlAreSkipped) {
  EXPECT_TRUE(points(kml("<Placemark><LineString><coordinates>0,0 1,1</coordinates></LineString>"
                         "<ExtendedData><Data name=\"kind\"><value>link</value></Data>"
                         "</ExtendedData></Placemark>"))
                  .points.empty());
}

TEST(GeometryFileTest, OtherTextIsNeither) {
  expect_message("x,y\n1,2\n", "is neither GeoJSON nor KML");
}

}  // namespace
}  // namespace millrace::tools
