// SPDX-License-Identifier: Apache-2.0

// Bad input of `millrace bench`: one clear line on standard error, exit status 2, no new file.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <ostream>

namespace millrace::end_to_end {
namespace {

struct BenchRejection {
  std::string name;
  std::vector<std::string> arguments;  // They follow `millrace bench`.
  std::string message;
};

std::ostream& operator<<(std::ostream& out, const BenchRejection& rejection) {
  return out << rejection.name;
}

const BenchRejection kBenchRejections[] = {
    {"UnknownWorkload", {"quicksort"}, "no workload 'quicksort'; there are: idct, idct-host"},
    {"MisspelledWorkload", {"sort-kyes"}, "; did you mean 'sort-keys'?"},
    {"UnknownOption", {"idct", "--loud"}, "no option '--loud' of millrace "},
    {"UnknownDevice", {"idct", "--device", "abacus"}, "no device 'abacus'; there are: "},
    {"AGroup",
     {"idct", "--device", "simt:0,simt:1"},
     "--device simt:0,simt:1 is a group, on which no chosen workload runs; choose group, or "},
    {"AGroupOfOneDeviceTwice",
     {"group", "--device", "simt:0,simt"},
     "device 'simt:0' is listed twice"},
    {"UnknownPolicy", {"idct", "--policy", "lazy"}, "no policy 'lazy'; there are: auto"},
    {"UnknownStrategy",
     {"idct", "--strategy", "magic"},
     "no strategy 'magic' of the chosen workloads; there are: global, one-thread, shared"},
    {"UnknownInput",
     {"sort", "--input", "alphabetic"},
     "no input 'alphabetic' of the chosen workloads; there are: equal, few-distinct"},
    {"MissingClip",
     {"motion", "--input", "none.mp4"},
     "no input 'none.mp4' of the chosen workloads; there are: texture, and video files"},
    {"SizeOfZero", {"idct", "--size", "0"}, "--size is '0'; give a whole number not below 1"},
    {"SizeOfLetters", {"idct", "--size", "big"}, "--size is 'big'; give a whole number"},
    {"SizeAWorkloadCannotHave",
     {"tasks-tree", "--size", "1000"},
     "--size is 1000; the size of tasks-tree is a power of two"},
    {"SecondsBelow", {"idct", "--seconds", "0"}, "--seconds is '0'; give a number from 0.001 to"},
    {"SecondsOfLetters", {"idct", "--seconds", "1s"}, "--seconds is '1s'; give a number"},
    {"SecondsThatAreNoNumber", {"idct", "--seconds", "nan"}, "--seconds is 'nan'; give a number"},
    {"PrecisionAbove", {"idct", "--precision", "2"}, "--precision is '2'; give a number from"},
    {"PrecisionBelow", {"idct", "--precision", "0"}, "--precision is '0'; give a number from"},
    {"FileThatExists", {"idct", "-o", "mine"}, "mine: exists already (--force replaces it)"},
    {"FolderAsFile", {"idct", "-o", "folder", "--force"}, "folder: is a directory"},
    {"NoSuchFolder", {"idct", "-o", "none/r.json"}, "none/r.json: cannot be written"},
    {"FileAsFolderOfTraces", {"idct", "--traces", "mine"}, "mine: cannot be made"},
    {"TargetsThatAreNone", {"idct", "--targets", "mine"}, "mine: is not JSON at line 1, column 1"},
    {"TargetsOfAnotherForm",
     {"idct", "--targets", "other.json"},
     "other.json: is no file of benchmark targets"},
    {"TargetsAsResults",
     {"idct", "--targets", "other.json", "-o", "other.json", "--force"},
     "-o is other.json, which the run needs"},
    {"ResumeOfNothing", {"idct", "--resume", "-o", "none.json"}, "none.json: cannot be read"},
    {"ResumeOfAnotherFile", {"idct", "--resume", "-o", "mine"}, "mine: "},
    {"ResumeAndForce",
     {"idct", "--resume", "--force", "-o", "mine"},
     "--resume and --force are both given"},
    {"ResumeOfAnotherMachine",
     {"idct", "--device", "tbb", "--resume", "-o", "other.json"},
     "other.json: cannot be resumed, it is of another machine: Abacus"},
};

class BenchRejectionsTest : public EndToEndTest,
                            public testing::WithParamInterface<BenchRejection> {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    put("mine", "mine");
    std::filesystem::create_directory(path("folder"));
    put("other.json", R"({"format": "millrace-benchmark-results", "schema": 1,
        "machine": {"label": "lab", "cpu": "Abacus"}, "devices": [], "measurements": []})");
  }
};

TEST_P(BenchRejectionsTest, IsOneLineAndNoFile) {
  const auto before = names();
  std::vector<std::string> arguments = {"bench"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  expect_rejected(run(arguments), GetParam().message);
  EXPECT_EQ(names(), before);
  EXPECT_EQ(bytes("mine"), "mine");
}

INSTANTIATE_TEST_SUITE_P(All, BenchRejectionsTest, testing::ValuesIn(kBenchRejections),
                         [](const auto& info) { return info.param.name; });

using BenchResumeTest = EndToEndTest;

TEST_F(BenchResumeTest, RejectsAFileOfAnotherCommandAndKeepsIt) {
  ASSERT_EQ(run({"bench", "micro-launch", "--device", "tbb", "--seconds", "0.01", "-o", "r.json"})
                .exit_status,
            0);
  const std::string before = bytes("r.json");
  expect_rejected(
      run({"bench", "micro-empty", "--device", "tbb", "--resume", "-o", "r.json"}),
      "r.json: cannot be resumed, it is of another command: millrace bench micro-launch");
  EXPECT_EQ(bytes("r.json"), before);
}

}  // namespace
}  // namespace millrace::end_to_end
