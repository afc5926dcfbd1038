// SPDX-License-Identifier: Apache-2.0

// Passes the pictures of a stream to a sink in another thread, while the next ones are parsed.
//
//   SinkThread thread(sink);
//   StreamParser parser(thread);
//   ...
//   parser.finish();
//   thread.wait();
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_SINK_THREAD_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_SINK_THREAD_H_

#include <millrace/algorithms/h264/picture_sink.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace millrace::h264 {

// Calls a sink as it is called itself, in the same order, in one other thread. Addresses of parsed
// pictures in reference lists (Reference::parsed) may be gone when the sink is called. One thread
// at a time may call its functions.
class SinkThread final : public PictureSink {
 public:
  // Pictures that wait for the sink, or that it takes: decode() waits while there are as many.
  static constexpr int kMostPictures = 2;
  // Bytes of their coefficients: decode() waits while there would be more, unless its picture is
  // the only one. A picture of 1920x1080 luma samples has 12.5 million at most, 4 for each of 384
  // coefficients of a macroblock, and those that wait take most of a decoder's memory
  // (stream_memory_test.cc).
  static constexpr std::size_t kMostCoefficientBytes = 16'000'000;

  // `sink` must outlive the object. `on_wait`, unless empty, is called whenever decode() begins to
  // wait, by its thread, and must not call this object.
  explicit SinkThread(PictureSink& sink, std::function<void()> on_wait = {});
  // Waits for the sink to return, and drops the calls that it has not had.
  ~SinkThread() override;
  SinkThread(const SinkThread&) = delete;
  SinkThread& operator=(const SinkThread&) = delete;

  // Once the sink has thrown an exception it is not called any more; these and wait() throw it.
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override;
  void output(std::int64_t picture) override;
  void release(std::int64_t picture) override;
  void fault(const StreamFault& fault) override;

  // Returns when the sink has had all calls.
  void wait();

 private:
  struct Call {
    std::function<void(PictureSink&)> function;
    bool has_picture = false;
    std::size_t coefficient_bytes = 0;
  };

  void push(Call call);
  void serve();
  void run(Call call, std::unique_lock<std::mutex>& lock);
  bool may_take(const Call& call) const;
  void throw_failure() const;

  PictureSink& sink_;
  const std::function<void()> on_wait_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Call> calls_;
  int pictures_ = 0;                   // Number in calls, the one that runs included.
  std::size_t coefficient_bytes_ = 0;  // Coefficients of these pictures.
  bool is_busy_ = false;               // A call runs.
  bool is_closed_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_SINK_THREAD_H_
