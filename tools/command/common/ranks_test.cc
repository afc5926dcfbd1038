// SPDX-License-Identifier: Apache-2.0

// Subcommands of several ranks: their devices, their errors, and what is of one process.
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/testing/fake_backend.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/ranks.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::tools {
namespace {

using testing::StartsWith;

// A second InterruptGuard would be rejected, so one rank waits at most: of two.
constexpr int kRanks = 2;

constexpr int kThrew = -1;  // Used in place of a status.

const RegisterBackend registered(std::make_unique<FakeBackend>("mill", 3));
const RegisterBackend registered_too(std::make_unique<FakeBackend>("lone", 1));

// A backend of one device that is named like it, as the CPU's.
class NamedAlike final : public Backend {
 public:
  std::string_view name() const override { return "alike"; }
  std::vector<DeviceInfo> list_devices() const override { return {device_->info()}; }
  std::shared_ptr<Device> open_device(int) override { return device_; }
  std::string why_empty() const override { return ""; }

 private:
  const std::shared_ptr<FakeDevice> device_ = std::make_shared<FakeDevice>(
      DeviceInfo{.backend = "alike", .name = "alike", .target = "", .description = ""});
};

const RegisterBackend registered_alike(std::make_unique<NamedAlike>());

// The devices of the ranks of a machine, or what the first says that throws.
std::string devices_of_ranks(int ranks, const std::string& names) {
  std::vector<std::string> devices(static_cast<std::size_t>(ranks));
  std::string all;
  try {
    for (const std::exception_ptr& thrown : catch_ranks(ranks, [&](Communicator& communicator) {
           devices[static_cast<std::size_t>(communicator.rank())] =
               open_rank_device(communicator, names)->info().name;
         })) {
      if (thrown) std::rethrow_exception(thrown);
    }
  } catch (const Error& error) {
    return error.what();
  }
  for (const std::string& device : devices) all += (all.empty() ? "" : " ") + device;
  return all;
}

TEST(OpenRankDevice, GivesTheNamedDevicesToTheRanksOfAMachine) {
  const struct {
    int ranks;
    const char* names;
    const char* devices;
  } cases[] = {
      {1, "mill", "mill:0"},
      {3, "mill", "mill:0 mill:1 mill:2"},
      {4, "mill",
       "--device mill names fewer devices (3) than there are ranks on this machine (4); name one "
       "for each rank, or one that all share"},
      {3, "mill:1", "mill:1 mill:1 mill:1"},
      {1, "lone", "lone:0"},
      {2, "lone",
       "--device lone names fewer devices (1) than there are ranks on this machine (2); name one "
       "for each rank, or one that all share"},
      {2, "lone:0", "lone:0 lone:0"},
      {2, "alike", "alike alike"},
      {2, "mill:2,alike", "mill:2 alike"},
      {2, "mill:2,mill:1,alike", "mill:2 mill:1"},
      {3, "mill:0,mill:1",
       "--device mill:0,mill:1 names fewer devices (2) than there are ranks on this machine (3); "
       "name one for each rank, or one that all share"},
      {2, "mill:0,mill:0",
       "device 'mill:0' is twice in --device mill:0,mill:0; name it once, or alone for all ranks "
       "to share it"},
      {2, "mill,mill:0",
       "device 'mill:0' is twice in --device mill,mill:0; name it once, or alone for all ranks to "
       "share it"},
      {1, "mill:0,", "'mill:0,' has an empty device name; write one comma between names"},
      {1, ",mill:0", "',mill:0' has an empty device name; write one comma between names"},
      {1, "mill:0,,mill:1",
       "'mill:0,,mill:1' has an empty device name; write one comma between names"},
  };
  for (const auto& [ranks, names, devices] : cases) {
    EXPECT_EQ(devices_of_ranks(ranks, names), devices) << ranks << " ranks, " << names;
  }
}

TEST(OpenRankDevice, ChecksNamesThatNoRankOpens) {
  EXPECT_THAT(devices_of_ranks(1, "mill:0,mill:7"), StartsWith("no device 'mill:7'; there are: "));
  EXPECT_THAT(devices_of_ranks(1, "mull"), StartsWith("no device 'mull'; there are: "));
}

TEST(SampleOfFile, DistinguishesFiles) {
  const std::string path = testing::TempDir() + "ranks_test_sample";
  std::set<std::string> samples = {sample_of_file(path)};
  for (const std::size_t size : {0, 1, 2, 200'000}) {
    for (const std::size_t position : {std::size_t{0}, size - 1}) {
      std::string bytes(size, 'a');
      if (size > 0) bytes[position] = 'b';
      std::ofstream(path, std::ios::binary) << bytes;
      samples.insert(sample_of_file(path));
    }
  }
  std::filesystem::remove(path);
  EXPECT_EQ(samples.size(), 1U + 1 + 1 + 2 + 2);
}

TEST(RunOnRank, ThrowsWhatRanksHaveAgreedOnWhereItIsSaid) {
  std::vector<std::string> ends;
  for (const std::exception_ptr& thrown : catch_ranks(kRanks, [](Communicator& communicator) {
         run_on_rank(communicator, [&] {
           together(communicator, [&] {
             if (communicator.rank() == 1) throw Error(ErrorCode::kIo, "no such file");
           });
         });
       })) {
    try {
      std::rethrow_exception(thrown);
    } catch (const AgreedError& error) {
      ends.emplace_back(error.what());
    } catch (const ExitStatus& end) {
      ends.push_back(std::to_string(end.status()));
    }
  }
  EXPECT_EQ(ends, (std::vector<std::string>{"rank 1: no such file", "2"}));
}

TEST(RunOnRankDeathTest, EndsAllRanksWithAnErrorOfOne) {
  const auto run = [] {
    catch_ranks(kRanks, [](Communicator& communicator) {
      run_on_rank(communicator, [&] {
        if (communicator.rank() == 1) throw std::bad_alloc();
        all_sum(communicator, 1);  // It waits for rank 1.
      });
    });
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(2), "millrace: rank 1: ");
}

// The statuses that ranks end with, and how often `run` was called.
struct Ends {
  std::vector<int> statuses;
  int runs = 0;
};

Ends ends_of(const std::function<void()>& run) {
  std::atomic<int> runs = 0;
  std::vector<int> statuses;
  for (const std::exception_ptr& thrown : catch_ranks(kRanks, [&](Communicator& communicator) {
         run_on_rank_0(communicator, "report", [&] {
           ++runs;
           EXPECT_EQ(communicator.rank(), 0);
           run();
         });
       })) {
    try {
      if (thrown) std::rethrow_exception(thrown);
      statuses.push_back(0);
    } catch (const ExitStatus& end) {
      statuses.push_back(end.status());
    } catch (const Error&) {
      statuses.push_back(kThrew);
    }
  }
  return {statuses, runs};
}

TEST(RunOnRank0, RunsOnceAndAllEndAlike) {
  const Ends ends = ends_of([] {});
  EXPECT_EQ(ends.runs, 1);
  EXPECT_EQ(ends.statuses, (std::vector<int>{0, 0}));
}

TEST(RunOnRank0, EndsWithItsStatusOnAllRanks) {
  EXPECT_EQ(ends_of([] { throw ExitStatus(130); }).statuses, (std::vector<int>{130, 130}));
}

TEST(RunOnRank0, ThrowsThereAndEndsOthersWithoutWords) {
  testing::internal::CaptureStderr();
  const Ends ends = ends_of([] { throw Error(ErrorCode::kIo, "r.json: exists already"); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "millrace: report works on rank 0 alone\n");
  EXPECT_EQ(ends.statuses, (std::vector<int>{kThrew, 2}));
}

TEST(RunOnEachMachine, RunsOnTheFirstRankOfOne) {
  std::atomic<int> runs = 0;
  run_ranks(kRanks, [&](Communicator& communicator) {
    run_on_each_machine(communicator, "tune", [&](const std::string& machine) {
      ++runs;
      EXPECT_EQ(communicator.local_rank(), 0);
      EXPECT_EQ(machine, "");
    });
  });
  EXPECT_EQ(runs, 1);
}

// Ranks each of which has a machine of its own.
class OfManyMachines final : public Communicator {
 public:
  explicit OfManyMachines(Communicator& ranks) : ranks_(ranks) {}

  int rank() const override { return ranks_.rank(); }
  int size() const override { return ranks_.size(); }
  int local_rank() const override { return 0; }
  int local_size() const override { return 1; }
  std::unique_ptr<Transfer> send(int target, MessageTag tag, const void* data,
                                 std::size_t bytes) override {
    return ranks_.send(target, tag, data, bytes);
  }
  std::unique_ptr<Transfer> receive(int source, MessageTag tag, void* data,
                                    std::size_t bytes) override {
    return ranks_.receive(source, tag, data, bytes);
  }
  bool takes_device_memory(const std::string& target) const override {
    return ranks_.takes_device_memory(target);
  }
  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    ranks_.all_gather(mine, bytes, all);
  }
  void broadcast(void* data, std::size_t bytes, int root) override {
    ranks_.broadcast(data, bytes, root);
  }
  void all_sum(std::uint64_t* values, std::size_t count) override { ranks_.all_sum(values, count); }

 private:
  Communicator& ranks_;
};

TEST(RunOnEachMachine, DistinguishesMachines) {
  std::vector<std::string> machines(kRanks);
  run_ranks(kRanks, [&](Communicator& ranks) {
    OfManyMachines communicator(ranks);
    run_on_each_machine(communicator, "bench", [&](const std::string& machine) {
      machines[static_cast<std::size_t>(communicator.rank())] = machine;
    });
  });
  EXPECT_EQ(machines, (std::vector<std::string>{"-rank0", "-rank1"}));
}

// Returns standard error where a machine's first rank, which is not rank 0, throws.
std::string words_of_another_machine(const std::function<void()>& run) {
  testing::internal::CaptureStderr();
  const auto all_thrown = catch_ranks(kRanks, [&](Communicator& ranks) {
    OfManyMachines communicator(ranks);
    run_on_each_machine(communicator, "bench", [&](const std::string&) {
      if (communicator.rank() == 1) run();
    });
  });
  EXPECT_FALSE(all_thrown[0]);
  EXPECT_TRUE(all_thrown[1]);
  return testing::internal::GetCapturedStderr();
}

TEST(RunOnEachMachine, SaysOnEachWhatWasThrown) {
  const std::string note = "millrace: bench works on one rank of each machine\n";
  EXPECT_EQ(words_of_another_machine([] { throw Error(ErrorCode::kIo, "no such file"); }),
            note + "millrace: rank 1: no such file\n");
  EXPECT_EQ(words_of_another_machine([] { throw std::bad_alloc(); }),
            note + "millrace: rank 1: the run needs more memory than this process may have\n");
  EXPECT_THAT(words_of_another_machine([] { std::filesystem::create_directory("no/such/folder"); }),
              StartsWith(note + "millrace: rank 1: "));
  EXPECT_EQ(words_of_another_machine([] { throw ExitStatus(1); }), note);
}

TEST(PathOfMachine, NamesAMachineBeforeTheExtension) {
  EXPECT_EQ(path_of_machine("results.json", ""), "results.json");
  EXPECT_EQ(path_of_machine("results.json", "-rank8"), "results-rank8.json");
  EXPECT_EQ(path_of_machine("a.b/page", "-rank0"), "a.b/page-rank0");
  EXPECT_EQ(path_of_machine("../pages/", "-rank0"), "../pages-rank0");
}

}  // namespace
}  // namespace millrace::tools
