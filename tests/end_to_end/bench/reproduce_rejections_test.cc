// SPDX-License-Identifier: Apache-2.0

// Bad input of `millrace reproduce`: one clear line on standard error, exit status 2, and no new
// file. Ctrl-C leaves none either.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <csignal>
#include <ostream>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

struct ReproduceRejection {
  std::string name;
  std::vector<std::string> arguments;  // They follow `millrace reproduce --device tbb`.
  std::string message;
};

std::ostream& operator<<(std::ostream& out, const ReproduceRejection& rejection) {
  return out << rejection.name;
}

const ReproduceRejection kRejections[] = {
    {"UnknownSubject", {"video"}, "no paper on 'video'; there are: idct, motion, sort, three-star"},
    {"UnknownFigure", {"--only", "Fig. 99"}, "no table or figure 'Fig. 99'; there are: Fig. 5(a)"},
    {"FigureOfAnother", {"sort", "--only", "Fig. 9"}, "Fig. 9 is of three-star, not of sort"},
    {"UnknownDevice", {"--device", "abacus"}, "abacus"},
    {"QuickAndTiny", {"--quick", "--tiny"}, "--quick and --tiny are both given"},
    {"NoTime", {"--seconds", "0"}, "--seconds"},
    {"TimeOfNoNumber", {"--seconds", "soon"}, "--seconds"},
    {"TimeThatIsNone", {"--seconds", "nan"}, "--seconds is 'nan'; give a number from 0.001"},
    {"ClipOfNoUse", {"sort", "--clip", "two.y4m"}, "--clip is for motion estimation"},
    {"StreamOfNoUse", {"sort", "--stream", "two.264"}, "--stream is for inverse transforms"},
    {"MissingStream", {"idct", "--stream", "none.264"}, "none.264"},
    {"ClipAsStream", {"idct", "--stream", "two.y4m"}, "two.y4m: has no H.264 stream"},
    {"AnchorsOfNoUse", {"sort", "--anchors", "mine"}, "--anchors is for motion estimation"},
    {"MissingAnchors", {"motion", "--anchors", "none.json"}, "none.json"},
    {"TextAsAnchors", {"motion", "--anchors", "mine"}, "mine: is not JSON"},
    {"MissingClip", {"motion", "--clip", "none.y4m"}, "none.y4m"},
    {"TextAsClip", {"motion", "--clip", "mine"}, "mine"},
    {"ClipOfOnePicture",
     {"motion", "--clip", "one.y4m"},
     "one.y4m has fewer than two pictures; a search needs two"},
    {"ClipsOfOneName",
     {"motion", "--clip", "two.y4m", "--clip", "page/two.y4m"},
     "--clip page/two.y4m: another clip is also named 'two.y4m'"},
    {"ResultsAndQuick",
     {"--results", "mine", "--quick"},
     "--results and --quick are both given; with --results nothing is measured"},
    {"ResultsAndClip",
     {"motion", "--results", "mine", "--clip", "two.y4m"},
     "--results and --clip"},
    {"MissingResults", {"--results", "none.json"}, "none.json"},
    {"TextAsResults", {"--results", "mine"}, "mine"},
    {"FileAsFolder", {"-o", "mine"}, "mine: is a file, not a folder"},
    {"MissingFolderAbove", {"-o", "none/page"}, "none/page: cannot be made"},
    {"ExistingPage", {"-o", "page"}, "page/index.html: exists already (--force"},
    {"ExistingDrawing", {"-o", "drawing"}, "drawing/index-1.svg: exists already (--force"},
    {"ExistingJson", {"--json", "mine"}, "mine: exists already (--force"},
    {"JsonThatIsAClip",
     {"motion", "--clip", "two.y4m", "--json", "two.y4m", "--force"},
     "--json is two.y4m, which the run needs for something else"},
    {"JsonThatIsThePage",
     {"-o", "new", "--json", "new/index.html"},
     "--json is new/index.html, which the run needs for something else"},
    {"JsonThatIsADrawing",
     {"--only", "Fig. 9", "-o", "drawing", "--json", "drawing/../drawing/index-1.svg", "--force"},
     "which the run needs for something else"},
    {"MissingJsonFolder", {"-o", "new", "--json", "none/new"}, "none/new: cannot be"},
};

class ReproduceRejectionsTest : public EndToEndTest,
                                public testing::WithParamInterface<ReproduceRejection> {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    put("mine", "mine");
    for (const char* const folder : {"page", "drawing"}) fs::create_directory(path(folder));
    put("page/index.html", "mine");
    put("drawing/index-1.svg", "mine");
    write_y4m(path("one.y4m"), {.frames = 1});
    write_y4m(path("two.y4m"), {.frames = 2});
    write_y4m(path("page/two.y4m"), {.frames = 2});
  }
};

TEST_P(ReproduceRejectionsTest, IsOneLineAndNoFile) {
  const auto before = names();
  std::vector<std::string> arguments = {"reproduce"};
  const auto& own = GetParam().arguments;
  if (GetParam().name != "UnknownDevice") arguments.insert(arguments.end(), {"--device", "tbb"});
  arguments.insert(arguments.end(), own.begin(), own.end());
  expect_rejected(run(arguments), GetParam().message);
  EXPECT_EQ(names(), before);
  EXPECT_EQ(bytes("mine"), "mine");
  EXPECT_EQ(bytes("page/index.html"), "mine");
  EXPECT_FALSE(fs::exists(path("drawing/index.html")));
}

INSTANTIATE_TEST_SUITE_P(All, ReproduceRejectionsTest, testing::ValuesIn(kRejections),
                         [](const auto& info) { return info.param.name; });

class ReproduceInterruptTest : public EndToEndTest {};

TEST_F(ReproduceInterruptTest, LeavesNothing) {
  for (const int signal : {SIGINT, SIGTERM}) {
    MillraceProcess process(folder_, {"reproduce", "three-star", "--quick", "--seconds", "3600",
                                      "--device", "tbb", "-o", "page", "--json", "result.json"});
    // The JSON file is the last to be opened.
    process.wait_until([&] { return names().size() >= 2; });
    process.send_signal(signal);
    const Finished finished = process.wait();
    EXPECT_EQ(finished.exit_status, 128 + signal);
    EXPECT_EQ(finished.err, "millrace: " + interruption(signal) + "; nothing was written\n");
    EXPECT_EQ(names(), std::set<std::string>{});
  }
}

}  // namespace
}  // namespace millrace::end_to_end
