// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/runtime/testing/run_ranks.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <tuple>

namespace millrace {
namespace {

// A message that one side has posted and the other has not.
struct Posted {
  void* data;
  std::size_t bytes;
  std::shared_ptr<bool> is_done;
};

// The state that the threads share.
class Team {
 public:
  Team(int size, const ThreadRanksOptions& options)
      : size_(size), options_(options), shared_(static_cast<std::size_t>(size)) {}

  int size() const { return size_; }
  bool takes_device_memory() const { return options_.takes_device_memory; }

  std::shared_ptr<bool> send(int source, int target, MessageTag tag, const void* data,
                             std::size_t bytes) {
    return post(sent_, received_, {source, target, tag}, const_cast<void*>(data), bytes, true);
  }
  std::shared_ptr<bool> receive(int source, int target, MessageTag tag, void* data,
                                std::size_t bytes) {
    return post(received_, sent_, {source, target, tag}, data, bytes, false);
  }

  bool is_done(const bool& flag, int other) {
    const std::lock_guard lock(mutex_);
    if (!flag && has_left_.contains(other)) throw lost(other);
    return flag;
  }

  // Removes the message, whose memory is about to be freed, unless it has arrived.
  void withdraw(const std::shared_ptr<bool>& flag) {
    const std::lock_guard lock(mutex_);
    if (*flag) return;
    for (Board* const board : {&sent_, &received_}) {
      for (auto& [way, waiting] : *board) {
        std::erase_if(waiting, [&](const Posted& posted) { return posted.is_done == flag; });
      }
    }
  }

  // Publishes `mine` to all ranks while `use` reads what the ranks have published.
  void share(int rank, const void* mine,
             const std::function<void(const std::vector<const void*>&)>& use) {
    shared_[static_cast<std::size_t>(rank)] = mine;
    wait_for_all();
    use(shared_);
    wait_for_all();
  }

  void leave(int rank) {
    const std::lock_guard lock(mutex_);
    has_left_.insert(rank);
    changed_.notify_all();
  }

 private:
  using Way = std::tuple<int, int, MessageTag>;
  using Board = std::map<Way, std::deque<Posted>>;

  std::shared_ptr<bool> post(Board& own, Board& other, const Way& way, void* data,
                             std::size_t bytes, bool is_send) {
    const std::lock_guard lock(mutex_);
    auto flag = std::make_shared<bool>(false);
    std::deque<Posted>& waiting = other[way];
    if (waiting.empty()) {
      own[way].push_back({data, bytes, flag});
      return flag;
    }
    const Posted peer = waiting.front();
    waiting.pop_front();
    if (peer.bytes != bytes) {
      throw Error(ErrorCode::kInternal, "a message has " + std::to_string(bytes) +
                                            " bytes on one side and " + std::to_string(peer.bytes) +
                                            " on the other; the sizes must match");
    }
    if (bytes > 0) std::memcpy(is_send ? peer.data : data, is_send ? data : peer.data, bytes);
    *flag = *peer.is_done = true;
    return flag;
  }

  void wait_for_all() {
    std::unique_lock lock(mutex_);
    if (!has_left_.empty()) throw lost(*has_left_.begin());
    const std::uint64_t barrier = barriers_;
    if (++arrived_ == size_) {
      arrived_ = 0;
      ++barriers_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return barriers_ != barrier || !has_left_.empty(); });
    if (barriers_ != barrier) return;
    --arrived_;  // The memory that this rank has published is about to be freed.
    throw lost(*has_left_.begin());
  }

  static Error lost(int rank) {
    return {ErrorCode::kIo, "rank " + std::to_string(rank) + " has ended"};
  }

  const int size_;
  const ThreadRanksOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<const void*> shared_;
  Board sent_;
  Board received_;
  std::set<int> has_left_;
  int arrived_ = 0;
  std::uint64_t barriers_ = 0;  // Number of barriers passed.
};

class ThreadTransfer final : public Transfer {
 public:
  ThreadTransfer(Team& team, std::shared_ptr<bool> flag, int other)
      : team_(team), flag_(std::move(flag)), other_(other) {}
  ~ThreadTransfer() override { team_.withdraw(flag_); }
  ThreadTransfer(const ThreadTransfer&) = delete;
  ThreadTransfer& operator=(const ThreadTransfer&) = delete;

  bool is_done() override { return team_.is_done(*flag_, other_); }

 private:
  Team& team_;
  const std::shared_ptr<bool> flag_;
  const int other_;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(Team& team, int rank) : team_(team), rank_(rank) {}
  ~ThreadCommunicator() override { team_.leave(rank_); }

  int rank() const override { return rank_; }
  int size() const override { return team_.size(); }
  int local_rank() const override { return rank_; }
  int local_size() const override { return team_.size(); }

  std::unique_ptr<Transfer> send(int target, MessageTag tag, const void* data,
                                 std::size_t bytes) override {
    return std::make_unique<ThreadTransfer>(team_, team_.send(rank_, target, tag, data, bytes),
                                            target);
  }
  std::unique_ptr<Transfer> receive(int source, MessageTag tag, void* data,
                                    std::size_t bytes) override {
    return std::make_unique<ThreadTransfer>(team_, team_.receive(source, rank_, tag, data, bytes),
                                            source);
  }

  bool takes_device_memory(const std::string& /*target*/) const override {
    return team_.takes_device_memory();
  }

  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    team_.share(rank_, mine, [&](const std::vector<const void*>& shared) {
      for (std::size_t i = 0; bytes > 0 && i < shared.size(); ++i) {
        std::memcpy(static_cast<std::byte*>(all) + i * bytes, shared[i], bytes);
      }
    });
  }

  void broadcast(void* data, std::size_t bytes, int root) override {
    team_.share(rank_, data, [&](const std::vector<const void*>& shared) {
      if (rank_ != root && bytes > 0)
        std::memcpy(data, shared[static_cast<std::size_t>(root)], bytes);
    });
  }

  void all_sum(std::uint64_t* values, std::size_t count) override {
    std::vector<std::uint64_t> sums(count, 0);
    team_.share(rank_, values, [&](const std::vector<const void*>& shared) {
      for (const void* one : shared) {
        const auto* const those = static_cast<const std::uint64_t*>(one);
        for (std::size_t i = 0; i < count; ++i) sums[i] += those[i];
      }
    });
    std::ranges::copy(sums, values);
  }

 private:
  Team& team_;
  const int rank_;
};

}  // namespace

std::vector<std::exception_ptr> catch_ranks(int size,
                                            const std::function<void(Communicator&)>& rank,
                                            const ThreadRanksOptions& options) {
  Team team(size, options);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(size));
  std::vector<std::jthread> threads;
  for (int i = 0; i < size; ++i) {
    threads.emplace_back([&, i] {
      try {
        ThreadCommunicator communicator(team, i);
        rank(communicator);
      } catch (...) {
        errors[static_cast<std::size_t>(i)] = std::current_exception();
      }
    });
  }
  threads.clear();
  return errors;
}

void run_ranks(int size, const std::function<void(Communicator&)>& rank,
               const ThreadRanksOptions& options) {
  Communicator& world = world_communicator();
  if (world.size() > 1 && world.size() >= size) {
    const std::unique_ptr<Communicator> first = make_subcommunicator(size);
    std::exception_ptr error;
    try {
      if (first) rank(*first);
    } catch (...) {
      error = std::current_exception();
    }
    agree(world, error);
    return;
  }
  for (const std::exception_ptr& error : catch_ranks(size, rank, options)) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace millrace
