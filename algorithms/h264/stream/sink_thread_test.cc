// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/stream/sink_thread.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace millrace::h264 {
namespace {

std::shared_ptr<const ParsedPicture> picture(std::int64_t id) {
  auto picture = std::make_shared<ParsedPicture>();
  picture->id = id;
  return picture;
}

// Notes its calls and their thread. Waits in decode(1) for `may_go`, throws in decode(9).
struct NotingSink : PictureSink {
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    if (picture->id == 1) may_go.get_future().wait();
    if (picture->id == 9) throw std::runtime_error("picture 9");
    note("decode", picture->id);
    ++decoded;
  }
  void output(std::int64_t picture) override { note("output", picture); }
  void release(std::int64_t picture) override { note("release", picture); }
  void fault(const StreamFault& fault) override { note(fault.message, fault.picture); }
  void note(const std::string& call, std::int64_t picture) {
    calls.push_back(call + " " + std::to_string(picture));
    threads.push_back(std::this_thread::get_id());
  }

  std::promise<void> may_go;
  std::atomic<int> decoded = 0;
  std::vector<std::string> calls;
  std::vector<std::thread::id> threads;
};

TEST(SinkThreadTest, CallsTheSinkInOrderInOneOtherThread) {
  NotingSink sink;
  SinkThread thread(sink);
  thread.decode(picture(2));
  thread.fault({.message = "fault", .picture = 3});
  thread.decode(picture(3));
  thread.output(3);
  thread.output(2);
  thread.release(2);
  thread.wait();
  EXPECT_EQ(sink.calls, (std::vector<std::string>{"decode 2", "fault 3", "decode 3", "output 3",
                                                  "output 2", "release 2"}));
  for (const std::thread::id id : sink.threads) {
    EXPECT_EQ(id, sink.threads.front());
    EXPECT_NE(id, std::this_thread::get_id());
  }
}

TEST(SinkThreadTest, LetsABoundedNumberOfPicturesWait) {
  NotingSink sink;
  int waits = 0;
  // The sink takes picture 1 until decode() waits, and for ever unless it does.
  SinkThread thread(sink, [&] {
    ++waits;
    EXPECT_EQ(sink.decoded, 0);
    sink.may_go.set_value();
  });
  for (int i = 0; i < SinkThread::kMostPictures; ++i) thread.decode(picture(1 + i));
  EXPECT_EQ(waits, 0);
  thread.decode(picture(5));
  EXPECT_GE(sink.decoded, 1);
  EXPECT_EQ(waits, 1);
  if (waits == 0) sink.may_go.set_value();
  thread.wait();
  EXPECT_EQ(sink.calls, (std::vector<std::string>{"decode 1", "decode 2", "decode 5"}));
}

TEST(SinkThreadTest, LetsNoSecondPictureWaitThatHasTooManyCoefficients) {
  NotingSink sink;
  int waits = 0;
  SinkThread thread(sink, [&] {
    ++waits;
    sink.may_go.set_value();
  });
  const auto large = [](std::int64_t id) {
    auto picture = std::make_shared<ParsedPicture>();
    picture->id = id;
    picture->coefficients.extend(SinkThread::kMostCoefficientBytes / sizeof(CodedCoefficient));
    return picture;
  };
  thread.decode(large(1));  // The first one waits, whatever it has.
  EXPECT_EQ(waits, 0);
  thread.decode(large(2));
  EXPECT_EQ(waits, 1);
  if (waits == 0) sink.may_go.set_value();
  thread.wait();
  EXPECT_EQ(sink.calls, (std::vector<std::string>{"decode 1", "decode 2"}));
}

TEST(SinkThreadTest, KeepsNoPictureThatTheSinkHasSeen) {
  NotingSink sink;
  SinkThread thread(sink);
  auto seen = picture(2);
  const std::weak_ptr<const ParsedPicture> weak = seen;
  thread.decode(seen);
  seen.reset();
  thread.wait();
  EXPECT_TRUE(weak.expired());
}

TEST(SinkThreadTest, ThrowsWhatTheSinkThrowsAndCallsItNoMore) {
  NotingSink sink;
  SinkThread thread(sink);
  thread.decode(picture(9));
  EXPECT_THROW(thread.wait(), std::runtime_error);
  EXPECT_THROW(thread.decode(picture(2)), std::runtime_error);
  EXPECT_THROW(thread.output(2), std::runtime_error);
  EXPECT_TRUE(sink.calls.empty());
}

TEST(SinkThreadTest, EndsWithCallsThatWait) {
  NotingSink sink;
  {
    SinkThread thread(sink);
    thread.decode(picture(1));
    thread.decode(picture(2));
    for (int i = 0; i < 100; ++i) thread.output(i);
    sink.may_go.set_value();
  }
  EXPECT_LE(sink.calls.size(), 102u);
}

}  // namespace
}  // namespace millrace::h264
