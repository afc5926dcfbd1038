// SPDX-License-Identifier: Apache-2.0

// Pipes, descriptors, links and standard streams as people give them to the command, in a shell.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/key_file.h>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

const std::vector<std::uint32_t> kKeys = {30, 10, 20, 4'000'000'000U, 0, 7};
constexpr const char* kPoints = "-4,3\n4,3\n0,-5\n";

class CommandFilesTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    put("keys", bytes_of(kKeys));
    put("points.csv", kPoints);
    put("clip.y4m", y4m());
  }

  static std::string sorted_keys() { return bytes_of(sorted(kKeys)); }

  static std::string y4m() {
    std::string text = "YUV4MPEG2 W32 H32 F25:1 Ip A1:1 C420jpeg\n";
    for (int frame = 0; frame < 3; ++frame) {
      text += "FRAME\n" + std::string(1536, static_cast<char>(100 + frame));
    }
    return text;
  }

  Finished shell(const std::string& line) const { return run_shell(folder_, line); }
};

struct FileCommand {
  std::string name;
  std::string line;
  std::string file;  // The file that has the keys in order afterwards.
};

std::ostream& operator<<(std::ostream& out, const FileCommand& line) { return out << line.name; }

const FileCommand kLines[] = {
    {"DashAsOutput", "$M sort keys -o - --device tbb | cat >got", "got"},
    {"StandardOutput", "$M sort keys -o /dev/stdout --device tbb | cat >got", "got"},
    {"StandardOutputByItsNumber", "$M sort keys -o /dev/fd/1 --device tbb | cat >got", "got"},
    {"StandardOutputByProc", "$M sort keys -o /proc/self/fd/1 --device tbb | cat >got", "got"},
    {"StandardOutputByALink", "ln -s /dev/stdout o; $M sort keys -o o --device tbb | cat >got",
     "got"},
    {"RedirectedOutput", "$M sort keys -o /dev/stdout --device tbb >got", "got"},
    {"ADescriptorOfTheShell", "$M sort keys -o /dev/fd/7 --device tbb 7>got", "got"},
    {"ProcessSubstitution", "$M sort keys -o >(cat >new; mv new got) --device tbb && wait $!",
     "got"},
    {"NamedPipe", "mkfifo p; cat p >got & $M sort keys -o p --device tbb; wait", "got"},
    {"JsonToStandardOutput", "$M sort keys -o got --json - --device tbb | grep -q items", "got"},
    {"JsonToDevStdout", "$M sort keys -o got --json /dev/stdout --device tbb | grep -q items",
     "got"},
    {"JsonToAPipe",
     "mkfifo p; cat p >json & $M sort keys -o got --json p --device tbb >table; wait; "
     "grep -q items json",
     "got"},
    {"TraceToStandardOutput",
     "$M sort keys -o got --trace - --device tbb | cat >trace && grep -q traceEvents trace", "got"},
    {"DashAsInput", "cat keys | $M sort - -o got --device tbb", "got"},
    {"StandardInput", "cat keys | $M sort /dev/stdin -o got --device tbb", "got"},
    {"RedirectedInput", "$M sort - -o got --device tbb <keys", "got"},
    {"ProcessSubstitutionAsInput", "$M sort <(cat keys) -o got --device tbb", "got"},
    {"NamedPipeAsInput", "mkfifo p; cat keys >p & $M sort p -o got --device tbb", "got"},
    {"PipeIntoPipe", "cat keys | $M sort - -o - --device tbb | cat >got", "got"},
    {"CheckedFromAPipe", "cat keys | $M sort - -o got --check --device tbb", "got"},
    {"InputFromTheMiddle",
     "(printf '\\1\\0\\0\\0'; cat keys) >all; "
     "{ dd of=/dev/null bs=4 count=1 status=none; $M sort - -o got --device tbb; } <all",
     "got"},
    {"Dangling", "ln -s got link; $M sort keys -o link --device tbb && [[ -L link ]]", "got"},
    {"DanglingByForce",
     "ln -s got link; $M sort keys -o link --force --device tbb && [[ -L link ]]", "got"},
    {"ANoteOnNoStream", "$M sort keys -o got --device tbb <&- 2>&-", "got"},
    {"RunsInAFolder",
     "mkdir t; head -c 400000 /dev/zero | cat - keys >long; "
     "$M sort long -o long-got --memory 65536 --temporary t --device tbb && "
     "[[ -z $(ls -A t) ]] && tail -c 20 long-got | cmp - <(tail -c 20 <($M sort keys -o - --device "
     "tbb)) && $M sort keys -o got --device tbb",
     "got"},
    {"NoTmpdir", "TMPDIR=/nonexistent $M sort keys -o got --device tbb", "got"},
};

class CommandLinesTest : public CommandFilesTest,
                         public testing::WithParamInterface<FileCommand> {};

TEST_P(CommandLinesTest, SortsTheKeys) {
  const Finished finished = shell("set -o pipefail; " + GetParam().line);
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "");
  EXPECT_EQ(bytes(GetParam().file), sorted_keys());
  for (const std::string& name : names()) EXPECT_FALSE(name.starts_with(".millrace-")) << name;
}

INSTANTIATE_TEST_SUITE_P(All, CommandLinesTest, testing::ValuesIn(kLines),
                         [](const auto& info) { return info.param.name; });

struct OutputLine {
  std::string name;
  std::string line;
  std::string out;  // The beginning of standard output.
};

std::ostream& operator<<(std::ostream& out, const OutputLine& line) { return out << line.name; }

const OutputLine kOutputLines[] = {
    {"ThreeStars", "$M three-star points.csv --radius 6 -o - --device tbb | cat", "a,b,c\n"},
    {"ThreeStarsOfAPipe", "$M three-star <(cat points.csv) --radius 6 -o - --device tbb",
     "a,b,c\n"},
    {"ThreeStarsOfStandardInput", "cat points.csv | $M three-star - --radius 6 -o - --device tbb",
     "a,b,c\n"},
    {"StoredThreeStarsOfAPipe",
     "$M three-star points.csv --radius 6 -o s.3star --device tbb >log; "
     "cat s.3star | $M three-star - -o - --device tbb",
     "a,b,c\n"},
    {"Drawing", "$M three-star points.csv --radius 6 --place --svg /dev/stdout --device tbb | cat",
     "<svg"},
    {"Picture", "$M three-star points.csv --radius 6 --place --png - --device tbb | tail -c +2",
     "PNG"},
    {"Relays", "$M three-star points.csv --radius 6 --place --relays - --device tbb", "relay,x,y"},
    {"Vectors", "$M me clip.y4m --range 8 -o /dev/stdout --device tbb | cat", "frame,"},
    {"Overlay", "$M me clip.y4m --range 8 --overlay - --device tbb | cat", "YUV4MPEG2 "},
    {"Devices", "$M devices --json /dev/stdout | cat", "{\n"},
    {"Version", "$M --version", "millrace "},
    {"ATableBesideAPipe", "$M sort keys -o >(cat >got) --device tbb", "keys: 6 keys of u32\n"},
};

class CommandOutputTest : public CommandFilesTest,
                          public testing::WithParamInterface<OutputLine> {};

TEST_P(CommandOutputTest, HasTheResultAlone) {
  const Finished finished = shell("set -o pipefail; " + GetParam().line);
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_TRUE(finished.out.starts_with(GetParam().out)) << finished.out.substr(0, 200);
}

INSTANTIATE_TEST_SUITE_P(All, CommandOutputTest, testing::ValuesIn(kOutputLines),
                         [](const auto& info) { return info.param.name; });

struct FailingLine {
  std::string name;
  std::string line;
  int status;
  std::string message;
};

std::ostream& operator<<(std::ostream& out, const FailingLine& line) { return out << line.name; }

// Descriptor 9 is the end of a pipe that is written to, and nobody has the other end.
const std::string kPipeWithoutReader = "mkfifo p; exec 8<>p; exec 9>p; exec 8>&-; ";

const FailingLine kFailingLines[] = {
    {"ClosedOutput", "$M devices >&-", 2, "standard output cannot be written: Bad file descriptor"},
    {"ClosedOutputOfTheVersion", "$M --version >&-", 2, "standard output cannot be written"},
    {"FullOutput", "$M devices >/dev/full", 2, "standard output cannot be written: No space left"},
    {"FullOutputOfJson", "$M devices --json - >/dev/full", 2,
     "standard output: cannot be written: No space left on device"},
    {"ClosedInput", "$M sort - -o new <&-", 2, "standard input: cannot be read"},
    {"AReaderThatLeaves", kPipeWithoutReader + "$M sort keys -o /dev/fd/9 --device tbb", 141,
     "/dev/fd/9: cannot be written: Broken pipe"},
    {"AReaderOfATableThatLeaves", kPipeWithoutReader + "$M devices >&9", 141,
     "standard output cannot be written: Broken pipe"},
    {"AReaderOfJsonThatLeaves", kPipeWithoutReader + "$M devices --json - >&9", 141,
     "standard output: cannot be written: Broken pipe"},
    {"TwoOnStandardOutput",
     "$M three-star points.csv --radius 6 --place --svg - --relays /dev/stdout", 2,
     "--relays and --svg are both standard output, which takes one"},
    {"ResultsOfABenchmark", "$M bench --quick -o /dev/stdout | cat", 2,
     "-o is /dev/stdout; results are written again after each measurement"},
    {"MarkdownOnStandardOutput", "$M report r.json --markdown -", 2,
     "--markdown is -; its charts are files beside it"},
    {"NpyAsResults", "printf '\\x93NUMPY\\1\\0' >a.json; $M report a.json -o new.html", 2,
     "a.json: is a .npy array, not JSON"},
};

class CommandFailureTest : public CommandFilesTest,
                           public testing::WithParamInterface<FailingLine> {};

TEST_P(CommandFailureTest, IsOneLineAndLeavesNothing) {
  const Finished finished = shell("set -o pipefail; " + GetParam().line);
  EXPECT_EQ(finished.exit_status, GetParam().status);
  EXPECT_TRUE(finished.err.starts_with("millrace: ")) << finished.err;
  EXPECT_NE(finished.err.find(GetParam().message), finished.err.npos) << finished.err;
  EXPECT_EQ(finished.err.find('\n') + 1, finished.err.size()) << finished.err;
  for (const std::string& name : names()) {
    EXPECT_FALSE(name.starts_with(".millrace-") || name.starts_with("new")) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CommandFailureTest, testing::ValuesIn(kFailingLines),
                         [](const auto& info) { return info.param.name; });

TEST_F(CommandFilesTest, AReplacedFileKeepsItsMode) {
  for (const mode_t mode : {0600U, 0640U, 0444U}) {
    put("out", "old");
    chmod(path("out").c_str(), mode);
    EXPECT_EQ(run({"sort", "keys", "-o", "out", "--force", "--device", "tbb"}).exit_status, 0);
    struct stat status = {};
    ASSERT_EQ(stat(path("out").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, mode);
    EXPECT_EQ(bytes("out"), sorted_keys());
    fs::remove(path("out"));
  }
}

TEST_F(CommandFilesTest, ARawFileMayLookLikeAnyOther) {
  const std::string text = "17\n18\n-4\n250000\n88\n9\n";  // 20 bytes and more.
  put("text", text.substr(0, 20));
  EXPECT_EQ(
      run({"sort", "text", "-o", "out", "--raw", "--type", "u32", "--device", "tbb"}).exit_status,
      0);
  EXPECT_EQ(bytes("out"), bytes_of(sorted(elements_of<std::uint32_t>(text.substr(0, 20)))));
}

TEST_F(CommandFilesTest, AnArrayIsKnownByItsContent) {
  const std::vector<std::int32_t> keys = {5, -3, 2};
  put("KEYS.NPY", npy("'<i4'", "(3,)", bytes_of(keys)));
  fs::create_symlink("KEYS.NPY", path("link"));
  for (const std::string name : {"KEYS.NPY", "link"}) {
    EXPECT_EQ(run_json("sort", {name, "-o", "out", "--device", "tbb"}).at("type"), "i32");
    EXPECT_EQ(bytes("out"), bytes_of(sorted(keys)));
  }
}

// nohup ignores SIGHUP, which a closed terminal sends.
TEST_F(CommandFilesTest, AnIgnoredHangupStaysIgnored) {
  put("long", "");
  fs::resize_file(path("long"), 40'000'000);
  MillraceProcess process(folder_,
                          {"sort", "long", "-o", "out", "--device", "tbb", "--memory", "1000000"},
                          {.ignored_signal = SIGHUP});
  process.wait_until([&] { return names().size() >= 5; });
  process.send_signal(SIGHUP);
  EXPECT_EQ(process.wait().exit_status, 0);
  EXPECT_EQ(fs::file_size(path("out")), 40'000'000U);
}

// Nobody reads or writes the pipe that the command waits for.
TEST_F(CommandFilesTest, ASignalEndsTheWaitForAPipe) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const struct {
    std::vector<std::string> line;
    const char* last_opened;  // Nothing but the pipe stops the command after that.
  } kCases[] = {
      {{"sort", "keys", "-o", "pipe"}, "keys"},
      {{"sort", "pipe", "-o", "out"}, "pipe"},
      {{"three-star", "pipe", "--radius", "6"}, "pipe"},
  };
  for (const auto& [line, last_opened] : kCases) {
    const auto before = names();
    MillraceProcess process(folder_, line);
    process.wait_until([&] { return process.has_open(path(last_opened)); });
    process.send_signal(SIGTERM);
    const Finished finished = process.wait();
    EXPECT_EQ(finished.exit_status, 128 + SIGTERM) << line[1];
    EXPECT_EQ(finished.err, "millrace: " + interruption(SIGTERM) + "\n") << line[1];
    EXPECT_EQ(names(), before);
  }
}

TEST_F(CommandFilesTest, TheVersionNamesItsBuild) {
  const Finished finished = run({"--version"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "");
  // A build without optimization is not stamped with its commit; tests/consumers/run checks others.
  const std::string number = "[0-9]+(\\.[0-9]+)+";
  const std::string backend = "[a-z]+( " + number + ")?";
  EXPECT_THAT(
      finished.out,
      testing::MatchesRegex("millrace " + number +
                            " \\(commit (not known|[0-9a-f]{40}(-changed)?), (gcc|clang) " +
                            number + "[^;]*; backends: " + backend + "(, " + backend + ")*\\)\n"));
  EXPECT_THAT(finished.out, testing::ContainsRegex("[ ,]tbb[,)]"));
}

}  // namespace
}  // namespace millrace::end_to_end
