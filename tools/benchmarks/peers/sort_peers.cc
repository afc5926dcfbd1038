// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/peers/sort_peers.h>

#include <boost/sort/spreadsort/integer_sort.hpp>
#include <hwy/contrib/sort/vqsort.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>

namespace millrace::tools {
namespace {

using Keys = std::span<std::uint32_t>;
using Pairs = std::span<KeyValue>;

bool comes_before(const KeyValue& a, const KeyValue& b) { return a.key < b.key; }

const SortPeer kStdSort = {
    "std::sort", [](Keys keys) { std::sort(keys.begin(), keys.end()); },
    [](Pairs pairs) { std::sort(pairs.begin(), pairs.end(), comes_before); }};

const SortPeer kTbb = {
    "tbb::parallel_sort", [](Keys keys) { tbb::parallel_sort(keys.begin(), keys.end()); },
    [](Pairs pairs) { tbb::parallel_sort(pairs.begin(), pairs.end(), comes_before); }};

const SortPeer kSpreadsort = {
    "boost spreadsort",
    [](Keys keys) { boost::sort::spreadsort::integer_sort(keys.begin(), keys.end()); },
    [](Pairs pairs) {
      const auto high_bits = [](const KeyValue& pair, unsigned shift) { return pair.key >> shift; };
      boost::sort::spreadsort::integer_sort(pairs.begin(), pairs.end(), high_bits, comes_before);
    }};

void sort_by_vqsort(Pairs pairs) {
  static_assert(sizeof(KeyValue) == sizeof(hwy::K32V32));
  hwy::Sorter()(reinterpret_cast<hwy::K32V32*>(pairs.data()), pairs.size(), hwy::SortAscending());
}

// Highway 1.0.3, which Debian 12 has, gives pairs of equal keys others' values where vectors have
// 32 bytes: from 64 to 256 pairs of four keys always, more pairs now and then.
bool keeps_values() {
  std::array<KeyValue, 128> pairs;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) pairs[i] = {.value = i, .key = i * 7 % 4};
  sort_by_vqsort(pairs);
  std::ranges::sort(pairs, {}, &KeyValue::value);
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].value != i || pairs[i].key != i * 7 % 4) return false;
  }
  return true;
}

const SortPeer kVqsort = {
    "vqsort", [](Keys keys) { hwy::Sorter()(keys.data(), keys.size(), hwy::SortAscending()); },
    [](Pairs pairs) {
      static const bool is_right = keeps_values();
      if (!is_right) {
        throw Error(ErrorCode::kUnsupported, "this vqsort loses values of pairs on this processor");
      }
      sort_by_vqsort(pairs);
    }};

}  // namespace

const std::vector<SortPeer>& sort_peers() {
  static const std::vector<SortPeer> peers = {kStdSort, kTbb, kSpreadsort, kVqsort};
  return peers;
}

}  // namespace millrace::tools
