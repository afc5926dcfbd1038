// SPDX-License-Identifier: Apache-2.0

// Runs the commands of docs/guide in a folder that has the files they name: the lines of each block
// that is marked ```sh as they are, and those of blocks that are marked ```sh smaller with fewer
// items, less time and devices that every machine has.
#include <millrace/tests/end_to_end/clip_file.h>
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/key_file.h>
#include <millrace/tests/end_to_end/made_capture.h>
#include <millrace/tools/video/made_clips.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace::end_to_end {
namespace {

// Returns the lines of the blocks of docs/guide/PAGE.md that begin with the line `mark`.
std::vector<std::string> lines_of(const std::string& page, const std::string& mark) {
  const std::string path = "docs/guide/" + page + ".md";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  std::vector<std::string> lines;
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      is_inside = line == mark;
    } else if (is_inside) {
      lines.push_back(line);
    }
  }
  return lines;
}

// Replacements of devices, sizes and times in commands that take long. The first that matches at a
// place is applied there.
constexpr std::pair<std::string_view, std::string_view> kSmallerWords[] = {
    {"cuda:0,cuda:1", "simt:0,simt:1"},
    {"cuda:0", "simt:0"},
    {"--size 10000 ", "--size 3 "},
    {"--size 1000 ", "--size 3 "},
    {"--size 200 ", "--size 2 "},
    {"--seconds 600 ", "--seconds 0.01 "},
    {"--seconds 10", "--seconds 0.01"},
    {"bench --quick", "bench micro --quick"},
    {"bench -o server.json", "bench micro --quick -o own.json"},
    {"bench sort tasks", "bench sort-argsort tasks-tree --quick"},
    {"bench auto", "bench auto --quick"},
    {"bench h264", "bench --quick h264"},
    {"bench joins-metg --device", "bench joins-metg --size 2 --device"},
    {"tools/benchmarks/targets/", ""},
    {"reproduce --quick", "reproduce --tiny"},
    {"reproduce", "reproduce --tiny"},
};

std::string with_smaller_words(const std::string& line) {
  std::string smaller;
  for (std::size_t at = 0; at < line.size();) {
    const auto* const found = std::ranges::find_if(kSmallerWords, [&](const auto& words) {
      return line.compare(at, words.first.size(), words.first) == 0;
    });
    if (found == std::end(kSmallerWords)) {
      smaller += line[at++];
    } else {
      smaller += found->second;
      at += found->first.size();
    }
  }
  return smaller;
}

// Returns a command of the page as a test runs it: what measures has a device and little time.
std::string smaller_command(const std::string& line) {
  std::string command = with_smaller_words(line);
  for (const std::string measuring : {"millrace bench", "millrace reproduce"}) {
    if (!command.starts_with(measuring)) continue;
    for (const std::string option : {" --seconds 0.001", " --device tbb"}) {
      const std::string name = option.substr(0, option.rfind(' '));
      if (command.find(name) == command.npos) command.insert(measuring.size(), option);
    }
  }
  return command;
}

class GuideTest : public EndToEndTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    for (const char* const name : {"clip.y4m", "clip.mp4", "vga.mp4", "hd.mp4"}) {
      write_y4m(path(name), {.width = 64, .height = 48, .frames = 3});
    }
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

  // Runs a line of a page. `bench` does not replace a file, so that of an earlier line is removed.
  Finished run_line(const std::string& line) const {
    std::filesystem::remove(path("millrace-bench.json"));
    return run_shell(folder_, "set -o pipefail; millrace() { \"$M\" \"$@\"; }; " + line);
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
    put("mobile.264", stream);
    put("more.txt", "more.264\n");
    put("names", "more.264\n");
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
    std::filesystem::copy_file(results + "idct-host-synthetic-64-tbb-streamed.json",
                               path("trace.json"));
    std::filesystem::copy_file("docs/results/h200.json", path("server.json"));
    const std::string targets = "tools/benchmarks/targets/";
    std::filesystem::copy_file(targets + "h200.json", path("h200.json"));
    std::filesystem::copy_file(targets + "zen3.json", path("laptop_targets.json"));
  }
};

TEST_P(GuideTest, CommandsOfThePageRun) {
  const std::vector<std::string> lines = lines_of(GetParam(), "```sh");
  EXPECT_GE(lines.size(), 2U);
  for (const std::string& line : lines) {
    const Finished finished = run_line(line);
    EXPECT_EQ(finished.exit_status, 0) << line << '\n' << finished.out << finished.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, GuideTest,
                         testing::Values("encode", "files", "h264", "idct", "laboratories",
                                         "many_streams", "measuring", "motion", "papers", "relays",
                                         "results_file", "run_rules", "sort"),
                         [](const auto& page) { return std::string(page.param); });

using SmallerGuideTest = GuideTest;

TEST_P(SmallerGuideTest, CommandsOfThePageRun) {
  const std::vector<std::string> lines = lines_of(GetParam(), "```sh smaller");
  EXPECT_GE(lines.size(), 1U);
  for (const std::string& line : lines) {
    const std::string command = smaller_command(line);
    const Finished finished = run_line(command);
    if ((finished.out + finished.err).find("has no libx264") != std::string::npos) {
      GTEST_SKIP() << "SKIPPED: libavcodec is without libx264, which makes the streams of " << line;
    }
    EXPECT_EQ(finished.exit_status, 0) << command << '\n' << finished.out << finished.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, SmallerGuideTest,
                         testing::Values("h264", "many_devices", "many_streams", "measuring",
                                         "papers"),
                         [](const auto& page) { return std::string(page.param); });

// The file of targets that the page shows.
TEST_F(GuideTest, TargetsOfThePageAreRead) {
  std::string targets;
  for (const std::string& line : lines_of("measuring", "```json")) targets += line + '\n';
  put("page.json", targets);
  const Finished finished = run({"report", "server.json", "--targets", "page.json"});
  EXPECT_EQ(finished.exit_status, 0) << finished.out << finished.err;
  EXPECT_NE(bytes("report.html").find("three-star-count"), std::string::npos);
}

}  // namespace
}  // namespace millrace::end_to_end
