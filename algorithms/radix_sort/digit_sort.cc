// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/digit_sort.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace millrace::radix_sort {
namespace {

constexpr int kDigitBits = 8;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr std::size_t kLeastPiece = std::size_t{1} << 15;
constexpr std::size_t kMostPieces = 128;

struct NoValue {};

// The pieces of an array that threads work on.
struct Pieces {
  explicit Pieces(std::size_t records)
      : records(records),
        count(std::clamp<std::size_t>(records / kLeastPiece, 1, kMostPieces)),
        size((records + count - 1) / count) {}

  std::size_t begin(std::size_t piece) const { return std::min(piece * size, records); }
  std::size_t end(std::size_t piece) const { return begin(piece + 1); }

  std::size_t records;
  std::size_t count;
  std::size_t size;
};

// Keys alone that are equal if their digits are: counts them and writes them anew.
template <class K>
void sort_by_counts(const SortArguments& arguments, const PieceLoop& loop) {
  constexpr std::size_t kValues = std::size_t{1} << (8 * sizeof(K));
  const auto bits = KeyBits<K>::of(arguments.key_type, arguments.order);
  const auto* const in = static_cast<const K*>(arguments.keys_in);
  auto* const out = static_cast<K*>(arguments.keys_out);
  // Counts of all values for a piece; long pieces keep these cheap.
  Pieces pieces(arguments.count);
  const std::size_t most = std::max<std::size_t>(arguments.count / (4 * kValues), 1);
  pieces.count = std::min(pieces.count, most);
  pieces.size = (pieces.records + pieces.count - 1) / pieces.count;
  std::vector<std::size_t> counts(pieces.count * kValues);
  loop(pieces.count, [&](std::size_t piece) {
    std::size_t* const own = &counts[piece * kValues];
    for (std::size_t i = pieces.begin(piece); i < pieces.end(piece); ++i)
      ++own[bits.ordered(in[i])];
  });
  // The index of the first key of each value.
  std::vector<std::size_t> starts(kValues + 1);
  for (std::size_t value = 0; value < kValues; ++value) {
    starts[value + 1] = starts[value];
    for (std::size_t piece = 0; piece < pieces.count; ++piece) {
      starts[value + 1] += counts[piece * kValues + value];
    }
  }
  loop(pieces.count, [&](std::size_t piece) {
    const std::size_t end = pieces.end(piece);
    std::size_t at = pieces.begin(piece);
    auto value =
        static_cast<std::size_t>(std::ranges::upper_bound(starts, at) - starts.begin()) - 1;
    for (; at < end; ++value) {
      const std::size_t here = std::min(starts[value + 1], end);
      std::fill(out + at, out + std::max(at, here), bits.raw(static_cast<K>(value)));
      at = std::max(at, here);
    }
  });
}

// Sorts by one digit per pass, lowest digit first.
template <class K, class V>
class DigitPasses {
  static constexpr bool kHasValues = !std::is_same_v<V, NoValue>;

  struct Arrays {
    K* keys = nullptr;
    V* values = nullptr;
  };

 public:
  DigitPasses(Device& device, const SortArguments& arguments, const PieceLoop& loop)
      : device_(device),
        arguments_(arguments),
        loop_(loop),
        bits_(KeyBits<K>::of(arguments.key_type, arguments.order)),
        pieces_(arguments.count),
        counts_(pieces_.count * kDigits) {}

  int run() {
    const int first = arguments_.bits.first;
    const int end = arguments_.bits.end_of(arguments_.key_type);
    const int passes = (end - first + kDigitBits - 1) / kDigitBits;
    const Arrays out = {static_cast<K*>(arguments_.keys_out),
                        static_cast<V*>(arguments_.values_out)};
    // Inputs are not written to.
    Arrays from = {const_cast<K*>(static_cast<const K*>(arguments_.keys_in)),
                   const_cast<V*>(static_cast<const V*>(arguments_.values_in))};
    const bool is_in_place = from.keys == out.keys || (kHasValues && from.values == out.values);
    Arrays last = out;
    if (last.keys == nullptr) last.keys = (unwanted_ = make<K>()).data();
    Arrays spare;
    const bool copies = is_in_place && passes % 2 == 1;
    if (passes > 1 || copies) {
      spare.keys = (spare_keys_ = make<K>()).data();
      if constexpr (kHasValues) spare.values = (spare_values_ = make<V>()).data();
    }
    is_numbered_ = arguments_.is_argsort;
    if (copies) {
      copy(from, spare);
      from = spare;
    }
    for (int pass = 0; pass < passes; ++pass) {
      const Arrays to = (passes - pass) % 2 == 1 ? last : spare;
      const int shift = first + pass * kDigitBits;
      run_pass(from, to, shift, std::min(kDigitBits, end - shift));
      from = to;
      is_numbered_ = false;
    }
    return passes;
  }

 private:
  template <class T>
  Buffer<T> make() const {
    return Buffer<T>(device_.pool(MemorySpace::kHost), arguments_.count);
  }

  void copy(const Arrays& from, const Arrays& to) const {
    loop_(pieces_.count, [&](std::size_t piece) {
      const std::size_t begin = pieces_.begin(piece);
      const std::size_t count = pieces_.end(piece) - begin;
      std::copy_n(from.keys + begin, count, to.keys + begin);
      if constexpr (kHasValues) {
        if (!is_numbered_) std::copy_n(from.values + begin, count, to.values + begin);
      }
    });
  }

  std::size_t digit(K key, int shift, std::size_t mask) const {
    return static_cast<std::size_t>(bits_.ordered(key) >> shift) & mask;
  }

  void run_pass(const Arrays& from, const Arrays& to, int shift, int digit_bits) {
    const std::size_t mask = (std::size_t{1} << digit_bits) - 1;
    loop_(pieces_.count, [&](std::size_t piece) {
      std::size_t* const own = &counts_[piece * kDigits];
      std::fill_n(own, kDigits, 0);
      for (std::size_t i = pieces_.begin(piece); i < pieces_.end(piece); ++i) {
        ++own[digit(from.keys[i], shift, mask)];
      }
    });
    std::size_t start = 0;
    for (std::size_t value = 0; value <= mask; ++value) {
      for (std::size_t piece = 0; piece < pieces_.count; ++piece) {
        const std::size_t here = counts_[piece * kDigits + value];
        counts_[piece * kDigits + value] = start;
        start += here;
      }
    }
    loop_(pieces_.count, [&](std::size_t piece) {
      std::size_t* const own = &counts_[piece * kDigits];
      for (std::size_t i = pieces_.begin(piece); i < pieces_.end(piece); ++i) {
        const K key = from.keys[i];
        const std::size_t index = own[digit(key, shift, mask)]++;
        to.keys[index] = key;
        if constexpr (kHasValues) {
          to.values[index] = is_numbered_ ? static_cast<V>(i) : from.values[i];
        }
      }
    });
  }

  Device& device_;
  const SortArguments& arguments_;
  const PieceLoop& loop_;
  const KeyBits<K> bits_;
  const Pieces pieces_;
  std::vector<std::size_t> counts_;
  bool is_numbered_ = false;  // Values are indices, which no array has yet.
  Buffer<K> unwanted_;        // Keys of an argsort.
  Buffer<K> spare_keys_;
  Buffer<V> spare_values_;
};

template <class K>
int sort_of_type(Device& device, const SortArguments& arguments, const PieceLoop& loop) {
  switch (arguments.value_bytes) {
    case 4: return DigitPasses<K, std::uint32_t>(device, arguments, loop).run();
    case 8: return DigitPasses<K, std::uint64_t>(device, arguments, loop).run();
    default: break;
  }
  if constexpr (sizeof(K) <= 2) {
    // Bits outside of a range would get lost.
    if (arguments.bits.is_all_of(arguments.key_type)) {
      sort_by_counts<K>(arguments, loop);
      return 1;
    }
  }
  return DigitPasses<K, NoValue>(device, arguments, loop).run();
}

}  // namespace

bool is_by_digits(const SortArguments& arguments) {
  return key_bytes(arguments.key_type) < 4 || !arguments.bits.is_all_of(arguments.key_type);
}

int digit_sort(Device& device, const SortArguments& arguments, const PieceLoop& loop) {
  switch (key_bytes(arguments.key_type)) {
    case 1: return sort_of_type<std::uint8_t>(device, arguments, loop);
    case 2: return sort_of_type<std::uint16_t>(device, arguments, loop);
    case 4: return sort_of_type<std::uint32_t>(device, arguments, loop);
    default: return sort_of_type<std::uint64_t>(device, arguments, loop);
  }
}

}  // namespace millrace::radix_sort
