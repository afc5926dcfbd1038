#include <millrace/tools/command/three_star_tally.h>

#include <bit>
#include <utility>

#include <millrace/algorithms/three_star/set_hash.h>

namespace millrace::tools {

void StarTally::add(std::span<const three_star::ThreeStar> stars) {
  std::unique_ptr<Part> part = take();
  for (const three_star::ThreeStar& star : stars) {
    part->hash += three_star::hash_of(star);
    ++part->per_sensor[star.a];
    ++part->per_sensor[star.b];
    ++part->per_sensor[star.c];
  }
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(part));
}

std::uint64_t StarTally::set_hash() const {
  std::uint64_t hash = 0;
  for (const auto& part : idle_) hash += part->hash;
  return hash;
}

std::vector<std::uint64_t> StarTally::histogram() const {
  std::vector<std::uint64_t> sensors;
  for (std::size_t i = 0; i < sensors_; ++i) {
    std::uint64_t stars = 0;
    for (const auto& part : idle_) stars += part->per_sensor[i];
    const auto bin = static_cast<std::size_t>(std::bit_width(stars));
    if (bin >= sensors.size()) sensors.resize(bin + 1);
    ++sensors[bin];
  }
  return sensors;
}

std::unique_ptr<StarTally::Part> StarTally::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Part> part = std::move(idle_.back());
      idle_.pop_back();
      return part;
    }
  }
  auto part = std::make_unique<Part>();
  part->per_sensor.resize(sensors_);
  return part;
}

}  // namespace millrace::tools
