// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/world.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace millrace {
namespace {

// Sets a launcher's environment variable during the object's life.
class LauncherVariable {
 public:
  LauncherVariable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~LauncherVariable() { unsetenv(name_); }
  LauncherVariable(const LauncherVariable&) = delete;
  LauncherVariable& operator=(const LauncherVariable&) = delete;

 private:
  const char* const name_;
};

TEST(World, OfSeveralProcessesTakesMpiInTheBuild) {
  for (const char* const size : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const LauncherVariable variable(size, "2");
    try {
      world_communicator();
      ADD_FAILURE() << size << ": a world without MPI";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
      EXPECT_EQ(std::string(error.what()),
                "this process was started as one of several, but this program was built without "
                "MPI (bazel build --config=mpi; Debian, Ubuntu: apt install libopenmpi-dev)");
    }
  }
}

TEST(World, IsTheRankItselfWhereThereIsNoLauncher) {
  EXPECT_EQ(launched_rank(), 0);
  EXPECT_EQ(world_communicator().size(), 1);
  EXPECT_EQ(world_communicator().rank(), 0);
}

TEST(LaunchedRank, IsWhatTheLauncherSays) {
  for (const char* const rank : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}) {
    const LauncherVariable variable(rank, "12");
    EXPECT_EQ(launched_rank(), 12) << rank;
  }
}

TEST(AbortWorldDeathTest, EndsWithTheStatus) {
  EXPECT_EXIT(abort_world(2), testing::ExitedWithCode(2), "");
}

}  // namespace
}  // namespace millrace
