// SPDX-License-Identifier: Apache-2.0

// Standard headers that libraries include most, for precompiled_headers.bzl. Sources include what
// they use anyway.
#ifndef MILLRACE_TOOLS_BAZEL_STANDARD_HEADERS_H_
#define MILLRACE_TOOLS_BAZEL_STANDARD_HEADERS_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#endif  // MILLRACE_TOOLS_BAZEL_STANDARD_HEADERS_H_
