// SPDX-License-Identifier: Apache-2.0

// Corner cases of whole streams: syntax elements are written, and samples, which follow from them,
// are shown.
#include <millrace/algorithms/h264/bitstream/testing/small_sequence.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_encoder.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/testing/stream_writer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace millrace::h264 {
namespace {

struct Shown {
  std::vector<std::uint8_t> planes[3];
  int width = 0;

  int luma(int x, int y) const {
    return planes[0][static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)];
  }
};

// Decodes a stream that has no fault.
std::vector<Shown> decode(std::span<const std::uint8_t> stream) {
  std::vector<Shown> frames;
  DecoderOptions options;
  options.take_fault = [](const StreamFault& fault) { ADD_FAILURE() << fault.message; };
  Decoder decoder(
      [&](const DecodedFrame& frame) {
        EXPECT_EQ(frame.concealed_macroblocks, 0);
        Shown& shown = frames.emplace_back();
        shown.width = frame.width(0);
        for (int plane = 0; plane < 3; ++plane) {
          for (int y = 0; y < frame.height(plane); ++y) {
            const std::uint8_t* const row =
                frame.first_sample(plane) +
                static_cast<std::ptrdiff_t>(y) * frame.samples->width(plane);
            shown.planes[plane].insert(shown.planes[plane].end(), row, row + frame.width(plane));
          }
        }
      },
      options);
  push_stream(stream, decoder);
  return frames;
}

// Pictures in output order are those in decoding order.
SequenceParameters sequence_of(int width, int height) {
  SequenceParameters sequence = small_sequence();
  sequence.width_in_macroblocks = width;
  sequence.height_in_macroblocks = height;
  sequence.picture_order_type = 2;
  return sequence;
}

// Slices say that nothing is deblocked, so samples are predicted ones.
PictureParameters without_deblocking() {
  PictureParameters picture;
  picture.has_deblocking_control = true;
  return picture;
}

SliceHeader header_of(SliceType type, int nal_reference, int frame_number) {
  SliceHeader header;
  header.type = type;
  header.nal_reference = nal_reference;
  header.frame_number = frame_number;
  header.deblocking = 1;
  return header;
}

SliceHeader idr_header() {
  SliceHeader header = header_of(SliceType::kI, 1, 0);
  header.nal_unit_type = 5;
  return header;
}

TEST(WrittenStreams, EmulationPreventionIsAtEveryPositionOfASlice) {
  for (int value = 0; value <= 4; ++value) {
    for (int position = 0; position + 2 < 384; ++position) {
      SCOPED_TRACE(testing::Message() << "0 0 " << value << " at " << position);
      std::vector<std::uint8_t> samples(384, 128);
      samples[static_cast<std::size_t>(position)] = 0;
      samples[static_cast<std::size_t>(position) + 1] = 0;
      samples[static_cast<std::size_t>(position) + 2] = static_cast<std::uint8_t>(value);
      StreamWriter writer(sequence_of(1, 1), without_deblocking());
      writer.add_slice(idr_header(), [&](BitWriter& data) {
        data.ue(25);  // I_PCM
        while (data.position() % 8 != 0) data.bits(0, 1);
        for (const std::uint8_t sample : samples) data.bits(sample, 8);
      });
      const std::vector<Shown> frames = decode(writer.bytes());
      ASSERT_EQ(frames.size(), 1u);
      std::vector<std::uint8_t> shown;
      for (const auto& plane : frames[0].planes) {
        shown.insert(shown.end(), plane.begin(), plane.end());
      }
      ASSERT_EQ(shown, samples);
    }
  }
}

TEST(WrittenStreams, RunsOfZerosOfEveryLengthAreKept) {
  for (int zeros = 0; zeros <= 384; ++zeros) {
    SCOPED_TRACE(zeros);
    StreamWriter writer(sequence_of(1, 1), without_deblocking());
    writer.add_slice(idr_header(), [&](BitWriter& data) {
      data.ue(25);
      while (data.position() % 8 != 0) data.bits(0, 1);
      for (int k = 0; k < 384; ++k) data.bits(k < 384 - zeros ? 1 : 0, 8);
    });
    const std::vector<Shown> frames = decode(writer.bytes());
    ASSERT_EQ(frames.size(), 1u);
    std::ptrdiff_t shown = 0;
    for (const auto& plane : frames[0].planes) shown += std::count(plane.begin(), plane.end(), 0);
    ASSERT_EQ(shown, zeros);
  }
}

TEST(WrittenStreams, CabacZeroWordsAreNoData) {
  PictureParameters picture = without_deblocking();
  picture.is_cabac = true;
  SequenceParameters sequence = sequence_of(1, 1);
  sequence.profile = 77;
  for (int words = 0; words <= 5; ++words) {
    SCOPED_TRACE(words);
    StreamWriter writer(sequence, picture);
    for (int frame = 0; frame < 2; ++frame) {
      SliceHeader header = idr_header();
      header.idr_id = frame;
      writer.add_slice(
          header,
          [&](BitWriter& data) {
            CabacEncoder encoder(data, SliceType::kI, 0, header.qp);
            encoder.bin(3, true);
            encoder.terminate(true);  // I_PCM
            write_pcm_samples(data, 60 + frame);
            encoder.restart();
            encoder.terminate(true);  // end_of_slice_flag
          },
          words);
    }
    const std::vector<Shown> frames = decode(writer.bytes());
    ASSERT_EQ(frames.size(), 2u);
    for (int frame = 0; frame < 2; ++frame) {
      EXPECT_EQ(frames[static_cast<std::size_t>(frame)].planes[0],
                std::vector<std::uint8_t>(256, static_cast<std::uint8_t>(60 + frame)));
    }
  }
}

// Returns the samples of four macroblocks: all of a macroblock are equal.
std::vector<int> greys_of(const Shown& frame) {
  std::vector<int> greys;
  for (int y = 0; y < 32; y += 16) {
    for (int x = 0; x < 32; x += 16) {
      const int grey = frame.luma(x, y);
      for (int k = 0; k < 256; ++k) EXPECT_EQ(frame.luma(x + k % 16, y + k / 16), grey);
      greys.push_back(grey);
    }
  }
  return greys;
}

// Shows four macroblocks of 10, 20, 30 and 40 after motion by these vector differences.
std::vector<int> greys_after_motion(std::initializer_list<MotionVector> differences) {
  StreamWriter writer(sequence_of(2, 2), without_deblocking());
  writer.add_slice(idr_header(), [](BitWriter& data) {
    for (const int grey : {10, 20, 30, 40}) write_pcm(data, grey);
  });
  SliceHeader header = header_of(SliceType::kP, 0, 1);
  header.reference_counts[0] = 1;
  writer.add_slice(header, [&](BitWriter& data) {
    for (const MotionVector& difference : differences) {
      write_inter(data, 1, 0, difference.x, difference.y);
    }
  });
  const std::vector<Shown> frames = decode(writer.bytes());
  EXPECT_EQ(frames.size(), 2u);
  if (frames.size() != 2) return {};
  EXPECT_EQ(greys_of(frames[0]), (std::vector<int>{10, 20, 30, 40}));
  return greys_of(frames[1]);
}

// Vectors far beyond the picture show its corners. Each is predicted from the first one.
TEST(WrittenStreams, VectorDifferencesHaveTheirExtremes) {
  constexpr std::int16_t kLeast = -32768;
  constexpr std::int16_t kMost = 32767;
  EXPECT_EQ(greys_after_motion({{kLeast, kLeast}, {}, {}, {}}), std::vector<int>(4, 10));
  EXPECT_EQ(greys_after_motion({{kMost, kLeast}, {}, {}, {}}), std::vector<int>(4, 20));
  EXPECT_EQ(greys_after_motion({{kLeast, kMost}, {}, {}, {}}), std::vector<int>(4, 30));
  EXPECT_EQ(greys_after_motion({{kMost, kMost}, {}, {}, {}}), std::vector<int>(4, 40));
  // The second vector is that of the first and 1 more, which wraps to the other side. The third
  // and the fourth are predicted as 0: the median of 0, the one side and the other.
  EXPECT_EQ(greys_after_motion({{kMost, 0}, {1, 0}, {}, {}}), (std::vector<int>{20, 10, 30, 40}));
}

// Order counts wrap 50 times, frame_num 12 times.
TEST(WrittenStreams, OrderCountsAndFrameNumbersWrap) {
  SequenceParameters sequence = sequence_of(1, 1);
  sequence.profile = 77;
  sequence.picture_order_type = 0;  // The order has four bits, as frame_num.
  sequence.max_reorder_frames = 1;
  sequence.max_decoded_frames = 4;
  const auto grey_of = [](int order) { return 20 + order / 2 % 200; };
  StreamWriter writer(sequence, without_deblocking());
  const auto add = [&](SliceHeader header, int order) {
    header.picture_order_lsb = order % 16;
    writer.add_slice(header, [&](BitWriter& data) { write_pcm(data, grey_of(order)); });
  };
  constexpr int kReferences = 200;
  add(idr_header(), 0);
  for (int n = 1; n <= kReferences; ++n) {
    add(header_of(SliceType::kI, 1, n % 16), 4 * n);
    add(header_of(SliceType::kI, 0, (n + 1) % 16), 4 * n - 2);  // Is shown before.
  }
  const std::vector<Shown> frames = decode(writer.bytes());
  ASSERT_EQ(frames.size(), 2u * kReferences + 1);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    ASSERT_EQ(frames[i].luma(5, 5), grey_of(2 * static_cast<int>(i))) << i;
  }
}

// The window slides over wraps of frame_num: indices are those of the last pictures, newest first.
TEST(WrittenStreams, ReferencesOfASlidingWindowStandWhereFrameNumbersWrap) {
  SequenceParameters sequence = sequence_of(1, 1);
  sequence.max_reference_frames = 3;
  StreamWriter writer(sequence, without_deblocking());
  std::vector<int> expected;
  std::deque<int> window;  // Greys of references, newest first.
  for (int n = 0; n < 100; ++n) {
    int grey = 20 + 2 * n;
    SliceHeader header = n == 0 ? idr_header() : header_of(SliceType::kI, 1, n % 16);
    if (n % 5 == 0) {
      writer.add_slice(header, [&](BitWriter& data) { write_pcm(data, grey); });
    } else {
      const int references = static_cast<int>(window.size());
      const int index = n % references;
      grey = window[static_cast<std::size_t>(index)];
      header.type = SliceType::kP;
      header.reference_counts[0] = references;
      writer.add_slice(header,
                       [&](BitWriter& data) { write_inter(data, references, index, 0, 0); });
    }
    expected.push_back(grey);
    window.push_front(grey);
    if (window.size() > 3) window.pop_back();
  }
  const std::vector<Shown> frames = decode(writer.bytes());
  std::vector<int> shown;
  for (const Shown& frame : frames) shown.push_back(frame.luma(0, 0));
  EXPECT_EQ(shown, expected);
}

// Writes references of one grey each, and behind each a picture whose macroblocks show the first
// four entries of its reference list.
class MarkingStream {
 public:
  // `operations` mark references while the picture is a new one.
  void add_reference(int frame_number, int grey, std::vector<ReferenceOperation> operations = {}) {
    SliceHeader header = is_first_ ? idr_header() : header_of(SliceType::kI, 1, frame_number);
    is_first_ = false;
    header.has_marking_operations = !operations.empty();
    header.marking_operations = std::move(operations);
    writer_.add_slice(header, [&](BitWriter& data) {
      for (int macroblock = 0; macroblock < 4; ++macroblock) write_pcm(data, grey);
    });
    expected_.push_back(std::vector<int>(4, grey));
  }

  // Expects the list to be of these greys, one, two or four.
  void expect_list(int frame_number, const std::vector<int>& greys) {
    const int references = static_cast<int>(greys.size());
    SliceHeader header = header_of(SliceType::kP, 0, frame_number);
    header.reference_counts[0] = references;
    writer_.add_slice(header, [&](BitWriter& data) {
      for (int macroblock = 0; macroblock < 4; ++macroblock) {
        write_inter(data, references, macroblock % references, 0, 0);
      }
    });
    std::vector<int>& shown = expected_.emplace_back();
    for (std::size_t macroblock = 0; macroblock < 4; ++macroblock) {
      shown.push_back(greys[macroblock % greys.size()]);
    }
  }

  void check() const {
    const std::vector<Shown> frames = decode(writer_.bytes());
    ASSERT_EQ(frames.size(), expected_.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
      EXPECT_EQ(greys_of(frames[i]), expected_[i]) << "picture " << i;
    }
  }

 private:
  StreamWriter writer_{sequence_of(2, 2), without_deblocking()};  // At most four references.
  bool is_first_ = true;
  std::vector<std::vector<int>> expected_;
};

// Operation 1 and 3 name a picture by the difference of frame numbers less 1.
TEST(WrittenStreams, MarkingOperationsMakeTheReferenceLists) {
  MarkingStream stream;
  stream.add_reference(0, 10);
  stream.expect_list(1, {10});
  stream.add_reference(1, 20);
  stream.expect_list(2, {20, 10});
  stream.add_reference(2, 30);
  stream.add_reference(3, 40);
  stream.expect_list(4, {40, 30, 20, 10});
  stream.add_reference(4, 50, {{1, 4 - 2 - 1, 0}});  // 30 is none any more.
  stream.expect_list(5, {50, 40, 20, 10});
  // Two long-term indices; 20 gets index 1; 10 is none any more. Long-term ones come last.
  stream.add_reference(5, 60, {{4, 2, 0}, {3, 5 - 1 - 1, 1}, {1, 5 - 0 - 1, 0}});
  stream.expect_list(6, {60, 50, 40, 20});
  // The current picture gets index 0, and 40 is removed.
  stream.add_reference(6, 70, {{1, 6 - 3 - 1, 0}, {6, 0, 0}});
  stream.expect_list(7, {60, 50, 70, 20});
  stream.add_reference(7, 80, {{2, 1, 0}});  // Index 1 is none any more.
  stream.expect_list(8, {80, 60, 50, 70});
  stream.add_reference(8, 90, {{4, 0, 0}});  // No long-term index.
  stream.expect_list(9, {90, 80, 60, 50});
  // All are none any more, and this picture has frame_num 0 from then on.
  stream.add_reference(9, 100, {{5, 0, 0}});
  stream.expect_list(1, {100});
  stream.add_reference(1, 110);
  stream.expect_list(2, {110, 100});
  stream.check();
}

TEST(WrittenStreams, LongTermReferencesStayOverWrapsOfFrameNumbers) {
  MarkingStream stream;
  stream.add_reference(0, 10);
  stream.add_reference(1, 20, {{4, 1, 0}, {3, 0, 0}});  // 10 gets index 0.
  stream.expect_list(2, {20, 10});
  for (int n = 2; n < 70; ++n) stream.add_reference(n % 16, 20 + n);
  stream.expect_list(70 % 16, {89, 88, 87, 10});
  stream.check();
}

}  // namespace
}  // namespace millrace::h264
