// SPDX-License-Identifier: Apache-2.0

// Keeps, in order, the findings of a stream's parser that its sink has not received yet.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_EVENTS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_EVENTS_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/prefetch_object.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace millrace::h264 {

// One thread at a time may use it.
class StreamEvents {
 public:
  // A fault, and the slices of its picture that came before it.
  struct Fault {
    StreamFault fault;
    std::size_t slices = 0;
  };

  void add_picture() { events_.push_back({Kind::kPicture, 0}); }
  // Adds an inferred picture, which has no slices.
  void add_inferred(const ParsedPicture& picture) {
    inferred_.push_back(picture);
    events_.push_back({Kind::kInferred, 0});
  }
  void add_output(std::int64_t picture) { events_.push_back({Kind::kOutput, picture}); }
  void add_release(std::int64_t picture) { events_.push_back({Kind::kRelease, picture}); }
  void add_fault(const StreamFault& fault, std::size_t slices) {
    faults_.push_back({fault, slices});
    events_.push_back({Kind::kFault, 0});
  }

  // Fetches the first ones before they are used.
  void prefetch() const { prefetch_bytes(events_.data(), sizeof(Event)); }

  // Gives the events to the receiver's functions picture(), inferred(), output(), release() and
  // fault(), in order, and removes them. Ends before the first one for which picture() or fault()
  // returns false.
  template <class Receiver>
  void replay(Receiver&& receiver) {
    std::size_t event = 0, inferred = 0, fault = 0;
    for (bool is_taken = true; event < events_.size(); ++event) {
      const std::int64_t picture = events_[event].picture;
      switch (events_[event].kind) {
        case Kind::kPicture: is_taken = receiver.picture(); break;
        case Kind::kInferred: receiver.inferred(std::as_const(inferred_[inferred++])); break;
        case Kind::kOutput: receiver.output(picture); break;
        case Kind::kRelease: receiver.release(picture); break;
        case Kind::kFault:
          is_taken = receiver.fault(std::as_const(faults_[fault]));
          fault += is_taken ? 1 : 0;
          break;
      }
      if (!is_taken) break;
    }
    remove_first(events_, event);
    remove_first(inferred_, inferred);
    remove_first(faults_, fault);
  }

 private:
  enum class Kind : std::uint8_t { kPicture, kInferred, kOutput, kRelease, kFault };
  struct Event {
    Kind kind;
    std::int64_t picture;  // Its id, for kOutput and kRelease.
  };

  template <class T>
  static void remove_first(std::vector<T>& elements, std::size_t count) {
    elements.erase(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(count));
  }

  std::vector<Event> events_;
  std::vector<ParsedPicture> inferred_;  // One for each kInferred.
  std::vector<Fault> faults_;            // One for each kFault.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_EVENTS_H_
