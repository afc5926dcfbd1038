// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/ranks.h>

#include <gtest/gtest.h>

namespace millrace::conformance {

void expect_thrown(int size, const std::string& words,
                   const std::function<void(const DistributedQueue&)>& rank) {
  run_ranks(size, [&](Communicator& communicator) {
    const auto queue = open_device(some_device_name())->make_queue();
    std::string thrown;
    try {
      rank({communicator, *queue});
    } catch (const Error& error) {
      thrown = error.what();
    }
    EXPECT_EQ(thrown, words);
  });
}

}  // namespace millrace::conformance
