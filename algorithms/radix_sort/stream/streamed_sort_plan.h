// SPDX-License-Identifier: Apache-2.0

// Plans how a sort of host arrays is cut into chunks, segments and jobs. Pure functions.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_STREAMED_SORT_PLAN_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_STREAMED_SORT_PLAN_H_

#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/stream/codec_choice.h>

#include <cstddef>
#include <vector>

namespace millrace::radix_sort {

// A range of records.
struct RecordSpan {
  std::size_t first = 0;
  std::size_t count = 0;

  std::size_t end() const { return first + count; }
};

// Returns the chunks in which `count` keys are uploaded: each `kChunkShrink` of the one before, so
// that the sort and the merge of the last one, which nothing hides, are short. The first of three
// is larger than that, so that the device has time for the second before the last has arrived. At
// most `most_chunks` chunks; 0: by the bytes, 1 to 5, fewer from pageable memory.
std::vector<RecordSpan> plan_key_chunks(std::size_t count, std::size_t key_bytes,
                                        std::size_t most_chunks, MemorySpace space);

inline constexpr double kChunkShrink = 0.75;
inline constexpr double kFirstOfThree = 1.4;  // A factor.

// Returns equal segments that are downloaded one after another, all but the last a multiple of
// `unit`. At most `most_segments`; 0: by the square root of the count, because each costs the host
// the time to notice its arrival: 4 for ten and 12 for a hundred million in pinned memory, 3 and 20
// in pageable memory. None if `count` is 0.
std::vector<RecordSpan> plan_segments(std::size_t count, std::size_t unit,
                                      std::size_t most_segments, MemorySpace space);

// Returns the fraction of the keys that is sent raw, behind the coded ones, so that the link has
// transferred it by the time the host has decoded those. 0 if coded keys wait for the link, if a
// rate is not known, or if there are so many `bytes` of keys that the host's memory bandwidth is
// the limit.
double plan_raw_fraction(const CodecRates& rates, std::size_t bytes);

// Returns the number of segments if the host's threads poll for them, which makes each cheaper: 6
// for ten and 19 for a hundred million keys.
std::size_t plan_attended_segments(std::size_t count);

// Returns how many of a host's threads decode keys. At most 16: they are limited by the host's
// memory bandwidth, and those that poll for keys must leave cores to the thread that drives the
// device. With values half of the threads, at least 4, because values are uploaded meanwhile. On a
// host of 32 cores and H100s, 1e7 keys take 0.86 of copy, sort, copy by 10 to 24 threads and 0.97
// to 1.0 by 32.
int plan_decoding_threads(int threads, bool has_values);

// Returns the same segments, but if there are several, a quarter of the first, in units, is a
// segment before the rest of it, so that decoding begins sooner.
std::vector<RecordSpan> cut_first(std::vector<RecordSpan> segments, std::size_t unit);

// Returns jobs for this many threads that end together: each round of jobs, one a thread, takes
// half of the rest, but `least` each.
std::vector<RecordSpan> plan_jobs(std::size_t count, std::size_t least, int threads);

// Returns true if the calling thread sorts this many records before a device has begun.
bool is_profitable_on_host(std::size_t count, bool has_values, bool is_argsort);

// Returns true if streaming is faster than upload, sort and download.
bool is_profitable_to_stream(std::size_t count, std::size_t record_bytes, MemorySpace space,
                             bool has_values, bool is_argsort);

// Returns how many records a sort on a device with this much memory can hold, fewer than 2^32.
std::size_t most_records_on_device(std::size_t memory_bytes, std::size_t key_bytes,
                                   std::size_t value_bytes);

// Smaller runs are not halved if memory is short.
inline constexpr std::size_t kLeastRun = std::size_t{1} << 20;

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_STREAMED_SORT_PLAN_H_
