// SPDX-License-Identifier: Apache-2.0

// Timelines of runs, as trace viewers open them.
#include <millrace/tests/end_to_end/end_to_end_test.h>

namespace millrace::end_to_end {
namespace {

class IdctTraceTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    write_y4m(path("clip.y4m"), {});
  }
};

TEST_F(IdctTraceTest, ShowsUploadsComputingDownloadsAndTheHost) {
  run_idct({"clip.y4m", "--device", "simt:0", "--policy", "uberkernel", "--trace", "trace.json"});
  const auto spans = spans_by_row("trace.json");
  constexpr int kFrames = 5;
  constexpr int kPlanes = 3;
  EXPECT_EQ(spans.at("simt:0 upload"), 3 * kFrames * kPlanes);
  EXPECT_EQ(spans.at("simt:0 download"), kFrames * kPlanes);
  EXPECT_GE(spans.at("simt:0 compute"), kFrames * kPlanes);
  EXPECT_EQ(spans.at("host code"), kFrames);
  EXPECT_EQ(spans.at("host measure and write"), kFrames);
}

TEST_F(IdctTraceTest, HasRowsForEachDevice) {
  run_idct({"clip.y4m", "--frames", "1", "--device", "tbb", "--device", "simt:0", "--trace",
            "trace.json"});
  const auto spans = spans_by_row("trace.json");
  EXPECT_GE(spans.at("tbb compute"), 1);
  EXPECT_GE(spans.at("tbb copy"), 1);
  EXPECT_GE(spans.at("simt:0 compute"), 1);
}

TEST_F(IdctTraceTest, KeepsAFileThatExists) {
  put("trace.json", "mine");
  const auto before = names();
  expect_rejected(run({"idct", "clip.y4m", "--trace", "trace.json"}),
                  "trace.json: exists already (--force replaces it)");
  EXPECT_EQ(bytes("trace.json"), "mine");
  EXPECT_EQ(names(), before);
}

TEST_F(IdctTraceTest, RejectsAFileThatTheRunNeeds) {
  for (const char* taken : {"./clip.y4m", "clip-idct.csv", "result.json"}) {
    const auto before = names();
    expect_rejected(run({"idct", "clip.y4m", "--force", "--json", "result.json", "--trace", taken}),
                    "--trace is " + std::string(taken) + ", which the run needs");
    EXPECT_EQ(names(), before);
  }
}

}  // namespace
}  // namespace millrace::end_to_end
