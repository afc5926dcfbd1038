// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/fast_search/half_sample_picture.h>
#include <millrace/algorithms/motion_estimation/motion_test_input.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace millrace::motion {
namespace {

template <class Sample>
class HalfSamplePictureTest : public testing::Test {
 protected:
  HalfSamplePictureTest()
      : frame(TestFrameMaker<Sample>(random).make(32, 16, Content::kNoise)),
        picture(frame.view().reference) {}

  // Returns a sample by the definition.
  int at(int x, int y) const {
    const auto whole = [&](int wx, int wy) {
      return frame.reference[std::clamp(wy, 0, 15) * frame.stride + std::clamp(wx, 0, 31)];
    };
    return quarter_sample<Sample>(whole, x, y);
  }

  // Compares the block at (x, y), in quarter samples.
  void expect_block(int x, int y) {
    SCOPED_TRACE(testing::Message() << x << ", " << y);
    Sample storage[256];
    const Samples<Sample> block = picture.block(x, y, {16, 16}, storage);
    for (int by = 0; by < 16; ++by) {
      for (int bx = 0; bx < 16; ++bx) {
        ASSERT_EQ(block.data[by * block.stride + bx], at(x + 4 * bx, y + 4 * by));
      }
    }
  }

  SeededRandom random;
  const TestFrame<Sample> frame;
  const HalfSamplePicture<Sample> picture;
};

using SampleTypes = testing::Types<std::uint8_t, std::uint16_t>;
TYPED_TEST_SUITE(HalfSamplePictureTest, SampleTypes);

TYPED_TEST(HalfSamplePictureTest, HasTheStandardsQuarterSamples) {
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) this->expect_block(20 + x, -16 + y);
  }
}

TYPED_TEST(HalfSamplePictureTest, RepeatsTheBorderHoweverFarOutside) {
  for (const int far : {-9000, -85, -79, -70, 120, 140, 153, 9000}) {
    for (int fraction = 0; fraction < 4; ++fraction) {
      this->expect_block(far + fraction, 5);
      this->expect_block(7, far + fraction);
      this->expect_block(far + fraction, -far - fraction);
    }
  }
}

TYPED_TEST(HalfSamplePictureTest, WholeBlocksAreWhereTheyAre) {
  for (const int x : {-500, -21, -16, 0, 13, 32, 40, 500}) {
    const Samples<TypeParam> block = this->picture.whole_block(x, 3);
    for (int i = 0; i < 16; ++i) EXPECT_EQ(block.data[i], this->at(4 * (x + i), 12));
  }
}

}  // namespace
}  // namespace millrace::motion
