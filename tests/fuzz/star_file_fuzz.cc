// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as a file of 3-stars. Its points are sorted here, so that no device is linked.
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/three_star/chunks/star_file.h>
#include <millrace/runtime/testing/fake_backend.h>
#include <millrace/tests/fuzz/input/input_file.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::radix_sort {
namespace {

template <class Key>
void argsort_keys(const SortArguments& arguments) {
  const Key* const keys = static_cast<const Key*>(arguments.keys_in);
  auto* const indices = static_cast<std::uint32_t*>(arguments.values_out);
  std::iota(indices, indices + arguments.count, 0U);
  std::stable_sort(indices, indices + arguments.count,
                   [keys](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
}

}  // namespace

// In place of those of the library that runs on devices.
void internal::check_size(const char*, std::size_t size, std::size_t expected) {
  fuzz::require(size == expected, "an array has another size");
}

SortReport sort(Queue&, const SortArguments& arguments, Policy) {
  fuzz::require(arguments.is_argsort && arguments.value_bytes == 4, "points are sorted otherwise");
  if (key_bytes(arguments.key_type) == 8) {
    argsort_keys<std::uint64_t>(arguments);
  } else {
    argsort_keys<std::uint32_t>(arguments);
  }
  return {};
}

}  // namespace millrace::radix_sort

namespace millrace::three_star {
namespace {

// Decodes a chunk in all ways there are. Throws Error where it has other 3-stars than it says.
void decode(const StarChunk& chunk, std::size_t points) {
  std::uint64_t stars = 0;
  for (const ThreeStar& star : chunk) {
    ++stars;
    fuzz::require(star.a < points && star.b < points && star.c < points,
                  "a 3-star is of points that are not there");
  }
  std::uint64_t visited = 0;
  chunk.visit([&](std::span<const ThreeStar> some) { visited += some.size(); });
  fuzz::require(visited == stars && visited == chunk.three_stars(),
                "a chunk is taken that has other 3-stars than it says");
  std::vector<std::uint64_t> stars_of(points);
  chunk.count_sensors(stars_of);
  fuzz::require(std::accumulate(stars_of.begin(), stars_of.end(), std::uint64_t{0}) == 3 * stars,
                "points are in other 3-stars than there are");
  if (points > 0) chunk.visit_lowest({0, static_cast<std::uint32_t>(points)}, [](auto) {});
}

}  // namespace
}  // namespace millrace::three_star

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  static FakeBackend backend("fuzz", 1);
  static const std::unique_ptr<Queue> queue = backend.open_device(0)->make_queue({});
  fuzz::read_or_reject([&] {
    std::istringstream in(std::string(data, data + size));
    three_star::StarFileReader reader(*queue, in, "all.3star");
    while (const std::optional<three_star::StarChunk> chunk = reader.next()) {
      three_star::decode(*chunk, reader.points().size());
    }
  });
  return 0;
}
