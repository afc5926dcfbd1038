// SPDX-License-Identifier: Apache-2.0

// Points that are none, and results that cannot be written: one clear line on standard error, exit
// status 2, and no new file.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/key_file.h>

#include <limits>
#include <ostream>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

struct ThreeStarRejection {
  std::string name;
  std::vector<std::string> arguments;  // They follow `millrace three-star`.
  std::string message;
};

std::ostream& operator<<(std::ostream& out, const ThreeStarRejection& rejection) {
  return out << rejection.name;
}

const ThreeStarRejection kThreeStarRejections[] = {
    {"NoPoints", {"--radius", "5"}, "POINTS is required, or --random"},
    {"PointsTwice", {"in.csv", "--random", "9", "--radius", "5"}, "POINTS and --random"},
    {"WidthOfAFile",
     {"in.csv", "--radius", "5", "--width", "2000"},
     "--width is given without --random; in.csv has positions of its own"},
    {"UnknownForm",
     {"in.csv", "--radius", "5", "--form", "short"},
     "--form is 'short'; give compressed or raw"},
    {"RawChunks",
     {"in.csv", "--radius", "5", "--form", "raw", "-o", "new.3star"},
     "--form raw is for unsorted lines of text; leave it out for a .3star file"},
    {"RawSorted",
     {"in.csv", "--radius", "5", "--form", "raw", "--sorted", "-o", "new"},
     "--form raw is for unsorted lines of text; leave it out, or --sorted"},
    {"RawCount",
     {"in.csv", "--radius", "5", "--form", "raw", "--no-hash"},
     "--form and --no-hash are both given, and nothing reads the 3-stars; leave one out"},
    {"FormOfStars",
     {"cut.3star", "--form", "raw"},
     "cut.3star has 3-stars of one radius; leave out --radius, --grid, --projection and --form"},
    {"NoRadius", {"in.csv"}, "--radius is required"},
    {"RadiusOfNothing", {"in.csv", "--radius", "0"}, "--radius is '0'; give a number greater"},
    {"NegativeRadius", {"in.csv", "--radius", "-1"}, "--radius is '-1'; give a number greater"},
    {"RadiusOfNoNumber", {"in.csv", "--radius", "nan"}, "--radius is 'nan'; give a number"},
    {"InfiniteRadius", {"in.csv", "--radius", "inf"}, "--radius is 'inf'; give a number"},
    {"RadiusWithAUnit", {"in.csv", "--radius", "5km"}, "--radius is '5km'; give a number"},
    {"RadiusTooLarge",
     {"in.csv", "--radius", "1048576"},
     "--radius 1048576 is 1048576 steps of a grid of 1; the search is exact up to 1048575"},
    {"RadiusBetweenSteps",
     {"in.csv", "--radius", "5", "--grid", "2"},
     "--radius 5 is not a whole number of steps of a grid of 2; give a --grid that divides it"},
    {"GridOfNothing", {"in.csv", "--radius", "5", "--grid", "0"}, "--grid is '0'; give a number"},
    {"DistantPoints",
     {"far.csv", "--radius", "5"},
     "coordinates from 0 to 5e+09 do not fit into 32 bits on a grid of 1; give a larger --grid"},
    {"UnknownDevice", {"in.csv", "--radius", "5", "--device", "abacus"}, "no device 'abacus'"},
    {"UnknownPolicy", {"in.csv", "--radius", "5", "--policy", "lazy"}, "no policy 'lazy'"},
    {"NoWholeNumberOfPoints",
     {"--random", "1e3", "--radius", "5"},
     "--random is '1e3'; give a whole number"},

    {"MissingFile", {"none.csv", "--radius", "5"}, "none.csv: cannot be read: No such file"},
    {"FolderAsFile", {"folder", "--radius", "5"}, "folder: is a directory, not a file"},
    {"EmptyFile", {"empty.csv", "--radius", "5"}, "empty.csv: is empty"},
    {"NamesAlone", {"names.csv", "--radius", "5"}, "names.csv: has no points"},
    {"OtherNames",
     {"other.csv", "--radius", "5"},
     "other.csv: line 1: 'east,north' is neither a point nor a heading; write a first line that "
     "names x,y or, in degrees, lat,lng, and below it points such as 52.52,13.40"},
    {"ThreeColumns",
     {"three.csv", "--radius", "5"},
     "three.csv: line 1: has 3 columns; give two columns, or a first line that names x,y or "
     "lat,lng"},
    {"ALineOfOneNumber",
     {"one.csv", "--radius", "5"},
     "one.csv: line 3: '5' is not a pair of numbers; write two, such as 52.52,13.40"},
    {"ALineCutShort", {"cut.csv", "--radius", "5"}, "cut.csv: line 3: ends before column 2"},
    {"AWord", {"word.csv", "--radius", "5"}, "word.csv: line 2: 'four' is not a finite number"},
    {"NotANumber",
     {"nan.csv", "--radius", "5"},
     "nan.csv: line 2: 'nan' is not a finite number (column 2); write one, such as 52.52"},
    {"Infinity", {"infinity.csv", "--radius", "5"}, "infinity.csv: line 3: 'inf' is not a finite"},
    {"BeyondThePole",
     {"pole.csv", "--radius", "5"},
     "pole.csv: line 4: latitude 91 and longitude 2; their magnitudes must be at most 90 and 360"},
    {"ThePoleByMercator",
     {"north.csv", "--radius", "5", "--projection", "mercator"},
     "north.csv: line 2: latitude 90 and longitude 2; their magnitudes must be at most 89 and 360"},
    {"BeyondThePoleInNpy",
     {"pole.npy", "--radius", "5", "--projection", "equirectangular"},
     "pole.npy: row 1: latitude 91 and longitude 2; their magnitudes must be at most 90 and 360"},
    {"ANumberThatIsNoDouble",
     {"large.csv", "--radius", "5"},
     "large.csv: line 2: 9007199254740993 is not exact as a double; subtract an origin"},
    {"ANpyNumberThatIsNoDouble",
     {"large.npy", "--radius", "5"},
     "large.npy: row 1: -9007199254740993 is not exact as a double; subtract an origin"},
    {"TheLargestNpyNumber",
     {"largest.npy", "--radius", "5"},
     "largest.npy: row 0: 9223372036854775807 is not exact as a double"},
    {"ProjectionOfXAndY",
     {"names_xy.csv", "--radius", "5", "--projection", "mercator"},
     "--projection is given for columns x and y; leave it out, or name the columns lat and lng"},
    {"UnknownProjection",
     {"in.csv", "--radius", "5", "--projection", "globe"},
     "--projection is 'globe'; give stereographic, equirectangular or mercator"},

    {"TextNamedNpy",
     {"text.npy", "--radius", "5"},
     "text.npy: is named .npy and is not a .npy file"},
    {"NpyOfThreeColumns",
     {"columns.npy", "--radius", "5"},
     "columns.npy: holds an array of shape (2, 3); its shape must be (N, 2)"},
    {"NpyOnItsSide",
     {"turned.npy", "--radius", "5"},
     "turned.npy: holds an array of shape (2, 4); its shape must be (N, 2), which a.T has"},
    {"NpyOfBooleans",
     {"booleans.npy", "--radius", "5"},
     "booleans.npy: holds elements of '|b1' (booleans; a.view('u1') has numbers); coordinates are"},
    {"NpyOfText",
     {"words.npy", "--radius", "5"},
     "words.npy: holds elements of '<U1' (text); coordinates are"},
    {"NpyOfRecords",
     {"records.npy", "--radius", "5"},
     "records.npy: holds elements of [('x', '<f8'), ('y', '<f8')] (a structured type); coordinates "
     "are"},
    {"NpyOfLongDoubles",
     {"long.npy", "--radius", "5"},
     "long.npy: holds elements of '<f16' (long doubles; a.astype('f8') has doubles); coordinates "
     "are"},
    {"Compressed", {"points.csv.gz", "--radius", "5"}, "points.csv.gz: is compressed by gzip"},
    {"AnArchive", {"points.npz", "--radius", "5"}, "points.npz: is a zip archive, as .npz and"},
    {"Json",
     {"points.json", "--radius", "5"},
     "points.json: is a FeatureCollection without an array of features"},
    {"RawNumbers", {"raw.csv", "--radius", "5"}, "raw.csv: is not text: byte 1 is 0"},
    {"AnOpenQuotationMark",
     {"open.csv", "--radius", "5"},
     "open.csv: line 2: a quotation mark is not closed"},
    {"TwoColumnsOfOneName",
     {"twice.csv", "--radius", "5"},
     "twice.csv: line 1: names columns 1 and 3 both 'x'; give one of them another name"},
    {"AnOverflow",
     {"overflow.csv", "--radius", "5"},
     "overflow.csv: line 2: '1e400' is not a finite number (column 2)"},
    {"AHexadecimalNumber", {"hex.csv", "--radius", "5"}, "hex.csv: line 2: '0x10' is not a finite"},
    {"CommasAndPoints",
     {"marks.csv", "--radius", "5"},
     "marks.csv: line 2: '5.6' and line 1 have a decimal comma and a decimal point"},
    {"PlacementAroundTheEarth",
     {"world.csv", "--radius", "5", "--place"},
     "--place needs points that one projection maps within 0.05 %"},
    {"ARadiusThatNoProjectionCarries",
     {"world.csv", "--radius", "3000000"},
     "--radius 3000000 is more than the 402"},
    {"ARadiusThatRegionsDoNotCarry",
     {"world.csv", "--radius", "100000"},
     "--radius 100000 joins points in an area that is"},
    {"NpyCutShort",
     {"cut.npy", "--radius", "5"},
     "cut.npy: has 15 bytes of elements; its header says shape (2, 2), 4 bytes each"},
    {"NpyOfNoPoints", {"none.npy", "--radius", "5"}, "none.npy: has no points"},
    {"NpyOfNan", {"nan.npy", "--radius", "5"}, "nan.npy: row 1 has a number that is not finite"},

    {"RadiusForStars",
     {"cut.3star", "--radius", "5"},
     "cut.3star has 3-stars of one radius; leave out --radius, --grid, --projection and --form"},
    {"OtherBytesInAStarFile",
     {"other.3star"},
     "other.3star is named .3star and has no 3-stars; give a file that -o wrote"},
    {"NoRandomPoints", {"--random", "0", "--radius", "5"}, "--random"},
    {"CoordinatesWithoutEnd",
     {"endless.csv", "--radius", "0.5"},
     "do not fit into 32 bits on a grid of"},
    {"StarsCutShort", {"cut.3star"}, "cut.3star is cut short; write it again"},
    {"StarsOfNoRadius", {"damaged.3star"}, "damaged.3star has a radius of 0"},
    {"SortedNothing",
     {"in.csv", "--radius", "5", "--sorted"},
     "--sorted is given without --output; give the file to write"},
    {"SortedChunks",
     {"in.csv", "--radius", "5", "--sorted", "-o", "new.3star"},
     "--sorted is for lines of text; leave it out, or give --output a name"},

    {"RelaysOfNobody",
     {"in.csv", "--radius", "5", "--relays", "new"},
     "--relays is given without --place"},
    {"SvgOfNobody", {"in.csv", "--radius", "5", "--svg", "new"}, "--svg is given without --place"},
    {"PngOfNobody", {"in.csv", "--radius", "5", "--png", "new"}, "--png is given without --place"},
    {"ExistingOutput", {"in.csv", "--radius", "5", "-o", "mine"}, "mine: exists already (--force"},
    {"WayOfGeojson",
     {"way.geojson", "--radius", "5"},
     "way.geojson: features[1]: is a LineString; give Point and MultiPoint alone"},
    {"AreaOfKml", {"area.kml", "--radius", "5"}, "area.kml: line 1: is a Polygon; give Point"},
    {"BrokenGeojson", {"broken.json", "--radius", "5"}, "broken.json: is not valid JSON at byte"},
    {"OtherXml", {"page.html", "--radius", "5"}, "page.html: is XML of type 'html'"},
    {"GeojsonBeyondThePole",
     {"pole.geojson", "--radius", "5"},
     "pole.geojson: features[0]: latitude 91 and longitude 0; their magnitudes must be at most 90"},
    {"GeojsonOfXAndY",
     {"in.csv", "--radius", "5", "--place", "--relays", "new.geojson"},
     "--relays is new.geojson, whose format has longitudes and latitudes, and the points have x"},
    {"MapWithoutPlace",
     {"in.csv", "--radius", "5", "--map", "new.html"},
     "--map is given without --place; give --place too"},
    {"FixedWithoutPlace",
     {"in.csv", "--radius", "5", "--fixed-relays", "in.csv"},
     "--fixed-relays is given without --place; give --place too"},
    {"ForbiddenWithoutPlace",
     {"in.csv", "--radius", "5", "--forbidden", "area.kml"},
     "--forbidden is given without --place; give --place too"},
    {"LinksWithoutPlace",
     {"in.csv", "--radius", "5", "--links", "links.csv"},
     "--links is given without --place; give --place too"},
    {"StandardInputTwice",
     {"-", "--radius", "5", "--place", "--links", "-"},
     "POINTS and --links are both standard input; give one of them a file"},
    {"FixedOfOtherColumns",
     {"names_xy.csv", "--radius", "5", "--place", "--fixed-relays", "world.csv"},
     "world.csv has latitudes and longitudes, and names_xy.csv x and y; give both the same"},
    {"FixedBeyondThePole",
     {"world_region.csv", "--radius", "5", "--place", "--fixed-relays", "pole.csv"},
     "pole.csv: line 4: latitude 91"},
    {"ForbiddenPoints",
     {"in.csv", "--radius", "5", "--place", "--forbidden", "way.geojson"},
     "way.geojson: features[0]: is a Point; give Polygon and MultiPolygon alone"},
    {"ForbiddenTable",
     {"in.csv", "--radius", "5", "--place", "--forbidden", "in.csv"},
     "in.csv: is neither GeoJSON nor KML; give one of these"},
    {"ForbiddenNowhere",
     {"in.csv", "--radius", "5", "--place", "--forbidden", "none.geojson"},
     "none.geojson: has no polygons; give one, or leave out --forbidden"},
    {"ForbiddenEverywhere",
     {"in.csv", "--radius", "3", "--place", "--forbidden", "everywhere.geojson"},
     "no relays outside the forbidden polygons join point 0 (counted from 0) to the others"},
    {"LinkOfNoPoint",
     {"in.csv", "--radius", "5", "--place", "--links", "links.csv"},
     "links.csv: line 3: '3' is no point; give a whole number from 0 to 2"},
    {"LinkToItself",
     {"in.csv", "--radius", "5", "--place", "--links", "loop.csv"},
     "loop.csv: line 1: joins point 2 with itself; give two points"},
    {"LinksOfOneColumn",
     {"in.csv", "--radius", "5", "--place", "--links", "names.txt"},
     "names.txt: line 1: has 1 column; give two points, such as 0,1, or a first line that names "
     "columns a and b, or from and to"},
    {"NoLinks",
     {"in.csv", "--radius", "5", "--place", "--links", "no_links.csv"},
     "no_links.csv: has no pairs of points"},
    {"NegativeRange",
     {"ranges.csv", "--radius", "5", "--place"},
     "ranges.csv: line 3: range is '-2'; give a number greater than 0, or leave it empty"},
    {"RangeOfNoNumber",
     {"range.geojson", "--radius", "5", "--place"},
     "range.geojson: features[0]: range is \"far\"; give a number greater than 0, or leave it out"},
    {"ExistingJson", {"in.csv", "--radius", "5", "--json", "mine"}, "mine: exists already"},
    {"ExistingPicture",
     {"in.csv", "--radius", "5", "--place", "--svg", "new", "--png", "mine"},
     "mine: exists already"},
    {"OutputOverTheInput",
     {"in.csv", "--radius", "5", "-o", "./in.csv", "--force"},
     "--output is ./in.csv, which the run needs"},
    {"TwoOutputsOfOneName",
     {"in.csv", "--radius", "5", "-o", "new", "--place", "--relays", "new"},
     "--relays is new, which the run needs"},
    {"MissingOutputFolder", {"in.csv", "--radius", "5", "-o", "none/new"}, "none/new: cannot be"},
    {"FullDisk", {"in.csv", "--radius", "5", "-o", "/dev/full"}, "/dev/full: cannot be written"},
    {"FullDiskBehindJson",
     {"in.csv", "--radius", "5", "-o", "new", "--json", "/dev/full"},
     "/dev/full: cannot be written: No space left on device"},
};

class ThreeStarRejectionsTest : public EndToEndTest,
                                public testing::WithParamInterface<ThreeStarRejection> {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    fs::create_directory(path("folder"));
    put("mine", "mine");
    put_csv();
    put_npy();
    put("cut.3star", kStarFile + bytes_of<std::uint32_t>({5, 3, 0, 0, 8, 0}));
    put("other.3star", "1,2\n");
    put("damaged.3star", kStarFile + bytes_of<std::uint32_t>({0, 0}));
  }

 private:
  static inline const std::string kStarFile = "3STAFIL2";

  void put_csv() const {
    put("in.csv", "0,0\n8,0\n4,7\n");
    put("endless.csv", "1e308,0\n0,0\n");
    put("far.csv", "0,0\n5000000000,0\n");
    put("empty.csv", "");
    put("names.csv", "x,y\n");
    put("names_xy.csv", "x,y\n1,2\n");
    put("other.csv", "east,north\n1,2\n");
    put("three.csv", "1,2,3\n");
    put("one.csv", "1,2\n3,4\n5\n");
    put("cut.csv", "x,y,name\n1,2,Ur\n3\n");
    put("word.csv", "3,4\n3,four\n");
    put("nan.csv", "x,y\n1,nan\n");
    put("infinity.csv", "1,2\n\n-1,inf\n");
    put("pole.csv", "lat,lng\n1,2\n\n91,2\n");
    put("points.csv.gz", std::string("\x1f\x8b\x08\0\0", 5));
    put("points.npz", "PK\x03\x04 and so on");
    put("points.json", "{\"type\": \"FeatureCollection\"}\n");
    const std::string point =
        R"({"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[0,1]}})";
    const std::string way =
        R"({"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[]}})";
    const std::string begin = R"({"type":"FeatureCollection","features":[)";
    put("way.geojson", begin + point + "," + way + "]}");
    put("none.geojson", begin + "]}");
    put("broken.json", "{\"type\":");
    put("pole.geojson",
        R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":)"
        R"({"type":"Point","coordinates":[0,91]}}]})");
    put("range.geojson", R"({"type":"FeatureCollection","features":[{"type":"Feature",)"
                         R"("properties":{"range":"far"},"geometry":{"type":"Point",)"
                         R"("coordinates":[0,1]}}]})");
    put("everywhere.geojson",
        R"({"type":"Polygon","coordinates":[[[-9,-9],[12,-9],[12,3.5],[-9,3.5]]]})");
    put("area.kml", "<kml><Placemark><Polygon></Polygon></Placemark></kml>");
    put("page.html", "<html></html>");
    put("links.csv", "a,b\n0,1\n1,3\n");
    put("loop.csv", "2,2\n");
    put("names.txt", "Ur\n");
    put("no_links.csv", "a,b\n");
    put("ranges.csv", "x,y,range\n0,0,\n8,0,-2\n");
    put("world_region.csv", "lat,lng\n0,0\n0,0.1\n");
    put("raw.csv", bytes_of<std::int32_t>({4, 3, 2, 1}));
    put("open.csv", "x,y,name\n1,2,\"a\n3,4,b\n");
    put("twice.csv", "x,y,X\n1,2,3\n");
    put("overflow.csv", "1,2\n3,1e400\n");
    put("hex.csv", "1,2\n0x10,4\n");
    put("marks.csv", "1,234;2\n5.6;3\n");
    put("world.csv", "lat,lng\n0,0\n0,1\n0,2\n0,3\n0,4\n0,5\n0,6\n0,7\n60,170\n-40,-100\n");
    put("large.csv", "9007199254740992,0\n-9007199254740992,9007199254740993\n");
    put("north.csv", "lat,lng\n90,2\n");
  }

  void put_npy() const {
    const std::string four = bytes_of<std::int32_t>({4, 3, 2, 1});
    put("text.npy", "Dear all,\nthese are no points.\n");
    put("columns.npy", npy("'<i4'", "(2, 3)", four));
    put("turned.npy", npy("'|u1'", "(2, 4)", four.substr(0, 8)));
    put("booleans.npy", npy("'|b1'", "(8, 2)", four));
    put("words.npy", npy("'<U1'", "(2, 2)", four));
    put("records.npy", npy("[('x', '<f8'), ('y', '<f8')]", "(1,)", four));
    put("long.npy", npy("'<f16'", "(1, 2)", four + four));
    put("cut.npy", npy("'<i4'", "(2, 2)", four.substr(0, 15)));
    put("none.npy", npy("'<i4'", "(0, 2)", ""));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    put("nan.npy", npy("'<f4'", "(2, 2)", bytes_of<float>({1, 2, 3, nan})));
    put("pole.npy", npy("'<f4'", "(2, 2)", bytes_of<float>({1, 2, 91, 2})));
    put("large.npy",
        npy("'<i8'", "(2, 2)", bytes_of<std::int64_t>({4, 3, 2, -9'007'199'254'740'993})));
    put("largest.npy", npy("'<i8'", "(1, 2)", bytes_of<std::int64_t>({INT64_MAX, 0})));
  }
};

TEST_P(ThreeStarRejectionsTest, IsOneLineAndNoFile) {
  const auto before = names();
  std::vector<std::string> arguments = {"three-star"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  expect_rejected(run(arguments), GetParam().message);
  EXPECT_EQ(names(), before);
  EXPECT_EQ(bytes("in.csv"), "0,0\n8,0\n4,7\n");
  EXPECT_EQ(bytes("mine"), "mine");
}

INSTANTIATE_TEST_SUITE_P(All, ThreeStarRejectionsTest, testing::ValuesIn(kThreeStarRejections),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace millrace::end_to_end
