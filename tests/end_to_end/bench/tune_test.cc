// SPDX-License-Identifier: Apache-2.0

// `millrace tune`, and what `millrace devices` says of it.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace millrace::end_to_end {
namespace {

using testing::HasSubstr;

class TuneTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    setenv("XDG_CACHE_HOME", path("cache").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    EndToEndTest::TearDown();
  }

  // On a simulated device, whose workloads are small.
  Finished tune() const { return run({"tune", "--device", "simt:0", "--seconds", "0"}); }

  std::string costs_of_simt() const {
    const auto json =
        nlohmann::json::parse(run({"devices", "--device", "simt:0", "--json", "-"}).out);
    for (const auto& backend : json.at("backends")) {
      for (const auto& device : backend.at("devices")) return device.at("policy_costs");
    }
    return "no device";
  }

  std::filesystem::path stored() const {
    for (const auto& entry : std::filesystem::directory_iterator(path("cache/millrace"))) {
      return entry.path();
    }
    return {};
  }
};

TEST_F(TuneTest, StoresWhatItMeasuresAndForgetsIt) {
  EXPECT_THAT(costs_of_simt(), HasSubstr("defaults"));
  const Finished finished = tune();
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("\nkernel-per-type "));
  EXPECT_THAT(finished.out, HasSubstr("stored in " + stored().string()));
  EXPECT_THAT(costs_of_simt(), HasSubstr("measured by tune"));
  const Finished shown = run({"tune", "--device", "simt:0", "--show"});
  EXPECT_THAT(shown.out, HasSubstr("measured by tune"));
  const Finished forgotten = run({"tune", "--device", "simt:0", "--forget"});
  EXPECT_EQ(forgotten.exit_status, 0);
  EXPECT_THAT(forgotten.out, HasSubstr("forgotten"));
  EXPECT_THAT(costs_of_simt(), HasSubstr("defaults"));
}

TEST_F(TuneTest, ADamagedFileIsSaidNotToBeUsed) {
  ASSERT_EQ(tune().exit_status, 0);
  std::ofstream(stored()) << "millrace policy costs 2\nnonsense";
  EXPECT_THAT(costs_of_simt(), HasSubstr("is not used: it is of another device"));
  std::ofstream(stored()) << "millrace policy costs 3\n";
  EXPECT_THAT(costs_of_simt(), HasSubstr("a newer Millrace has written it"));
  std::ofstream(stored()) << "millrace policy costs 1\n";
  EXPECT_THAT(costs_of_simt(), HasSubstr("an older Millrace has written it"));
  std::ofstream(stored()) << "";
  EXPECT_THAT(costs_of_simt(), HasSubstr("it is damaged"));
}

TEST_F(TuneTest, RejectsWhatMakesNoSense) {
  expect_rejected(run({"tune", "--show", "--forget"}), "--show and --forget are both given");
  expect_rejected(run({"tune", "--device", "nothing"}), "nothing");
  expect_rejected(run({"tune", "--seconds", "-1"}), "--seconds");
  expect_rejected(run({"tune", "--seconds", "x"}), "--seconds");
  expect_rejected(run({"tune", "--seconds", "nan"}), "--seconds is 'nan'");
}

TEST_F(TuneTest, AFolderThatCannotBeWrittenIsAnError) {
  put("cache", "a file");
  // An hour of measuring does not come first.
  expect_rejected(run({"tune", "--device", "simt:0", "--seconds", "3600"}), "cannot write");
  EXPECT_EQ(bytes("cache"), "a file");
  setenv("XDG_CACHE_HOME", "/proc", 1);
  expect_rejected(run({"tune", "--device", "simt:0", "--seconds", "3600"}),
                  "set XDG_CACHE_HOME to a folder that can be written");
}

TEST_F(TuneTest, HasNoFileWithoutAFolderOfTheUsers) {
  const char* const home = std::getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  unsetenv("HOME");
  for (const char* const cache : {"", "relative"}) {
    setenv("XDG_CACHE_HOME", cache, 1);
    expect_rejected(run({"tune", "--device", "simt:0", "--seconds", "3600"}), "set one of them");
  }
  EXPECT_EQ(names(), std::set<std::string>{});
  if (home != nullptr) setenv("HOME", before.c_str(), 1);
}

TEST_F(TuneTest, ShowsWhereNothingCanBeWritten) {
  put("cache", "a file");
  EXPECT_EQ(run({"tune", "--device", "simt:0", "--show"}).exit_status, 0);
}

TEST_F(TuneTest, CtrlCEndsItAndStoresNothing) {
  MillraceProcess process(folder_, {"tune", "--device", "simt:0", "--seconds", "3600"});
  while (process.is_running()) process.send_signal(2);
  EXPECT_EQ(process.wait().exit_status, 130);
  EXPECT_FALSE(std::filesystem::exists(path("cache")));
}

}  // namespace
}  // namespace millrace::end_to_end
