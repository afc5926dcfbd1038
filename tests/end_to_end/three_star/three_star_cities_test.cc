// SPDX-License-Identifier: Apache-2.0

// `millrace three-star` on real cities, thousands of times denser in some regions than in others.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/test_data/test_data.h>

namespace millrace::end_to_end {
namespace {

using ThreeStarCitiesTest = EndToEndTest;

TEST_F(ThreeStarCitiesTest, AreConnectedByFewerRelaysThanOfTheTree) {
  const std::string cities = test_data::find("cities_lat_lng");
  if (cities.empty()) GTEST_SKIP() << "SKIPPED: no cities";
  const auto json =
      run_json("three-star", {cities, "--radius", "5000", "--projection", "equirectangular",
                              "--place", "--svg", "svg", "--png", "png"});
  EXPECT_EQ(json["points"], 171'075);
  EXPECT_EQ(json["projection"], "equirectangular");
  EXPECT_GT(json["three_stars"], 500'000);
  const auto& placement = json["placement"];
  EXPECT_EQ(placement["connected"], true);
  EXPECT_LT(placement["three_star_relays"], placement["tree_relays"]);
  EXPECT_LT(bytes("svg").size(), 20'000'000U);
  EXPECT_LT(bytes("png").size(), 2'000'000U);
}

TEST_F(ThreeStarCitiesTest, AreSearchedInRegionsOfTheSphere) {
  const std::string cities = test_data::find("cities_lat_lng");
  if (cities.empty()) GTEST_SKIP() << "SKIPPED: no cities";
  const auto json = run_json("three-star", {cities, "--radius", "5000", "-o", "all.3star"});
  EXPECT_EQ(json["points"], 171'075);
  EXPECT_EQ(json["projection"], "stereographic");
  EXPECT_GT(json["regions"], 100);
  EXPECT_LT(json["distance_error"], 0.00051);
  EXPECT_GT(json["three_stars"], 500'000);
  const auto read = run_json("three-star", {"all.3star"});
  EXPECT_EQ(read["points"], 171'075);
  EXPECT_EQ(read["set_hash"], json["set_hash"]);
  const auto counted = run_json("three-star", {cities, "--radius", "5000", "--no-hash"});
  EXPECT_EQ(counted["three_stars"], json["three_stars"]);
}

}  // namespace
}  // namespace millrace::end_to_end
