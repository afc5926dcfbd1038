// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/crossover.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

namespace millrace::tools {
namespace {

// A comparison of two contenders at one size. `log_ratio` is above 0 if the first is slower.
struct SizeComparison {
  std::uint64_t size = 0;
  double log_ratio = 0;
  int faster = 0;  // 1: clearly the first; -1: clearly the second; 0: not clear.
};

bool is_clearly_faster(const Measurement& a, const Measurement& b) {
  return a.high_seconds < b.low_seconds && has_interval(a) && has_interval(b);
}

std::vector<SizeComparison> pairs_of(const Curve& a, const Curve& b) {
  std::vector<SizeComparison> pairs;
  for (const Measurement* first : a.points) {
    const Measurement* second = b.at(first->size);
    if (second == nullptr || first->size == 0) continue;
    pairs.push_back({first->size, std::log(first->median_seconds / second->median_seconds),
                     is_clearly_faster(*first, *second)   ? 1
                     : is_clearly_faster(*second, *first) ? -1
                                                          : 0});
  }
  return pairs;
}

// Returns the size at which the ratio is 1. It is interpolated between two pairs, of which one is
// above and one is not.
double size_between(const SizeComparison& low, const SizeComparison& high) {
  const double fraction = low.log_ratio / (low.log_ratio - high.log_ratio);
  const double from = std::log(static_cast<double>(low.size));
  return std::exp(from + fraction * (std::log(static_cast<double>(high.size)) - from));
}

// The first change of sign from `pairs[first]` on, whose sign differs from the last one's.
double size_of_change(const std::vector<SizeComparison>& pairs, std::size_t first) {
  const bool is_above = pairs[first].log_ratio > 0;
  std::size_t next = first + 1;
  while ((pairs[next].log_ratio > 0) == is_above) ++next;
  return size_between(pairs[next - 1], pairs[next]);
}

// `auto` where the policies it chooses from are there, too.
bool is_one_of_others(const Measurement& point, const std::vector<Curve>& curves) {
  const auto is_choice = [&](const Measurement* other) {
    return !other->policy.empty() && other->policy != "auto" && other->peer == point.peer &&
           other->strategy == point.strategy;
  };
  return point.policy == "auto" && std::ranges::any_of(curves, [&](const Curve& curve) {
           return std::ranges::any_of(curve.points, is_choice);
         });
}

// Returns the curves that are the fastest at some size.
std::vector<const Curve*> winners(const std::vector<Curve>& curves) {
  std::set<std::uint64_t> sizes;
  for (const Curve& curve : curves) {
    for (const Measurement* point : curve.points) sizes.insert(point->size);
  }
  std::vector<const Curve*> winners;
  for (const std::uint64_t size : sizes) {
    const Curve* fastest = nullptr;
    for (const Curve& curve : curves) {
      const Measurement* point = curve.at(size);
      if (point == nullptr || is_one_of_others(*point, curves)) continue;
      if (fastest == nullptr || point->median_seconds < fastest->at(size)->median_seconds) {
        fastest = &curve;
      }
    }
    if (fastest != nullptr && std::ranges::find(winners, fastest) == winners.end()) {
      winners.push_back(fastest);
    }
  }
  return winners;
}

}  // namespace

std::vector<Crossover> crossovers_of(const Curve& a, const Curve& b) {
  std::vector<Crossover> crossovers;
  const std::vector<SizeComparison> pairs = pairs_of(a, b);
  std::size_t last = pairs.size();  // Index of the last clear comparison.
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].faster == 0) continue;
    if (last < pairs.size() && pairs[last].faster != pairs[i].faster) {
      const bool is_a_before = pairs[last].faster > 0;
      crossovers.push_back({is_a_before ? a.contender : b.contender,
                            is_a_before ? b.contender : a.contender, pairs[last].size,
                            pairs[i].size, size_of_change(pairs, last)});
    }
    last = i;
  }
  return crossovers;
}

std::vector<Crossover> crossovers_of(const std::vector<Curve>& curves) {
  const std::vector<const Curve*> fast = winners(curves);
  std::vector<Crossover> crossovers;
  for (std::size_t i = 0; i < fast.size(); ++i) {
    for (std::size_t j = i + 1; j < fast.size(); ++j) {
      for (Crossover& each : crossovers_of(*fast[i], *fast[j])) {
        crossovers.push_back(std::move(each));
      }
    }
  }
  std::ranges::stable_sort(crossovers, {}, &Crossover::size);
  return crossovers;
}

}  // namespace millrace::tools
