// SPDX-License-Identifier: Apache-2.0

// `millrace sort` by a range of bits, of unique keys, of the first ones, and of arrays in archives.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/key_file.h>
#include <millrace/tests/random/seeded_random.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace millrace::end_to_end {
namespace {

std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xff);
  return text;
}

// A zip archive of stored members, as numpy.savez writes them.
std::string npz(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string bytes;
  std::string directory;
  for (const auto& [name, data] : members) {
    const std::string head = little(20, 2) + little(0, 2) + little(0, 2) + little(0, 4) +
                             little(0, 4) + little(data.size(), 4) + little(data.size(), 4) +
                             little(name.size(), 2) + little(0, 2);
    directory.append("PK\x01\x02").append(little(20, 2)).append(head).append(10, '\0');
    directory.append(little(bytes.size(), 4)).append(name);
    bytes.append("PK\x03\x04").append(head).append(name).append(data);
  }
  return bytes + directory + "PK\x05\x06" + little(0, 4) + little(members.size(), 2) +
         little(members.size(), 2) + little(directory.size(), 4) + little(bytes.size(), 4) +
         little(0, 2);
}

// The first of records with equal keys.
template <class T, class KeyOf>
std::vector<T> unique(std::vector<T> records, const KeyOf& key_of) {
  const auto end = std::unique(records.begin(), records.end(),
                               [&](const T& a, const T& b) { return key_of(a) == key_of(b); });
  records.erase(end, records.end());
  return records;
}

class SortSelectionTest : public EndToEndTest {
 protected:
  nlohmann::json sort(const std::vector<std::string>& arguments, const std::string& in = "in",
                      const std::string& out = "out") const {
    std::vector<std::string> all = {path(in), "-o", path(out)};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_json("sort", all);
  }

  template <class T>
  std::vector<T> random_keys(std::size_t count, std::uint64_t values) {
    std::vector<T> keys(count);
    for (T& key : keys) key = static_cast<T>(random_(0, values - 1));
    return keys;
  }

  SeededRandom random_;
};

TEST_F(SortSelectionTest, HalvesAreInTheTotalOrder) {
  const auto keys = random_keys<std::uint16_t>(30'000, 65'536);
  put("in", bytes_of(keys));
  const auto wanted = sorted(keys, false, [](std::uint16_t key) {
    return (key & 0x8000) != 0 ? -1 - (key & 0x7fff) : int{key};
  });
  sort({"--type", "f16", "--check"});
  EXPECT_EQ(bytes("out"), bytes_of(wanted));
  sort({"--type", "f16", "--check", "--memory", "65536"});
  EXPECT_EQ(bytes("out"), bytes_of(wanted));
}

TEST_F(SortSelectionTest, NarrowKeysTakeValues) {
  std::vector<std::array<std::uint8_t, 5>> records(20'000);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string record = little(random_(0, 255), 1) + little(i, 4);
    std::copy(record.begin(), record.end(), records[i].begin());
  }
  put("in", bytes_of(records));
  sort({"--type", "u8", "--value-bytes", "4", "--check"});
  EXPECT_EQ(bytes("out"), bytes_of(sorted(records, false, [](const auto& r) { return r[0]; })));
}

TEST_F(SortSelectionTest, NarrowArraysOfEitherOrder) {
  const auto keys = random_keys<std::uint16_t>(5000, 65'536);
  std::vector<std::uint16_t> swapped = keys;
  for (std::uint16_t& key : swapped) key = static_cast<std::uint16_t>(key << 8 | key >> 8);
  put("in", npy("'>u2'", "(5000,)", bytes_of(swapped)));
  EXPECT_EQ(sort({"--check"}, "in", "out.npy")["type"], "u16");
  const std::string out = bytes("out.npy");
  EXPECT_EQ(out.substr(out.size() - 10'000), bytes_of(sorted(keys)));
  EXPECT_NE(out.find("'<u2'"), std::string::npos);
}

TEST_F(SortSelectionTest, BitsDecideAlone) {
  const auto keys = random_keys<std::uint32_t>(40'000, 0x100000000);
  put("in", bytes_of(keys));
  for (const std::array<int, 2> bits : {std::array{0, 8}, {5, 17}, {31, 32}, {0, 32}}) {
    const auto digit = [&](std::uint32_t key) {
      return (std::uint64_t{key} & ((std::uint64_t{1} << bits[1]) - 1)) >> bits[0];
    };
    const std::string range = std::to_string(bits[0]) + ":" + std::to_string(bits[1]);
    for (const bool is_descending : {false, true}) {
      std::vector<std::string> options = {"--bits", range, "--check"};
      if (is_descending) options.emplace_back("--descending");
      const auto wanted = sorted(keys, is_descending, digit);
      EXPECT_EQ(sort(options)["bits"], nlohmann::json(bits));
      EXPECT_EQ(bytes("out"), bytes_of(wanted)) << range;
      options.insert(options.end(), {"--memory", "70000"});
      EXPECT_GT(sort(options)["runs"], 1);
      EXPECT_EQ(bytes("out"), bytes_of(wanted)) << range;
    }
  }
}

TEST_F(SortSelectionTest, OfEqualKeysTheFirstIsKept) {
  std::vector<std::array<std::uint32_t, 2>> records(30'000);
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    records[i] = {static_cast<std::uint32_t>(random_(0, 999)), i};
  }
  put("in", bytes_of(records));
  const auto key = [](const auto& record) { return record[0]; };
  const auto wanted = unique(sorted(records, false, key), key);
  const auto report = sort({"--value-bytes", "4", "--unique"});
  EXPECT_EQ(report["written"], wanted.size());
  EXPECT_EQ(report["items"], records.size());
  EXPECT_EQ(bytes("out"), bytes_of(wanted));
  sort({"--value-bytes", "4", "--unique", "--memory", "65536"});
  EXPECT_EQ(bytes("out"), bytes_of(wanted)) << "of several runs";
  const auto low = [](const auto& record) { return record[0] % 16; };
  sort({"--value-bytes", "4", "--unique", "--bits", "0:4"});
  EXPECT_EQ(bytes("out"), bytes_of(unique(sorted(records, false, low), low)));
}

TEST_F(SortSelectionTest, UniquePositions) {
  const auto keys = random_keys<std::uint32_t>(20'000, 500);
  put("in", bytes_of(keys));
  const auto wanted =
      unique(argsorted(keys), [&](std::uint32_t position) { return keys[position]; });
  sort({"--argsort", "--unique"});
  EXPECT_EQ(bytes("out"), bytes_of(wanted));
  sort({"--argsort", "--unique", "--memory", "65536"});
  EXPECT_EQ(bytes("out"), bytes_of(wanted));
}

TEST_F(SortSelectionTest, TheFirstOnesOfTheResult) {
  const auto keys = random_keys<std::uint32_t>(50'000, 0x100000000);
  put("in", bytes_of(keys));
  for (const bool is_descending : {false, true}) {
    for (const std::size_t top : {1U, 77U, 20'000U, 60'000U}) {
      auto wanted = sorted(keys, is_descending);
      wanted.resize(std::min(top, wanted.size()));
      auto positions = argsorted(keys, is_descending);
      positions.resize(wanted.size());
      std::vector<std::string> options = {"--top", std::to_string(top)};
      if (is_descending) options.emplace_back("--descending");
      EXPECT_EQ(sort(options)["written"], wanted.size());
      EXPECT_EQ(bytes("out"), bytes_of(wanted));
      auto in_runs = options;
      in_runs.insert(in_runs.end(), {"--memory", "65536"});
      sort(in_runs);
      EXPECT_EQ(bytes("out"), bytes_of(wanted));
      options.emplace_back("--argsort");
      sort(options);
      EXPECT_EQ(bytes("out"), bytes_of(positions));
    }
  }
}

TEST_F(SortSelectionTest, UniqueOnesOfTheTop) {
  const auto keys = random_keys<std::uint32_t>(20'000, 700);
  put("in", bytes_of(keys));
  auto wanted = unique(sorted(keys, true), [](std::uint32_t key) { return key; });
  wanted.resize(10);
  sort({"--descending", "--unique", "--top", "10"});
  EXPECT_EQ(bytes("out"), bytes_of(wanted));
}

TEST_F(SortSelectionTest, ArraysHaveTheNumberThatIsWritten) {
  const auto keys = random_keys<std::uint32_t>(20'000, 700);
  put("in", npy("'<u4'", "(20000,)", bytes_of(keys)));
  const auto wanted = unique(sorted(keys), [](std::uint32_t key) { return key; });
  sort({"--unique"}, "in", "out.npy");
  EXPECT_EQ(bytes("out.npy"),
            npy("'<u4'", "(" + std::to_string(wanted.size()) + ",)", bytes_of(wanted)));
  sort({"--top", "3"}, "in", "out.npy");
  EXPECT_EQ(bytes("out.npy"), npy("'<u4'", "(3,)", bytes_of(sorted(keys)).substr(0, 12)));
}

TEST_F(SortSelectionTest, ArraysOfAnArchive) {
  const auto a = random_keys<std::uint32_t>(1000, 0x100000000);
  const auto b = random_keys<std::int16_t>(500, 65'536);
  const std::string a_array = npy("'<u4'", "(1000,)", bytes_of(a));
  const std::string b_array = npy("'<i2'", "(500,)", bytes_of(b));
  put("in.npz", npz({{"a.npy", a_array}, {"b.npy", b_array}}));
  sort({"--check"}, "in.npz:a");
  EXPECT_EQ(bytes("out"), bytes_of(sorted(a)));
  EXPECT_EQ(sort({"--member", "b", "--check"}, "in.npz")["member"], "b");
  EXPECT_EQ(bytes("out"), bytes_of(sorted(b)));
  put("one", npz({{"arr_0.npy", b_array}}));
  sort({"--check"}, "one");
  EXPECT_EQ(bytes("out"), bytes_of(sorted(b)));
}

TEST_F(SortSelectionTest, WritesToStandardOutput) {
  const auto keys = random_keys<std::uint8_t>(9000, 256);
  put("in", bytes_of(keys));
  const Finished finished = run({"sort", path("in"), "-o", "-", "--type", "u8", "--unique"});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_EQ(finished.out, bytes_of(unique(sorted(keys), [](std::uint8_t key) { return key; })));
}

}  // namespace
}  // namespace millrace::end_to_end
