// SPDX-License-Identifier: Apache-2.0

// How a sort of host arrays is cut up. Pure functions.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_STREAMED_SORT_PLAN_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_STREAMED_SORT_PLAN_H_

#include <cstddef>
#include <vector>

#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/stream/codec_choice.h>

namespace millrace::radix_sort {

// A range of records.
struct Chunk {
  std::size_t first = 0;
  std::size_t count = 0;

  std::size_t end() const { return first + count; }
};

// The chunks that `count` keys come up in: each `kChunkShrink` of the one before, so that the last
// one's sort and merge, which nothing hides, are short; but the first of three larger than that,
// because that leaves the device time for the second before the last has come. At most
// `most_chunks` of them, 0: one of few bytes, 2 to 5 of more, from pageable memory fewer.
std::vector<Chunk> plan_key_chunks(std::size_t count, std::size_t key_bytes,
                                   std::size_t most_chunks, MemorySpace space);

inline constexpr double kChunkShrink = 0.75;
inline constexpr double kFirstOfThree = 1.4;  // Times as large.

// Equal segments to go down one after another, all but the last a multiple of `unit`: at most
// `most_segments` of them, 0: by the root of the count, since each costs the host the time to see
// that it is there, of pinned memory 4 of ten and 12 of a hundred millions, of pageable memory 3
// and 20. None where `count` is 0.
std::vector<Chunk> plan_segments(std::size_t count, std::size_t unit, std::size_t most_segments,
                                 MemorySpace space);

// The part of the keys that goes down as it is, behind the coded ones: the link has brought it when
// the host has decoded those, or before. 0 where the link is what coded keys wait for, or a rate is
// not known, or there are so many `bytes` of keys that the host's memory is what is short.
double plan_raw_share(const CodecRates& rates, std::size_t bytes);

// How many segments threads of the host wait for without sleeping, which makes each cheaper: 6 of
// ten and 19 of a hundred million keys.
std::size_t plan_attended_segments(std::size_t count);

// Returns how many of a host's threads decode keys. At most 16: they are limited by the host's
// memory, and those that wait for keys without sleeping must leave cores to whoever drives the
// device. With values at most half of the threads, but 4, because values come up meanwhile. On a
// host of 32 cores and H100s, 1e7 keys take 0.86 of copy, sort, copy by 10 to 24 threads and 0.97
// to 1.0 by 32.
int plan_decoding_threads(int threads, bool has_values);

// The same segments, but a quarter of the first, in units, before the rest of it where there are
// more than one: so that whoever waits for the first begins sooner.
std::vector<Chunk> cut_first(std::vector<Chunk> segments, std::size_t unit);

// Jobs for so many threads that end together: as many as they are take half of what is left, and so
// on, but `least` each.
std::vector<Chunk> plan_jobs(std::size_t count, std::size_t least, int threads);

// Whether the calling thread sorts so many records before a device has begun.
bool is_profitable_on_host(std::size_t count, bool has_values, bool is_argsort);

// Whether the arrays are large enough for streaming to be faster than copy, sort, copy.
bool is_profitable_to_stream(std::size_t count, std::size_t record_bytes, MemorySpace space,
                             bool has_values, bool is_argsort);

// As many records as a sort on a device with so much memory has room for, fewer than 2^32.
std::size_t most_records_on_device(std::size_t memory_bytes, std::size_t key_bytes,
                                   std::size_t value_bytes);

// What is not worth to be halved where memory is short.
inline constexpr std::size_t kLeastRun = std::size_t{1} << 20;

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_STREAMED_SORT_PLAN_H_
