// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/testing/run_ranks.h>

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace millrace {
namespace {

void wait(Transfer& transfer) {
  while (!transfer.is_done()) std::this_thread::yield();
}

TEST(ThreadCommunicator, WritesNothingOfATransferThatHasGone) {
  for (const auto& error : catch_ranks(2, [](Communicator& communicator) {
         int gone = 0;
         int value = communicator.rank();
         if (communicator.rank() == 0) {
           communicator.receive(1, MessageTag::kData, &gone, sizeof gone);
           communicator.broadcast(&gone, sizeof gone, 0);  // Withdrawn before rank 1 sends.
           wait(*communicator.receive(1, MessageTag::kData, &value, sizeof value));
           EXPECT_EQ(value, 1);
           EXPECT_EQ(gone, 0);
         } else {
           communicator.broadcast(&gone, sizeof gone, 0);
           wait(*communicator.send(0, MessageTag::kData, &value, sizeof value));
         }
       })) {
    EXPECT_FALSE(error);
  }
}

TEST(ThreadCommunicator, FailsCollectivesOnceARankHasLeft) {
  catch_ranks(3, [](Communicator& communicator) {
    if (communicator.rank() == 2) return;
    for (int i = 0; i < 3; ++i) {
      int values[3];
      EXPECT_THROW(communicator.all_gather(&i, sizeof i, values), Error);
    }
  });
}

}  // namespace
}  // namespace millrace
