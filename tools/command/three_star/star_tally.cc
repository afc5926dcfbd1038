// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/set_hash.h>
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/three_star/star_tally.h>

#include <atomic>
#include <bit>
#include <span>
#include <string>

namespace millrace::tools {
namespace {

constexpr std::size_t kSmallBytes = std::size_t{4} << 20;

}  // namespace

StarTally::StarTally(std::size_t sensors)
    : sensors_(sensors), sums_(ThreadSums{.per_sensor = std::vector<std::uint64_t>(sensors)}) {}

void StarTally::add(const three_star::StarChunk& chunk) {
  std::atomic<std::uint64_t> stars = 0;
  // Chunks of a device come one at a time and are large; those of CPU threads are small.
  if (chunk.bytes().size() <= kSmallBytes) {
    stars = add(chunk, 0, chunk.records());
  } else {
    for_all_records(chunk,
                    [&](std::size_t first, std::size_t end) { stars += add(chunk, first, end); });
  }
  if (stars == chunk.three_stars()) return;
  reject("a chunk has " + std::to_string(stars) + " 3-stars, but its header says " +
         std::to_string(chunk.three_stars()));
}

void StarTally::add(std::span<const three_star::ThreeStar> stars) {
  const auto sums = sums_.borrow();
  for (const three_star::ThreeStar& star : stars) {
    sums->hash += three_star::hash_of(star);
    for (const std::uint32_t sensor : {star.a, star.b, star.c}) ++sums->per_sensor[sensor];
  }
}

std::uint64_t StarTally::add(const three_star::StarChunk& chunk, std::size_t first,
                             std::size_t end) {
  const auto sums = sums_.borrow();
  chunk.visit(first, end, [&](std::span<const three_star::ThreeStar> some) {
    for (const three_star::ThreeStar& star : some) sums->hash += three_star::hash_of(star);
  });
  return chunk.count_sensors(first, end, sums->per_sensor);
}

std::uint64_t StarTally::set_hash() const {
  std::uint64_t hash = 0;
  for (const auto& sums : sums_.objects()) hash += sums->hash;
  return hash;
}

std::vector<std::uint64_t> StarTally::histogram() const {
  std::vector<std::uint64_t> sensors;
  for (std::size_t i = 0; i < sensors_; ++i) {
    std::uint64_t stars = 0;
    for (const auto& sums : sums_.objects()) stars += sums->per_sensor[i];
    const auto bin = static_cast<std::size_t>(std::bit_width(stars));
    if (bin >= sensors.size()) sensors.resize(bin + 1);
    ++sensors[bin];
  }
  return sensors;
}

}  // namespace millrace::tools
