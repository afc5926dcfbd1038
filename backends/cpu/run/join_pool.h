// SPDX-License-Identifier: Apache-2.0

// The open joins (runtime/tasks/join.h) of a run on the CPU. A handle holds an index into the pool.
#ifndef MILLRACE_BACKENDS_CPU_RUN_JOIN_POOL_H_
#define MILLRACE_BACKENDS_CPU_RUN_JOIN_POOL_H_

#include <millrace/backends/cpu/status/task_errors.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/tasks/internal/participant.h>
#include <millrace/runtime/tasks/internal/waiting_join.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace millrace::cpu {

// Alignment of a record: that of a cache line, or the least power of two that holds a small record.
constexpr std::size_t join_record_alignment(std::size_t continuation_bytes) {
  return std::min<std::size_t>(std::bit_ceil(24 + continuation_bytes), 64);
}

// The record of a join, or a free record.
template <class Set>
struct alignas(join_record_alignment(sizeof(TaskSlot<Set>))) JoinRecord {
  std::atomic<std::uint32_t> missing = 0;  // Arrivals still to come; 0 if the record is free.
  std::uint32_t index = 0;                 // Index in the pool and home, encoded as in handles.
  // The token (JoinCache) of the worker that opened the join. While a worker keeps the record
  // free, this is the address of its next free record.
  std::uint64_t known_to = 0;
  TaskTag tag;  // Type of the continuation.
  TaskSlot<Set> continuation;

  void link_to(JoinRecord* next) { known_to = reinterpret_cast<std::uintptr_t>(next); }
  // Counts an arrival at a join that no other worker knows; returns how many were missing before.
  std::uint32_t count_down_alone() {
    const std::uint32_t before = missing.load(std::memory_order_relaxed);
    missing.store(before - 1, std::memory_order_relaxed);
    return before;
  }

  // NOLINTNEXTLINE(performance-no-int-to-ptr): link_to() has stored the address.
  JoinRecord* next() const { return reinterpret_cast<JoinRecord*>(known_to); }
};

// Grows as long as the host has memory. Records never move: they are in segments, each twice as
// large as the one before. Shared by the workers of a run, which take kBatch records at a time.
template <class Set>
class JoinPool {
 public:
  using Record = JoinRecord<Set>;
  static_assert(std::is_trivially_destructible_v<Record>);
  static constexpr std::size_t kBatch = 256;  // Records that a worker takes at a time.
  // Records of the first segment, enough for the workers of most machines. Memory is touched only
  // when a record is first used.
  static constexpr std::uint64_t kFirst = 1 << 15;

  JoinPool() {
    segments_[0].store(std::allocator<Record>().allocate(kFirst), std::memory_order_relaxed);
  }
  JoinPool(const JoinPool&) = delete;
  JoinPool& operator=(const JoinPool&) = delete;
  ~JoinPool() {
    for (std::size_t i = 0; i < kSegments; ++i) {
      Record* const records = segments_[i].load(std::memory_order_relaxed);
      if (records != nullptr) std::allocator<Record>().deallocate(records, kFirst << i);
    }
  }

  // Sets the device's side of a run that several devices share. Called before any record is taken.
  void share_with(Participant<Set>& participant) {
    participant_ = &participant;
    home_ = participant.home();
  }
  Participant<Set>* participant() const { return participant_; }
  const JoinHome& home() const { return home_; }

  // Returns a record that has been taken. Any thread may call it. The handle has come to the thread
  // by a steal or an arrival, whose order also makes the segment visible.
  Record& operator[](std::uint32_t record_index) const {
    // Most runs have fewer than kFirst open joins at a time.
    if (record_index < kFirst) return first_segment()[record_index];
    const std::uint64_t number = std::uint64_t{record_index} + kFirst;
    const int segment = std::bit_width(number) - kFirstWidth;
    return segments_[static_cast<std::size_t>(segment)].load(
        std::memory_order_relaxed)[number - (kFirst << segment)];
  }

  // Returns records 0 to kFirst - 1.
  Record* first_segment() const { return segments_[0].load(std::memory_order_relaxed); }

  // Returns the first of kBatch free records, each linked to the next one.
  Record* take() {
    const std::lock_guard lock(mutex_);
    while (free_.size() < kBatch) free_.push_back(append());
    Record* first = nullptr;
    for (std::size_t i = 0; i < kBatch; ++i) {
      free_.back()->link_to(first);
      first = free_.back();
      free_.pop_back();
    }
    return first;
  }

  // Takes `count` linked records back, or all if there are fewer. Returns the first of those left.
  // Allocates nothing. Tasks that arrive too often may end a join twice, which links its record to
  // itself; so no more records are taken than there are.
  Record* give_back(Record* first, std::size_t count) noexcept {
    const std::lock_guard lock(mutex_);
    for (; first != nullptr && count > 0 && free_.size() < end_; --count) {
      free_.push_back(first);
      first = first->next();
    }
    return first;
  }

  // Returns a number other than 0 that no other call has returned. Any thread may call it.
  std::uint64_t make_token() { return next_token_.fetch_add(1, std::memory_order_relaxed); }

  // Opens the joins for which the tasks of a stopped run wait, under their indices. Called before
  // any record is taken. Throws kInvalidArgument if two have one index.
  void load(const std::vector<WaitingJoin<Set>>& joins) {
    for (const WaitingJoin<Set>& join : joins) {
      const std::uint32_t record_index = home_.record_index_of(join.index);
      while (end_ <= record_index) free_.push_back(append());
      Record& record = (*this)[record_index];
      if (record.missing.load(std::memory_order_relaxed) != 0) {
        reject("two open joins have the index " + std::to_string(join.index) +
               "; continue each stopped run's list in a run of its own");
      }
      record.tag = join.tag;
      record.known_to = 0;
      record.continuation = join.continuation;
      record.missing.store(join.missing, std::memory_order_relaxed);
    }
    std::erase_if(free_, [](const Record* record) {
      return record->missing.load(std::memory_order_relaxed) != 0;
    });
  }

  // Returns the number of open joins. Called when all workers have given their records back.
  std::size_t open_count() const { return end_ - free_.size(); }

  // Returns the open joins, in order of their indices. Called when no worker runs.
  std::vector<WaitingJoin<Set>> open_joins() const {
    std::vector<WaitingJoin<Set>> joins;
    for (std::uint32_t i = 0; i < end_; ++i) {
      const Record& record = (*this)[i];
      const std::uint32_t missing = record.missing.load(std::memory_order_relaxed);
      if (missing > 0) {
        joins.push_back({record.index, missing, record.tag, record.continuation});
      }
    }
    return joins;
  }

 private:
  static constexpr int kFirstWidth = std::bit_width(kFirst);
  static constexpr std::size_t kSegments = 33 - kFirstWidth + 1;

  // Returns a new record. Called with the lock, or by one thread.
  Record* append() {
    const std::uint32_t most = home_.mask == 0 ? Join<>::kNone : JoinHome::kRecords;
    if (end_ == most) {
      reject("a device has " + std::to_string(most) +
             " open joins, the most it may have; open joins deeper in the tree, or run a part of "
             "the roots at a time");
    }
    const std::uint64_t number = std::uint64_t{end_} + kFirst;
    if (number > kFirst && std::has_single_bit(number)) {
      const auto segment = static_cast<std::size_t>(std::bit_width(number) - kFirstWidth);
      segments_[segment].store(std::allocator<Record>().allocate(number),
                               std::memory_order_relaxed);
    }
    // All records may be free at one time, and then give_back() must not allocate.
    if (free_.capacity() <= end_) free_.reserve(std::max<std::size_t>(std::size_t{2} * end_, 1024));
    Record* const record = std::construct_at(&(*this)[end_]);
    record->index = home_.index_of(end_++);
    return record;
  }

  std::array<std::atomic<Record*>, kSegments> segments_{};
  std::atomic<std::uint64_t> next_token_ = 1;
  std::mutex mutex_;
  std::vector<Record*> free_;
  std::uint32_t end_ = 0;  // Records from here on do not exist yet.
  JoinHome home_;
  Participant<Set>* participant_ = nullptr;
};

// A worker's cache of free records, by which it opens and ends joins.
//
// No other worker knows the joins that the worker has opened with its current token, so arrivals
// there need no atomic operation. It takes another token whenever a task or a value of it reaches
// other workers, because these may hold handles.
template <class Set>
class JoinCache {
 public:
  using Record = JoinRecord<Set>;

  JoinCache() = default;
  JoinCache(const JoinCache&) = delete;
  JoinCache& operator=(const JoinCache&) = delete;

  void use(JoinPool<Set>& pool) {
    pool_ = &pool;
    home_bits_ = pool.home().bits;
    token_ = pool.make_token();
    first_ = pool.first_segment();
  }

  // Opens a join of `arrivals`, at least 1.
  template <class C>
  Record& open(std::uint32_t arrivals, const C& continuation) {
    if (free_ == nullptr) [[unlikely]]
      refill();
    Record& record = *free_;
    free_ = record.next();
    record.known_to = token_;
    record.tag = Set::template tag_of<C>();
    record.continuation.store(continuation);
    record.missing.store(arrivals, std::memory_order_relaxed);
    return record;
  }

  // Adds arrivals to an open join.
  void expect(const Join<>& join, std::uint32_t arrivals) {
    Record* const record = find(join.index());
    if (record == nullptr) return send_expected(join, arrivals);
    if (knows_alone(*record)) {
      record->missing.store(record->missing.load(std::memory_order_relaxed) + arrivals,
                            std::memory_order_relaxed);
    } else {
      record->missing.fetch_add(arrivals, std::memory_order_relaxed);
    }
  }

  // Returns the record with this index if it is one of the first kFirst, which most joins have,
  // and no other worker knows it. Otherwise, or for kNone, returns null.
  Record* find_known(std::uint32_t index) const {
    const std::uint32_t record_index = first_record_index_of(index);
    if (record_index >= JoinPool<Set>::kFirst) [[unlikely]]
      return nullptr;
    Record& record = first_[record_index];
    return knows_alone(record) ? &record : nullptr;
  }

  // Counts an arrival, and returns the record if it was the last one. Returns null otherwise, or if
  // the join is of another device, or the handle belongs to none. Throws kInvalidArgument if the
  // join has ended.
  Record* arrive(const Join<>& join) {
    Record* const record = find(join.index());
    return record == nullptr ? send(join) : count_down(*record);
  }
  template <class V>
  Record* arrive(const Join<V>& join, const std::type_identity_t<V>& value) {
    static_assert(std::is_trivially_copyable_v<V>, "values are copied as bytes");
    Record* const record = find(join.index());
    // The value may be, or contain, a handle of another join.
    if constexpr (!std::is_arithmetic_v<V>) {
      if (record == nullptr || !knows_alone(*record)) let_others_know();
    }
    if (record == nullptr) return send(join, value);
    record->continuation.store_at(join.offset(), value);
    return count_down(*record);
  }

  // Takes back the record of a join that has ended.
  void give_back(Record& record) noexcept {
    record.link_to(free_);
    free_ = &record;
  }
  void give_back_all() noexcept {
    free_ = pool_->give_back(free_, std::numeric_limits<std::size_t>::max());
  }

  void let_others_know() { token_ = pool_->make_token(); }

 private:
  static constexpr std::size_t kMostEnded = 2 * JoinPool<Set>::kBatch;

  // Returns the record with this index, or null if it is of another device or kNone. The first
  // kFirst records, which most joins have, need the fewest tests.
  Record* find(std::uint32_t index) const {
    const std::uint32_t record_index = first_record_index_of(index);
    if (record_index < JoinPool<Set>::kFirst) [[likely]]
      return &first_[record_index];
    return find_later(index);
  }
  // Returns the record index of an index if it is less than kFirst, or else a number that is not.
  std::uint32_t first_record_index_of(std::uint32_t index) const {
    return Set::kTravels ? index ^ home_bits_ : index;
  }
  [[gnu::noinline]] Record* find_later(std::uint32_t index) const {
    if (index == Join<>::kNone || !pool_->home().owns(index)) return nullptr;
    return &(*pool_)[pool_->home().record_index_of(index)];
  }

  // Send an arrival to the join's device, unless the handle belongs to no join. Return null.
  template <class V, class... Value>
  [[gnu::noinline]] Record* send(const Join<V>& join, const Value&... value) const {
    if (join.index() != Join<>::kNone) {
      pool_->participant()->send(JoinArrival<Set>::at(join, value...));
    }
    return nullptr;
  }
  [[gnu::noinline]] void send_expected(const Join<>& join, std::uint32_t arrivals) const {
    if (join.index() == Join<>::kNone) return;
    auto added = JoinArrival<Set>::at(join);
    added.expected = arrivals;
    pool_->participant()->send(added);
  }

  bool knows_alone(const Record& record) const { return record.known_to == token_; }

  // Counts an arrival; returns the record if it was the last one, else null.
  Record* count_down(Record& record) {
    const std::uint32_t missing =
        knows_alone(record) ? record.count_down_alone() : count_down_shared(record);
    if (missing > 1) return nullptr;
    if (missing == 0) [[unlikely]]
      reject_arrival("a join that has ended");
    return &record;
  }

  // Counts an arrival at a join that other workers may know; returns how many were missing before.
  // If it was the last one, this worker may have a record more than it had, so it gives records
  // back from time to time. Not inlined, like refill(): the tasks need the registers.
  [[gnu::noinline]] std::uint32_t count_down_shared(Record& record) noexcept {
    const std::uint32_t missing = record.missing.fetch_sub(1, std::memory_order_acq_rel);
    if (missing == 1 && ++ended_ == kMostEnded) {
      free_ = pool_->give_back(free_, std::exchange(ended_, 0));
    }
    return missing;
  }
  [[gnu::noinline]] void refill() { free_ = pool_->take(); }

  std::uint64_t token_ = 0;
  std::uint32_t home_bits_ = 0;
  Record* first_ = nullptr;
  Record* free_ = nullptr;  // Linked; their number is not known.
  std::size_t ended_ = 0;
  JoinPool<Set>* pool_ = nullptr;
};

// Stands for the pool and the records of a worker in sets that open no joins.
struct NoJoins {
  template <class Pool>
  void use(Pool&) {}
  void let_others_know() {}
  void give_back_all() {}
};

template <class Set>
using JoinPoolOf = std::conditional_t<Set::kOpensJoins, JoinPool<Set>, NoJoins>;
template <class Set>
using JoinCacheOf = std::conditional_t<Set::kOpensJoins, JoinCache<Set>, NoJoins>;

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_JOIN_POOL_H_
