// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace millrace {
namespace {

class PolicyStore : public testing::Test {
 protected:
  PolicyStore() {
    std::filesystem::remove_all(folder_);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~PolicyStore() override { unsetenv("XDG_CACHE_HOME"); }

  static DeviceCosts some_costs(double first) {
    DeviceCosts costs = default_costs(kDevice);
    costs.of(Policy::kUberkernel)[kCostOfRun] = first;
    costs.link = {1.0 / 3, 2e9, 3e-6};
    costs.residual = 0.125;
    return costs;
  }

  static std::string text() {
    std::ifstream file(policy_store_path(kDevice));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write(const std::string& text) { std::ofstream(policy_store_path(kDevice)) << text; }

  static DeviceInfo some_device() {
    DeviceInfo device;
    device.backend = "any";
    device.name = "any:0";
    device.description = "A processor";
    device.compute_units = 3;
    return device;
  }

  inline static const DeviceInfo kDevice = some_device();

  const std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "policy_store";
};

TEST_F(PolicyStore, GivesBackWhatItWasGiven) {
  EXPECT_EQ(load_costs(kDevice).costs, nullptr);
  EXPECT_EQ(load_costs(kDevice).problem, "");
  const DeviceCosts costs = some_costs(1.0 / 7);
  store_costs(kDevice, costs);
  const StoredCosts stored = load_costs(kDevice);
  ASSERT_NE(stored.costs, nullptr) << stored.problem;
  EXPECT_EQ(stored.costs->policies, costs.policies);
  EXPECT_EQ(stored.costs->workers, 3);
  EXPECT_EQ(stored.costs->link.up, 1.0 / 3);
  EXPECT_EQ(stored.costs->link.down, 2e9);
  EXPECT_EQ(stored.costs->link.chunk_seconds, 3e-6);
  EXPECT_EQ(stored.costs->residual, 0.125);
}

TEST_F(PolicyStore, IsBelowTheCacheFolder) {
  EXPECT_EQ(policy_store_path(kDevice).parent_path(), folder_ / "millrace");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(policy_store_path(kDevice).parent_path(), "/home/somebody/.cache/millrace");
  for (const char* const home : {"", "relative"}) {
    setenv("HOME", home, 1);
    EXPECT_EQ(policy_store_path(kDevice), "") << home;
  }
}

// Each case puts an obstacle at XDG_CACHE_HOME, or at a folder or file in it.
TEST_F(PolicyStore, SaysBeforehandThatItCannotBeWritten) {
  namespace fs = std::filesystem;
  const struct {
    const char* name;
    const char* words;
    std::function<void()> make;
  } cases[] = {
      {"a file", "Not a directory", [&] { std::ofstream(folder_) << "mine"; }},
      {"a file instead of the folder", "Not a directory",
       [&] {
         fs::create_directories(folder_);
         std::ofstream(folder_ / "millrace") << "mine";
       }},
      {"a dangling link", "No such file", [&] { fs::create_symlink("nowhere", folder_); }},
      {"a link to a file", "Not a directory", [&] { fs::create_symlink("/dev/null", folder_); }},
      {"a folder instead of the file", "Is a directory",
       [&] { fs::create_directories(policy_store_path(kDevice)); }},
      {"a file system that has no files", "No such file",
       [] { setenv("XDG_CACHE_HOME", "/proc", 1); }},
      {"no location", "set one of them",
       [] {
         unsetenv("XDG_CACHE_HOME");
         unsetenv("HOME");
       }},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    fs::remove_all(folder_);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    test.make();
    try {
      check_costs_can_be_stored(kDevice);
      ADD_FAILURE() << "no error was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kIo);
      EXPECT_NE(std::string(error.what()).find(test.words), std::string::npos) << error.what();
    }
    EXPECT_THROW(store_costs(kDevice, some_costs(1)), Error);
  }
}

TEST_F(PolicyStore, LeavesNothingWhereItCanBeWritten) {
  const std::filesystem::path parent = folder_ / "not" / "yet";
  for (const bool is_there : {false, true}) {
    setenv("XDG_CACHE_HOME", (is_there ? folder_ : parent).c_str(), 1);
    if (is_there) std::filesystem::create_directories(folder_ / "millrace");
    check_costs_can_be_stored(kDevice);
    std::vector<std::string> left;
    if (is_there) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
        left.push_back(entry.path().filename());
      }
    }
    EXPECT_EQ(left, is_there ? std::vector<std::string>{"millrace"} : std::vector<std::string>{});
    EXPECT_EQ(std::filesystem::exists(folder_), is_there);
  }
}

TEST_F(PolicyStore, ADamagedFileIsNotUsed) {
  store_costs(kDevice, some_costs(1));
  const std::string good = text();
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{10}, good.size() / 2, good.size() - 4}) {
    write(good.substr(0, length));
    EXPECT_EQ(load_costs(kDevice).costs, nullptr) << length;
    EXPECT_EQ(load_costs(kDevice).problem, "it is damaged");
  }
  for (const char* const figure : {"-1", "nan", "inf", "x"}) {
    std::string bad = good;
    bad.replace(bad.find("residual ") + 9, 5, figure);
    write(bad);
    EXPECT_EQ(load_costs(kDevice).costs, nullptr) << figure;
  }
}

TEST_F(PolicyStore, AFileOfAnotherVersionIsNotUsed) {
  store_costs(kDevice, some_costs(1));
  const std::string good = text();
  const auto problem_of = [&](const std::string& version) {
    std::string other = good;
    other.replace(other.find(" 2\n"), 3, ' ' + version + '\n');
    write(other);
    EXPECT_EQ(load_costs(kDevice).costs, nullptr) << version;
    return load_costs(kDevice).problem;
  };
  EXPECT_EQ(problem_of("3"), "a newer Millrace has written it");
  EXPECT_EQ(problem_of("1"), "an older Millrace has written it");
}

// The format of version 1, with one cost fewer for each policy.
TEST_F(PolicyStore, AnOlderFileIsNotTakenForADamagedOne) {
  store_costs(kDevice, some_costs(1));
  write(
      "millrace policy costs 1\ndevice any 3 A processor\n"
      "persistent 1 2 3 4 5 6 7 8\nuberkernel 1 2 3 4 5 6 7 8\nkernel-per-type 1 2 3 4 5 6 7 8\n"
      "workers 3\nlink 0 0 0\nresidual 0.1\nend\n");
  EXPECT_EQ(load_costs(kDevice).costs, nullptr);
  EXPECT_EQ(load_costs(kDevice).problem, "an older Millrace has written it");
}

TEST_F(PolicyStore, AFileOfAnotherDeviceIsNotUsed) {
  store_costs(kDevice, some_costs(1));
  DeviceInfo other = kDevice;
  other.description = "Another processor";
  EXPECT_NE(policy_store_path(other), policy_store_path(kDevice));
  std::filesystem::copy(policy_store_path(kDevice), policy_store_path(other));
  EXPECT_EQ(load_costs(other).problem, "it is of another device");
}

TEST_F(PolicyStore, IsForgotten) {
  EXPECT_FALSE(forget_costs(kDevice));
  store_costs(kDevice, some_costs(1));
  EXPECT_TRUE(forget_costs(kDevice));
  EXPECT_EQ(load_costs(kDevice).costs, nullptr);
}

TEST_F(PolicyStore, AFolderThatCannotBeMadeIsAnError) {
  std::ofstream(folder_) << "a file";
  EXPECT_THROW(store_costs(kDevice, some_costs(1)), Error);
  std::filesystem::remove(folder_);
}

// Two processes write different costs repeatedly; a reader finds either.
TEST_F(PolicyStore, TwoProcessesMayWriteAtOnce) {
  constexpr int kWrites = 300;
  store_costs(kDevice, some_costs(1));
  const auto write_often = [](double first) {
    for (int i = 0; i < kWrites; ++i) store_costs(kDevice, some_costs(first));
  };
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    write_often(2);
    _exit(0);
  }
  for (int i = 0; i < kWrites; ++i) {
    store_costs(kDevice, some_costs(1));
    const StoredCosts stored = load_costs(kDevice);
    ASSERT_NE(stored.costs, nullptr) << stored.problem;
    const double found = stored.costs->of(Policy::kUberkernel)[kCostOfRun];
    EXPECT_TRUE(found == 1 || found == 2) << found;
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  const std::filesystem::directory_iterator files(policy_store_path(kDevice).parent_path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "temporary files are left";
}

// Processes of several containers may have the same process number and share a folder.
TEST_F(PolicyStore, FilesThatOthersAreWritingAreLeftAlone) {
  store_costs(kDevice, some_costs(1));
  std::vector<std::filesystem::path> others;
  for (int i = 0; i < 1000; ++i) {
    others.push_back(policy_store_path(kDevice));
    others.back() += "." + std::to_string(getpid()) + "." + std::to_string(i);
    std::ofstream(others.back()) << "of another";
  }
  store_costs(kDevice, some_costs(2));
  ASSERT_NE(load_costs(kDevice).costs, nullptr);
  for (const auto& other : others) {
    std::ifstream file(other);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "of another") << other;
  }
}

TEST_F(PolicyStore, AFailureLeavesNothing) {
  const std::filesystem::path path = policy_store_path(kDevice);
  std::filesystem::create_directories(path / "a folder, not a file");
  EXPECT_THROW(store_costs(kDevice, some_costs(1)), Error);
  const std::filesystem::directory_iterator files(path.parent_path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(PolicyStore, AProcessGoesByWhatIsStoredOrGivenElseByDefaults) {
  use_costs(kDevice, nullptr);
  EXPECT_EQ(costs_of(kDevice)->policies, default_costs(kDevice).policies);
  store_costs(kDevice, some_costs(5));
  EXPECT_EQ(costs_of(kDevice)->policies, default_costs(kDevice).policies) << "it is read once";
  use_costs(kDevice, nullptr);
  EXPECT_EQ(costs_of(kDevice)->policies, some_costs(5).policies);
  const auto given = std::make_shared<const DeviceCosts>(some_costs(6));
  use_costs(kDevice, given);
  EXPECT_EQ(costs_of(kDevice), given);
}

}  // namespace
}  // namespace millrace
