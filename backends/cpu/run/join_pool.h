// SPDX-License-Identifier: Apache-2.0

// The open joins (runtime/tasks/join.h) of a run on the CPU. A handle holds an index into the pool.
#ifndef MILLRACE_BACKENDS_CPU_RUN_JOIN_POOL_H_
#define MILLRACE_BACKENDS_CPU_RUN_JOIN_POOL_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include <millrace/runtime/core/check.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>
#include <millrace/runtime/tasks/waiting_join.h>

namespace millrace::cpu {

// A join, or a free place for one.
template <class Set>
struct JoinRecord {
  std::atomic<std::uint32_t> missing = 0;  // Arrivals still to come; 0 if the place is free.
  TaskTag tag;                             // Type of the continuation.
  std::uint64_t known_to = 0;              // JoinPlaces::token() of the worker that opened it.
  TaskSlot<Set> continuation;
};

// Grows as long as the host has memory. Records never move: they are in segments, each twice as
// large as the one before. Shared by the workers of a run, which take free places many at a time.
template <class Set>
class JoinPool {
 public:
  using Record = JoinRecord<Set>;
  static constexpr std::size_t kBatch = 256;     // Places that a worker takes at a time.
  static constexpr std::uint64_t kFirst = 1024;  // Places of the first segment.

  JoinPool() { segments_[0].store(new Record[kFirst], std::memory_order_relaxed); }
  JoinPool(const JoinPool&) = delete;
  JoinPool& operator=(const JoinPool&) = delete;
  ~JoinPool() {
    for (std::size_t i = 0; i < kSegments; ++i) delete[] segments_[i].load();
  }

  // Returns a place that has been taken. Any thread may call it.
  Record& operator[](std::uint32_t index) const {
    // Most runs have few open joins at a time.
    if (index < kFirst) return first_segment()[index];
    const std::uint64_t place = std::uint64_t{index} + kFirst;
    const int segment = std::bit_width(place) - kFirstWidth;
    return segments_[static_cast<std::size_t>(segment)].load(
        std::memory_order_acquire)[place - (kFirst << segment)];
  }

  // Returns places 0 to kFirst - 1.
  Record* first_segment() const { return segments_[0].load(std::memory_order_relaxed); }

  // Adds kBatch free places to `places`.
  void take(std::vector<std::uint32_t>& places) {
    const std::lock_guard lock(mutex_);
    const std::size_t reused = std::min(free_.size(), kBatch);
    places.insert(places.end(), free_.end() - static_cast<std::ptrdiff_t>(reused), free_.end());
    free_.resize(free_.size() - reused);
    for (std::size_t i = reused; i < kBatch; ++i) places.push_back(append());
  }

  // Takes back all but the first `kept` of `places`.
  void give_back(std::vector<std::uint32_t>& places, std::size_t kept) {
    const std::lock_guard lock(mutex_);
    free_.insert(free_.end(), places.begin() + static_cast<std::ptrdiff_t>(kept), places.end());
    places.resize(kept);
  }

  // Returns a number other than 0 that no other call has returned. Any thread may call it.
  std::uint64_t make_token() { return next_token_.fetch_add(1, std::memory_order_relaxed); }

  // Opens the joins for which the tasks of a stopped run wait, under their indices. Called before
  // any place is taken. Throws kInvalidArgument if two have one index.
  void load(const std::vector<WaitingJoin<Set>>& joins) {
    for (const WaitingJoin<Set>& join : joins) {
      while (end_ <= join.index) free_.push_back(append());
      Record& record = (*this)[join.index];
      if (record.missing.load(std::memory_order_relaxed) != 0) {
        reject("two open joins have the index " + std::to_string(join.index));
      }
      record.tag = join.tag;
      record.known_to = 0;
      record.continuation = join.continuation;
      record.missing.store(join.missing, std::memory_order_relaxed);
    }
    std::erase_if(free_, [this](std::uint32_t place) {
      return (*this)[place].missing.load(std::memory_order_relaxed) != 0;
    });
  }

  // Returns the number of open joins. Called when all workers have given their places back.
  std::size_t open_count() const { return end_ - free_.size(); }

  // Returns the open joins, in order of their indices. Called when no worker runs.
  std::vector<WaitingJoin<Set>> open_joins() const {
    std::vector<WaitingJoin<Set>> joins;
    for (std::uint32_t i = 0; i < end_; ++i) {
      const Record& record = (*this)[i];
      const std::uint32_t missing = record.missing.load(std::memory_order_relaxed);
      if (missing > 0) joins.push_back({i, missing, record.tag, record.continuation});
    }
    return joins;
  }

 private:
  static constexpr int kFirstWidth = std::bit_width(kFirst);
  static constexpr std::size_t kSegments = 33 - kFirstWidth + 1;

  // Returns the index of a new place. Called with the lock, or by one thread.
  std::uint32_t append() {
    if (end_ == Join<>::kNone) reject("a run has 4,294,967,295 open joins, as many as it may have");
    const std::uint64_t place = std::uint64_t{end_} + kFirst;
    if (place > kFirst && std::has_single_bit(place)) {
      const auto segment = static_cast<std::size_t>(std::bit_width(place) - kFirstWidth);
      segments_[segment].store(new Record[place], std::memory_order_release);
    }
    return end_++;
  }

  std::array<std::atomic<Record*>, kSegments> segments_{};
  std::atomic<std::uint64_t> next_token_ = 1;
  std::mutex mutex_;
  std::vector<std::uint32_t> free_;
  std::uint32_t end_ = 0;  // Indices from here on have no place yet.
};

// A worker's share of the free places.
//
// No other worker knows the joins that the worker has opened with its current token, so arrivals
// there need no atomic operation. It takes another token whenever a task or a value of it reaches
// other workers, because these may hold handles.
template <class Set>
class JoinPlaces {
 public:
  void use(JoinPool<Set>& pool) {
    pool_ = &pool;
    token_ = pool.make_token();
    first_ = pool.first_segment();
  }

  // Returns the record at this place, as JoinPool does. The first places need one load less.
  JoinRecord<Set>& operator[](std::uint32_t index) const {
    return index < JoinPool<Set>::kFirst ? first_[index] : (*pool_)[index];
  }

  std::uint64_t token() const { return token_; }
  bool knows_alone(const JoinRecord<Set>& record) const { return record.known_to == token_; }
  void let_others_know() { token_ = pool_->make_token(); }

  std::uint32_t take() {
    if (places_.empty()) pool_->take(places_);
    const std::uint32_t place = places_.back();
    places_.pop_back();
    return place;
  }

  void give_back(std::uint32_t place) {
    constexpr std::size_t kMost = 4 * JoinPool<Set>::kBatch;
    places_.push_back(place);
    if (places_.size() == kMost) pool_->give_back(places_, kMost / 2);
  }

  void give_back_all() { pool_->give_back(places_, 0); }

 private:
  JoinPool<Set>* pool_ = nullptr;
  JoinRecord<Set>* first_ = nullptr;
  std::uint64_t token_ = 0;
  std::vector<std::uint32_t> places_;
};

// Stands for the places of a worker in sets that open no joins.
struct NoJoins {
  template <class Pool>
  void use(Pool&) {}
  void let_others_know() {}
  void give_back_all() {}
};

template <class Set>
using JoinPoolOf = std::conditional_t<Set::kOpensJoins, JoinPool<Set>, NoJoins>;
template <class Set>
using JoinPlacesOf = std::conditional_t<Set::kOpensJoins, JoinPlaces<Set>, NoJoins>;

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_JOIN_POOL_H_
