// SPDX-License-Identifier: Apache-2.0

// Sorted keys on their way from the device to the host.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_KEY_DOWNLOAD_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_KEY_DOWNLOAD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/stream/host_array_sort.h>
#include <millrace/algorithms/radix_sort/stream/sort_link.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/stream/codec.h>

namespace millrace::radix_sort {

// To be called in the order of the members. Keys go down in segments, coded where that makes them
// smaller; host threads decode a segment while the next ones come. Where those threads are slower
// than the link, the last keys of sorts without values go down raw meanwhile.
class KeysDown {
 public:
  // Chooses whether to code. The arguments' keys_out is where the keys go; null: nowhere. At most
  // `threads` of the host decode at once, 0: all it has.
  KeysDown(SortLink& link, const SortArguments& arguments, const HostSortOptions& options,
           int threads);

  // Of all the keys.
  std::size_t segments() const { return segments_.size(); }
  const Chunk& segment(std::size_t i) const { return segments_[i].keys; }

  // For each segment in turn, enqueues the work on the device for keys in their order, in device
  // memory, which it changes: of all keys, and which segment of them is there by now. The first
  // call takes the memory it needs.
  void prepare(void* keys, std::size_t segment);

  // Waits for all keys to be on the device, and has the host's threads ready for the first segment,
  // which comes within a millisecond. Does neither in sorts with values and from pageable memory,
  // where threads have other things to do.
  void attend(const Event& all_are_up);

  // Enqueues the copies of coded keys, whose sizes the host learns first, and has all but the last
  // segment decoded as they come.
  void send();

  // Whether keys may be coded; and, after send(), whether all are.
  bool may_code() const { return codec_ != nullptr; }
  bool is_coded() const;

  // Waits for the last segment, and has it decoded.
  void receive();

  // Returns when the keys are there.
  void finish();

  // After finish(): adds what was measured, and the link's rate, to what later sorts choose by.
  void learn(double link_bytes_per_second) const;

 private:
  struct Segment {
    Chunk keys;
    std::byte* coded_on_device = nullptr;
    std::byte* coded = nullptr;     // In pinned memory.
    CodecResult* result = nullptr;  // Null where it is to go down raw.
    Event ready = {};               // To go down.
    Event arrived = {};
    bool is_coded = false;
  };

  void plan(double raw_share, std::size_t most_segments);
  void take_memory();

  // Bytes of coded keys' memory, in which each segment begins where a codec wants it to.
  std::size_t room_for(std::size_t keys) const;

  bool wants_keys() const { return arguments_.keys_out != nullptr; }

  // Enqueues what raw keys need before they go down, and has them go.
  void make_raw(Segment& segment);
  void send_raw(Segment& segment);

  // Whether the keys are other bits than those sorted.
  bool maps() const;

  // Goes on receiving until the memory of what is coded in a segment holds no other's any more.
  void wait_for_memory(std::size_t segment);

  // Begins to decode what has come of the segments before one.
  void receive_arrived(std::size_t before);

  void receive(const Segment& segment);
  template <class Bits>
  void start_decoding(const Segment& segment);

  std::byte* key_at(void* keys, std::size_t index) const {
    return static_cast<std::byte*>(keys) + key_bytes_ * index;
  }

  SortLink& link_;
  const SortArguments& arguments_;
  const std::size_t key_bytes_;
  const Codec* codec_ = nullptr;  // Null where all goes down raw.
  void* keys_ = nullptr;
  void* scratch_ = nullptr;
  std::vector<Segment> segments_;
  std::size_t coded_segments_ = 0;                    // The first, where there is a codec.
  std::size_t received_ = 0;                          // Segments whose decoding has begun.
  std::size_t memories_ = 0;                          // For coded segments, which take turns.
  std::vector<std::atomic<int>> jobs_left_;           // Of each coded segment's decoding.
  Event prepared_;                                    // The keys are there.
  const int threads_;                                 // That decode.
  const bool attends_;                                // Whether they wait without sleeping.
  const std::size_t most_memories_;                   // Of coded segments; 0: chosen.
  std::atomic<std::int64_t> decode_nanoseconds_ = 0;  // Of all threads.
  HostJobs jobs_;                                     // Ends before what it uses.
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_KEY_DOWNLOAD_H_
