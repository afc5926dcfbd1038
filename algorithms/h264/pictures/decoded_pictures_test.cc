// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/pictures/decoded_pictures.h>

#include <gtest/gtest.h>

#include <string>

namespace millrace::h264 {
namespace {

// Notes calls: o and the id for output, r for release.
class Calls final : public PictureSink {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>&) override {}
  void output(std::int64_t picture) override { text += " o" + std::to_string(picture); }
  void release(std::int64_t picture) override { text += " r" + std::to_string(picture); }
  void fault(const StreamFault&) override {}

  std::string text;
};

class DecodedPicturesTest : public testing::Test {
 protected:
  // Stores a picture, and returns the calls that this makes.
  std::string store(std::int64_t id, int picture_order, bool is_reference) {
    calls.text.clear();
    StoredPicture picture;
    picture.id = id;
    picture.picture_order = picture_order;
    picture.marking = is_reference ? ReferenceMarking::kShortTerm : ReferenceMarking::kUnused;
    picture.awaits_output = true;
    decoded.store(picture);
    return calls.text;
  }
  void unmark(std::int64_t id) {
    for (StoredPicture& picture : decoded.stored()) {
      if (picture.id == id) picture.marking = ReferenceMarking::kUnused;
    }
  }
  std::string flush() {
    calls.text.clear();
    decoded.flush();
    return calls.text;
  }

  Calls calls;
  DecodedPictures decoded{calls};
};

TEST_F(DecodedPicturesTest, OutputTheLowestWhenNoBufferIsEmpty) {
  decoded.set_capacity(3, -1);
  EXPECT_EQ(store(0, 0, true), "");
  EXPECT_EQ(store(1, 8, true), "");
  EXPECT_EQ(store(2, 4, false), "");
  // Full: 0 is output but stays as a reference; then 2, which leaves.
  EXPECT_EQ(store(3, 6, false), " o0 o2 r2");
  unmark(0);
  EXPECT_EQ(store(4, 16, true), " r0");
  EXPECT_EQ(flush(), " o3 o1 o4 r1 r3 r4");
}

TEST_F(DecodedPicturesTest, OutputAPictureAtOnceThatIsNextAndNoReference) {
  decoded.set_capacity(2, -1);
  store(0, 10, true);
  store(1, 20, true);
  EXPECT_EQ(store(2, 5, false), " o2 r2");
  EXPECT_EQ(store(3, 15, false), " o0 o3 r3");
}

TEST_F(DecodedPicturesTest, OutputInDecodingOrderWhereNothingIsReordered) {
  decoded.set_capacity(16, 0);
  EXPECT_EQ(store(0, 0, true), " o0");
  EXPECT_EQ(store(1, 2, false), " o1 r1");
}

TEST_F(DecodedPicturesTest, OutputNoLaterThanTheReorderingAllows) {
  decoded.set_capacity(16, 1);
  EXPECT_EQ(store(0, 0, true), "");
  EXPECT_EQ(store(1, 8, true), " o0");
  EXPECT_EQ(store(2, 4, false), " o2 r2");
  EXPECT_EQ(store(3, 16, true), " o1");
}

TEST_F(DecodedPicturesTest, AreReleasedWithoutOutputWhenDiscarded) {
  decoded.set_capacity(4, -1);
  store(0, 0, true);
  store(1, 2, false);
  calls.text.clear();
  decoded.discard();
  EXPECT_EQ(calls.text, " r0 r1");
  EXPECT_TRUE(decoded.stored().empty());
}

TEST_F(DecodedPicturesTest, HoldMoreReferencesThanFitRatherThanWaitForEver) {
  decoded.set_capacity(1, -1);
  store(0, 0, true);
  EXPECT_EQ(store(1, 2, true), " o0");
  EXPECT_EQ(store(2, 4, true), " o1");
  EXPECT_EQ(flush(), " o2 r0 r1 r2");
}

}  // namespace
}  // namespace millrace::h264
