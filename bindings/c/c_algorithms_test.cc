// SPDX-License-Identifier: Apache-2.0

// Tests the C interface's encodes, relays and groups.
#include <millrace/bindings/c/expect_rejected.h>
#include <millrace/c/millrace.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

// Programs were compiled with these sizes, and bindings/python/millrace/_library.py repeats the
// structs.
static_assert(sizeof(millrace_encoder_options) == 72);
static_assert(sizeof(millrace_encoded_picture) == 72);
static_assert(sizeof(millrace_placement_info) == 72);
static_assert(sizeof(millrace_relay) == 24);

constexpr int kWidth = 32;
constexpr int kHeight = 16;

// The pictures of an encode, each of one colour, and what became of them.
struct EncodeClip {
  int pictures = 3;
  int source_result = 1;  // Result for each picture.
  int sink_result = 0;
  std::vector<std::int64_t> indices{};
  std::vector<std::uint8_t> stream{};
  std::vector<int> types{};

  static int read(void* context, std::int64_t index, std::uint8_t* const planes[3],
                  const std::size_t strides[3]) {
    const auto& clip = *static_cast<EncodeClip*>(context);
    if (index == clip.pictures) return 0;
    for (int plane = 0; plane < 3; ++plane) {
      const int rows = plane == 0 ? kHeight : kHeight / 2;
      const int columns = plane == 0 ? kWidth : kWidth / 2;
      for (int y = 0; y < rows; ++y) {
        std::fill_n(planes[plane] + static_cast<std::size_t>(y) * strides[plane], columns,
                    static_cast<std::uint8_t>(60 + 20 * plane));
      }
    }
    return clip.source_result;
  }

  static int write(void* context, const millrace_encoded_picture* picture) {
    auto& clip = *static_cast<EncodeClip*>(context);
    clip.indices.push_back(picture->index);
    clip.types.push_back(picture->frame_type);
    clip.stream.insert(clip.stream.end(), picture->bytes, picture->bytes + picture->byte_count);
    return clip.sink_result;
  }
};

class CAlgorithmsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(millrace_device_open("tbb", &device), MILLRACE_OK);
    ASSERT_EQ(millrace_queue_create(device, nullptr, &queue), MILLRACE_OK);
  }
  void TearDown() override {
    EXPECT_EQ(millrace_queue_free(queue), MILLRACE_OK);
    EXPECT_EQ(millrace_device_close(device), MILLRACE_OK);
  }

  millrace_status encode(EncodeClip& clip, const millrace_encoder_options& options) {
    return millrace_h264_encode(device, &options, EncodeClip::read, EncodeClip::write, &clip);
  }

  static millrace_encoder_options options() {
    millrace_encoder_options result = {};
    result.size = sizeof(result);
    result.width = kWidth;
    result.height = kHeight;
    result.qp = 28;
    return result;
  }

  millrace_device* device = nullptr;
  millrace_queue* queue = nullptr;
};

TEST_F(CAlgorithmsTest, PicturesComeInOrderAsAByteStream) {
  EncodeClip clip;
  ASSERT_EQ(encode(clip, options()), MILLRACE_OK) << millrace_error_message();
  EXPECT_EQ(clip.indices, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(clip.types, (std::vector<int>{1, 2, 2}));
  ASSERT_GE(clip.stream.size(), 4u);
  EXPECT_EQ(clip.stream[0] | clip.stream[1] | (clip.stream[2] & ~1), 0);  // A start code.
}

TEST_F(CAlgorithmsTest, NoPicturesGiveNoStream) {
  EncodeClip clip{.pictures = 0};
  EXPECT_EQ(encode(clip, options()), MILLRACE_OK) << millrace_error_message();
  EXPECT_TRUE(clip.stream.empty());
}

TEST_F(CAlgorithmsTest, CallbacksMayEndAnEncode) {
  EncodeClip stopped{.source_result = -1};
  EXPECT_REJECTED(encode(stopped, options()), MILLRACE_CANCELLED, "the source returned -1");
  EncodeClip rejected{.sink_result = 1};
  EXPECT_REJECTED(encode(rejected, options()), MILLRACE_CANCELLED, "the sink returned");
}

TEST_F(CAlgorithmsTest, OptionsOutOfRangeAreRejected) {
  EncodeClip clip;
  millrace_encoder_options given = options();
  given.profile = 3;
  EXPECT_REJECTED(encode(clip, given), MILLRACE_INVALID_ARGUMENT,
                  "options->profile is 3; it must be 0 to 2");
  given = options();
  given.qp = 52;
  EXPECT_REJECTED(encode(clip, given), MILLRACE_INVALID_ARGUMENT, "52");
  given = options();
  given.width = 31;
  EXPECT_REJECTED(encode(clip, given), MILLRACE_INVALID_ARGUMENT, "31");
  given = options();
  given.size = 8;
  EXPECT_REJECTED(encode(clip, given), MILLRACE_INVALID_ARGUMENT, "options->size is 8");
  given = options();
  EXPECT_REJECTED(millrace_h264_encode(device, &given, nullptr, EncodeClip::write, &clip),
                  MILLRACE_INVALID_ARGUMENT, "source is null");
  EXPECT_REJECTED(millrace_h264_encode(device, &given, EncodeClip::read, nullptr, &clip),
                  MILLRACE_INVALID_ARGUMENT, "sink is null");
}

// An equilateral triangle, nearly, of circumradius 58: one relay reaches all three.
TEST_F(CAlgorithmsTest, OneRelayJoinsThreeSensors) {
  const millrace_point sensors[] = {{0, 0}, {100, 0}, {50, 87}};
  millrace_placement* placement = nullptr;
  ASSERT_EQ(millrace_place_relays(queue, sensors, 3, 60, &placement), MILLRACE_OK)
      << millrace_error_message();
  millrace_placement_info info = {};
  info.size = sizeof(info);
  ASSERT_EQ(millrace_placement_get(placement, &info), MILLRACE_OK) << millrace_error_message();
  EXPECT_EQ(info.method, MILLRACE_PLACEMENT_THREE_STAR);
  EXPECT_EQ(info.components, 3u);
  EXPECT_EQ(info.is_connected, 1);
  ASSERT_EQ(info.relay_count, 1u);
  EXPECT_EQ(info.link_count, 3u);
  EXPECT_EQ(info.relays[0].joins_three, 1);
  for (const millrace_point& sensor : sensors) {
    EXPECT_LT(std::hypot(sensor.x - info.relays[0].x, sensor.y - info.relays[0].y), 60.001);
  }
  EXPECT_EQ(millrace_placement_free(placement), MILLRACE_OK);
  EXPECT_REJECTED(millrace_placement_get(placement, &info), MILLRACE_INVALID_ARGUMENT,
                  "placement is a handle that was freed");
}

TEST_F(CAlgorithmsTest, SensorsThatCannotBePlacedAreRejected) {
  const millrace_point sensor = {0, 0};
  millrace_placement* placement = nullptr;
  EXPECT_REJECTED(millrace_place_relays(queue, nullptr, 1, 60, &placement),
                  MILLRACE_INVALID_ARGUMENT, "sensors is null");
  EXPECT_REJECTED(millrace_place_relays(queue, &sensor, 1, 0, &placement),
                  MILLRACE_INVALID_ARGUMENT, "radius");
}

TEST_F(CAlgorithmsTest, AGroupSortsByItsDevices) {
  millrace_group* group = nullptr;
  ASSERT_EQ(millrace_group_open("tbb,simt:1", &group), MILLRACE_OK) << millrace_error_message();
  std::size_t devices = 0;
  ASSERT_EQ(millrace_group_size(group, &devices), MILLRACE_OK);
  EXPECT_EQ(devices, 2u);
  millrace_device_info info = {};
  info.size = sizeof(info);
  ASSERT_EQ(millrace_group_describe(group, 1, &info), MILLRACE_OK);
  EXPECT_STREQ(info.name, "simt:1");
  EXPECT_REJECTED(millrace_group_describe(group, 2, &info), MILLRACE_INVALID_ARGUMENT,
                  "index is 2; the group has 2 devices");

  std::vector<std::uint32_t> keys(20000);
  for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = i * 2654435761u;
  millrace_sort_arguments sort = {};
  sort.size = sizeof(sort);
  sort.count = keys.size();
  sort.keys_in = keys.data();
  sort.keys_out = keys.data();
  std::vector<std::uint32_t> expected = keys;
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(millrace_group_sort(group, &sort), MILLRACE_OK) << millrace_error_message();
  EXPECT_EQ(keys, expected);

  EXPECT_REJECTED(millrace_queue_wait(reinterpret_cast<millrace_queue*>(group)),
                  MILLRACE_INVALID_ARGUMENT, "the handle of a group");
  EXPECT_EQ(millrace_group_close(group), MILLRACE_OK);
  EXPECT_REJECTED(millrace_group_sort(group, &sort), MILLRACE_INVALID_ARGUMENT,
                  "group is a handle that was freed");
}

TEST_F(CAlgorithmsTest, GroupsThatAreNoneAreRejected) {
  millrace_group* group = nullptr;
  EXPECT_REJECTED(millrace_group_open("tbb,tbb", &group), MILLRACE_INVALID_ARGUMENT, "twice");
  EXPECT_REJECTED(millrace_group_open("tbb,warp:0", &group), MILLRACE_NOT_FOUND, "warp");
  EXPECT_REJECTED(millrace_group_open(nullptr, &group), MILLRACE_INVALID_ARGUMENT, "names is null");
}

}  // namespace
