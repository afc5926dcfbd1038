// SPDX-License-Identifier: Apache-2.0

// `millrace reproduce` of everything, on the smallest sizes: each table and figure has its figures
// or says why not, beside the paper's.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace millrace::end_to_end {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ReproduceTest : public EndToEndTest {
 protected:
  json reproduce(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"reproduce", "--tiny", "--json", "result.json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Finished finished = run(all);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    out_ = finished.out;
    return json::parse(bytes("result.json"));
  }

  // Each drawing that the Markdown shows is there, and no other.
  void expect_drawings() const {
    const std::string text = bytes("page/index.md");
    std::size_t drawings = 0;
    for (const auto& file : std::filesystem::directory_iterator(path("page"))) {
      const std::string name = file.path().filename().string();
      if (!name.ends_with(".svg")) continue;
      ++drawings;
      EXPECT_THAT(text, HasSubstr("](" + name + ")"));
    }
    std::size_t shown = 0;
    for (std::size_t at = text.find("]("); at != text.npos; at = text.find("](", at + 1)) ++shown;
    EXPECT_EQ(drawings, shown);
    EXPECT_GT(drawings, 0u);
  }

  std::string out_;
};

bool has_figures(const json& table) {
  return std::ranges::any_of(table["rows"], [](const json& row) {
    return std::ranges::any_of(row["figures"], [](const json& cell) { return cell.is_number(); });
  });
}

bool is_tested(const json& reproduction) {
  return std::ranges::none_of(reproduction["findings"],
                              [](const json& finding) { return finding["verdict"] == "untested"; });
}

const json& named(const json& result, const std::string& name) {
  return *std::ranges::find_if(result["reproductions"],
                               [&](const json& each) { return each["name"] == name; });
}

TEST_F(ReproduceTest, HasAllOfThemOnACpu) {
  const json result = reproduce({"--device", "tbb", "-o", "page"});
  EXPECT_EQ(result["device"], "tbb");
  EXPECT_EQ(result["scale"], "tiny");
  ASSERT_EQ(result["reproductions"].size(), 23u);
  const std::string page = bytes("page/index.html");
  for (const json& reproduction : result["reproductions"]) {
    const std::string name = reproduction["name"];
    SCOPED_TRACE(name);
    EXPECT_THAT(page, HasSubstr(name + ": "));
    EXPECT_THAT(out_, HasSubstr("\n" + name + ": "));
    for (const json& finding : reproduction["findings"]) {
      EXPECT_THAT(out_, HasSubstr(finding["sentence"].get<std::string>()));
    }
    if (has_figures(reproduction["here"])) continue;
    EXPECT_THAT(reproduction["here"]["notes"].dump(), HasSubstr("cannot run here"));
  }
  EXPECT_FALSE(has_figures(named(result, "Fig. 5(a)")["here"]));
  EXPECT_FALSE(has_figures(named(result, "Table II")["here"]));
  for (const char* const name :
       {"Fig. 5(c)", "Table 2", "Table 7", "Table 13", "Table I", "Fig. 11"}) {
    EXPECT_TRUE(has_figures(named(result, name)["here"])) << name;
  }
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(page, HasSubstr("Made by millrace reproduce"));
  expect_drawings();
}

TEST_F(ReproduceTest, HasThePapersOwnAlgorithmsOnAGpu) {
  const json result = reproduce({"--device", "simt:0", "-o", "page"});
  for (const json& reproduction : result["reproductions"]) {
    EXPECT_TRUE(has_figures(reproduction["here"])) << reproduction["name"];
  }
  // Tables of large sorts cannot be tested on a simulated GPU.
  for (const char* const name :
       {"Fig. 5(c)", "Fig. 4", "Table II", "Table III", "Table 10", "Fig. 10", "Fig. 11"}) {
    EXPECT_TRUE(is_tested(named(result, name))) << name;
  }
  expect_drawings();
}

TEST_F(ReproduceTest, TakesClipsInsteadOfTextures) {
  write_y4m(path("waves.y4m"), {.width = 64, .height = 48, .frames = 3});
  const json result =
      reproduce({"motion", "--only", "Table 5", "--device", "tbb", "--clip", "waves.y4m"});
  ASSERT_EQ(result["reproductions"].size(), 1u);
  EXPECT_EQ(named(result, "Table 5")["here"]["rows"][0]["label"], "waves.y4m, 64x48");
  EXPECT_EQ(names(), (std::set<std::string>{"result.json", "waves.y4m"}));
}

TEST_F(ReproduceTest, TakesAStreamInsteadOfRandomMacroblocks) {
  namespace fs = std::filesystem;
  fs::copy_file(fs::absolute("tests/test_data/streams/testsrc2_64x64.264"), path("small.264"));
  const json result =
      reproduce({"idct", "--only", "Fig. 5(c)", "--device", "tbb", "--stream", "small.264"});
  ASSERT_EQ(result["reproductions"].size(), 1u);
  const json& here = named(result, "Fig. 5(c)")["here"];
  EXPECT_TRUE(has_figures(here));
  EXPECT_THAT(here["notes"].dump(), HasSubstr("small.264"));
}

TEST_F(ReproduceTest, ComparesEncodesWithStoredOnes) {
  write_y4m(path("waves.y4m"), {.width = 64, .height = 48, .frames = 3});
  json anchors;
  for (const auto& [qp, rate] : {std::pair{28, 800}, {32, 400}, {36, 200}, {40, 100}}) {
    const double psnr = 46 - 0.5 * (qp - 28);
    anchors["runs"].push_back({{"encoder", "JM 17.2"},
                               {"search", "full"},
                               {"clip", "waves"},
                               {"qp", qp},
                               {"kbps", rate},
                               {"psnr_y", psnr},
                               {"psnr_u", psnr},
                               {"psnr_v", psnr},
                               {"user_s", 10}});
  }
  put("anchors.json", anchors.dump());
  const json result = reproduce({"motion", "--only", "Table 11", "--device", "tbb", "--clip",
                                 "waves.y4m", "--anchors", "anchors.json"});
  const json& rows = named(result, "Table 11")["here"]["rows"];
  EXPECT_EQ(rows[0]["label"], "encode, paper, waves.y4m, 64x48");
  EXPECT_EQ(rows.back()["label"], "JM 17.2 full, waves.y4m, 64x48");
  EXPECT_DOUBLE_EQ(rows.back()["figures"][0].get<double>(), 2 / 10.0);
  EXPECT_THAT(out_, HasSubstr("Hours are computed, not measured"));
  // The file has what was measured, alone.
  for (const json& each : result["results"]["measurements"]) {
    EXPECT_NE(each.value("peer", ""), "JM 17.2 full");
  }
}

// A view: what a file of `millrace bench` has is what the table has.
TEST_F(ReproduceTest, IsAViewOfResults) {
  const Finished measured =
      run({"bench", "sort-paper", "--device", "simt:0", "--input", "uniform", "--size", "1000",
           "--size", "10000", "--seconds", "0.001", "-o", "r.json"});
  ASSERT_EQ(measured.exit_status, 0) << measured.err;
  const json shown = run_json("reproduce", {"sort", "--results", "r.json"});
  EXPECT_EQ(shown["device"], "simt:0");
  EXPECT_EQ(shown["results_file"], "r.json");
  const json& row = named(shown, "Table I")["here"]["rows"][0];
  EXPECT_EQ(row["label"], "10000");
  const json file = json::parse(bytes("r.json"));
  const auto original = std::ranges::find_if(file["measurements"], [](const json& each) {
    return each["size"] == 10'000 && each["strategy"] == "original";
  });
  EXPECT_DOUBLE_EQ(row["figures"][0].get<double>(),
                   1e6 * (*original)["median_seconds"].get<double>());
  EXPECT_FALSE(has_figures(named(shown, "Table III")["here"]));  // Normal keys.

  // The `results` of reproduce's own JSON are such a file, too.
  const json own = reproduce({"sort", "--only", "Table III", "--device", "simt:0"});
  put("own.json", own["results"].dump());
  const json again = run_json("reproduce", {"--only", "Table III", "--results", "own.json"});
  EXPECT_EQ(named(again, "Table III")["here"], named(own, "Table III")["here"]);
}

TEST_F(ReproduceTest, ListsSubjectsAndTables) {
  const Finished finished = run({"reproduce", "--list"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(std::ranges::count(finished.out, '\n'), 23);
  EXPECT_THAT(finished.out, HasSubstr("sort        Table III"));
}

TEST_F(ReproduceTest, HandsJsonToStandardOutputAlone) {
  const json result = run_json("reproduce", {"--tiny", "--only", "fig 9", "--device", "tbb"});
  EXPECT_EQ(result["reproductions"][0]["paper"]["rows"][0]["figures"][1], 3);
}

TEST_F(ReproduceTest, ReplacesAPageIfForced) {
  const std::vector<std::string> arguments = {"--only", "Fig. 9", "--device", "tbb", "-o", "page"};
  reproduce(arguments);
  put("page/index.html", "mine");
  std::vector<std::string> forced = arguments;
  forced.emplace_back("--force");
  reproduce(forced);
  EXPECT_THAT(bytes("page/index.html"), HasSubstr("Fig. 9"));
}

}  // namespace
}  // namespace millrace::end_to_end
