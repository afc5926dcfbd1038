// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/picture_read_ahead.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stop_token>
#include <thread>

namespace millrace::tools {
namespace {

// Gives 16 x 16 pictures whose luma begins with their number.
class NumberedPictures {
 public:
  explicit NumberedPictures(int count) : count_(count) {}

  bool operator()(ReadPicture& read, const std::stop_token&) {
    read.facts.empty_samples = next_;
    if (next_ == count_) return false;
    read.picture.resize(16, 16);
    read.picture.plane(0).row(0)[0] = static_cast<std::uint8_t>(next_++);
    return true;
  }

 private:
  const int count_;
  int next_ = 0;
};

int number_of(const ReadPicture& read) { return read.picture.plane(0).row(0)[0]; }

TEST(PictureReadAheadTest, GivesAllPicturesInOrderWithTheirFacts) {
  for (const std::size_t most : {1, 2, 7, 100}) {
    PictureReadAhead ahead(most, NumberedPictures(20));
    ReadPicture read;
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(ahead.next(read));
      EXPECT_EQ(number_of(read), i);
      EXPECT_EQ(read.facts.empty_samples, i);
    }
    for (int again = 0; again < 2; ++again) {
      EXPECT_FALSE(ahead.next(read));
      EXPECT_EQ(read.facts.empty_samples, 20);
    }
  }
}

TEST(PictureReadAheadTest, ReadsNoMoreThanItMay) {
  constexpr int kMost = 3;
  std::atomic<int> requested = 0;
  std::atomic<int> most_ahead = 0;
  NumberedPictures pictures(40);
  PictureReadAhead ahead(kMost,
                         [&, begun = 0](ReadPicture& read, const std::stop_token& stop) mutable {
                           const int now = ++begun - requested;
                           if (now > most_ahead) most_ahead = now;
                           return pictures(read, stop);
                         });
  ReadPicture read;
  do ++requested;
  while (ahead.next(read));
  EXPECT_EQ(requested, 41);
  EXPECT_LE(most_ahead, kMost);
}

TEST(PictureReadAheadTest, AnErrorComesBehindThePicturesBeforeIt) {
  NumberedPictures pictures(5);
  PictureReadAhead ahead(8, [&](ReadPicture& read, const std::stop_token& stop) {
    if (pictures(read, stop)) return true;
    throw Error(ErrorCode::kIo, "damaged");
  });
  ReadPicture read;
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(ahead.next(read));
    EXPECT_EQ(number_of(read), i);
  }
  EXPECT_THROW(ahead.next(read), Error);
  EXPECT_THROW(ahead.next(read), Error);
}

TEST(PictureReadAheadTest, MemoryGoesRound) {
  constexpr std::size_t kMost = 3;
  PictureReadAhead ahead(kMost, NumberedPictures(100));
  ReadPicture read;
  std::set<const std::uint8_t*> memory;
  while (ahead.next(read)) memory.insert(read.picture.plane(0).data);
  EXPECT_LE(memory.size(), kMost + 1);
}

TEST(PictureReadAheadTest, EndsWithoutBeingReadToTheEnd) {
  for (int taken = 0; taken < 5; ++taken) {
    PictureReadAhead ahead(2, NumberedPictures(100));
    ReadPicture read;
    for (int i = 0; i < taken; ++i) EXPECT_TRUE(ahead.next(read));
  }
}

TEST(PictureReadAheadTest, ACallThatReadsForLongIsRequestedToStop) {
  PictureReadAhead ahead(2, [](ReadPicture&, const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    return false;
  });
}

}  // namespace
}  // namespace millrace::tools
