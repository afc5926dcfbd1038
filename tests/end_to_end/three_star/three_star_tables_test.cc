// SPDX-License-Identifier: Apache-2.0

// Points as other programs write them: tables in text, .npy arrays, latitudes and longitudes.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/key_file.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

namespace millrace::end_to_end {
namespace {

using namespace std::string_literals;

class ThreeStarTablesTest : public EndToEndTest {
 protected:
  nlohmann::json search(const std::vector<std::string>& arguments) const {
    return run_json("three-star", arguments);
  }
};

struct TableText {
  const char* name;
  std::string text;
};

// Each has the points -4,3 and 4,3 and 0,-5, which are a 3-star of a radius of 6.
const TableText kTables[] = {
    {"plain", "-4,3\n4,3\n0,-5\n"},
    {"numpy.savetxt with a header",
     "# x,y\n-4.000000000000000000e+00,3.000000000000000000e+00\n"
     "4.000000000000000000e+00,3.000000000000000000e+00\n"
     "0.000000000000000000e+00,-5.000000000000000000e+00\n"},
    {"numpy.savetxt with a header of two lines", "# of 2024\n# x,y,z\n-4,3,1\n4,3,1\n0,-5,1\n"},
    {"names behind #", "#y,name,x\n3,a,-4\n3,b,4\n-5,c,0\n"},
    {"names behind # with tabs", "#id\tx\ty\n1\t-4\t3\n2\t4\t3\n3\t0\t-5\n"},
    {"a comment ahead of names", "# survey, x and y\nx,y\n-4,3\n4,3\n0,-5\n"},
    {"a comment ahead of numbers", "# survey of 2024\n-4,3\n4,3\n0,-5\n"},
    {"comments among numbers", "x,y\n-4,3\n# moved\n4,3\n#9,9\n0,-5\n# end\n"},
    {"one space", "-4 3\n4 3\n0 -5\n"},
    {"several spaces", "  -4    3\n   4    3\n   0   -5\n"},
    {"spaces and names", "x   y\n-4  3\n 4  3\n 0 -5\n"},
    {"tabs", "x\ty\n-4\t3\n4\t3\n0\t-5\n"},
    {"semicolons", "x;y\n-4;3\n4;3\n0;-5\n"},
    {"semicolons and decimal commas", "x;y\n-4,0;3,0\n4,0;3\n0;-5,00\n"},
    {"tabs and decimal commas", "-4,0\t3,0\n4,0\t3,0\n0,0\t-5,0\n"},
    {"bars", "x|y\n-4|3\n4|3\n0|-5\n"},
    {"trailing separators", "-4,3,\n4,3,\n0,-5,\n"},
    {"lines of separators", "x,y,\n-4,3,\n,,\n4,3,\n0,-5,\n,,\n"},
    {"a stated separator", "sep=;\nx;y\n-4;3\n4;3\n0;-5\n"},
    {"leading plus signs", "-4,+3\n+4,+3\n+0,-5\n"},
    {"minus signs of Unicode",
     "\xE2\x88\x92"
     "4,3\n4,3\n0,\xE2\x88\x92"
     "5\n"},
    {"a number too small", "-4,3\n4,3\n1e-400,-5\n"},
    {"CR alone", "x,y\r-4,3\r4,3\r0,-5\r"},
    {"CR LF", "x,y\r\n-4,3\r\n4,3\r\n0,-5\r\n"},
    {"a mark of UTF-8", "\xEF\xBB\xBFx,y\n-4,3\n4,3\n0,-5\n"},
    {"capitals", "ID,X,Y\n1,-4,3\n2,4,3\n3,0,-5\n"},
    {"eastings and northings", "Northing,Easting\n3,-4\n3,4\n-5,0\n"},
    {"names in quotes", "\"x\",\"y\"\n\"-4\",\"3\"\n\"4\",\"3\"\n\"0\",\"-5\"\n"},
    {"spaces ahead of quotes", "name, \"x\", \"y\"\n\"a, b\", \"-4\", \"3\"\nb, 4, 3\nc, 0, -5\n"},
    {"doubled quotation marks", "name,x,y\n\"the \"\"old\"\" mill\",-4,3\na,4,3\nb,0,-5\n"},
    {"a line break in quotes", "name,x,y\n\"a\nb\",-4,3\na,4,3\nb,0,-5\n"},
    {"a row in quotes", "x,y,note\n-4,3,\"see\n1,2,3\"\n4,3,a\n0,-5,b\n"},
    {"a heading of two lines", "\"the\r\nname\",x,y\r\na,-4,3\r\nb,4,3\r\nc,0,-5\r\n"},
    {"inches", "name,x,y\n5\" main,-4,3\n6\" main,4,3\nb,0,-5\n"},
    {"inches last", "x,y,name\n-4,3,5\" main\n4,3,a\n0,-5,b\n"},
};

TEST_F(ThreeStarTablesTest, TextIsReadAsItIsWritten) {
  for (const TableText& table : kTables) {
    put("in.csv", table.text);
    const auto json = search({"in.csv", "--radius", "6"});
    EXPECT_EQ(json["three_stars"], 1) << table.name;
    EXPECT_EQ(json["points"], 3) << table.name;
  }
}

TEST_F(ThreeStarTablesTest, Utf16IsReadByItsMark) {
  for (const bool is_big_endian : {false, true}) {
    std::string text = is_big_endian ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : "x;y\r\n-4;3\r\n4;3\r\n0;-5\r\n"s) {
      text += is_big_endian ? "\0"s + c : c + "\0"s;
    }
    put("in.txt", text);
    EXPECT_EQ(search({"in.txt", "--radius", "6"})["three_stars"], 1) << is_big_endian;
  }
}

TEST_F(ThreeStarTablesTest, NamesOfDegreesAreKnownInAnyCase) {
  for (const std::string latitude : {"lat", "LAT", "Latitude"}) {
    for (const std::string longitude : {"lng", "Lon", "LONG", "longitude"}) {
      std::string table = longitude;
      table.append(";").append(latitude).append("\n10;60\n10,002;60\n10,001;60,001\n");
      put("in.csv", table);
      const auto json = search({"in.csv", "--radius", "90"});
      EXPECT_EQ(json["projection"], "stereographic");
      EXPECT_EQ(json["three_stars"], 1) << latitude << ' ' << longitude;
    }
  }
}

TEST_F(ThreeStarTablesTest, CommentsAndDuplicatesAreCounted) {
  put("in.csv", "# a\nlat,lng\n0,0\n5,180\n#\n5,-180\n90,1\n90,2\n0,0\n");
  const auto json = search({"in.csv", "--radius", "6"});
  EXPECT_EQ(json["comment_lines"], 2);
  EXPECT_EQ(json["duplicates"], 3);
  EXPECT_EQ(json["at_zero"], 2);
  const Finished finished = run({"three-star", "in.csv", "--radius", "6"});
  for (const char* text :
       {"2 points are at 0,0, which often stands for no position",
        "3 points are duplicates of earlier ones", "2 lines begin with # or % and are comments"}) {
    EXPECT_NE(finished.out.find(text), finished.out.npos) << finished.out;
  }
}

TEST_F(ThreeStarTablesTest, PipesAreRead) {
  const std::string fifo = path("pipe");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const std::string array = npy("'<i4'", "(3, 2)", bytes_of<std::int32_t>({-4, 3, 4, 3, 0, -5}));
  for (const std::string& points : {"-4,3\n4,3\n0,-5\n"s, array}) {
    std::thread writer([&] { std::ofstream(fifo, std::ios::binary) << points; });
    EXPECT_EQ(search({"pipe", "--radius", "6"})["three_stars"], 1);
    writer.join();
    int ends[2] = {-1, -1};
    ASSERT_EQ(::pipe(ends), 0);
    ASSERT_EQ(::write(ends[1], points.data(), points.size()), static_cast<ssize_t>(points.size()));
    ::close(ends[1]);
    EXPECT_EQ(search({"/dev/fd/" + std::to_string(ends[0]), "--radius", "6"})["three_stars"], 1);
    ::close(ends[0]);
  }
}

TEST_F(ThreeStarTablesTest, ArraysAreKnownByTheirBeginning) {
  put("points.txt", npy("'<i4'", "(3, 2)", bytes_of<std::int32_t>({-4, 3, 4, 3, 0, -5})));
  EXPECT_EQ(search({"points.txt", "--radius", "6"})["three_stars"], 1);
}

template <class T>
std::string swapped(const std::vector<T>& elements) {
  std::string bytes = bytes_of(elements);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(T)) {
    std::reverse(bytes.begin() + i, bytes.begin() + i + sizeof(T));
  }
  return bytes;
}

template <class T>
std::vector<T> three_points() {
  return {1, 8, 9, 8, 5, 0};
}

TEST_F(ThreeStarTablesTest, ArraysOfEveryWidthAreRead) {
  struct Array {
    const char* type;
    std::string elements;
  };
  const std::vector<std::uint16_t> halves = {0x3c00, 0x4800, 0x4880, 0x4800, 0x4500, 0};
  for (const Array& array : {
           Array{"'|u1'", bytes_of(three_points<std::uint8_t>())},
           Array{"'|i1'", bytes_of(three_points<std::int8_t>())},
           Array{"'<u2'", bytes_of(three_points<std::uint16_t>())},
           Array{"'>i2'", swapped(three_points<std::int16_t>())},
           Array{"'<u4'", bytes_of(three_points<std::uint32_t>())},
           Array{"'>i4'", swapped(three_points<std::int32_t>())},
           Array{"'<u8'", bytes_of(three_points<std::uint64_t>())},
           Array{"'>i8'", swapped(three_points<std::int64_t>())},
           Array{"'<f2'", bytes_of(halves)},
           Array{"'>f2'", swapped(halves)},
           Array{"'>f4'", swapped(three_points<float>())},
           Array{"'<f8'", bytes_of(three_points<double>())},
           Array{"'>f8'", swapped(three_points<double>())},
       }) {
    put("in.npy", npy(array.type, "(3, 2)", array.elements));
    const auto json = search({"in.npy", "--radius", "6"});
    EXPECT_EQ(json["three_stars"], 1) << array.type;
    EXPECT_EQ(json["rounded"], false) << array.type;
  }
}

TEST_F(ThreeStarTablesTest, ArraysInFortransOrderAreRead) {
  std::string array = npy("'<i4'", "(3, 2)", bytes_of<std::int32_t>({-4, 4, 0, 3, 3, -5}));
  array.replace(array.find("False"), 5, "True ");
  put("in.npy", array);
  EXPECT_EQ(search({"in.npy", "--radius", "6"})["three_stars"], 1);
}

TEST_F(ThreeStarTablesTest, HeadersOfPython2AreRead) {
  std::string array = npy("'<i4'", "(3L, 2L)", bytes_of<std::int32_t>({-4, 3, 4, 3, 0, -5}));
  put("in.npy", array);
  EXPECT_EQ(search({"in.npy", "--radius", "6"})["three_stars"], 1);
}

// Keys of one array, sorted.
template <class T>
void expect_sorted(const std::string& type, const std::string& stored, std::vector<T> keys,
                   const std::function<std::string(const std::string&)>& sort) {
  std::ranges::sort(keys);
  EXPECT_EQ(sort(npy("'" + type + "'", "(" + std::to_string(keys.size()) + ",)", stored)),
            bytes_of(keys))
      << type;
}

TEST_F(ThreeStarTablesTest, KeysOfEveryWidthAreSorted) {
  const auto sort = [&](const std::string& array) {
    put("in.npy", array);
    const Finished finished = run({"sort", "in.npy", "-o", "out.npy", "--check", "--force"});
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    return bytes("out.npy").substr(128);
  };
  const std::vector<std::int8_t> i1 = {5, -128, 127, 0, -1};
  const std::vector<std::uint8_t> u1 = {5, 128, 255, 0};
  const std::vector<std::int16_t> i2 = {5, -300, 127, 32767, -32768};
  const std::vector<std::uint16_t> u2 = {5, 65535, 300};
  const std::vector<std::int32_t> i4 = {5, -70000, 1 << 30};
  const std::vector<double> f8 = {5, -0.5, 1e300};
  expect_sorted("|i1", bytes_of(i1), i1, sort);
  expect_sorted("|u1", bytes_of(u1), u1, sort);
  expect_sorted("<i2", bytes_of(i2), i2, sort);
  expect_sorted(">i2", swapped(i2), i2, sort);
  expect_sorted("<u2", bytes_of(u2), u2, sort);
  expect_sorted(">i4", swapped(i4), i4, sort);
  expect_sorted(">f8", swapped(f8), f8, sort);
  const std::vector<std::uint16_t> halves = {0x3c00, 0xc000, 0x0001, 0x7c00, 0x8001};
  const std::vector<std::uint16_t> in_order = {0xc000, 0x8001, 0x0001, 0x3c00, 0x7c00};
  EXPECT_EQ(sort(npy("'<f2'", "(5,)", bytes_of(halves))), bytes_of(in_order));
  EXPECT_NE(bytes("out.npy").find("'descr': '<f2'"), std::string::npos);
}

struct Locations {
  const char* name;
  const char* text;
  const char* radius;
};

// Each is one 3-star.
const Locations kLocations[] = {
    {"Greenwich", "lat,lng\n-17.001,-0.0008\n-16.999,-0.0008\n-17,0.0011\n", "140"},
    {"180 degrees", "lat,lng\n-17.001,179.9992\n-16.999,179.9992\n-17,-179.9989\n", "140"},
    {"180 degrees, to 360", "lat,lng\n-17.001,179.9992\n-16.999,179.9992\n-17,180.0011\n", "140"},
    {"360 degrees", "lat,lng\n-17.001,359.9992\n-16.999,359.9992\n-17,0.0011\n", "140"},
    {"the north pole", "lat,lng\n89.9995,0\n89.9995,120\n89.9995,-120\n", "80"},
    {"the south pole", "lat,lng\n-89.9995,0\n-89.9995,120\n-89.9995,240\n", "80"},
    {"with distant locations",
     "lat,lng\n69.999,25\n70.001,25\n70,25.0055\n0,0\n-1,20\n-2,40\n-1,60\n1,80\n2,-100\n", "140"},
};

TEST_F(ThreeStarTablesTest, LocationsAnywhereOnEarthHaveTheirDistances) {
  for (const Locations& positions : kLocations) {
    put("in.csv", positions.text);
    EXPECT_EQ(search({"in.csv", "--radius", positions.radius})["three_stars"], 1) << positions.name;
  }
}

TEST_F(ThreeStarTablesTest, RelaysAreNotLaidAroundTheEarth) {
  for (const std::string projection : {"stereographic", "equirectangular", "mercator"}) {
    put("in.csv", kLocations[1].text);
    const auto json = search({"in.csv", "--radius", "140", "--projection", projection, "--place",
                              "--relays", "relays.csv"});
    EXPECT_EQ(json["three_stars"], 1) << projection;
    EXPECT_EQ(json["placement"]["relays"], 1) << projection;
    EXPECT_NE(bytes("relays.csv").find(",179.999"), std::string::npos) << bytes("relays.csv");
  }
}

TEST_F(ThreeStarTablesTest, ManyRegionsAreOneSearchInAllOutputs) {
  // A line of points each some 13 km from the next, 3,600 km long, and another beside it.
  std::string text = "lat,lng\n";
  for (int i = 0; i < 300; ++i) {
    for (const double latitude : {-0.06, 0.06}) {
      text += std::to_string(latitude) + "," + std::to_string(160 + i * 0.12) + "\n";
    }
  }
  put("in.csv", text);
  const auto json = search({"in.csv", "--radius", "9500", "-o", "all.3star"});
  EXPECT_GT(json["regions"], 3);
  EXPECT_EQ(json["points"], 600);
  EXPECT_EQ(json["three_stars"], 4 * 299);  // Four in each square.
  EXPECT_EQ(search({"in.csv", "--radius", "9500", "--no-hash"})["three_stars"], 4 * 299);
  search({"in.csv", "--radius", "9500", "-o", "lines.csv"});
  const std::string lines = bytes("lines.csv");
  EXPECT_EQ(std::ranges::count(lines, '\n'), 4 * 299 + 1);
  search({"all.3star", "-o", "read.csv"});
  const auto sorted_lines = [](const std::string& bytes) {
    std::multiset<std::string> all;
    std::istringstream in(bytes);
    for (std::string line; std::getline(in, line);) all.insert(line);
    return all;
  };
  EXPECT_EQ(sorted_lines(bytes("read.csv")), sorted_lines(lines));
  EXPECT_EQ(search({"all.3star"})["set_hash"], json["set_hash"]);
  std::string shifted = "lat,lng\n";  // The same points at other longitudes.
  for (int i = 0; i < 300; ++i) {
    for (const double latitude : {-0.06, 0.06}) {
      shifted += std::to_string(latitude) + "," + std::to_string(10 + i * 0.12) + "\n";
    }
  }
  put("shifted.csv", shifted);
  EXPECT_EQ(search({"shifted.csv", "--radius", "9500"})["set_hash"], json["set_hash"]);
  expect_rejected(run({"three-star", "in.csv", "--radius", "9500", "--sorted", "-o", "new"}),
                  "--sorted is given for points in");
}

}  // namespace
}  // namespace millrace::end_to_end
