// SPDX-License-Identifier: Apache-2.0

// Random input of tests.
#ifndef MILLRACE_TESTS_RANDOM_SEEDED_RANDOM_H_
#define MILLRACE_TESTS_RANDOM_SEEDED_RANDOM_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace millrace {

// A generator whose seed is printed with a failure; MILLRACE_TEST_SEED repeats one.
class SeededRandom {
 public:
  SeededRandom() : generator_(seed()), trace_(__FILE__, __LINE__, message()) {}

  // Any of the 2^64.
  std::uint64_t operator()() { return generator_(); }

  // Uniform in low..high.
  std::uint64_t operator()(std::uint64_t low, std::uint64_t high) {
    return std::uniform_int_distribution<std::uint64_t>(low, high)(generator_);
  }

  // Returns a uniform integer in low..high, which may be negative.
  int integer(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(generator_);
  }

 private:
  static unsigned seed() {
    static const char* const given = std::getenv("MILLRACE_TEST_SEED");
    static const unsigned value = given != nullptr
                                      ? static_cast<unsigned>(std::strtoul(given, nullptr, 10))
                                      : std::random_device{}();
    return value;
  }
  static std::string message() { return "MILLRACE_TEST_SEED=" + std::to_string(seed()); }

  std::mt19937_64 generator_;
  testing::ScopedTrace trace_;
};

}  // namespace millrace

#endif  // MILLRACE_TESTS_RANDOM_SEEDED_RANDOM_H_
