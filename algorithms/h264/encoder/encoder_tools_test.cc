// SPDX-License-Identifier: Apache-2.0

// Tools of the standard that streams use: all that the options allow, and no others.
#include <millrace/algorithms/h264/encoder/encoder.h>
#include <millrace/algorithms/h264/encoder/testing/made_clip.h>
#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

// Largest macroblock_layer() but for I_PCM's (Annex A, 128 + RawMbBits).
constexpr std::uint32_t kMostBits = 3200;

std::string name_of(MacroblockType type) {
  switch (type) {
    case MacroblockType::kIntra4x4: return "intra 4x4";
    case MacroblockType::kIntra8x8: return "intra 8x8";
    case MacroblockType::kIntra16x16: return "intra 16x16";
    case MacroblockType::kPcm: return "I_PCM";
    case MacroblockType::kInter16x16: return "inter 16x16";
    case MacroblockType::kInter16x8: return "inter 16x8";
    case MacroblockType::kInter8x16: return "inter 8x16";
    case MacroblockType::kInter8x8: return "inter 8x8";
    case MacroblockType::kSkip: return "skip";
    default: return "a type that the encoder does not have";
  }
}

std::string name_of(SubPartition partition) {
  switch (partition) {
    case SubPartition::k8x8: return "sub 8x8";
    case SubPartition::k8x4: return "sub 8x4";
    case SubPartition::k4x8: return "sub 4x8";
    case SubPartition::k4x4: return "sub 4x4";
    default: return "a sub-partition that the encoder does not have";
  }
}

// Collects the names of tools that macroblocks use.
class ToolCollector : public PictureSink {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    for (const Slice& slice : picture->slices) {
      tools.insert(slice.header.deblocking == 1 ? "no deblocking" : "deblocking");
    }
    for (const Macroblock& macroblock : picture->macroblocks) add(macroblock);
  }
  void fault(const StreamFault& fault) override { ADD_FAILURE() << fault.message; }

  std::set<std::string> tools;

 private:
  void add(const Macroblock& macroblock) {
    const std::string type = name_of(macroblock.type);
    tools.insert(type);
    const std::uint32_t bits =
        std::accumulate(std::begin(macroblock.bits), std::end(macroblock.bits), std::uint32_t{0});
    EXPECT_LE(bits, kMostBits) << type;
    if (macroblock.type == MacroblockType::kPcm) return;
    tools.insert(macroblock.has_8x8_transform ? "transform 8x8" : "transform 4x4");
    if (is_intra(macroblock.type)) {
      const int modes = macroblock.type == MacroblockType::kIntra16x16 ? 1 : 16;
      for (int i = 0; i < modes; ++i) {
        tools.insert(type + " mode " + std::to_string(macroblock.intra_modes[i]));
      }
      tools.insert("chroma mode " + std::to_string(macroblock.intra_chroma_mode));
      return;
    }
    if (macroblock.type == MacroblockType::kInter8x8) {
      for (const SubPartition partition : macroblock.sub_partitions) {
        tools.insert(name_of(partition));
      }
    }
    for (const std::int8_t reference : macroblock.references[0]) {
      tools.insert("reference " + std::to_string(reference));
    }
  }
};

std::set<std::string> tools_of_all_profiles() {
  std::set<std::string> tools = {"intra 4x4",   "intra 16x16", "inter 16x16",   "inter 16x8",
                                 "inter 8x16",  "inter 8x8",   "skip",          "I_PCM",
                                 "sub 8x8",     "sub 8x4",     "sub 4x8",       "sub 4x4",
                                 "reference 0", "reference 1", "transform 4x4", "deblocking"};
  for (int mode = 0; mode < 9; ++mode) tools.insert("intra 4x4 mode " + std::to_string(mode));
  for (int mode = 0; mode < 4; ++mode) {
    tools.insert("intra 16x16 mode " + std::to_string(mode));
    tools.insert("chroma mode " + std::to_string(mode));
  }
  return tools;
}

std::set<std::string> tools_of(EncoderProfile profile) {
  std::set<std::string> tools = tools_of_all_profiles();
  if (profile != EncoderProfile::kHigh) return tools;
  tools.insert({"intra 8x8", "transform 8x8"});
  for (int mode = 0; mode < 9; ++mode) tools.insert("intra 8x8 mode " + std::to_string(mode));
  return tools;
}

class EncoderToolsTest : public testing::Test {
 protected:
  EncoderToolsTest() {
    options_.width = 128;
    options_.height = 96;
    options_.range = 8;
    options_.references = 2;
    options_.pictures_a_group = 6;
  }

  // Encodes a clip of each content at many QPs.
  std::set<std::string> used_tools() {
    ToolCollector collector;
    for (const MadeContent content :
         {MadeContent::kTexture, MadeContent::kNoise, MadeContent::kBlackAndWhite}) {
      for (const int qp : {0, 10, 22, 34, 46}) {
        options_.qp = qp;
        collect(content, collector);
      }
    }
    return collector.tools;
  }

  void collect(MadeContent content, ToolCollector& collector) {
    MadeClip clip;
    clip.content = content;
    clip.width = options_.width;
    clip.height = options_.height;
    clip.seed = random_();
    clip.noise = 6;
    clip.speed = 3;
    std::vector<std::uint8_t> stream;
    int next = 0;
    Encoder(open_device(conformance::some_device_name()), options_)
        .run({.produce =
                  [&](SamplePicture& picture) {
                    if (next == options_.pictures_a_group) return false;
                    clip.write(next++, picture);
                    return true;
                  },
              .consume =
                  [&](const EncodedPicture& picture) {
                    stream.insert(stream.end(), picture.bytes.begin(), picture.bytes.end());
                  }});
    StreamParser parser(collector);
    push_stream(stream, parser);
  }

  EncoderOptions options_;
  SeededRandom random_;
};

TEST_F(EncoderToolsTest, EachProfileUsesItsTools) {
  for (const auto profile :
       {EncoderProfile::kBaseline, EncoderProfile::kMain, EncoderProfile::kHigh}) {
    std::set<std::string> used;
    for (const auto decision : {ModeDecision::kCost, ModeDecision::kRateDistortion}) {
      options_.profile = profile;
      options_.decision = decision;
      used.merge(used_tools());
    }
    std::set<std::string> expected = tools_of(profile);
    EXPECT_EQ(used, expected) << "profile " << static_cast<int>(profile);
  }
}

TEST_F(EncoderToolsTest, DeblockingMayBeOff) {
  options_.has_deblocking = false;
  ToolCollector collector;
  collect(MadeContent::kTexture, collector);
  EXPECT_TRUE(collector.tools.contains("no deblocking"));
  EXPECT_FALSE(collector.tools.contains("deblocking"));
}

TEST_F(EncoderToolsTest, NoiseWithoutQuantisationIsSamples) {
  options_.qp = 0;
  for (const auto profile : {EncoderProfile::kBaseline, EncoderProfile::kHigh}) {
    for (const auto decision : {ModeDecision::kCost, ModeDecision::kRateDistortion}) {
      options_.profile = profile;
      options_.decision = decision;
      ToolCollector collector;
      collect(MadeContent::kBlackAndWhite, collector);
      EXPECT_TRUE(collector.tools.contains("I_PCM"))
          << "profile " << static_cast<int>(profile) << ", decision " << static_cast<int>(decision);
    }
  }
}

}  // namespace
}  // namespace millrace::h264
