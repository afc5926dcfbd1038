// SPDX-License-Identifier: Apache-2.0

// `millrace devices` and the help.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <sched.h>

namespace millrace::end_to_end {
namespace {

using DevicesTest = EndToEndTest;

TEST_F(DevicesTest, ListsTheCpuInATable) {
  const Finished finished = run({"devices"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "");
  EXPECT_TRUE(finished.out.starts_with("backend ")) << finished.out;
  EXPECT_NE(finished.out.find("\ntbb       tbb "), finished.out.npos) << finished.out;
}

TEST_F(DevicesTest, DescribesTheCpuInJson) {
  const Finished finished = run({"devices", "--device", "tbb", "--json", "-"});
  EXPECT_EQ(finished.exit_status, 0);
  const auto json = nlohmann::json::parse(finished.out);
  for (const auto& backend : json.at("backends")) {
    if (backend.at("name") != "tbb") continue;
    ASSERT_EQ(backend.at("devices").size(), 1U);
    const auto& device = backend.at("devices")[0];
    EXPECT_EQ(device.at("name"), "tbb");
    EXPECT_TRUE(device.at("description").is_string());
    EXPECT_GE(device.at("compute_units"), 1);
    EXPECT_EQ(device.at("warp_width"), 1);
    EXPECT_GT(device.at("memory_bytes"), 1 << 20);
    EXPECT_EQ(device.at("shares_host_memory"), true);
    return;
  }
  FAIL() << "no backend tbb: " << json;
}

// Lets this process and those that it starts have one processor.
class OneProcessor {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    is_set_ = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof before_, &before_); }

  bool is_set() const { return is_set_; }

 private:
  cpu_set_t before_;
  bool is_set_ = false;
};

TEST_F(DevicesTest, CountsTheProcessorsThatItMayUse) {
  const OneProcessor one_processor;
  if (!one_processor.is_set()) GTEST_SKIP() << "the affinity mask cannot be set here";
  const auto json = nlohmann::json::parse(run({"devices", "--json", "-"}).out);
  const auto& host = json.at("host");
  EXPECT_EQ(host.at("affinity"), 1);
  EXPECT_EQ(host.at("usable"), 1);
  EXPECT_GE(host.at("processors"), 1);
  EXPECT_TRUE(host.at("cpu_quota").is_null() || host.at("cpu_quota") > 0) << host;
  for (const auto& backend : json.at("backends")) {
    if (backend.at("name") != "tbb") continue;
    EXPECT_EQ(backend.at("devices").at(0).at("compute_units"), 1);
  }
  EXPECT_NE(run({"devices"}).out.find("threads by default: 1 of "), std::string::npos);
}

TEST_F(DevicesTest, ListsSimulatedDevicesAsWhatTheyAre) {
  const Finished finished = run({"devices", "--json", "-"});
  EXPECT_EQ(finished.exit_status, 0);
  bool any = false;
  const auto json = nlohmann::json::parse(finished.out);
  for (const auto& backend : json.at("backends")) {
    for (const auto& device : backend.at("devices")) {
      const bool is_simulated = device.at("is_simulated");
      EXPECT_EQ(is_simulated, backend.at("name") == "simt");
      any = any || is_simulated;
    }
  }
  EXPECT_TRUE(any);
}

TEST_F(DevicesTest, SaysWhyABackendHasNoDevice) {
  const Finished finished = run({"devices", "--json", "-"});
  EXPECT_EQ(finished.exit_status, 0);
  const auto json = nlohmann::json::parse(finished.out);
  for (const auto& backend : json.at("backends")) {
    const std::string why = backend.at("why_empty");
    EXPECT_EQ(why.empty(), !backend.at("devices").empty()) << backend;
  }
}

TEST_F(DevicesTest, WritesJsonToAFileBesideTheTable) {
  const Finished finished = run({"devices", "--json", "devices.json"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_TRUE(finished.out.starts_with("backend ")) << finished.out;
  EXPECT_TRUE(nlohmann::json::parse(bytes("devices.json")).at("backends").is_array());
}

TEST_F(DevicesTest, KeepsAnExistingFile) {
  put("devices.json", "mine");
  expect_rejected(run({"devices", "--json", "devices.json"}), "exists already (--force replaces");
  EXPECT_EQ(bytes("devices.json"), "mine");
}

TEST_F(DevicesTest, AnUnknownNameListsTheOnesThereAre) {
  expect_rejected(run({"devices", "--device", "abacus"}), "no device 'abacus'; there are: ");
}

TEST_F(DevicesTest, TakesNoOptionThatItDoesNotUse) {
  expect_rejected(run({"devices", "--policy", "auto"}), "--policy");
  expect_rejected(run({"devices", "--frames", "3"}), "--frames");
}

TEST_F(DevicesTest, AFullDiskBehindStandardOutputIsAnError) {
  expect_rejected(run({"devices"}, {.out_path = "/dev/full"}), "standard output cannot be written");
}

using HelpTest = EndToEndTest;

TEST_F(HelpTest, NamesTheSubcommands) {
  const Finished finished = run({"--help"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "");
  for (const char* subcommand : {"devices", "idct"}) {
    EXPECT_NE(finished.out.find(subcommand), finished.out.npos) << finished.out;
  }
}

TEST_F(HelpTest, NamesTheOptionsOfASubcommand) {
  const Finished finished = run({"idct", "--help"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "");
  for (const char* option : {"--device", "--policy", "--frames", "--json", "--trace", "--force",
                             "--qp", "--size", "--out-dir"}) {
    EXPECT_NE(finished.out.find(option), finished.out.npos) << option;
  }
}

using CompletionTest = EndToEndTest;

// Returns what bash offers for a line, by the script that the command prints.
std::string offered(const std::filesystem::path& folder, const std::string& line) {
  const Finished finished =
      run_shell(folder, "source <(\"$M\" completion bash); COMP_LINE='" + line +
                            "'; COMP_POINT=${#COMP_LINE}; _millrace; echo \"${COMPREPLY[@]}\"");
  EXPECT_EQ(finished.err, "");
  return finished.out;
}

TEST_F(CompletionTest, BashCompletesSubcommandsOptionsAndDevices) {
  EXPECT_EQ(offered(folder_, "millrace thr"), "three-star\n");
  EXPECT_EQ(offered(folder_, "millrace sort --typ"), "--type\n");
  EXPECT_EQ(offered(folder_, "millrace sort --type f"), "f32 f64 f16\n");
  EXPECT_EQ(offered(folder_, "millrace idct --device tb"), "tbb\n");
  EXPECT_EQ(offered(folder_, "millrace bench sort-ke"), "sort-keys\n");
}

TEST_F(CompletionTest, PrintsAScriptForEachShell) {
  for (const char* const shell : {"bash", "zsh", "fish"}) {
    const Finished finished = run({"completion", shell});
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    EXPECT_NE(finished.out.find("three-star"), finished.out.npos) << shell;
  }
}

}  // namespace
}  // namespace millrace::end_to_end
