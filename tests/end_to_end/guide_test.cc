// SPDX-License-Identifier: Apache-2.0

// Runs the commands of docs/guide: the lines of each block that is marked ```sh, in one folder that
// has the files they name.
#include <millrace/tests/end_to_end/clip_file.h>
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/key_file.h>
#include <millrace/tests/end_to_end/made_capture.h>
#include <millrace/tools/video/made_clips.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

// Lines of the blocks of docs/guide/PAGE.md that are marked ```sh.
std::vector<std::string> commands(const std::string& page) {
  const std::string path = "docs/guide/" + page + ".md";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  std::vector<std::string> lines;
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      is_inside = line == "```sh";
    } else if (is_inside) {
      lines.push_back(line);
    }
  }
  return lines;
}

class GuideTest : public EndToEndTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    write_y4m(path("clip.y4m"), {.width = 64, .height = 48, .frames = 3});
    std::mt19937 random(1);
    std::vector<std::uint32_t> keys(1000);
    for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random());
    put("keys.bin", bytes_of(keys));
    put("sensors.csv", "x,y\n0,0\n60,0\n30,52\n200,200\n260,200\n");
    put("towns_lat_lng.csv", "lat,lng\n47.00,8.00\n47.05,8.05\n46.98,8.12\n47.20,8.30\n");
    put_maps();
    put("arrays.npz",
        npz_of("counts.npy", npy("'<u2'", "(3,)", bytes_of<std::uint16_t>({3, 1, 2}))));
    put_streams();
    put_results();
  }

 private:
  // Some of these towns receive each other by the planner, and one that no table lists by distance.
  void put_maps() {
    put("towns.geojson",
        R"({"type":"MultiPoint","coordinates":[[8,47],[8.05,47.05],[8.12,46.98],[8.3,47.2]]})");
    put("lake.geojson",
        R"({"type":"Polygon","coordinates":[[[8.15,47.07],[8.22,47.07],[8.22,47.12],[8.15,47.07]]]})");
    put("planner.csv", "a,b\n0,1\n1,2\n");
  }

  // An archive of one stored member.
  static std::string npz_of(const std::string& name, const std::string& data) {
    const auto little = [](std::size_t number, int bytes) {
      std::string text;
      for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xff);
      return text;
    };
    const std::string head = little(20, 2) + std::string(12, '\0') + little(data.size(), 4) +
                             little(data.size(), 4) + little(name.size(), 2) + little(0, 2);
    const std::string entry = "PK\x01\x02" + little(20, 2) + head + std::string(14, '\0') + name;
    return "PK\x03\x04" + head + name + data + entry + "PK\x05\x06" + little(0, 4) + little(1, 2) +
           little(1, 2) + little(entry.size(), 4) + little(30 + name.size() + data.size(), 4) +
           little(0, 2);
  }

  void put_streams() {
    const std::string stream = tools::h264_bytes({.frames = 4});
    put("clip.264", stream);
    put("more.264", stream);
    put("more.txt", "more.264\n");
    put("calls.pcap", pcap_of(packets_of(stream)));
    put("calls.sdp", "v=0\r\nm=video 5004 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n");
    write_y4m(path("source.y4m"),
              {.width = tools::kMadeH264Width, .height = tools::kMadeH264Height, .frames = 4});
    std::filesystem::create_directory(path("streams"));
    put("streams/first.264", stream);
    put("streams/second.264", stream);
  }

  void put_results() {
    const std::string results = "tests/test_data/results/";
    for (const char* const name : {"laptop.json", "before.json", "after.json"}) {
      std::filesystem::copy_file(results + "cpu.results.json", path(name));
    }
    std::filesystem::copy_file(results + "simulated.results.json", path("lab.json"));
    std::filesystem::copy_file("docs/results/h200.json", path("server.json"));
    const std::string targets = "tools/benchmarks/targets/";
    std::filesystem::copy_file(targets + "h200.json", path("h200.json"));
    std::filesystem::copy_file(targets + "zen3.json", path("laptop_targets.json"));
  }
};

TEST_P(GuideTest, CommandsOfThePageRun) {
  const std::vector<std::string> lines = commands(GetParam());
  EXPECT_GE(lines.size(), 2U);
  for (const std::string& line : lines) {
    const Finished finished =
        run_shell(folder_, "set -o pipefail; millrace() { \"$M\" \"$@\"; }; " + line);
    EXPECT_EQ(finished.exit_status, 0) << line << '\n' << finished.out << finished.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, GuideTest,
                         testing::Values("encode", "files", "h264", "idct", "laboratories",
                                         "many_streams", "measuring", "motion", "papers", "relays",
                                         "results_file", "run_rules", "sort"),
                         [](const auto& page) { return std::string(page.param); });

}  // namespace
}  // namespace millrace::end_to_end
