// SPDX-License-Identifier: Apache-2.0

// `millrace sort`: what comes out, in memory and in runs that are merged.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/key_file.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tests/test_data/test_data.h>

#include <array>
#include <limits>
#include <type_traits>

namespace millrace::end_to_end {
namespace {

constexpr std::size_t kRecords = 60'000;

// Sorting takes twice the records' bytes.
std::string memory_for_runs(std::size_t runs, std::size_t bytes) {
  return std::to_string(2 * bytes / runs);
}

class SortTest : public EndToEndTest {
 protected:
  // Runs `millrace sort in -o out` with --check and more; its JSON.
  nlohmann::json sort(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all = {"sort", "in", "-o", "out", "--json", "-", "--check"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Finished finished = run(all);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
    return nlohmann::json::parse(finished.out, nullptr, /*allow_exceptions=*/false);
  }

  // Numbers of which some are there many times.
  template <class T>
  std::vector<T> random_keys(std::size_t count = kRecords) {
    std::vector<T> keys(count);
    for (T& key : keys) {
      key = static_cast<T>(static_cast<std::int64_t>(random_() >> random_(1, 63)));
      if (std::is_signed_v<T> && random_(0, 1) == 1) key = static_cast<T>(-1 - key);
    }
    return keys;
  }

  SeededRandom random_;
};

template <class T>
class SortOfTypeTest : public SortTest {};

struct KeyNames {
  template <class T>
  static std::string GetName(int) {  // NOLINT(readability-identifier-naming): GoogleTest's name.
    const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
    return kind + std::to_string(8 * sizeof(T));
  }
};

using Keys = testing::Types<std::uint32_t, std::uint64_t, std::int32_t, std::int64_t, float, double,
                            std::uint8_t, std::uint16_t, std::int8_t, std::int16_t>;
TYPED_TEST_SUITE(SortOfTypeTest, Keys, KeyNames);

TYPED_TEST(SortOfTypeTest, InBothOrders) {
  const auto keys = this->template random_keys<TypeParam>();
  const std::string type = KeyNames::GetName<TypeParam>(0);
  this->put("in", bytes_of(keys));
  EXPECT_EQ(this->sort({"--type", type})["runs"], 1);
  EXPECT_EQ(this->bytes("out"), bytes_of(sorted(keys)));
  this->sort({"--type", type, "--descending", "--force"});
  EXPECT_EQ(this->bytes("out"), bytes_of(sorted(keys, true)));
}

TYPED_TEST(SortOfTypeTest, InFiveRuns) {
  // Memory has a least size.
  const auto keys = this->template random_keys<TypeParam>(8 * kRecords / sizeof(TypeParam));
  this->put("in", bytes_of(keys));
  const auto json = this->sort({"--type", KeyNames::GetName<TypeParam>(0), "--memory",
                                memory_for_runs(5, keys.size() * sizeof(TypeParam))});
  EXPECT_EQ(json["runs"], 5);
  EXPECT_EQ(this->bytes("out"), bytes_of(sorted(keys)));
}

TYPED_TEST(SortOfTypeTest, PositionsInFiveRuns) {
  const auto keys = this->template random_keys<TypeParam>();
  this->put("in", bytes_of(keys));
  const auto json = this->sort({"--type", KeyNames::GetName<TypeParam>(0), "--argsort", "--memory",
                                memory_for_runs(5, keys.size() * (sizeof(TypeParam) + 4))});
  EXPECT_EQ(json["runs"], 5);
  EXPECT_EQ(this->bytes("out"), bytes_of(argsorted(keys)));
}

TEST_F(SortTest, PositionsInOneRunAndDescending) {
  const auto keys = random_keys<std::int32_t>();
  put("in", bytes_of(keys));
  EXPECT_EQ(sort({"--type", "i32", "--argsort", "--descending"})["runs"], 1);
  EXPECT_EQ(bytes("out"), bytes_of(argsorted(keys, true)));
}

// In words of 4 bytes: a key of kKey of them, low words first, and a value of kValue.
template <std::size_t kKey, std::size_t kValue>
class FileRecords {
 public:
  using Record = std::array<std::uint32_t, kKey + kValue>;

  // A thousand different keys, and values that distinguish all records.
  explicit FileRecords(SeededRandom& random) : records_(kRecords) {
    std::uint32_t next = 0;
    for (Record& record : records_) {
      record = {};
      record[kKey - 1] = static_cast<std::uint32_t>(random(0, 999));
      record[kKey] = next++;
    }
  }

  std::string bytes() const { return bytes_of(records_); }

  std::string sorted_bytes(bool is_descending) const {
    const auto key_of = [](const Record& record) { return record[kKey - 1]; };
    return bytes_of(sorted(records_, is_descending, key_of));
  }

 private:
  std::vector<Record> records_;
};

template <class T>
class SortOfRecordsTest : public SortTest {};

using RecordShapes =
    testing::Types<FileRecords<1, 1>, FileRecords<1, 2>, FileRecords<2, 1>, FileRecords<2, 2>>;
TYPED_TEST_SUITE(SortOfRecordsTest, RecordShapes);

TYPED_TEST(SortOfRecordsTest, KeepsTheOrderOfEqualKeysInMemoryAndInRuns) {
  const TypeParam records(this->random_);
  const std::string in = records.bytes();
  this->put("in", in);
  const bool has_long_key =
      std::is_same_v<TypeParam, FileRecords<2, 1>> || std::is_same_v<TypeParam, FileRecords<2, 2>>;
  const std::size_t key_bytes = has_long_key ? 8 : 4;
  const std::vector<std::string> arguments = {"--force", "--type", has_long_key ? "u64" : "u32",
                                              "--value-bytes",
                                              std::to_string(in.size() / kRecords - key_bytes)};
  for (const std::size_t runs : {1, 5}) {
    for (const bool is_descending : {false, true}) {
      std::vector<std::string> all = arguments;
      all.insert(all.end(), {"--memory", memory_for_runs(runs, in.size())});
      if (is_descending) all.push_back("--descending");
      EXPECT_EQ(this->sort(all)["runs"], runs);
      EXPECT_EQ(this->bytes("out"), records.sorted_bytes(is_descending));
    }
  }
}

TEST_F(SortTest, MoreRunsThanAreMergedAtOnce) {
  const auto keys = random_keys<std::uint64_t>(100'000);
  put("in", bytes_of(keys));
  EXPECT_EQ(sort({"--type", "u64", "--memory", "65536"})["runs"], 25);
  EXPECT_EQ(bytes("out"), bytes_of(sorted(keys)));
}

TEST_F(SortTest, FloatsAreInTheTotalOrderOfIeee754) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> in_order = {-kNan, -kInfinity, -1.5F, -0.0F, 0.0F, 2, kInfinity, kNan};
  put("in", bytes_of(std::vector<float>(in_order.rbegin(), in_order.rend())));
  sort({"--type", "f32"});
  EXPECT_EQ(bytes("out"), bytes_of(in_order));
}

TEST_F(SortTest, AnEmptyFileIsSorted) {
  put("in", "");
  EXPECT_EQ(sort({})["items"], 0);
  EXPECT_EQ(bytes("out"), "");
}

// Runs are of more keys than the host sorts by itself.
TEST_F(SortTest, OnASimulatedGpuInRuns) {
  const auto keys = random_keys<std::uint32_t>(100'000);
  put("in", bytes_of(keys));
  const auto json = sort({"--device", "simt:0", "--memory", "300000"});
  EXPECT_EQ(bytes("out"), bytes_of(sorted(keys)));
  EXPECT_EQ(json["device"], "simt:0");
  EXPECT_EQ(json["bytes_up"], 400'000);
  EXPECT_GT(json["bytes_down"], 0);
}

// As many records as are streamed, which is when keys may be coded, take a simulated GPU too long:
// HostSortTest has those.
TEST_F(SortTest, JsonSaysHowKeysWereDownloaded) {
  put("in", bytes_of(random_keys<std::uint32_t>(20'000)));
  for (const char* use : {"measured", "coded", "raw"}) {
    const auto json = sort({"--device", "simt:0", "--codec", use, "--force"});
    EXPECT_EQ(json["codec_use"], use);
    EXPECT_EQ(json["codec"], "raw");
    EXPECT_EQ(json["coded_segments"], 0);
    EXPECT_EQ(json["raw_segments"], 0);
    EXPECT_EQ(json["codec_trials"], 0);
  }
}

TEST_F(SortTest, LeavesTheInputAndNoOtherFile) {
  const std::string in = bytes_of(random_keys<std::uint32_t>());
  put("in", in);
  sort({"--memory", "65536"});
  EXPECT_EQ(names(), (std::set<std::string>{"in", "out"}));
  EXPECT_EQ(bytes("in"), in);
}

TEST_F(SortTest, JsonSaysWhatRan) {
  put("in", bytes_of(random_keys<std::int64_t>()));
  const auto json = sort({"--type", "i64", "--device", "tbb", "--policy", "uberkernel"});
  EXPECT_EQ(json["items"], kRecords);
  EXPECT_GT(json["seconds"], 0);
  EXPECT_GT(json["items_per_s"], 0);
  EXPECT_EQ(json["device"], "tbb");
  EXPECT_TRUE(json["policy"] == "uberkernel" || json["policy"] == "auto") << json["policy"];
  EXPECT_EQ(json["codec"], "raw");
  EXPECT_EQ(json["bytes_up"], 0);
  EXPECT_EQ(json["bytes_down"], 0);
}

TEST_F(SortTest, NpyGivesItsTypeAndIsWritten) {
  const std::vector<double> keys = {3, -1, 2};
  put("in.npy", npy("'<f8'", "(3,)", bytes_of(keys)));
  EXPECT_EQ(run({"sort", "in.npy", "-o", "out.npy", "--check"}).exit_status, 0);
  EXPECT_EQ(bytes("out.npy"), npy("'<f8'", "(3,)", bytes_of(sorted(keys))));
}

TEST_F(SortTest, PositionsAreNpyToo) {
  const std::vector<std::int32_t> keys = {3, -1, 2};
  put("in.npy", npy("'<i4'", "(3,)", bytes_of(keys)));
  EXPECT_EQ(run({"sort", "in.npy", "-o", "out.npy", "--argsort", "--check"}).exit_status, 0);
  EXPECT_EQ(bytes("out.npy"), npy("'<u4'", "(3,)", bytes_of(argsorted(keys))));
}

TEST_F(SortTest, ATerminalShowsABarAndATableIsPrinted) {
  if (!has_terminals()) GTEST_SKIP() << "there are no terminals here";
  put("in", bytes_of(random_keys<std::uint32_t>(1'000'000)));
  const Finished finished = run({"sort", "in", "-o", "out"}, {.err_terminal = true});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_NE(finished.err.find("**********"), finished.err.npos) << finished.err;
  EXPECT_NE(finished.out.find("in: 1000000 keys of u32\n"), finished.out.npos) << finished.out;
}

TEST_F(SortTest, TraceShowsReadingAndMerging) {
  put("in", bytes_of(random_keys<std::uint32_t>()));
  sort({"--memory", "65536", "--trace", "trace.json"});
  const std::string trace = bytes("trace.json");
  EXPECT_TRUE(nlohmann::json::parse(trace).contains("traceEvents"));
  for (const char* row : {"host read", "host write", "host merge", "host check"}) {
    EXPECT_NE(trace.find(row), trace.npos) << row;
  }
}

TEST_F(SortTest, TraceShowsUploadsComputingAndDownloadsOfADevice) {
  put("in", bytes_of(random_keys<std::uint32_t>(100'000)));
  sort({"--device", "simt:0", "--memory", "300000", "--trace", "trace.json"});
  const auto spans = spans_by_row("trace.json");
  constexpr int kRuns = 3;
  EXPECT_EQ(spans.at("simt:0 upload"), kRuns);
  EXPECT_GE(spans.at("simt:0 compute"), kRuns);
  EXPECT_EQ(spans.at("simt:0 download"), kRuns);
}

TEST_F(SortTest, RealFlightRecords) {
  const std::string delays = test_data::find("flights200k_delay_int32le");
  const std::string times = test_data::find("flights200k_time_float32le");
  if (delays.empty() || times.empty()) GTEST_SKIP() << "SKIPPED: no flight records";
  std::filesystem::copy_file(delays, path("in"));
  const auto keys = elements_of<std::int32_t>(bytes("in"));
  EXPECT_EQ(sort({"--type", "i32", "--memory", memory_for_runs(5, 800'000)})["runs"], 5);
  EXPECT_EQ(bytes("out"), bytes_of(sorted(keys)));
  sort({"--type", "i32", "--argsort", "--descending", "--force"});
  EXPECT_EQ(bytes("out"), bytes_of(argsorted(keys, true)));

  std::filesystem::copy_file(times, path("in"), std::filesystem::copy_options::overwrite_existing);
  sort({"--type", "f32", "--force"});
  EXPECT_EQ(bytes("out"), bytes_of(sorted(elements_of<float>(bytes("in")))));
}

}  // namespace
}  // namespace millrace::end_to_end
