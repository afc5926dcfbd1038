// `millrace three-star` on real places, thousands of times denser in some regions than in others.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/test_data/test_data.h>

namespace millrace::end_to_end {
namespace {

using ThreeStarCitiesTest = EndToEndTest;

TEST_F(ThreeStarCitiesTest, AreConnectedByFewerRelaysThanOfTheTree) {
  const std::string cities = test_data::find("cities_lat_lng");
  if (cities.empty()) GTEST_SKIP() << "SKIPPED: no cities";
  const auto json = run_json(
      "three-star", {cities, "--radius", "5000", "--place", "--svg", "svg", "--png", "png"});
  EXPECT_EQ(json["points"], 171'075);
  EXPECT_EQ(json["projection"], "equirectangular");
  EXPECT_GT(json["three_stars"], 500'000);
  const auto& placement = json["placement"];
  EXPECT_EQ(placement["connected"], true);
  EXPECT_LT(placement["three_star_relays"], placement["tree_relays"]);
  EXPECT_LT(bytes("svg").size(), 20'000'000U);
  EXPECT_LT(bytes("png").size(), 2'000'000U);
}

}  // namespace
}  // namespace millrace::end_to_end
