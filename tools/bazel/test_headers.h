// SPDX-License-Identifier: Apache-2.0

// Headers that tests include most, for precompiled_headers.bzl. Tests name what they use all the same.
#ifndef MILLRACE_TOOLS_BAZEL_TEST_HEADERS_H_
#define MILLRACE_TOOLS_BAZEL_TEST_HEADERS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#endif  // MILLRACE_TOOLS_BAZEL_TEST_HEADERS_H_
