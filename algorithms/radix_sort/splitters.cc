#include <millrace/algorithms/radix_sort/splitters.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>

#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/runtime/error.h>

namespace millrace::radix_sort {
namespace {

template <class Bits>
std::vector<Splitter> sample(const SortArguments& arguments, std::uint64_t first_place,
                             std::size_t samples) {
  const auto map = KeyBits<Bits>::of(arguments.key_type, arguments.order);
  const auto* const keys = static_cast<const Bits*>(arguments.keys_in);
  const std::size_t count = std::min(samples, arguments.count);
  std::mt19937_64 random;
  std::vector<Splitter> records(count);
  // Ranges whose sizes differ by one at most, without products that overflow.
  const std::size_t size = count == 0 ? 0 : arguments.count / count;
  const std::size_t larger = count == 0 ? 0 : arguments.count % count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * size + std::min(i, larger);
    const std::size_t place = first + random() % (size + (i < larger ? 1 : 0));
    records[i] = {map.ordered(keys[place]), first_place + place};
  }
  return records;
}

double sum_of(std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const bool are_good =
      std::all_of(weights.begin(), weights.end(), [](double weight) { return weight >= 0; });
  if (are_good && sum > 0 && std::isfinite(sum)) return sum;
  std::string list;
  for (const double weight : weights) list += (list.empty() ? "" : ", ") + std::to_string(weight);
  throw Error(ErrorCode::kInvalidArgument,
              "weights are " + (list.empty() ? "none" : list) +
                  "; they are 0 or more and finite, and one of them is more");
}

}  // namespace

std::vector<Splitter> sample_records(const SortArguments& arguments, std::uint64_t first_place,
                                     std::size_t samples) {
  return key_bytes(arguments.key_type) == 4
             ? sample<std::uint32_t>(arguments, first_place, samples)
             : sample<std::uint64_t>(arguments, first_place, samples);
}

std::vector<Splitter> choose_splitters(std::vector<Splitter> sample,
                                       std::span<const double> weights) {
  constexpr Splitter kFirst = {};
  constexpr Splitter kBehindAll = {std::numeric_limits<std::uint64_t>::max(),
                                   std::numeric_limits<std::uint64_t>::max()};
  const double all = sum_of(weights);
  std::sort(sample.begin(), sample.end());
  std::vector<Splitter> splitters;
  double before = 0;
  for (std::size_t part = 0; part + 1 < weights.size(); ++part) {
    before += weights[part];
    const double rank = std::round(before / all * static_cast<double>(sample.size()));
    const auto index = static_cast<std::size_t>(rank);
    const bool is_left = std::any_of(weights.begin() + static_cast<std::ptrdiff_t>(part) + 1,
                                     weights.end(), [](double weight) { return weight > 0; });
    if (!is_left) {
      splitters.push_back(kBehindAll);
    } else if (before == 0 || index == 0) {
      splitters.push_back(kFirst);
    } else {
      // Not behind all: the part that follows has a share.
      splitters.push_back(sample[std::min(index, sample.size() - 1)]);
    }
  }
  return splitters;
}

std::size_t part_of(std::span<const Splitter> splitters, const Splitter& record) {
  const auto behind = std::upper_bound(splitters.begin(), splitters.end(), record);
  return static_cast<std::size_t>(behind - splitters.begin());
}

}  // namespace millrace::radix_sort
