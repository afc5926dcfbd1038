// SPDX-License-Identifier: Apache-2.0

// Input for the tests of this folder, from a seed that is printed with a failure.
#ifndef MILLRACE_ALGORITHMS_CODECS_CODECS_TEST_INPUT_H_
#define MILLRACE_ALGORITHMS_CODECS_CODECS_TEST_INPUT_H_

#include <millrace/algorithms/codecs/coded_header.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace millrace::codecs {

// Returns integers for the delta codec in one of six ways: close together, sorted and of any size,
// not sorted, all equal, alternating extremes, and close together with rare large steps.
template <class T>
std::vector<T> random_integers(std::size_t count, SeededRandom& random) {
  const std::uint64_t way = random(0, 5);
  const T most = std::numeric_limits<T>::max();
  std::vector<T> values(count);
  T value = static_cast<T>(random());
  for (T& each : values) {
    if (way == 0 || way == 5) value = static_cast<T>(value + random(0, 200));
    if (way == 5 && random(0, 300) == 0) value = static_cast<T>(value + (random() >> 8));
    if (way == 1 || way == 2) value = static_cast<T>(random());
    if (way == 4) value = value == 0 ? most : T{0};
    each = value;
  }
  if (way == 1) std::ranges::sort(values);
  return values;
}

// Changes up to four bytes of a coded chunk, most often of its header, directory or first tile, or
// truncates it.
inline void damage(std::vector<std::byte>& coded, SeededRandom& random) {
  if (random(0, 7) == 0) {
    coded.resize(random(0, coded.size()));
    return;
  }
  const std::uint64_t changes = 1 + random(0, 3);
  for (std::uint64_t i = 0; i < changes; ++i) {
    const std::uint64_t reach =
        random(0, 3) == 0 ? coded.size() : std::min<std::uint64_t>(coded.size(), 160);
    std::byte& byte = coded[random(0, reach - 1)];
    byte = random(0, 1) == 0 ? static_cast<std::byte>(random())
                             : byte ^ static_cast<std::byte>(1U << random(0, 7));
  }
}

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CODECS_TEST_INPUT_H_
