// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/mpi/mpi_communicator.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

namespace millrace::mpi {
namespace {

TEST(ThreadLevel, AnMpiThatWasInitialisedWithTooLowALevelIsRejected) {
  int level = MPI_THREAD_MULTIPLE;
  ASSERT_EQ(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SINGLE, &level), MPI_SUCCESS);
  if (level >= kThreadLevel) GTEST_SKIP() << "this MPI gives more than is requested";
  try {
    const MpiCommunicator communicator(MPI_COMM_WORLD);
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_EQ(std::string(error.what()),
              "MPI was initialised with MPI_THREAD_SINGLE; Millrace needs MPI_THREAD_SERIALIZED or "
              "more");
  }
  MPI_Finalize();
}

}  // namespace
}  // namespace millrace::mpi
