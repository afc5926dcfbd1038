// SPDX-License-Identifier: Apache-2.0

// Encodes computed clips and decodes the streams: decoders must return what the encoder says.
#include <millrace/algorithms/h264/encoder/device_batch.h>
#include <millrace/algorithms/h264/encoder/device_group_encoder.h>
#include <millrace/algorithms/h264/encoder/encoder.h>
#include <millrace/algorithms/h264/encoder/group_encoder.h>
#include <millrace/algorithms/h264/encoder/group_reader.h>
#include <millrace/algorithms/h264/encoder/rate/group_rate.h>
#include <millrace/algorithms/h264/encoder/rate/picture_complexity.h>
#include <millrace/algorithms/h264/encoder/settings/parameter_choice.h>
#include <millrace/algorithms/h264/encoder/testing/made_clip.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

struct EncodedCopy {
  std::int64_t index;
  SliceType type;
  bool is_idr;
  int qp;
  std::size_t bytes;
  SamplePicture reconstruction;
  std::array<std::uint64_t, 3> squared_errors;
};

struct EncodedClip {
  std::vector<std::uint8_t> stream;
  std::vector<EncodedCopy> pictures;

  void add(const EncodedPicture& picture) {
    stream.insert(stream.end(), picture.bytes.begin(), picture.bytes.end());
    pictures.push_back(
        {picture.index,
         picture.type,
         picture.is_idr,
         picture.qp,
         picture.bytes.size(),
         *picture.reconstruction,
         {picture.squared_errors[0], picture.squared_errors[1], picture.squared_errors[2]}});
  }
  std::vector<std::int64_t> idr_pictures() const {
    std::vector<std::int64_t> indices;
    for (const EncodedCopy& picture : pictures) {
      if (picture.is_idr) indices.push_back(picture.index);
    }
    return indices;
  }
};

// Returns stages that give `count` pictures of a clip and keep what comes of them.
EncoderStages stages_of(const MadeClip& clip, int count, EncodedClip& encoded) {
  return {.produce =
              [&clip, count, next = 0](SamplePicture& picture) mutable {
                if (next == count) return false;
                clip.write(next++, picture);
                return true;
              },
          .consume = [&encoded](const EncodedPicture& picture) { encoded.add(picture); }};
}

// Expects the same of a device that does more.
EncodedClip encode(const std::shared_ptr<Device>& device, const EncoderOptions& options,
                   const MadeClip& clip, int count) {
  EncodedClip encoded;
  Encoder(device, options).run(stages_of(clip, count, encoded));
  if (device->info().shares_host_memory) return encoded;
  EncoderOptions on_device = options;
  on_device.device_work = DeviceWork::kPictures;
  EncodedClip other;
  Encoder(device, on_device).run(stages_of(clip, count, other));
  EXPECT_TRUE(other.stream == encoded.stream);
  EXPECT_EQ(other.pictures.size(), encoded.pictures.size());
  for (std::size_t i = 0; i < other.pictures.size(); ++i) {
    EXPECT_EQ(other.pictures[i].squared_errors, encoded.pictures[i].squared_errors);
  }
  return other;
}

void expect_equal(const DecodedFrame& frame, const SamplePicture& reconstruction) {
  ASSERT_EQ(frame.concealed_macroblocks, 0);
  for (int plane = 0; plane < 3; ++plane) {
    const std::ptrdiff_t stride = reconstruction.width(plane);
    ASSERT_EQ(frame.samples->width(plane), stride);
    for (int y = 0; y < frame.height(plane); ++y) {
      const std::uint8_t* const decoded = frame.first_sample(plane) + y * stride;
      const std::uint8_t* const expected = reconstruction.plane(plane) + y * stride;
      for (int x = 0; x < frame.width(plane); ++x) {
        ASSERT_EQ(decoded[x], expected[x]) << "plane " << plane << " (" << x << ", " << y << ")";
      }
    }
  }
}

// Expects that a decoder returns the reconstructions. Returns the stream's parameters.
SequenceParameters expect_decodes(const EncodedClip& encoded, const EncoderOptions& options) {
  std::size_t count = 0;
  SequenceParameters sequence;
  const auto take = [&](const DecodedFrame& frame) {
    SCOPED_TRACE(testing::Message() << "picture " << count);
    ASSERT_LT(count, encoded.pictures.size());
    sequence = *frame.sequence;
    ASSERT_EQ(frame.width(0), options.width);
    ASSERT_EQ(frame.height(0), options.height);
    ASSERT_EQ(encoded.pictures[count].index, static_cast<std::int64_t>(count));
    expect_equal(frame, encoded.pictures[count].reconstruction);
    ++count;
  };
  DecoderOptions decoding;
  decoding.take_fault = [](const StreamFault& fault) { ADD_FAILURE() << fault.message; };
  Decoder decoder(take, decoding);
  push_stream(encoded.stream, decoder);
  EXPECT_EQ(count, encoded.pictures.size());
  return sequence;
}

// Expects that vectors are within the limits of a level.
class LimitCheck : public PictureSink {
 public:
  explicit LimitCheck(const LevelLimits& limits) : limits_(limits) {}

  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    int before = 0;
    for (const Macroblock& macroblock : picture->macroblocks) {
      const int count = vectors_of(macroblock);
      EXPECT_LE(before + count, limits_.vectors_in_two);
      before = count;
      for (const MotionVector vector : macroblock.vectors[0]) {
        EXPECT_GE(vector.x, -4 * kHorizontalRange);
        EXPECT_LT(vector.x, 4 * kHorizontalRange);
        EXPECT_GE(vector.y, -4 * limits_.vertical_range);
        EXPECT_LT(vector.y, 4 * limits_.vertical_range);
        longest = std::max(longest, std::abs(vector.y));
        widest = std::max(widest, std::abs(vector.x));
      }
      most_vectors = std::max(most_vectors, count);
    }
  }
  void fault(const StreamFault& fault) override { ADD_FAILURE() << fault.message; }

  int most_vectors = 0;  // Largest number of vectors of a macroblock.
  int longest = 0;       // Vertical, in quarter samples.
  int widest = 0;        // Horizontal, in quarter samples.

 private:
  // Luma samples, -kHorizontalRange to kHorizontalRange - 1/4, at all levels (clause A.3.1).
  static constexpr int kHorizontalRange = 2048;

  // Counts independently of the encoder's own count (vector_count.h), which this tests.
  static int vectors_of(const Macroblock& macroblock) {
    switch (macroblock.type) {
      case MacroblockType::kInter16x16:
      case MacroblockType::kSkip: return 1;
      case MacroblockType::kInter16x8:
      case MacroblockType::kInter8x16: return 2;
      case MacroblockType::kInter8x8: break;
      default: return 0;
    }
    int count = 0;
    for (const SubPartition partition : macroblock.sub_partitions) {
      count += partition == SubPartition::k8x8 ? 1 : partition == SubPartition::k4x4 ? 4 : 2;
    }
    return count;
  }

  const LevelLimits& limits_;
};

double luma_psnr(const EncodedClip& encoded, const EncoderOptions& options) {
  double error = 0;
  for (const EncodedCopy& picture : encoded.pictures) {
    error += static_cast<double>(picture.squared_errors[0]);
  }
  const double samples =
      static_cast<double>(encoded.pictures.size()) * options.width * options.height;
  return 10 * std::log10(255.0 * 255.0 * samples / std::max(error, 1.0));
}

class EncoderTest : public conformance::ConformanceTest {
 protected:
  // Options of a small clip that has samples outside its cropping rectangle.
  static EncoderOptions small_options() {
    EncoderOptions options;
    options.width = 34;
    options.height = 50;
    options.range = 8;
    options.pictures_a_group = 5;
    return options;
  }

  MadeClip clip_of(const EncoderOptions& options, MadeContent content = MadeContent::kTexture) {
    MadeClip clip;
    clip.content = content;
    clip.width = options.width;
    clip.height = options.height;
    clip.seed = random();
    clip.noise = 4;
    return clip;
  }

  // Encodes some pictures of a clip and expects that a decoder returns them.
  EncodedClip expect_round_trip(const EncoderOptions& options, const MadeClip& clip, int count) {
    EncodedClip encoded = encode(device, options, clip, count);
    EXPECT_EQ(encoded.pictures.size(), static_cast<std::size_t>(count));
    expect_decodes(encoded, options);
    return encoded;
  }
  EncodedClip expect_round_trip(const EncoderOptions& options) {
    return expect_round_trip(options, clip_of(options), pictures());
  }

  int pictures() const { return static_cast<int>(scaled(7, 3)); }

  SeededRandom random;
};

TEST_P(EncoderTest, EachContentIsDecodedAsReconstructed) {
  for (const MadeContent content : {MadeContent::kTexture, MadeContent::kNoise,
                                    MadeContent::kBlackAndWhite, MadeContent::kFlat}) {
    SCOPED_TRACE(testing::Message() << "content " << static_cast<int>(content));
    const EncoderOptions options = small_options();
    MadeClip clip = clip_of(options, content);
    clip.cuts = {2};
    expect_round_trip(options, clip, pictures());
  }
}

TEST_P(EncoderTest, EachSizeIsDecodedAsReconstructed) {
  struct Size {
    int width, height;
  };
  const std::vector<Size> sizes = {{16, 16}, {18, 16},  {16, 30},  {34, 50},
                                   {66, 46}, {130, 18}, {176, 144}};
  for (std::size_t i = 0; i < scaled(sizes.size(), 3); ++i) {
    SCOPED_TRACE(testing::Message() << sizes[i].width << " x " << sizes[i].height);
    EncoderOptions options = small_options();
    options.width = sizes[i].width;
    options.height = sizes[i].height;
    expect_round_trip(options);
  }
}

TEST_P(EncoderTest, EachQpIsDecodedAsReconstructed) {
  const std::vector<int> qps = {0, 51, 28, 10, 1, 5, 17, 35, 43, 50};
  for (std::size_t i = 0; i < scaled(qps.size(), 2); ++i) {
    for (const MadeContent content :
         {MadeContent::kTexture, MadeContent::kNoise, MadeContent::kBlackAndWhite}) {
      SCOPED_TRACE(testing::Message() << "QP " << qps[i]);
      EncoderOptions options = small_options();
      options.qp = qps[i];
      options.profile = random(0, 1) == 0 ? EncoderProfile::kBaseline : EncoderProfile::kHigh;
      expect_round_trip(options, clip_of(options, content), pictures());
    }
  }
}

TEST_P(EncoderTest, EachProfileAndDecisionIsDecodedAsReconstructed) {
  for (const auto profile :
       {EncoderProfile::kBaseline, EncoderProfile::kMain, EncoderProfile::kHigh}) {
    for (const auto decision : {ModeDecision::kCost, ModeDecision::kRateDistortion}) {
      SCOPED_TRACE(testing::Message() << "profile " << static_cast<int>(profile) << ", decision "
                                      << static_cast<int>(decision));
      EncoderOptions options = small_options();
      options.profile = profile;
      options.decision = decision;
      expect_round_trip(options);
    }
  }
}

// Devices decide by cost after a full search with code of their own (tasks/lanes/).
TEST_P(EncoderTest, DecisionsByCostAreDecodedAsReconstructed) {
  const std::vector<int> qps = {28, 12, 35, 0, 11, 18, 24, 36, 44, 51};
  for (std::size_t i = 0; i < scaled(qps.size(), 3); ++i) {
    for (const MadeContent content :
         {MadeContent::kTexture, MadeContent::kNoise, MadeContent::kBlackAndWhite}) {
      EncoderOptions options = small_options();
      options.width = 16 * static_cast<int>(random(2, 4));
      options.height = 2 * static_cast<int>(random(16, 28));
      options.decision = ModeDecision::kCost;
      options.qp = qps[i];
      options.references = static_cast<int>(random(1, 4));
      options.slices = static_cast<int>(random(1, 2));
      options.profile = random(0, 2) == 0 ? EncoderProfile::kMain : EncoderProfile::kBaseline;
      SCOPED_TRACE(testing::Message()
                   << options.width << " x " << options.height << ", QP " << qps[i] << ", "
                   << options.references << " references, " << options.slices << " slices");
      MadeClip clip = clip_of(options, content);
      clip.speed = static_cast<int>(random(0, 13));
      expect_round_trip(options, clip, static_cast<int>(scaled(6, 2)));
    }
  }
}

TEST_P(EncoderTest, EachSearchIsDecodedAsReconstructed) {
  for (const auto search :
       {EncoderSearch::kFull, EncoderSearch::kHexagon, EncoderSearch::kDiamond}) {
    for (const int references : {1, 4}) {
      SCOPED_TRACE(testing::Message()
                   << "search " << static_cast<int>(search) << ", references " << references);
      EncoderOptions options = small_options();
      options.search = search;
      options.references = references;
      options.pictures_a_group = 7;
      expect_round_trip(options, clip_of(options), static_cast<int>(scaled(9, 4)));
    }
  }
}

TEST_P(EncoderTest, EachNumberOfSlicesIsDecodedAsReconstructed) {
  for (const int slices : {1, 2, 3, 4}) {
    SCOPED_TRACE(testing::Message() << slices << " slices");
    EncoderOptions options = small_options();
    options.slices = slices;
    options.profile = slices % 2 == 0 ? EncoderProfile::kBaseline : EncoderProfile::kHigh;
    expect_round_trip(options);
  }
}

// Returns memory of a device that leaves at least `free` bytes, and little more.
std::vector<Buffer<std::byte>> all_memory_but(const std::shared_ptr<Device>& device,
                                              std::size_t free) {
  const Buffer<std::byte> left(device, MemorySpace::kDevice, free);
  std::vector<Buffer<std::byte>> taken;
  for (std::size_t bytes = device->info().memory_bytes; bytes >= 4096;) {
    try {
      taken.emplace_back(device, MemorySpace::kDevice, bytes);
    } catch (const Error&) {
      bytes /= 2;
    }
  }
  return taken;
}

TEST_P(EncoderTest, WhereMemoryIsShortFewerGroupsAreEncodedAtOnce) {
  if (!device->info().is_simulated) GTEST_SKIP() << "SKIPPED: takes all memory of the device";
  EncoderOptions options = small_options();
  options.width = 16;
  options.height = 16;
  options.decision = ModeDecision::kCost;
  options.pictures_a_group = 1;
  options.device_work = DeviceWork::kPictures;
  const SequenceParameters sequence = sequence_parameters_for(options);
  const auto macroblocks = static_cast<std::size_t>(sequence.macroblock_count());
  const std::size_t group_bytes =
      DeviceGroupEncoder::bytes(options, macroblocks, sequence.height_in_macroblocks);
  const std::size_t groups = DeviceBatch::group_count(*device, options, sequence);
  ASSERT_GE(groups, 8u);
  const MadeClip clip = clip_of(options);
  const int count_of_pictures = static_cast<int>(groups) + 4;  // Both batches have some.
  EncodedClip expected;
  Encoder(open_device(conformance::some_device_name()), options)
      .run(stages_of(clip, count_of_pictures, expected));
  // Two batches of so many groups, and their tasks.
  const auto bytes_of = [&](std::size_t count) {
    return 2 * (DeviceBatch::task_bytes(*device) + count * group_bytes);
  };
  for (const std::size_t count : {groups / 2, groups / 4}) {
    SCOPED_TRACE(testing::Message() << "memory for " << count << " of " << groups << " groups");
    const std::vector<Buffer<std::byte>> taken = all_memory_but(device, bytes_of(count));
    EncodedClip encoded;
    Encoder(device, options).run(stages_of(clip, count_of_pictures, encoded));
    EXPECT_TRUE(encoded.stream == expected.stream);
  }
  const std::vector<Buffer<std::byte>> taken = all_memory_but(device, group_bytes);
  EncodedClip encoded;
  try {
    Encoder(device, options).run(stages_of(clip, count_of_pictures, encoded));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory) << error.what();
  }
  EXPECT_TRUE(encoded.pictures.empty());
}

// A device keeps reconstructions that consume() does not read.
TEST_P(EncoderTest, ReconstructionsAreGivenWhereTheyAreTaken) {
  EncoderOptions options = small_options();
  options.device_work = DeviceWork::kPictures;
  const MadeClip clip = clip_of(options);
  const EncodedClip expected = encode(device, options, clip, 3);
  for (const bool is_taken : {true, false}) {
    EncodedClip ignored;
    EncoderStages stages = stages_of(clip, 3, ignored);
    std::vector<std::uint8_t> stream;
    int given = 0;
    stages.consume = [&](const EncodedPicture& picture) {
      stream.insert(stream.end(), picture.bytes.begin(), picture.bytes.end());
      given += picture.reconstruction != nullptr ? 1 : 0;
    };
    stages.takes_reconstructions = is_taken;
    Encoder(device, options).run(stages);
    EXPECT_TRUE(stream == expected.stream);
    EXPECT_EQ(given, is_taken || device->info().shares_host_memory ? 3 : 0);
  }
}

TEST_P(EncoderTest, LargeGroupsAreNotADevices) {
  EncoderOptions options = small_options();
  options.device_work = DeviceWork::kPictures;
  const bool is_cpu = device->info().shares_host_memory;
  EXPECT_EQ(Encoder(device, options).device_work(),
            is_cpu ? DeviceWork::kSearch : DeviceWork::kPictures);
  options.width = 4096;
  options.height = 2304;
  options.pictures_a_group = 12;
  EXPECT_EQ(Encoder(device, options).device_work(), DeviceWork::kSearch);
}

TEST_P(EncoderTest, EachLengthOfGroupsIsDecodedAsReconstructed) {
  const int count = static_cast<int>(scaled(26, 4));
  for (const int length : {1, 3, 12}) {
    SCOPED_TRACE(testing::Message() << "groups of " << length);
    EncoderOptions options = small_options();
    options.pictures_a_group = length;
    options.finds_scene_cuts = false;  // The halves of a small picture may move like one.
    const EncodedClip encoded = expect_round_trip(options, clip_of(options), count);
    for (const EncodedCopy& picture : encoded.pictures) {
      EXPECT_EQ(picture.is_idr, picture.index % length == 0) << picture.index;
      EXPECT_EQ(picture.type == SliceType::kI, picture.is_idr) << picture.index;
    }
  }
}

// frame_num has 8 bits.
TEST_P(EncoderTest, AGroupMayHaveMorePicturesThanFrameNumbers) {
  EncoderOptions options = small_options();
  options.width = 16;
  options.height = 16;
  options.pictures_a_group = 1000;
  expect_round_trip(options, clip_of(options), static_cast<int>(scaled(300, 3)));
}

TEST_P(EncoderTest, WithoutDeblocking) {
  EncoderOptions options = small_options();
  options.has_deblocking = false;
  options.qp = 40;
  expect_round_trip(options);
}

// Vectors point far outside the picture.
TEST_P(EncoderTest, FastMotion) {
  EncoderOptions options = small_options();
  options.range = static_cast<int>(scaled(128, 32));
  MadeClip clip = clip_of(options);
  clip.speed = 71;
  clip.noise = 0;
  expect_round_trip(options, clip, pictures());
}

TEST_P(EncoderTest, RandomOptions) {
  for (std::size_t trial = 0; trial < scaled(60, 2); ++trial) {
    EncoderOptions options;
    options.width = 2 * static_cast<int>(random(8, 40));
    options.height = 2 * static_cast<int>(random(8, 40));
    options.profile = static_cast<EncoderProfile>(random(0, 2));
    options.decision = static_cast<ModeDecision>(random(0, 1));
    options.search = static_cast<EncoderSearch>(random(0, 2));
    options.qp = static_cast<int>(random(0, 51));
    options.pictures_a_group = static_cast<int>(random(1, 8));
    options.range = static_cast<int>(random(8, scaled(40, 8)));
    options.references = static_cast<int>(random(1, 4));
    options.slices = static_cast<int>(random(1, static_cast<unsigned>(options.height + 15) / 16));
    options.has_deblocking = random(0, 3) != 0;
    MadeClip clip = clip_of(options);
    clip.speed = static_cast<int>(random(0, 40));
    clip.noise = static_cast<int>(random(0, 20));
    clip.cuts = {static_cast<int>(random(1, 6))};
    SCOPED_TRACE(testing::Message()
                 << options.width << " x " << options.height << ", profile "
                 << static_cast<int>(options.profile) << ", decision "
                 << static_cast<int>(options.decision) << ", search "
                 << static_cast<int>(options.search) << ", QP " << options.qp << ", groups of "
                 << options.pictures_a_group << ", range " << options.range << ", "
                 << options.references << " references, " << options.slices << " slices, speed "
                 << clip.speed << ", noise " << clip.noise);
    expect_round_trip(options, clip, pictures());
    if (HasFailure()) return;
  }
}

// Returns options of decisions by rate and distortion, and those of the paper: devices decide by
// cost after a full search with code of their own (tasks/lanes/).
std::vector<EncoderOptions> options_of_decisions(EncoderOptions options) {
  std::vector<EncoderOptions> all = {options};
  options.decision = ModeDecision::kCost;
  options.profile = EncoderProfile::kBaseline;
  for (const int qp : {24, 36}) {  // At 36 many levels are dropped.
    options.qp = qp;
    all.push_back(options);
  }
  return all;
}

TEST_P(EncoderTest, EveryDeviceGivesTheSameStream) {
  for (EncoderOptions options : options_of_decisions(small_options())) {
    options.references = 2;
    const MadeClip clip = clip_of(options);
    const EncodedClip encoded = encode(device, options, clip, 4);
    const EncodedClip other =
        encode(open_device(conformance::device_names().front()), options, clip, 4);
    EXPECT_TRUE(encoded.stream == other.stream)
        << "decision " << static_cast<int>(options.decision);
  }
}

TEST_P(EncoderTest, EveryPolicyGivesTheSameStream) {
  for (EncoderOptions options : options_of_decisions(small_options())) {
    const MadeClip clip = clip_of(options);
    const EncodedClip expected = encode(device, options, clip, 4);
    options.device_work = DeviceWork::kPictures;
    for (const Policy policy : kConcretePolicies) {
      options.policy = policy;
      EncodedClip encoded;
      Encoder(device, options).run(stages_of(clip, 4, encoded));
      EXPECT_TRUE(encoded.stream == expected.stream)
          << "decision " << static_cast<int>(options.decision) << ", " << to_string(policy);
    }
  }
}

TEST_P(EncoderTest, QualityRisesWithFallingQp) {
  EncoderOptions options = small_options();
  const MadeClip clip = clip_of(options);
  double before = 0;
  std::size_t bytes_before = 0;
  for (const int qp : {51, 40, 28, 16, 4}) {
    options.qp = qp;
    const EncodedClip encoded = encode(device, options, clip, pictures());
    const double psnr = luma_psnr(encoded, options);
    EXPECT_GT(psnr, before + 2) << "QP " << qp;
    EXPECT_GT(encoded.stream.size(), bytes_before) << "QP " << qp;
    before = psnr;
    bytes_before = encoded.stream.size();
  }
  EXPECT_GT(before, 45);
}

TEST_P(EncoderTest, SquaredErrorsAreThoseInsideTheCroppingRectangle) {
  const EncoderOptions options = small_options();
  const MadeClip clip = clip_of(options);
  const EncodedClip encoded = encode(device, options, clip, 3);
  for (const EncodedCopy& picture : encoded.pictures) {
    SamplePicture source(3, 4);
    clip.write(static_cast<int>(picture.index), source);
    for (int plane = 0; plane < 3; ++plane) {
      const int scale = plane == 0 ? 1 : 2;
      std::uint64_t sum = 0;
      for (int y = 0; y < options.height / scale; ++y) {
        for (int x = 0; x < options.width / scale; ++x) {
          const int at = y * source.width(plane) + x;
          const int difference = source.plane(plane)[at] - picture.reconstruction.plane(plane)[at];
          sum += static_cast<std::uint64_t>(difference * difference);
        }
      }
      EXPECT_EQ(picture.squared_errors[static_cast<std::size_t>(plane)], sum)
          << "picture " << picture.index << ", plane " << plane;
    }
  }
}

TEST_P(EncoderTest, ParameterSetsSayWhatIsRequested) {
  EncoderOptions options = small_options();
  options.frame_rate = 30'000;
  options.frame_rate_base = 1001;
  options.sample_aspect_width = 12;
  options.sample_aspect_height = 11;
  options.is_full_range = true;
  options.references = 3;
  options.profile = EncoderProfile::kMain;
  const SequenceParameters sequence =
      expect_decodes(encode(device, options, clip_of(options), 2), options);
  EXPECT_EQ(sequence.profile, 77);
  EXPECT_EQ(sequence.level, 10);
  EXPECT_EQ(sequence.width_in_macroblocks, 3);
  EXPECT_EQ(sequence.height_in_macroblocks, 4);
  EXPECT_EQ(sequence.width(), 34);
  EXPECT_EQ(sequence.height(), 50);
  EXPECT_EQ(sequence.time_scale, 60'000u);
  EXPECT_EQ(sequence.units_in_tick, 1001u);
  EXPECT_EQ(sequence.sample_aspect_width, 12);
  EXPECT_EQ(sequence.sample_aspect_height, 11);
  EXPECT_TRUE(sequence.is_full_range);
  EXPECT_EQ(sequence.max_reference_frames, 3);
  EXPECT_EQ(sequence.max_reorder_frames, 0);
}

// Returns stages that give noise of which all of a picture moves on, or blocks of 4x4 samples move
// on by themselves.
EncoderStages moving_noise(const EncoderOptions& options, std::uint64_t seed, int rows_a_picture,
                           bool moves_blocks, int count, EncodedClip& encoded) {
  MadeClip clip;
  clip.content = MadeContent::kNoise;
  clip.width = options.width;
  clip.height = options.height;
  clip.seed = seed;
  EncoderStages stages = stages_of(clip, count, encoded);
  stages.produce = [=, next = 0](SamplePicture& picture) mutable {
    clip.write(0, picture);
    const SamplePicture noise = picture;
    for (int y = 0; y < options.height; ++y) {
      for (int x = 0; x < options.width; ++x) {
        const int block = moves_blocks ? x / 4 * 5 + y / 4 * 3 : 0;
        const int from_x = (x + next * (block % 7)) % options.width;
        const int from_y = (y + next * (rows_a_picture + block % 5)) % options.height;
        picture.plane(0)[y * picture.width(0) + x] =
            noise.plane(0)[from_y * noise.width(0) + from_x];
      }
    }
    return next++ < count;
  };
  return stages;
}

LimitCheck checked_limits(const EncodedClip& encoded, const EncoderOptions& options) {
  LimitCheck check(level_for(options));
  StreamParser parser(check);
  push_stream(encoded.stream, parser);
  return check;
}

TEST_P(EncoderTest, MacroblocksHaveNoMoreVectorsThanTheLevelAllows) {
  for (const std::uint32_t frame_rate : {1u, 10'000u}) {
    EncoderOptions options = small_options();
    options.width = 64;
    options.qp = 20;
    options.frame_rate = frame_rate;
    EncodedClip encoded;
    Encoder(device, options).run(moving_noise(options, random(), 0, true, 2, encoded));
    const LimitCheck check = checked_limits(encoded, options);
    EXPECT_EQ(level_for(options).vectors_in_two, frame_rate == 1 ? 32 : 16);
    EXPECT_GT(check.most_vectors, frame_rate == 1 ? 12 : 6);
    expect_decodes(encoded, options);
  }
}

TEST_P(EncoderTest, VectorsAreNoLongerThanTheLevelAllows) {
  if (device->info().is_simulated) GTEST_SKIP() << "SKIPPED: a search of minutes";
  for (const std::uint32_t frame_rate : {1u, 60u}) {
    EncoderOptions options = small_options();
    options.width = 32;
    options.height = 400;
    options.range = 128;
    options.frame_rate = frame_rate;
    EncodedClip encoded;
    Encoder(device, options).run(moving_noise(options, random(), 80, false, 2, encoded));
    const LimitCheck check = checked_limits(encoded, options);
    EXPECT_EQ(level_for(options).vertical_range, frame_rate == 1 ? 64 : 128);
    EXPECT_EQ(check.longest >= 4 * 80, frame_rate == 60) << check.longest;
    expect_decodes(encoded, options);
  }
}

// Picture n moves by 15 n samples to the left, around which the search ends: vectors are found
// around those of the picture before. The last pictures move by more than 2048 samples.
TEST_P(EncoderTest, VectorsAreNoWiderThanTheLevelAllows) {
  if (device->info().is_simulated) GTEST_SKIP() << "SKIPPED: a search of minutes";
  constexpr int kPictures = 142;
  EncoderOptions options = small_options();
  options.width = 2240;
  options.height = 16;
  options.range = 16;
  options.qp = 20;
  options.decision = ModeDecision::kCost;
  options.profile = EncoderProfile::kBaseline;
  options.pictures_a_group = kPictures;
  options.finds_scene_cuts = false;
  MadeClip clip = clip_of(options, MadeContent::kNoise);
  EncodedClip encoded;
  EncoderStages stages = stages_of(clip, kPictures, encoded);
  stages.produce = [=, next = 0](SamplePicture& picture) mutable {
    clip.write(0, picture);
    const SamplePicture noise = picture;
    const int moved = 15 * next * (next + 1) / 2;
    for (int y = 0; y < options.height; ++y) {
      for (int x = 0; x < options.width; ++x) {
        picture.plane(0)[y * picture.width(0) + x] =
            noise.plane(0)[y * noise.width(0) + (x + moved) % options.width];
      }
    }
    return next++ < kPictures;
  };
  Encoder(device, options).run(stages);
  const LimitCheck check = checked_limits(encoded, options);
  EXPECT_GE(check.widest, 4 * 2025) << "the clip does not come near the limit";
  expect_decodes(encoded, options);
}

TEST_P(EncoderTest, AClipWithoutPicturesIsAnEmptyStream) {
  const EncoderOptions options = small_options();
  EXPECT_TRUE(encode(device, options, clip_of(options), 0).stream.empty());
}

TEST_P(EncoderTest, ACutBeginsAGroup) {
  EncoderOptions options = small_options();
  options.width = 96;
  options.height = 80;
  options.pictures_a_group = 4;
  MadeClip clip = clip_of(options);
  clip.cell = 24;
  clip.speed = 2;
  clip.cuts = {6, 14};
  const int count = static_cast<int>(scaled(20, 8));
  EncodedClip encoded = expect_round_trip(options, clip, count);
  std::vector<std::int64_t> expected = {0, 4, 6, 10, 14, 18};
  std::erase_if(expected, [=](std::int64_t index) { return index >= count; });
  EXPECT_EQ(encoded.idr_pictures(), expected);
  options.finds_scene_cuts = false;
  encoded = expect_round_trip(options, clip, count);
  expected = {0, 4, 8, 12, 16};
  std::erase_if(expected, [=](std::int64_t index) { return index >= count; });
  EXPECT_EQ(encoded.idr_pictures(), expected);
}

// Groups that follow each other have different idr_pic_id, which separates their pictures.
TEST_P(EncoderTest, EveryPictureMayBeACut) {
  EncoderOptions options = small_options();
  const MadeClip clip = clip_of(options);
  EncodedClip encoded;
  EncoderStages stages = stages_of(clip, 0, encoded);
  int next = 0;
  stages.produce = [&](SamplePicture& picture) {
    // Bright and dark halves are swapped in each picture.
    for (int i = 0; i < 48 * 64; ++i) {
      const bool is_bright = (i / 48 < 25) == (next % 2 == 0);
      picture.plane(0)[i] = static_cast<std::uint8_t>((is_bright ? 180 : 20) + 8 * next + i % 9);
    }
    return next++ < 8;
  };
  Encoder(device, options).run(stages);
  EXPECT_EQ(encoded.pictures.size(), 8u);
  EXPECT_GT(encoded.idr_pictures().size(), 2u);
  expect_decodes(encoded, options);
}

// Two groups of 1000 pictures of this size do not fit, groups of 100 do.
TEST_P(EncoderTest, PicturesOfLongGroupsAreEmittedOneByOne) {
  EncoderOptions options = small_options();
  options.width = 480;
  options.height = 368;
  options.search = EncoderSearch::kHexagon;
  options.references = 2;
  options.qp = 44;  // Fewer levels, which take simulated GPUs the most time.
  options.pictures_a_group = 100;
  MadeClip clip = clip_of(options);
  clip.cell = 48;
  clip.cuts = {3};
  constexpr int kPictures = 4;
  const EncodedClip expected = encode(device, options, clip, kPictures);
  EXPECT_EQ(expected.idr_pictures(), (std::vector<std::int64_t>{0, 3}));
  options.pictures_a_group = 1000;
  EncodedClip encoded;
  EncoderStages stages = stages_of(clip, kPictures, encoded);
  std::int64_t produced = 0;
  stages.produce = [&, produce = stages.produce](SamplePicture& picture) {
    ++produced;
    return produce(picture);
  };
  stages.consume = [&, consume = stages.consume](const EncodedPicture& picture) {
    EXPECT_LE(produced, picture.index + 2);
    consume(picture);
  };
  Encoder(device, options).run(stages);
  EXPECT_TRUE(encoded.stream == expected.stream);
  expect_decodes(encoded, options);
}

// Two of these groups do not fit by the bytes that are kept beside samples alone.
TEST_P(EncoderTest, ARateOfGroupsThatJustDoNotFitIsTheSameOnDevices) {
  EncoderOptions options = small_options();
  options.width = 480;
  options.height = 368;
  options.search = EncoderSearch::kHexagon;
  options.pictures_a_group = 590;
  options.rate = EncoderRate::kBitrate;
  options.kbit_per_second = 800;
  EXPECT_EQ(encode(device, options, clip_of(options), 3).pictures.size(), 3u);
}

TEST_P(EncoderTest, AStopRequestEndsTheRunBehindAGroup) {
  EncoderOptions options = small_options();
  options.device_work = DeviceWork::kPictures;
  options.pictures_a_group = 3;
  options.finds_scene_cuts = false;  // A random texture may look like a cut.
  const MadeClip clip = clip_of(options);
  EncodedClip encoded;
  EncoderStages stages = stages_of(clip, 100'000, encoded);
  std::stop_source stop;
  stages.produce = [&, produce = stages.produce, next = 0](SamplePicture& picture) mutable {
    if (++next == 5) stop.request_stop();
    return produce(picture);
  };
  Encoder encoder(device, options);
  encoder.run(stages, stop.get_token());
  EXPECT_EQ(encoded.pictures.size(), 6u);
  expect_decodes(encoded, options);
}

TEST_P(EncoderTest, AStopRequestOfTheConsumerEndsTheRun) {
  EncoderOptions options = small_options();
  options.device_work = DeviceWork::kPictures;
  options.pictures_a_group = 2;
  options.finds_scene_cuts = false;  // A random texture may look like a cut.
  const MadeClip clip = clip_of(options);
  EncodedClip encoded;
  EncoderStages stages = stages_of(clip, 100'000, encoded);
  std::stop_source stop;
  stages.consume = [&, consume = stages.consume](const EncodedPicture& picture) {
    consume(picture);
    stop.request_stop();
  };
  Encoder(device, options).run(stages, stop.get_token());
  EXPECT_GT(encoded.pictures.size(), 0u);
  EXPECT_EQ(encoded.pictures.size() % 2, 0u);
  expect_decodes(encoded, options);
}

TEST_P(EncoderTest, AStopRequestBeforeTheRunLeavesAnEmptyStream) {
  const EncoderOptions options = small_options();
  const MadeClip clip = clip_of(options);
  EncodedClip encoded;
  std::stop_source stop;
  stop.request_stop();
  Encoder(device, options).run(stages_of(clip, 5, encoded), stop.get_token());
  EXPECT_TRUE(encoded.stream.empty());
}

TEST_P(EncoderTest, ExceptionsOfStagesComeOutAndTheEncoderRunsAgain) {
  EncoderOptions options = small_options();
  options.device_work = DeviceWork::kPictures;
  options.pictures_a_group = 3;
  const MadeClip clip = clip_of(options);
  const EncodedClip expected = encode(device, options, clip, 7);
  Encoder encoder(device, options);
  EncodedClip encoded;
  EncoderStages failing = stages_of(clip, 7, encoded);
  failing.produce = [produce = failing.produce, next = 0](SamplePicture& picture) mutable {
    if (++next == 5) throw std::runtime_error("the clip ends too early");
    return produce(picture);
  };
  EXPECT_THROW(encoder.run(failing), std::runtime_error);
  encoded = {};
  failing = stages_of(clip, 7, encoded);
  failing.consume = [consume = failing.consume](const EncodedPicture& picture) {
    if (picture.index == 1) throw std::runtime_error("the disk is full");
    consume(picture);
  };
  EXPECT_THROW(encoder.run(failing), std::runtime_error);
  EXPECT_EQ(encoded.pictures.size(), 1u);
  encoded = {};
  encoder.run(stages_of(clip, 7, encoded));
  EXPECT_TRUE(encoded.stream == expected.stream);
}

// Returns options by which QPs follow the content.
std::vector<EncoderOptions> options_of_rates(EncoderOptions options) {
  std::vector<EncoderOptions> all;
  options.search = EncoderSearch::kHexagon;
  options.rate = EncoderRate::kQuality;
  options.qp = 30;
  all.push_back(options);
  options.rate = EncoderRate::kBitrate;
  for (const int kbit : {60, 400}) {
    options.kbit_per_second = kbit;
    all.push_back(options);
  }
  return all;
}

TEST_P(EncoderTest, EachRateIsDecodedAsReconstructed) {
  for (const EncoderOptions& options : options_of_rates(small_options())) {
    SCOPED_TRACE(testing::Message() << "rate " << static_cast<int>(options.rate) << ", "
                                    << options.kbit_per_second << " kbit/s");
    MadeClip clip = clip_of(options);
    clip.cuts = {4};
    expect_round_trip(options, clip, pictures());
  }
}

TEST_P(EncoderTest, EveryDeviceGivesTheSameRates) {
  for (EncoderOptions options : options_of_rates(small_options())) {
    options.search = EncoderSearch::kFull;
    const MadeClip clip = clip_of(options);
    const int count = static_cast<int>(scaled(12, 3));
    const EncodedClip encoded = encode(device, options, clip, count);
    const EncodedClip other =
        encode(open_device(conformance::device_names().front()), options, clip, count);
    EXPECT_TRUE(encoded.stream == other.stream);
  }
}

// Encodes a clip without scene cuts one group after another.
std::vector<std::uint8_t> encode_by_groups(const EncoderOptions& options, const MadeClip& clip,
                                           int count) {
  GroupEncoder encoder(options, sequence_parameters_for(options), picture_parameters_for(options));
  GroupRate rate(rate_options(options));
  EncodedClip unused;
  const EncoderStages stages = stages_of(clip, count, unused);
  const std::function<bool(SamplePicture&)>& produce = stages.produce;
  GroupReader reader(options, produce);
  std::vector<std::uint8_t> stream;
  GroupPictures group;
  for (int number = 0; !reader.is_at_end(); ++number) {
    reader.read(group);
    if (group.count == 0) break;
    encoder.begin_group();
    rate.begin_group(number, static_cast<int>(group.count), true);
    for (std::size_t i = 0; i < group.count; ++i) {
      rate.add(
          picture_complexity(*group.pictures[i], i == 0 ? nullptr : group.pictures[i - 1].get()));
    }
    for (std::size_t i = 0; i < group.count; ++i) {
      std::shared_ptr<SamplePicture>& picture = group.pictures[i];
      encoder.begin_picture(std::move(picture), rate.qp());
      CodedPicture coded;
      for (int again = 0;; ++again) {
        for (int row = 0; row < encoder.rows(); ++row) encoder.encode_row(row);
        coded = encoder.end_picture(number % 2, picture);
        const auto qp = rate.qp_again(coded.qp, 8 * coded.bytes.size());
        if (!qp || again == 2) break;
        encoder.begin_again(std::move(picture), *qp);
      }
      rate.spend(coded.qp, 8 * coded.bytes.size());
      stream.insert(stream.end(), coded.bytes.begin(), coded.bytes.end());
    }
  }
  return stream;
}

// The encoder has as many groups at once as there are threads and memory.
TEST_P(EncoderTest, RatesDoNotDependOnHowManyGroupsAreEncodedAtOnce) {
  for (const EncoderOptions& options : options_of_rates(small_options())) {
    const MadeClip clip = clip_of(options);
    const int count = static_cast<int>(scaled(33, 12));
    const EncodedClip encoded = encode(device, options, clip, count);
    EXPECT_TRUE(encoded.stream == encode_by_groups(options, clip, count));
  }
}

TEST_P(EncoderTest, TheBitrateIsMet) {
  EncoderOptions options = small_options();
  options.width = 96;
  options.height = 80;
  options.search = EncoderSearch::kHexagon;
  options.pictures_a_group = 12;
  options.rate = EncoderRate::kBitrate;
  const int count = static_cast<int>(scaled(48, 24));
  const auto clips = static_cast<int>(scaled(3, 1));
  // The error of a group is that of its last picture. It evens out over the groups of some clips.
  constexpr double kMostOfAClip = 0.1;
  const double most = clips > 1 ? 0.05 : kMostOfAClip;
  for (const int kbit : {120, 500}) {
    options.kbit_per_second = kbit;
    const double wanted_bits = 1000.0 * kbit / 25 * count;
    double sum = 0;
    for (int i = 0; i < clips; ++i) {
      const EncodedClip encoded = encode(device, options, clip_of(options), count);
      const double part = 8.0 * static_cast<double>(encoded.stream.size()) / wanted_bits;
      EXPECT_NEAR(part, 1, kMostOfAClip) << kbit;
      sum += part;
      for (const EncodedCopy& picture : encoded.pictures) {
        EXPECT_LT(picture.qp, 51) << "picture " << picture.index;
      }
    }
    EXPECT_NEAR(sum / clips, 1, most) << kbit;
  }
}

TEST_P(EncoderTest, QualityHasQpsAroundItsOwn) {
  EncoderOptions options = small_options();
  options.rate = EncoderRate::kQuality;
  options.qp = 30;
  const EncodedClip encoded = encode(device, options, clip_of(options), pictures());
  for (const EncodedCopy& picture : encoded.pictures) {
    EXPECT_NEAR(picture.qp, picture.is_idr ? 28 : 30, 3) << "picture " << picture.index;
  }
}

TEST_P(EncoderTest, ABitrateIsAbove0) {
  EncoderOptions options = small_options();
  options.rate = EncoderRate::kBitrate;
  EXPECT_THROW(Encoder(device, options), Error);
}

INSTANTIATE_TEST_SUITE_P(H264, EncoderTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::h264
