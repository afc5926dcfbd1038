// SPDX-License-Identifier: Apache-2.0

// Tests of calls of the C interface that fail.
#ifndef MILLRACE_BINDINGS_C_EXPECT_REJECTED_H_
#define MILLRACE_BINDINGS_C_EXPECT_REJECTED_H_

#include <millrace/c/millrace.h>

#include <gtest/gtest.h>

#include <string>

// Expects that the call fails with this status and a message that contains `words`.
#define EXPECT_REJECTED(call, status, words)                                        \
  do {                                                                              \
    EXPECT_EQ(call, status) << millrace_error_message();                            \
    EXPECT_NE(std::string(millrace_error_message()).find(words), std::string::npos) \
        << millrace_error_message();                                                \
  } while (false)

#endif  // MILLRACE_BINDINGS_C_EXPECT_REJECTED_H_
