// SPDX-License-Identifier: Apache-2.0

// The memory of a run's open joins (lane_joins.h), on the host's side. It is kept from run to run,
// for all sets of a queue: where records have another size than in the last run, the words that
// runs have written are cleared.
#ifndef MILLRACE_BACKENDS_GPU_RUN_JOIN_BUFFERS_H_
#define MILLRACE_BACKENDS_GPU_RUN_JOIN_BUFFERS_H_

#include <millrace/backends/gpu/device/join_memory.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/tasks/internal/waiting_join.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace millrace::MILLRACE_GPU {

// The part that does not depend on the set. Members are called while the stream is idle.
class JoinBuffersBase {
 public:
  explicit JoinBuffersBase(GpuQueue& queue) : queue_(queue) {}

  // Called before the first launch of a run, with the words of a record, the largest record
  // index of a waiting join, plus 1, and the home of the joins that it opens.
  void begin(std::uint32_t record_words, std::size_t least_capacity, JoinHome home);

  // Notes that the run has ended with all joins ended, or taken away.
  void end();

  // The records, for a kernel that is no launch of the run, and how many of them are in use.
  JoinMemory memory() { return {.words = words_.data(), .home = home_}; }
  std::size_t used() const { return used_; }

  // Makes twice the records. Throws kOutOfMemory and keeps the records there are;
  // TaskRunner::has_join_records() then ends the run.
  void grow();

  // Returns the kernel's argument for the next launch, by so many workers of so many lanes each.
  // Each launch has a number of its own. Throws kOutOfMemory.
  JoinMemory for_launch(int workers, int lanes);

  // Notes that launches have opened so many joins, less those that have ended, and have used so
  // many records, from the first.
  void add(std::int64_t opened, std::uint64_t used);

  std::int64_t open_count() const { return open_; }
  const JoinHome& home() const { return home_; }

 protected:
  // Returns the words of the records that are in use.
  std::vector<std::uint32_t> read() const;
  // Notes that records of open joins are written before the first launch.
  void note_restored() { are_all_free_ = false; }

 private:
  std::size_t first_capacity(std::uint32_t record_words) const;
  // Largest number of records that indices have. The index of one more would look like none.
  std::size_t most_records() const {
    return home_.mask == 0 ? Join<>::kNone : JoinHome::kRecords - 1;
  }
  // Returns the words of so many free records.
  Buffer<std::uint32_t> free_records(std::size_t capacity) const;
  // Frees the records in the first words, which are all that were written.
  void clear(std::size_t words);

  GpuQueue& queue_;
  Buffer<std::uint32_t> words_;
  Buffer<std::uint32_t> magazines_;
  std::uint32_t record_words_ = 0;
  JoinHome home_;
  std::int64_t open_ = 0;
  std::size_t used_ = 0;           // Records from here on have not been used in this run.
  std::size_t written_words_ = 0;  // Words from here on are zero if the last run has ended well.
  std::uint32_t launch_ = 0;
  bool is_clean_ = false;
  bool are_all_free_ = false;  // True until the first launch of a run without open joins.
};

class JoinBuffers : public JoinBuffersBase {
 public:
  using JoinBuffersBase::JoinBuffersBase;

  // Called before the first launch of a run that goes on with these joins, which restore_joins()
  // (join_collection.h) writes then. Throws kInvalidArgument if two have one index, or one misses
  // more arrivals than a record counts.
  template <class Set>
  void begin(const std::vector<WaitingJoin<Set>>& joins, JoinHome home = {}) {
    constexpr std::uint32_t kWords = JoinMemory::kRecordWords<Set>;
    std::size_t least = 0;
    for (const auto& join : joins)
      least = std::max<std::size_t>(least, home.record_index_of(join.index) + std::size_t{1});
    std::vector<bool> is_taken(least);
    for (const auto& join : joins) {
      const std::uint32_t record_index = home.record_index_of(join.index);
      if (is_taken[record_index]) {
        reject("two open joins have the index " + std::to_string(join.index) +
               "; continue each stopped run's list in a run of its own");
      }
      is_taken[record_index] = true;
      check_range("missing arrivals of a join", join.missing, 1, JoinState::kMaxArrivals);
    }
    JoinBuffersBase::begin(kWords, least, home);
    if (!joins.empty()) note_restored();
    add(static_cast<std::int64_t>(joins.size()), least);
  }

  // Returns the open joins in order of their indices.
  template <class Set>
  std::vector<WaitingJoin<Set>> open_joins() const {
    constexpr std::uint32_t kWords = JoinMemory::kRecordWords<Set>;
    const std::vector<std::uint32_t> words = read();
    std::vector<WaitingJoin<Set>> joins;
    for (std::size_t i = 0; i < words.size() / kWords; ++i) {
      const std::uint32_t* const record = words.data() + i * kWords;
      if (!JoinState::is_open(record[0])) continue;
      WaitingJoin<Set>& join = joins.emplace_back();
      join.index = home().index_of(static_cast<std::uint32_t>(i));
      join.missing = JoinState::missing(record[0]);
      join.tag = static_cast<TaskTag>(record[JoinMemory::kTag]);
      std::memcpy(static_cast<void*>(&join.continuation), record + JoinMemory::kContinuation,
                  sizeof(join.continuation));
    }
    return joins;
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_JOIN_BUFFERS_H_
