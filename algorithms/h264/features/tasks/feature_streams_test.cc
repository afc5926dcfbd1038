// SPDX-License-Identifier: Apache-2.0

// Streams whose slices a device parses and measures: what one thread finds is expected, to the bit.
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/algorithms/h264/stream/testing/seed_streams.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/test_data/test_data.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace millrace::h264 {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct StreamUnit {
  Bytes bytes;
  std::int64_t byte;
  int framing_bytes;
};

std::vector<StreamUnit> units_of(const Bytes& stream) {
  struct Receiver {
    std::vector<StreamUnit> units;
    void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) {
      units.push_back({{unit.begin(), unit.end()}, byte, framing_bytes});
    }
    void finish() {}
  } receiver;
  push_stream(stream, receiver);
  return receiver.units;
}

// A frame as it was given.
struct ShownFrame {
  std::int64_t picture;
  int concealed_macroblocks;
  int width, height;
  Bytes samples;  // Samples of the three planes, not cropped.

  friend bool operator==(const ShownFrame&, const ShownFrame&) = default;
};

// Keeps what is found of one stream.
struct Found final : FeatureSink {
  void add(const FrameFeatures& frame) override {
    frames.push_back(frame);
    order.push_back('f');
  }
  void fault(const StreamFault& fault) override {
    faults.push_back(fault);
    order.push_back('x');
  }

  void frame(const DecodedFrame& frame) override {
    ShownFrame& shown = shown_frames.emplace_back();
    shown.picture = frame.picture;
    shown.concealed_macroblocks = frame.concealed_macroblocks;
    shown.width = frame.width(0);
    shown.height = frame.height(0);
    for (int plane = 0; plane < 3; ++plane) {
      const std::uint8_t* const first = frame.samples->plane(plane);
      const int size = frame.samples->width(plane) * frame.samples->height(plane);
      shown.samples.insert(shown.samples.end(), first, first + size);
    }
    order.push_back('o');
  }
  void release(std::int64_t picture) override { released.push_back(picture); }

  std::vector<FrameFeatures> frames;
  std::vector<StreamFault> faults;
  std::vector<ShownFrame> shown_frames;
  std::vector<std::int64_t> released;
  std::string order;
};

// Finds it on one thread.
class OneThread final : public PictureSink {
 public:
  OneThread(const Bytes& stream, bool decodes) {
    if (decodes) {
      Decoder decoder([this](const DecodedFrame& frame) { found.frame(frame); },
                      {.observer = this});
      push_stream(stream, decoder);
    } else {
      StreamParser parser(*this);
      push_stream(stream, parser);
    }
  }
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    if (picture->is_inferred) return extractor_.skip(*picture);
    found.add(extractor_.measure(*picture));
  }
  void release(std::int64_t picture) override {
    extractor_.release(picture);
    found.release(picture);
  }
  void fault(const StreamFault& fault) override { found.fault(fault); }

  Found found;

 private:
  FrameFeatureExtractor extractor_;
};

void expect_equal(const MeanAndDeviation& actual, const MeanAndDeviation& expected) {
  EXPECT_EQ(actual.mean, expected.mean);
  EXPECT_EQ(actual.deviation, expected.deviation);
}

template <int frequencies>
void expect_equal(const FrequencySums<frequencies>& actual,
                  const FrequencySums<frequencies>& expected) {
  EXPECT_EQ(actual.blocks, expected.blocks);
  EXPECT_EQ(actual.energy, expected.energy);
  EXPECT_EQ(actual.zeros, expected.zeros);
}

auto plain_members(const FrameFeatures& f) {
  return std::tuple(f.picture, f.picture_order, f.frame_number, f.width, f.height, f.is_reference,
                    f.frame_type, f.is_idr, f.bytes, f.mean_qp, f.mean_qp_inside, f.least_qp,
                    f.greatest_qp, f.bit_depth, f.is_key_frame, f.black_rows, f.macroblocks,
                    f.kinds, f.sub_partitions, f.transforms_8x8, f.qp_histogram, f.header_bits,
                    f.bits, f.other_bits, f.slices, f.damaged_slices, f.lost_macroblocks,
                    f.inferred_pictures);
}

void expect_equal(const FrameFeatures& actual, const FrameFeatures& expected) {
  EXPECT_EQ(plain_members(actual), plain_members(expected));
  EXPECT_EQ(actual.motion.blocks, expected.motion.blocks);
  expect_equal(actual.motion.length, expected.motion.length);
  expect_equal(actual.motion.x, expected.motion.x);
  expect_equal(actual.motion.y, expected.motion.y);
  expect_equal(actual.motion.difference, expected.motion.difference);
  EXPECT_EQ(actual.motion.root_mean_square_difference, expected.motion.root_mean_square_difference);
  expect_equal(actual.coefficients.luma_4x4, expected.coefficients.luma_4x4);
  expect_equal(actual.coefficients.luma_8x8, expected.coefficients.luma_8x8);
  expect_equal(actual.coefficients.chroma, expected.coefficients.chroma);
  EXPECT_EQ(actual.references.counts, expected.references.counts);
  EXPECT_EQ(actual.references.references, expected.references.references);
  EXPECT_EQ(actual.references.missing, expected.references.missing);
  EXPECT_EQ(actual.references.mean_decoding_distance, expected.references.mean_decoding_distance);
  EXPECT_EQ(actual.references.mean_output_distance, expected.references.mean_output_distance);
  EXPECT_EQ(actual.damage.inter_macroblocks, expected.damage.inter_macroblocks);
  EXPECT_EQ(actual.damage.refer_to_concealed, expected.damage.refer_to_concealed);
  EXPECT_EQ(actual.damage.refer_to_damaged, expected.damage.refer_to_damaged);
}

void expect_equal(const Found& actual, const Found& expected) {
  EXPECT_EQ(actual.order, expected.order);
  ASSERT_EQ(actual.faults.size(), expected.faults.size());
  for (std::size_t i = 0; i < expected.faults.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "fault " << i);
    const StreamFault& a = actual.faults[i];
    const StreamFault& e = expected.faults[i];
    EXPECT_EQ(a.message, e.message);
    EXPECT_EQ(std::tuple(a.nal_unit, a.byte, a.picture, a.is_unsupported, a.has_primary_pictures),
              std::tuple(e.nal_unit, e.byte, e.picture, e.is_unsupported, e.has_primary_pictures));
  }
  EXPECT_EQ(actual.released, expected.released);
  ASSERT_EQ(actual.shown_frames.size(), expected.shown_frames.size());
  for (std::size_t i = 0; i < expected.shown_frames.size(); ++i) {
    ASSERT_TRUE(actual.shown_frames[i] == expected.shown_frames[i]) << "frame shown " << i;
  }
  ASSERT_EQ(actual.frames.size(), expected.frames.size());
  for (std::size_t i = 0; i < expected.frames.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "frame " << i);
    expect_equal(actual.frames[i], expected.frames[i]);
    if (testing::Test::HasFailure()) return;
  }
}

class FeatureStreamsTest : public conformance::PolicyTest {
 protected:
  FeatureStreamsOptions options() const { return {.run = {.policy = policy}}; }
  FeatureStreamsOptions options_with_samples(PictureTasks tasks) const {
    FeatureStreamsOptions some = options();
    some.samples = StreamSamples::kGiven;
    some.picture_tasks = tasks;
    return some;
  }

  // Measures all streams at once, with a run after each `units_a_run` NAL units of each of them.
  FeatureStreamsReport expect_found_equally(const std::vector<Bytes>& inputs,
                                            std::size_t units_a_run,
                                            const FeatureStreamsOptions& options) {
    FeatureStreams streams(*queue, options);
    std::vector<Found> found(inputs.size());
    std::vector<std::vector<StreamUnit>> units;
    std::vector<std::unique_ptr<FeatureStream>> open;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      units.push_back(units_of(inputs[i]));
      open.push_back(streams.open(found[i]));
      longest = std::max(longest, units[i].size());
    }
    FeatureStreamsReport total;
    for (std::size_t first = 0; first <= longest; first += units_a_run) {
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        push(units[i], first, first + units_a_run, *open[i]);
      }
      total += streams.run();
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "stream " << i);
      EXPECT_EQ(open[i]->pending_slices(), 0U);
      EXPECT_EQ(open[i]->pending_bytes(), 0U);
      expect_equal(found[i], OneThread(inputs[i], options.samples == StreamSamples::kGiven).found);
      if (HasFailure()) break;
    }
    return total;
  }

 private:
  // Pushes those from `first` to before `last`, and finishes where these are the last ones.
  static void push(const std::vector<StreamUnit>& units, std::size_t first, std::size_t last,
                   FeatureStream& stream) {
    for (std::size_t k = first; k < std::min(last, units.size()); ++k) {
      stream.push_nal_unit(units[k].bytes, units[k].byte, units[k].framing_bytes);
    }
    if (units.size() < last) stream.finish();
  }
};

constexpr std::size_t kAll = 1'000'000;

TEST_P(FeatureStreamsTest, StreamsOfAllTools) {
  for (const char* const name : kSeedStreams) {
    SCOPED_TRACE(name);
    const FeatureStreamsReport report = expect_found_equally({seed_stream(name)}, kAll, options());
    EXPECT_EQ(report.runs, 1);
    EXPECT_GT(report.pictures, 0);
    EXPECT_GT(report.bytes_up, report.payload_bytes);
    EXPECT_GT(report.bytes_down, 0);
    if (HasFailure()) return;
  }
}

// Colocated pictures are those of earlier runs.
TEST_P(FeatureStreamsTest, RunsAfterOneOrThreeUnits) {
  std::vector<Bytes> inputs;
  for (const char* const name : kSeedStreams) inputs.push_back(seed_stream(name));
  EXPECT_GT(expect_found_equally(inputs, 1, options()).runs, 4);
  expect_found_equally(inputs, 3, options());
}

// Runs end where the memory does, which no picture fits into; what is kept is moved out.
TEST_P(FeatureStreamsTest, LittleMemory) {
  FeatureStreamsOptions little = options();
  little.device_bytes = 1;
  const std::vector<Bytes> inputs = {seed_stream("temporal_cabac"), seed_stream("main_cavlc_b")};
  const FeatureStreamsReport report = expect_found_equally(inputs, kAll, little);
  EXPECT_EQ(report.runs, report.pictures);
}

// Notes whose pictures are served.
class NotingSink final : public FeatureSink {
 public:
  NotingSink(std::size_t stream, std::vector<std::size_t>& served)
      : stream_(stream), served_(served) {}
  void add(const FrameFeatures&) override { served_.push_back(stream_); }
  void fault(const StreamFault& fault) override { FAIL() << fault.message; }

 private:
  const std::size_t stream_;
  std::vector<std::size_t>& served_;
};

// Each run has memory for one picture, and begins with the next stream: none waits for longer than
// a run of each other one, however many pictures these have.
TEST_P(FeatureStreamsTest, TheOldestPictureOfEachStreamIsInOneOfAsManyRunsAsThereAreStreams) {
  FeatureStreamsOptions little = options();
  little.device_bytes = 1;
  FeatureStreams streams(*queue, little);
  constexpr std::size_t kStreams = 5;
  const Bytes stream = seed_stream("baseline");
  std::vector<std::size_t> served;
  std::vector<std::unique_ptr<NotingSink>> sinks;
  std::vector<std::unique_ptr<FeatureStream>> open;
  for (std::size_t i = 0; i < kStreams; ++i) {
    sinks.push_back(std::make_unique<NotingSink>(i, served));
    open.push_back(streams.open(*sinks.back()));
    // The first stream has three times as many pictures.
    const int copies = i == 0 ? 3 : 1;
    for (int copy = 0; copy < copies; ++copy) {
      for (const StreamUnit& unit : units_of(stream)) {
        open.back()->push_nal_unit(unit.bytes, unit.byte, unit.framing_bytes);
      }
    }
    open.back()->finish();
  }
  const FeatureStreamsReport report = streams.run();
  EXPECT_EQ(report.runs, report.pictures);
  ASSERT_GT(served.size(), 2 * kStreams);
  for (const std::size_t first : {std::size_t{0}, kStreams}) {
    std::vector<std::size_t> of_runs(
        served.begin() + static_cast<std::ptrdiff_t>(first),
        served.begin() + static_cast<std::ptrdiff_t>(first + kStreams));
    std::sort(of_runs.begin(), of_runs.end());
    EXPECT_EQ(of_runs, (std::vector<std::size_t>{0, 1, 2, 3, 4})) << "runs from " << first;
  }
}

TEST_P(FeatureStreamsTest, AsManyPicturesAWarpAsAreRequested) {
  std::vector<Bytes> inputs;
  for (std::size_t i = 0; i < scaled(200, 30); ++i) {
    inputs.push_back(seed_stream(kSeedStreams[i % std::size(kSeedStreams)]));
  }
  for (const int pictures : {1, 4, 32}) {
    SCOPED_TRACE(pictures);
    FeatureStreamsOptions some = options();
    some.pictures_a_warp = pictures;
    expect_found_equally(inputs, kAll, some);
  }
}

TEST_P(FeatureStreamsTest, DamagedStreams) {
  std::mt19937 random(7);
  std::vector<Bytes> inputs;
  for (std::size_t i = 0; i < scaled(300, 60); ++i) {
    inputs.push_back(damaged(seed_stream(kSeedStreams[i % std::size(kSeedStreams)]), random));
  }
  expect_found_equally(inputs, kAll, options());
  inputs.resize(scaled(60, 15));
  expect_found_equally(inputs, 2, options());
}

TEST_P(FeatureStreamsTest, StreamsWithoutPictures) {
  expect_found_equally({{}, {0, 0, 1}, {0, 0, 1, 9, 16}, seed_stream("baseline")}, kAll, options());
}

TEST_P(FeatureStreamsTest, FaultsAreReportedWithoutAPicture) {
  FeatureStreams streams(*queue, options());
  Found found;
  const auto stream = streams.open(found);
  const Bytes damaged = {0x80};  // Its forbidden_zero_bit is 1.
  for (std::size_t faults = 1; faults <= 3; ++faults) {
    stream->push_nal_unit(damaged, 0, 3);
    streams.run();
    EXPECT_EQ(found.faults.size(), faults);
  }
}

TEST_P(FeatureStreamsTest, AStreamMayEndBeforeItsRun) {
  FeatureStreams streams(*queue, options());
  Found dropped, kept;
  auto first = streams.open(dropped);
  const auto second = streams.open(kept);
  const Bytes stream = seed_stream("baseline");
  push_stream(stream, *first);
  push_stream(stream, *second);
  first.reset();
  streams.run();
  EXPECT_TRUE(dropped.frames.empty());
  expect_equal(kept, OneThread(stream, false).found);
}

TEST_P(FeatureStreamsTest, StreamsEndInAnyOrder) {
  FeatureStreams streams(*queue, options());
  const Bytes stream = seed_stream("baseline");
  std::vector<Found> found(5);
  std::vector<std::unique_ptr<FeatureStream>> open;
  for (Found& of_stream : found) open.push_back(streams.open(of_stream));
  for (const std::size_t ended : {1u, 4u, 0u}) {
    open[ended].reset();
    streams.run();
  }
  for (const std::size_t left : {2u, 3u}) push_stream(stream, *open[left]);
  streams.run();
  const OneThread expected(stream, false);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == 2 || i == 3) {
      expect_equal(found[i], expected.found);
    } else {
      EXPECT_TRUE(found[i].frames.empty());
    }
  }
}

TEST_P(FeatureStreamsTest, AStreamWhoseSinkHasThrownIsForgotten) {
  class ThrowingSink final : public FeatureSink {
   public:
    void add(const FrameFeatures&) override {}
    void fault(const StreamFault&) override { throw Error(ErrorCode::kCancelled, "enough"); }
  };
  FeatureStreams streams(*queue, options());
  const Bytes damaged = {0x80};  // Its forbidden_zero_bit is 1.
  ThrowingSink sink;
  auto stream = streams.open(sink);
  stream->push_nal_unit(damaged, 0, 3);
  EXPECT_THROW(streams.run(), Error);
  stream.reset();
  Found found;
  stream = streams.open(found);
  stream->push_nal_unit(damaged, 0, 3);
  streams.run();
  EXPECT_EQ(found.faults.size(), 1u);
}

// They are not part of the repository (tests/test_data/test_data.h).
TEST_P(FeatureStreamsTest, RealStreams) {
  std::vector<Bytes> inputs;
  for (const char* const name : kRealStreams) {
    const std::string path = test_data::find(name);
    if (path.empty()) continue;
    // A simulated device takes a second for some thousand macroblocks.
    Bytes stream = read_stream(path);
    stream.resize(std::min(stream.size(), scaled(stream.size(), 80'000)));
    inputs.push_back(std::move(stream));
  }
  if (inputs.empty()) GTEST_SKIP() << "SKIPPED: no H.264 streams of test data";
  expect_found_equally(inputs, 8, options());
}

constexpr PictureTasks kPictureTasks[] = {PictureTasks::kOne, PictureTasks::kMacroblocks};

TEST_P(FeatureStreamsTest, SamplesOfStreamsOfAllTools) {
  std::vector<Bytes> inputs;
  for (const char* const name : kSeedStreams) inputs.push_back(seed_stream(name));
  for (const PictureTasks tasks : kPictureTasks) {
    expect_found_equally(inputs, kAll, options_with_samples(tasks));
    expect_found_equally(inputs, 3, options_with_samples(tasks));
    if (HasFailure()) return;
  }
}

// References are moved out of the memory of runs of one picture.
TEST_P(FeatureStreamsTest, SamplesInLittleMemory) {
  FeatureStreamsOptions little = options_with_samples(PictureTasks::kOne);
  little.device_bytes = 1;
  expect_found_equally({seed_stream("temporal_cabac"), seed_stream("main_cavlc_b")}, kAll, little);
}

TEST_P(FeatureStreamsTest, SamplesOfDamagedStreams) {
  std::mt19937 random(8);
  std::vector<Bytes> inputs;
  for (std::size_t i = 0; i < scaled(300, 60); ++i) {
    inputs.push_back(damaged(seed_stream(kSeedStreams[i % std::size(kSeedStreams)]), random));
  }
  expect_found_equally(inputs, kAll, options_with_samples(PictureTasks::kOne));
  inputs.resize(scaled(60, 15));
  expect_found_equally(inputs, 2, options_with_samples(PictureTasks::kMacroblocks));
}

// The device's samples are not copied, and its features are the same.
TEST_P(FeatureStreamsTest, SamplesThatStayOnTheDevice) {
  FeatureStreamsOptions kept = options_with_samples(PictureTasks::kByCount);
  kept.samples = StreamSamples::kOnDevice;
  expect_found_equally({seed_stream("temporal_cabac"), seed_stream("baseline")}, 2, kept);
}

TEST_P(FeatureStreamsTest, SamplesOfRealStreams) {
  std::vector<Bytes> inputs;
  for (const char* const name : kRealStreams) {
    const std::string path = test_data::find(name);
    if (path.empty()) continue;
    Bytes stream = read_stream(path);
    stream.resize(std::min(stream.size(), scaled(stream.size(), 30'000)));
    inputs.push_back(std::move(stream));
  }
  if (inputs.empty()) GTEST_SKIP() << "SKIPPED: no H.264 streams of test data";
  expect_found_equally(inputs, 8, options_with_samples(PictureTasks::kOne));
}

INSTANTIATE_TEST_SUITE_P(H264, FeatureStreamsTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::h264
