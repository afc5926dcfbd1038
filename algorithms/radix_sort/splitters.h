// Where a sort is cut into parts that are sorted apart: of devices, of processes. Pure functions of
// the host.
//
//   auto sample = sample_records(arguments, /*first_place=*/0, 4096);
//   const auto splitters = choose_splitters(std::move(sample), {2.0, 1.0, 1.0});
//   part_of(splitters, {ordered_key, place});   // 0, 1 or 2
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_SPLITTERS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_SPLITTERS_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::radix_sort {

// A record in the order of a stable sort: by its key, as KeyBits::ordered makes it, and, of equal
// keys, by its place among all that is sorted. No two records are alike, so that any order can be
// cut anywhere, be all its keys the same.
struct Splitter {
  std::uint64_t key = 0;
  std::uint64_t place = 0;

  friend auto operator<=>(const Splitter&, const Splitter&) = default;
};

// About `samples` records (all, where there are no more) of arguments.keys_in, which is in memory
// of the host: one of each of so many ranges of equal size, chosen by a fixed seed. `first_place`
// is the place of the first key among all that is sorted.
std::vector<Splitter> sample_records(const SortArguments& arguments, std::uint64_t first_place,
                                     std::size_t samples);

// The first records of all parts but part 0, in order. Parts get shares of about `weights`, of
// which none is negative, one is positive and each is finite. Each sampled record stands for as
// many records as the others; of an empty sample all parts but the last of positive weight are
// empty. Throws kInvalidArgument for other weights. Of the same sample in any order the result is
// the same.
std::vector<Splitter> choose_splitters(std::vector<Splitter> sample,
                                       std::span<const double> weights);

// Which part a record is in: that of the last splitter which is not behind it.
std::size_t part_of(std::span<const Splitter> splitters, const Splitter& record);

// The sample that keeps parts within some percent of their shares: so many records a part.
inline constexpr std::size_t kSamplesOfPart = 4096;

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_SPLITTERS_H_
