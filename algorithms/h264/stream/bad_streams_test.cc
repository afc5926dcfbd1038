// SPDX-License-Identifier: Apache-2.0

// Streams that are cut, damaged, hostile or of another codec. The sound ones beneath are small and
// of several tools (tests/fuzz/seeds/h264_stream).
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/bitstream/sequence_parameters.h>
#include <millrace/algorithms/h264/bitstream/testing/small_sequence.h>
#include <millrace/algorithms/h264/bitstream/writers/nal_unit_writer.h>
#include <millrace/algorithms/h264/bitstream/writers/syntax_writer.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr const char* kSound[] = {"baseline_slices", "high_cabac", "high_cavlc",
                                  "main_cavlc_b",    "pcm",        "weighted"};

Bytes seed(const std::string& name) {
  std::ifstream file("tests/fuzz/seeds/h264_stream/" + name + ".264", std::ios::binary);
  Bytes bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(bytes.empty()) << name;
  return bytes;
}

void append(Bytes& stream, const Bytes& unit) {
  stream.insert(stream.end(), {0, 0, 0, 1});
  stream.insert(stream.end(), unit.begin(), unit.end());
}

struct Decoded {
  std::vector<Bytes> frames;  // Luma that is shown, in output order.
  std::vector<StreamFault> faults;
  DecodingStatistics statistics;
  int most_held = 0;  // Pictures whose samples the decoder had at once.
};

// Decodes a byte stream that arrives in pieces of `piece` bytes.
Decoded decode(std::span<const std::uint8_t> stream, std::size_t piece = SIZE_MAX) {
  Decoded decoded;
  DecoderOptions options;
  options.take_fault = [&](const StreamFault& fault) { decoded.faults.push_back(fault); };
  options.reconstruct = [&](const ParsedPicture& picture, const FindPicture& find,
                            SamplePicture& output) {
    int held = 1;  // The current one.
    for (std::int64_t id = 0; id < picture.id; ++id) held += find(id) != nullptr ? 1 : 0;
    decoded.most_held = std::max(decoded.most_held, held);
    reconstruct_picture(picture, find, output);
  };
  Decoder decoder(
      [&](const DecodedFrame& frame) {
        Bytes& luma = decoded.frames.emplace_back();
        for (int y = 0; y < frame.height(0); ++y) {
          const std::uint8_t* const row =
              frame.first_sample(0) + static_cast<std::ptrdiff_t>(y) * frame.samples->width(0);
          luma.insert(luma.end(), row, row + frame.width(0));
        }
      },
      options);
  AnnexBSplitter splitter;
  const auto push_units = [&] {
    while (const auto unit = splitter.next()) {
      decoder.push_nal_unit(unit->bytes, unit->byte, unit->start_code_bytes);
    }
  };
  for (std::size_t at = 0; at < stream.size(); at += std::min(piece, stream.size() - at)) {
    splitter.push(stream.subspan(at, std::min(piece, stream.size() - at)));
    push_units();
  }
  splitter.finish();
  push_units();
  decoder.finish();
  decoded.statistics = decoder.statistics();
  return decoded;
}

// Expects pictures or a fault, and faults that say what is wrong and where.
void expect_frames_or_faults(const Decoded& decoded, std::size_t stream_bytes) {
  EXPECT_TRUE(!decoded.frames.empty() || !decoded.faults.empty());
  for (const StreamFault& fault : decoded.faults) {
    EXPECT_FALSE(fault.message.empty());
    EXPECT_GE(fault.nal_unit, 0);
    EXPECT_GE(fault.byte, 0);
    EXPECT_LE(fault.byte, static_cast<std::int64_t>(stream_bytes));
    EXPECT_GE(fault.picture, 0);
    EXPECT_LE(fault.picture, decoded.statistics.pictures + 16 * fault.nal_unit);
  }
}

bool has_fault(const Decoded& decoded, const std::string& text) {
  return std::any_of(decoded.faults.begin(), decoded.faults.end(), [&](const StreamFault& fault) {
    return fault.message.find(text) != std::string::npos;
  });
}

std::string first_message(const Decoded& decoded) {
  return decoded.faults.empty() ? "no fault" : decoded.faults.front().message;
}

TEST(BadStreams, SoundStreamsHaveNoFault) {
  for (const char* const name : kSound) {
    const Decoded decoded = decode(seed(name));
    EXPECT_TRUE(decoded.faults.empty()) << name << ": " << first_message(decoded);
    EXPECT_FALSE(decoded.frames.empty()) << name;
  }
}

TEST(BadStreams, AStreamMayEndAtAnyByte) {
  for (const char* const name : kSound) {
    SCOPED_TRACE(name);
    const Bytes stream = seed(name);
    const Decoded whole = decode(stream);
    for (std::size_t size = 0; size < stream.size() && !testing::Test::HasFailure(); ++size) {
      SCOPED_TRACE(testing::Message() << size << " bytes");
      // A vector of its exact size: sanitizers see what is read behind it.
      const Bytes cut(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(size));
      const Decoded decoded = decode(cut);
      expect_frames_or_faults(decoded, size);
      EXPECT_LE(decoded.frames.size(), whole.frames.size());
      // Only the last picture may miss something, and it says so.
      EXPECT_LE(decoded.statistics.pictures_with_concealment, 1);
      if (decoded.statistics.concealed_macroblocks > 0) {
        EXPECT_LE(decoded.statistics.concealed_macroblocks,
                  static_cast<std::int64_t>(whole.frames[0].size()) / 256);
      }
    }
  }
}

TEST(BadStreams, AnyBitMayBeWrong) {
  for (const char* const name : {"baseline_slices", "high_cabac", "high_cavlc", "main_cavlc_b"}) {
    SCOPED_TRACE(name);
    const Bytes stream = seed(name);
    std::size_t noticed = 0;
    for (std::size_t bit = 0; bit < 8 * stream.size() && !testing::Test::HasFailure(); ++bit) {
      SCOPED_TRACE(testing::Message() << "bit " << bit);
      Bytes damaged = stream;
      damaged[bit / 8] ^= static_cast<std::uint8_t>(0x80 >> bit % 8);
      const Decoded decoded = decode(damaged);
      expect_frames_or_faults(decoded, stream.size());
      EXPECT_LE(decoded.most_held, 16 + 2);
      EXPECT_LE(decoded.statistics.concealed_fraction(), 1);
      noticed += decoded.faults.empty() ? 0 : 1;
    }
    // Most wrong bits of vectors and levels are other vectors and levels; but those that move the
    // end of a slice are at least a quarter.
    EXPECT_GE(noticed, 8 * stream.size() / 4);
    std::printf("%s: %zu of %zu wrong bits are noticed\n", name, noticed, 8 * stream.size());
  }
}

TEST(BadStreams, TenThousandParameterSetsChangeNothing) {
  const Bytes sound = seed("high_cabac");
  Bytes stream;
  for (int i = 0; i < 5000; ++i) {
    SequenceParameters sequence = small_sequence();
    sequence.id = i % 32;
    sequence.width_in_macroblocks = 1 + i % 1000;
    append(stream, sequence_nal_unit(sequence));
    PictureParameters picture;
    picture.id = i % 256;
    picture.sequence_id = (7 * i) % 32;
    picture.initial_qp = i % 52;
    append(stream, picture_nal_unit(picture));
  }
  const std::size_t begin = stream.size();
  stream.insert(stream.end(), sound.begin(), sound.end());
  const Decoded decoded = decode(stream);
  EXPECT_TRUE(decoded.faults.empty()) << first_message(decoded) << ", byte " << begin;
  EXPECT_EQ(decoded.frames, decode(sound).frames);
}

TEST(BadStreams, PicturesLargerThanAnyLevelAreRejected) {
  struct Size {
    int width, height;
  };
  for (const Size size : {Size{65536, 65536}, Size{1, 139265}, Size{1055, 1055}, Size{1056, 1}}) {
    SequenceParameters sequence = small_sequence();
    sequence.width_in_macroblocks = size.width;
    sequence.height_in_macroblocks = size.height;
    Bytes stream;
    append(stream, sequence_nal_unit(sequence));
    append(stream, picture_nal_unit({}));
    SliceHeader header;
    header.nal_unit_type = 5;
    header.nal_reference = 1;
    BitWriter writer;
    write_slice_header(writer, header, sequence, {});
    writer.trailing_bits();
    append(stream, make_nal_unit(1, 5, writer.bytes()));
    const Decoded decoded = decode(stream);
    EXPECT_EQ(decoded.statistics.pictures, 0);
    const std::string message = first_message(decoded);
    EXPECT_NE(message.find(std::to_string(size.width) + " x " + std::to_string(size.height)),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("139264"), std::string::npos) << message;
  }
}

TEST(BadStreams, BuffersLargerThanThoseOfAnyLevelAreRejected) {
  // 139,264 macroblocks each; level 6.2 has buffers of 696,320.
  SequenceParameters sequence = small_sequence();
  sequence.width_in_macroblocks = 512;
  sequence.height_in_macroblocks = 272;
  sequence.max_reference_frames = 6;
  Bytes stream;
  append(stream, sequence_nal_unit(sequence));
  const Decoded decoded = decode(stream);
  EXPECT_TRUE(has_fault(decoded,
                        "max_num_ref_frames is 6 of pictures of 512 x 272 macroblocks; "
                        "no level has more than 5"))
      << first_message(decoded);
}

TEST(BadStreams, JoinedStreamsWithTheSameIdrIdAreTwoPictures) {
  // Each is parameter sets and one IDR picture, of the same header.
  Bytes stream = seed("pcm");
  const Bytes second = stream;
  stream.insert(stream.end(), second.begin(), second.end());
  const Decoded decoded = decode(stream);
  EXPECT_TRUE(decoded.faults.empty()) << first_message(decoded);
  EXPECT_EQ(decoded.frames.size(), 2u);
}

// Returns a stream whose only P slice has the operations that `write` writes behind
// num_ref_idx_active_override_flag 0, and its bytes before them.
template <class Write>
Bytes stream_with_operations(const Write& write) {
  Bytes stream = seed("pcm");  // The sequence has four bits of frame_num, and order of type 2.
  BitWriter writer;
  writer.ue(0);       // first_mb_in_slice
  writer.ue(5);       // slice_type: P
  writer.ue(0);       // pic_parameter_set_id
  writer.bits(1, 4);  // frame_num
  writer.flag(false);
  write(writer);
  writer.trailing_bits();
  append(stream, make_nal_unit(1, 1, writer.bytes()));
  return stream;
}

TEST(BadStreams, EndlessReferenceListsAreRejected) {
  const Decoded lists = decode(stream_with_operations([](BitWriter& writer) {
    writer.flag(true);
    for (int i = 0; i < 100000; ++i) {
      writer.ue(0);
      writer.ue(0);
    }
  }));
  EXPECT_TRUE(has_fault(lists, "more operations on a reference list")) << first_message(lists);
  const Decoded markings = decode(stream_with_operations([](BitWriter& writer) {
    writer.flag(false);  // No operations on the list,
    writer.flag(true);   // but on the marking.
    for (int i = 0; i < 100000; ++i) {
      writer.ue(1);
      writer.ue(0);
    }
  }));
  EXPECT_TRUE(has_fault(markings, "more than 35 operations")) << first_message(markings);
  EXPECT_EQ(lists.frames.size(), 1u);
  EXPECT_EQ(markings.frames.size(), 1u);
}

TEST(BadStreams, NothingIsAFault) {
  const Decoded empty = decode({});
  ASSERT_EQ(empty.faults.size(), 1u);
  EXPECT_EQ(empty.faults[0].message,
            "the stream is empty: it has no NAL unit; give a stream of H.264");
  const Decoded zeros = decode(Bytes(1000, 0));
  EXPECT_EQ(zeros.faults.size(), 1u);
}

TEST(BadStreams, UnitsOfNoBytesAreFaults) {
  std::vector<StreamFault> faults;
  DecoderOptions options;
  options.take_fault = [&](const StreamFault& fault) { faults.push_back(fault); };
  Decoder decoder([](const DecodedFrame&) {}, options);
  decoder.push_nal_unit({});
  decoder.note_loss(3);
  decoder.finish();
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].message, "a NAL unit is empty; it is skipped");
}

TEST(BadStreams, EncryptedSlicesAreDamaged) {
  for (const char* const name : {"high_cabac", "main_cavlc_b"}) {
    SCOPED_TRACE(name);
    const Bytes sound = seed(name);
    std::mt19937 random(1);
    AnnexBSplitter splitter;
    splitter.push(sound);
    splitter.finish();
    Bytes stream;
    std::size_t slices = 0;
    while (const auto unit = splitter.next()) {
      Bytes bytes(unit->bytes.begin(), unit->bytes.end());
      const int type = bytes[0] & 31;
      if (type == 1 || type == 5) {
        // The header stays; 200 bytes of noise without zeros, so without start codes, follow.
        bytes.resize(std::min<std::size_t>(bytes.size(), 8));
        for (int i = 0; i < 200; ++i) {
          bytes.push_back(static_cast<std::uint8_t>(1 + random() % 255));
        }
        ++slices;
      }
      append(stream, bytes);
    }
    const Decoded decoded = decode(stream);
    expect_frames_or_faults(decoded, stream.size());
    EXPECT_GE(decoded.faults.size(), slices);
    EXPECT_TRUE(has_fault(decoded, "is damaged after")) << first_message(decoded);
    EXPECT_GT(decoded.statistics.concealed_macroblocks, 0);
  }
}

TEST(BadStreams, LostSlicesAreSaid) {
  // Each picture has two slices, of whole rows; without the last of them one row is lost.
  const Bytes sound = seed("baseline_slices");
  AnnexBSplitter splitter;
  splitter.push(sound);
  splitter.finish();
  std::vector<Bytes> units;
  while (const auto unit = splitter.next()) {
    units.emplace_back(unit->bytes.begin(), unit->bytes.end());
  }
  units.pop_back();
  Bytes stream;
  for (const Bytes& unit : units) append(stream, unit);
  const Decoded decoded = decode(stream);
  ASSERT_EQ(decoded.faults.size(), 1u) << first_message(decoded);
  EXPECT_EQ(decoded.faults[0].message, "slices of a picture are lost, with 3 of its 6 macroblocks");
  EXPECT_EQ(decoded.statistics.concealed_macroblocks, 3);
  EXPECT_EQ(decoded.frames.size(), decode(sound).frames.size());
}

// Arbitrary slice order (ASO), in which parsing and prediction know no slice but their own.
TEST(BadStreams, SlicesOfAPictureMayComeInAnyOrder) {
  const Bytes sound = seed("baseline_slices");
  AnnexBSplitter splitter;
  splitter.push(sound);
  splitter.finish();
  std::vector<Bytes> units;
  while (const auto unit = splitter.next()) {
    units.emplace_back(unit->bytes.begin(), unit->bytes.end());
  }
  // first_mb_in_slice is 0 where the first bit behind the header is 1.
  const auto is_first_slice = [](const Bytes& unit) {
    const int type = unit[0] & 31;
    return (type == 1 || type == 5) && (unit[1] & 0x80) != 0;
  };
  int swapped = 0;
  for (std::size_t i = 0; i + 1 < units.size(); ++i) {
    if (!is_first_slice(units[i]) || is_first_slice(units[i + 1])) continue;
    std::swap(units[i], units[i + 1]);
    ++i;
    ++swapped;
  }
  EXPECT_GE(swapped, 2);
  Bytes stream;
  for (const Bytes& unit : units) append(stream, unit);
  const Decoded decoded = decode(stream);
  EXPECT_TRUE(decoded.faults.empty()) << first_message(decoded);
  EXPECT_EQ(decoded.frames, decode(sound).frames);
}

TEST(BadStreams, AStreamThatIsStillWrittenHasTheSameFrames) {
  for (const char* const name : kSound) {
    SCOPED_TRACE(name);
    const Bytes stream = seed(name);
    const Decoded whole = decode(stream);
    for (const std::size_t piece : {1u, 3u, 7u, 100u}) {
      const Decoded pieces = decode(stream, piece);
      EXPECT_EQ(pieces.frames, whole.frames);
      EXPECT_TRUE(pieces.faults.empty());
    }
  }
}

TEST(BadStreams, OtherCodecsAreNamed) {
  const auto stream_of = [](std::initializer_list<Bytes> units) {
    Bytes stream;
    for (const Bytes& unit : units) append(stream, unit);
    return stream;
  };
  struct Case {
    const char* name;
    Bytes stream;
  };
  const Case cases[] = {
      {"HEVC (H.265)", stream_of({{0x40, 0x01, 0x0c},
                                  {0x42, 0x01, 0x01},
                                  {0x44, 0x01, 0xc1},
                                  {0x26, 0x01, 0xaf},
                                  {0x02, 0x01, 0xd0}})},
      {"VVC (H.266)", stream_of({{0x00, 0x79, 0x0b}, {0x00, 0x81, 0x10}, {0x00, 0x39, 0xc4}})},
      {"MPEG-2 video", stream_of({{0xb3, 0x02, 0x00},
                                  {0xb5, 0x14, 0x8a},
                                  {0xb8, 0x00, 0x08},
                                  {0x00, 0x00, 0x0f},
                                  {0x01, 0x23, 0x94},
                                  {0xb7}})},
      {"MPEG-1 video", stream_of({{0xb3, 0x02, 0x00}, {0x00, 0x00, 0x0f}, {0x01, 0x23, 0x94}})},
      {"MPEG-4 Visual", stream_of({{0xb0, 0x01}, {0xb5, 0x89}, {0x20, 0x00}, {0xb6, 0x10}})},
      {"an MPEG program stream", stream_of({{0xba, 0x44, 0x00}, {0xe0, 0x07, 0xec}})},
  };
  for (const Case& other : cases) {
    const Decoded decoded = decode(other.stream);
    EXPECT_TRUE(has_fault(decoded, std::string("the stream looks like ") + other.name))
        << other.name << ": " << first_message(decoded);
    EXPECT_TRUE(decoded.frames.empty());
  }
  // A box of MP4 has no start code.
  const std::string box = std::string("\0\0\0\x18", 4) + "ftypisom" + std::string(12, 'x');
  EXPECT_TRUE(has_fault(decode(Bytes(box.begin(), box.end())), "it has no NAL unit"));
}

TEST(BadStreams, DamagedStreamsOfH264AreNoOtherCodec) {
  Bytes stream = seed("high_cabac");
  stream.resize(40);
  EXPECT_FALSE(has_fault(decode(stream), "looks like"));
}

// Counts the parsed pictures that somebody holds.
class HeldPictures final : public PictureSink {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    capacity_ = decoded_frame_capacity(*picture->sequence);
    ++pictures;
    parsed_.push_back(picture);
    held_[picture->id] = true;
    std::erase_if(parsed_, [](const auto& held) { return held.expired(); });
    most_parsed = std::max(most_parsed, parsed_.size());
    most_held = std::max(most_held, held_.size());
    EXPECT_LE(parsed_.size(), static_cast<std::size_t>(capacity_) + 1);
    EXPECT_LE(held_.size(), static_cast<std::size_t>(capacity_) + 1);
  }
  void release(std::int64_t picture) override { held_.erase(picture); }
  void fault(const StreamFault& fault) override { ADD_FAILURE() << fault.message; }

  std::int64_t pictures = 0;
  std::size_t most_parsed = 0, most_held = 0;

  std::size_t held() const { return held_.size(); }

 private:
  int capacity_ = 0;
  std::vector<std::weak_ptr<const ParsedPicture>> parsed_;
  std::map<std::int64_t, bool> held_;
};

TEST(BadStreams, LongStreamsHoldNoMorePicturesThanTheirBuffer) {
  for (const char* const name : kSound) {
    SCOPED_TRACE(name);
    const Bytes once = seed(name);
    Bytes stream;
    for (int i = 0; i < 200; ++i) stream.insert(stream.end(), once.begin(), once.end());
    HeldPictures sink;
    StreamParser parser(sink);
    push_stream(stream, parser);
    EXPECT_GE(sink.pictures, 200);
    EXPECT_EQ(sink.held(), 0u);
    const Decoded single = decode(once);
    const Decoded repeated = decode(stream);
    EXPECT_EQ(repeated.frames.size(), 200 * single.frames.size());
    // The one before an IDR picture stays until that one has been decoded, to conceal its losses.
    EXPECT_LE(repeated.most_held, single.most_held + 1);
  }
}

}  // namespace
}  // namespace millrace::h264
