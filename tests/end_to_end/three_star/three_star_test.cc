// SPDX-License-Identifier: Apache-2.0

// `millrace three-star`: what is found in points of all kinds, and where relays go.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/key_file.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace millrace::end_to_end {
namespace {

// A 3-star of a radius of 6, its middle at (0, 0).
constexpr const char* kThree = "-4,3\n4,3\n0,-5\n";

class ThreeStarTest : public EndToEndTest {
 protected:
  nlohmann::json search(const std::vector<std::string>& arguments) const {
    return run_json("three-star", arguments);
  }

  // The 3-stars of these points.
  nlohmann::json count(const std::string& name, const std::string& bytes,
                       const std::string& radius) const {
    put(name, bytes);
    return search({name, "--radius", radius})["three_stars"];
  }
};

TEST_F(ThreeStarTest, CountsAndHashesPointsOfTheGenerator) {
  const auto json = search({"--random", "3200", "--radius", "50"});
  EXPECT_EQ(json["points"], 3200);
  EXPECT_EQ(json["three_stars"], 35'191);
  EXPECT_EQ(json["set_hash"], "e63f71892cbae0a9");
  EXPECT_EQ(json["radius"], 50);
  EXPECT_EQ(json["grid"], 1);
  EXPECT_EQ(json["rounded"], false);
  EXPECT_EQ(json["bytes_down"], 0);
  EXPECT_EQ(json["device"], "tbb");
  EXPECT_GT(json["seconds"], 0);
}

TEST_F(ThreeStarTest, HistogramHasEachPointOnce) {
  const auto json = search({"--random", "1600", "--radius", "50"});
  std::uint64_t points = 0;
  for (const auto& bin : json["histogram"]) points += bin.get<std::uint64_t>();
  EXPECT_EQ(points, 1600);
}

TEST_F(ThreeStarTest, CountsAloneUnderEachPolicy) {
  for (const char* policy : {"persistent", "uberkernel", "kernel-per-type"}) {
    const auto json =
        search({"--random", "1600", "--radius", "50", "--no-hash", "--policy", policy});
    EXPECT_EQ(json["three_stars"], 4'546);
    EXPECT_EQ(json["policy"], policy);
    EXPECT_FALSE(json.contains("set_hash"));
  }
}

TEST_F(ThreeStarTest, ASimulatedGpuFindsTheSame) {
  const std::vector<std::string> arguments = {"--random", "200",      "--width",
                                              "500",      "--radius", "50"};
  std::vector<std::string> on_gpu = arguments;
  on_gpu.insert(on_gpu.end(), {"--device", "simt:0"});
  const auto json = search(on_gpu);
  EXPECT_EQ(json["set_hash"], search(arguments)["set_hash"]);
  EXPECT_EQ(json["device"], "simt:0");
  EXPECT_GT(json["bytes_down"], 0);
  EXPECT_EQ(json["form"], "compressed");
  EXPECT_EQ(json["host_corners"], 0);
}

TEST_F(ThreeStarTest, RawThreeStarsAreTheSameAndMoreBytes) {
  const std::vector<std::string> arguments = {"--random", "400", "--width",  "500",
                                              "--radius", "50",  "--device", "simt:0"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), arguments.begin(), arguments.end());
    return search(more);
  };
  const auto compressed = with({});
  const auto raw = with({"--form", "raw"});
  EXPECT_EQ(raw["form"], "raw");
  EXPECT_EQ(raw["set_hash"], compressed["set_hash"]);
  EXPECT_EQ(raw["histogram"], compressed["histogram"]);
  EXPECT_EQ(raw["bytes_down"], 12 * raw["three_stars"].get<std::uint64_t>());
  EXPECT_GT(raw["bytes_down"], compressed["bytes_down"]);
  EXPECT_EQ(with({"--form", "raw", "-o", "raw.csv"})["three_stars"], raw["three_stars"]);
  with({"-o", "compressed.csv"});
  EXPECT_EQ(bytes("raw.csv").size(), bytes("compressed.csv").size());
  EXPECT_TRUE(with({"--no-hash"})["form"].is_null());
}

TEST_F(ThreeStarTest, CsvWithoutNames) { EXPECT_EQ(count("in.csv", kThree, "6"), 1); }

TEST_F(ThreeStarTest, CsvWithNamesAndOtherColumns) {
  const std::string text =
      "\xEF\xBB\xBFname, Y ,x\r\n\"Ypres, West\",3,-4\r\n\r\nRo,\"3\", 4e0\r\n\"\",-5,0";
  EXPECT_EQ(count("in.csv", text, "6"), 1);
}

TEST_F(ThreeStarTest, NpyOfEachType) {
  const std::string shape = "(3, 2)";
  EXPECT_EQ(count("a.npy", npy("'<i4'", shape, bytes_of<std::int32_t>({-4, 3, 4, 3, 0, -5})), "6"),
            1);
  EXPECT_EQ(count("b.npy", npy("'<i8'", shape, bytes_of<std::int64_t>({-4, 3, 4, 3, 0, -5})), "6"),
            1);
  EXPECT_EQ(count("c.npy", npy("'<f4'", shape, bytes_of<float>({-4, 3, 4, 3, 0, -5})), "6"), 1);
  EXPECT_EQ(count("d.npy", npy("'<f8'", shape, bytes_of<double>({-4, 3, 4, 3, 0, -5})), "6"), 1);
}

TEST_F(ThreeStarTest, PointsBetweenWholeNumbersAreRoundedToAGrid) {
  put("in.csv", "-0.04,0.03\n0.04,0.03\n0,-0.0500001\n");
  const auto json = search({"in.csv", "--radius", "0.06"});
  EXPECT_EQ(json["three_stars"], 1);
  EXPECT_EQ(json["grid_radius"], 10'000);
  EXPECT_EQ(json["rounded"], true);
  EXPECT_EQ(search({"in.csv", "--radius", "0.06", "--grid", "0.01"})["grid_radius"], 6);
}

TEST_F(ThreeStarTest, PointsFarFromTheOriginKeepTheirDistances) {
  const std::string text = "7000000000,3\n7000000008,3\n7000000004,-5\n";
  EXPECT_EQ(count("in.csv", text, "6"), 1);
}

TEST_F(ThreeStarTest, LargeWholeNumbersAreExact) {
  const std::int64_t far = INT64_MAX - 1023;  // A multiple of 1024, as doubles are there.
  put("in.npy", npy("'<i8'", "(3, 2)",
                    bytes_of<std::int64_t>({far - 8192, 3072, far, 3072, far - 4096, -5120})));
  auto json = search({"in.npy", "--radius", "6144"});
  EXPECT_EQ(json["three_stars"], 1);
  EXPECT_EQ(json["rounded"], false);
  const std::string text = "9007199254740992,3\n9007199254741000,3.00\n09007199254740996,-5\n";
  put("in.csv", text);
  json = search({"in.csv", "--radius", "6", "--place", "--relays", "relays.csv"});
  EXPECT_EQ(json["three_stars"], 1);
  EXPECT_EQ(json["rounded"], false);
}

// At the middle latitude of 60 degrees a degree of longitude is half as long.
TEST_F(ThreeStarTest, DegreesAreProjectedToMetres) {
  put("in.csv", "lat,lng\n59.999,10\n60.001,10\n60,10.0034\n");
  for (const std::string projection : {"stereographic", "equirectangular", "mercator"}) {
    const auto json = search({"in.csv", "--radius", "130", "--projection", projection});
    EXPECT_EQ(json["three_stars"], 1) << projection;
    EXPECT_EQ(json["projection"], projection);
    EXPECT_EQ(search({"in.csv", "--radius", "250", "--projection", projection})["three_stars"], 0);
    EXPECT_EQ(search({"in.csv", "--radius", "110", "--projection", projection})["three_stars"], 0);
  }
}

TEST_F(ThreeStarTest, OutputHasEachThreeStarOnce) {
  const auto json = search({"--random", "1600", "--radius", "50", "-o", "stars.csv"});
  std::istringstream lines(bytes("stars.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "a,b,c");
  std::set<std::string> stars;
  while (std::getline(lines, line)) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 2) << line;
    EXPECT_TRUE(stars.insert(line).second) << line;
  }
  EXPECT_EQ(stars.size(), 4'546U);
  EXPECT_EQ(json["set_hash"], "61b07cd86900e071");
}

TEST_F(ThreeStarTest, CompressedOutputIsReadInsteadOfASearch) {
  search({"--random", "3200", "--radius", "50", "-o", "all.3star"});
  EXPECT_LT(bytes("all.3star").size(), 12U * 35'191);
  const auto json = search({"all.3star", "-o", "read.csv", "--sorted", "--place"});
  EXPECT_EQ(json["searched"], false);
  EXPECT_EQ(json["points"], 3200);
  EXPECT_EQ(json["radius"], 50);
  EXPECT_EQ(json["three_stars"], 35'191);
  EXPECT_EQ(json["set_hash"], "e63f71892cbae0a9");
  EXPECT_EQ(json["placement"]["connected"], true);
  EXPECT_EQ(search({"all.3star", "--no-hash"})["three_stars"], 35'191);
  search({"--random", "3200", "--radius", "50", "-o", "found.csv", "--sorted"});
  EXPECT_TRUE(bytes("read.csv") == bytes("found.csv"));
}

TEST_F(ThreeStarTest, CompressedOutputKeepsTheUnitsOfPoints) {
  put("far.csv", "7000000000.04,3.03\n7000000000.12,3.03\n7000000000.08,2.95\n");
  put("degrees.csv", "lat,lng\n59.999,10\n60.001,10\n60,10.0034\n61,11\n");
  const std::vector<std::vector<std::string>> inputs = {
      {"far.csv", "--radius", "0.06"},
      {"degrees.csv", "--radius", "130"},
      {"degrees.csv", "--radius", "130", "--projection", "mercator", "--grid", "0.5"}};
  for (std::vector<std::string> arguments : inputs) {
    arguments.insert(arguments.end(), {"--force", "--place", "--relays", "relays.csv"});
    auto searched = search(arguments);
    const std::string relays = bytes("relays.csv");
    arguments.insert(arguments.end(), {"-o", "all.3star"});
    search(arguments);
    auto read = search({"all.3star", "--force", "--place", "--relays", "relays.csv"});
    EXPECT_EQ(bytes("relays.csv"), relays);
    EXPECT_EQ(read["three_stars"], 1);
    for (const char* const key : {"radius", "grid", "grid_radius", "rounded", "projection"}) {
      EXPECT_EQ(read[key], searched[key]) << key;
    }
  }
}

TEST_F(ThreeStarTest, SortedLinesAreInTheOrderOfTheirNumbers) {
  search({"--random", "1600", "--radius", "50", "-o", "stars.csv", "--sorted"});
  std::istringstream lines(bytes("stars.csv"));
  std::string header;
  std::getline(lines, header);
  std::vector<std::array<int, 3>> stars;
  char comma = 0;
  for (std::array<int, 3> star; lines >> star[0] >> comma >> star[1] >> comma >> star[2];) {
    EXPECT_TRUE(star[0] < star[1] && star[1] < star[2]);
    stars.push_back(star);
  }
  EXPECT_EQ(stars.size(), 4'546U);
  EXPECT_TRUE(std::is_sorted(stars.begin(), stars.end()));
}

TEST_F(ThreeStarTest, ARelayIsInTheMiddleOfAThreeStar) {
  put("in.csv", kThree);
  const auto json = search({"in.csv", "--radius", "6", "--place", "--relays", "relays.csv"});
  const auto& placement = json["placement"];
  EXPECT_EQ(placement["relays"], 1);
  EXPECT_EQ(placement["tree_relays"], 2);
  EXPECT_EQ(placement["components"], 3);
  EXPECT_EQ(placement["connected"], true);
  EXPECT_EQ(bytes("relays.csv"), "relay,x,y,kind,joins\n0,0,0,three-star,s0 s1 s2\n");
}

TEST_F(ThreeStarTest, RelaysOfDegreesAreInDegrees) {
  put("in.csv", "lat,lng\n60,10\n60,10.0036\n");  // 200 m.
  for (const std::string projection : {"stereographic", "equirectangular", "mercator"}) {
    search({"in.csv", "--radius", "101", "--projection", projection, "--place", "--relays", "out"});
    std::istringstream lines(bytes("out"));
    std::string header;
    std::getline(lines, header);
    EXPECT_EQ(header, "relay,lat,lng,kind,joins");
    double latitude = 0;
    double longitude = 0;
    char comma = 0;
    lines >> comma >> comma >> latitude >> comma >> longitude;
    EXPECT_NEAR(latitude, 60, 1e-6);
    EXPECT_NEAR(longitude, 10.0018, 1e-6);
  }
}

TEST_F(ThreeStarTest, FewerThanThreePointsMakeNoThreeStarAndItIsSaid) {
  put("one.csv", "3,4\n");
  put("two.csv", "3,4\n300,400\n");
  EXPECT_EQ(search({"one.csv", "--radius", "5", "--place"})["placement"]["relays"], 0);
  EXPECT_EQ(search({"two.csv", "--radius", "495", "--place"})["placement"]["method"],
            "nothing to place: the sensors are connected");
  EXPECT_EQ(search({"two.csv", "--radius", "5"})["three_stars"], 0);
  const Finished finished = run({"three-star", "two.csv", "--radius", "5"});
  EXPECT_NE(finished.out.find("fewer than three points make no 3-star"), finished.out.npos);
}

TEST_F(ThreeStarTest, DrawsPointsRelaysAndLinks) {
  const auto json = search(
      {"--random", "500", "--radius", "50", "--place", "--svg", "map.svg", "--png", "map.png"});
  const std::string svg = bytes("map.svg");
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 100);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("200 units"), svg.npos);
  EXPECT_NE(svg.find("500 points"), svg.npos);
  EXPECT_TRUE(bytes("map.png").starts_with("\x89PNG"));
}

TEST_F(ThreeStarTest, ATableIsPrinted) {
  const Finished finished = run({"three-star", "--random", "1600", "--radius", "50", "--place"});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  for (const char* text : {"random: 1600 points, radius 50\n", "4546", "61b07cd86900e071",
                           "3-stars of a point", "by the tree alone"}) {
    EXPECT_NE(finished.out.find(text), finished.out.npos) << finished.out;
  }
}

TEST_F(ThreeStarTest, TraceShowsThePlacement) {
  search({"--random", "500", "--radius", "50", "--place", "--trace", "trace.json"});
  EXPECT_NE(bytes("trace.json").find("host place"), std::string::npos);
}

TEST_F(ThreeStarTest, ATerminalShowsABarWhileAFileIsWritten) {
  if (!has_terminals()) GTEST_SKIP() << "there are no terminals here";
  const Finished finished = run({"three-star", "--random", "6400", "--radius", "50", "-o", "out"},
                                {.err_terminal = true});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_NE(finished.err.find("**********"), finished.err.npos) << finished.err;
}

}  // namespace
}  // namespace millrace::end_to_end
