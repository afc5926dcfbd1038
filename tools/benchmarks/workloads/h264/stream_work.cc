// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/h264/stream_work.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using h264::ParsedPicture;
using h264::StreamFault;

[[noreturn]] void throw_fault(const StreamFault& fault) {
  throw Error(ErrorCode::kInternal, "a fault of a sound stream, in NAL unit " +
                                        std::to_string(fault.nal_unit) + ": " + fault.message);
}

class PictureCounter : public h264::PictureSink {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    pictures_ += picture->is_inferred ? 0 : 1;
  }
  void fault(const StreamFault& fault) override { throw_fault(fault); }
  std::int64_t pictures() const { return pictures_; }

 private:
  std::int64_t pictures_ = 0;
};

class FeatureCounter final : public PictureCounter {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    if (picture->is_inferred) return extractor_.skip(*picture);
    PictureCounter::decode(picture);
    bytes_ += extractor_.measure(*picture).bytes;
  }
  void release(std::int64_t picture) override { extractor_.release(picture); }
  std::int64_t bytes() const { return bytes_; }

 private:
  h264::FrameFeatureExtractor extractor_;
  std::int64_t bytes_ = 0;
};

// Keeps the parameters of the first picture.
class FirstParameters final : public h264::PictureSink {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    if (!parameters_) parameters_ = picture->sequence;
  }
  void fault(const StreamFault& fault) override { static_cast<void>(fault); }
  const h264::SequenceParameters* get() const { return parameters_.get(); }

 private:
  std::shared_ptr<const h264::SequenceParameters> parameters_;
};

// Keeps the pictures that are not output yet, and gives them in output order.
class OutputOrder final : public h264::PictureSink {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    waiting_[picture->id] = picture;
  }
  void output(std::int64_t picture) override { pictures_.push_back(std::move(waiting_[picture])); }
  void release(std::int64_t picture) override { waiting_.erase(picture); }
  void fault(const StreamFault& fault) override { throw_fault(fault); }
  const std::vector<std::shared_ptr<const ParsedPicture>>& pictures() const { return pictures_; }

 private:
  std::map<std::int64_t, std::shared_ptr<const ParsedPicture>> waiting_;
  std::vector<std::shared_ptr<const ParsedPicture>> pictures_;
};

void require_vector(const ParsedPicture& picture, const H264PeerVector& theirs) {
  const int columns = picture.sequence->width_in_macroblocks;
  const int block = theirs.top % 16 / 4 * 4 + theirs.left % 16 / 4;
  const int macroblock_index = theirs.top / 16 * columns + theirs.left / 16;
  const auto& macroblock = picture.macroblocks.at(macroblock_index);
  const h264::MotionVector ours = macroblock.vectors[theirs.list][block];
  if (ours.x == theirs.x && ours.y == theirs.y) return;
  throw Error(ErrorCode::kInternal, "picture " + std::to_string(picture.id) + " has the vector (" +
                                        std::to_string(ours.x) + ", " + std::to_string(ours.y) +
                                        ") at sample (" + std::to_string(theirs.left) + ", " +
                                        std::to_string(theirs.top) + ") and that of the peer (" +
                                        std::to_string(theirs.x) + ", " + std::to_string(theirs.y) +
                                        ")");
}

// Returns the number of macroblocks that are compared. The peer has a QP of its own for PCM.
std::int64_t require_qps(const ParsedPicture& picture, std::span<const int> theirs) {
  if (picture.macroblocks.size() != theirs.size()) {
    throw Error(ErrorCode::kInternal, "picture " + std::to_string(picture.id) + " has " +
                                          std::to_string(picture.macroblocks.size()) +
                                          " macroblocks, and the peer " +
                                          std::to_string(theirs.size()) + " QPs");
  }
  std::int64_t compared = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const auto& macroblock = picture.macroblocks[i];
    if (macroblock.type == h264::MacroblockType::kPcm) continue;
    ++compared;
    if (macroblock.qp == theirs[i]) continue;
    throw Error(ErrorCode::kInternal, "picture " + std::to_string(picture.id) + " has QP " +
                                          std::to_string(macroblock.qp) + " at macroblock " +
                                          std::to_string(i) + " and the peer " +
                                          std::to_string(theirs[i]));
  }
  return compared;
}

void require_count(std::size_t ours, std::size_t theirs) {
  if (ours == theirs) return;
  throw Error(ErrorCode::kInternal,
              std::to_string(ours) + " pictures, and " + std::to_string(theirs) + " of the peer");
}

// The samples of pictures, cropped, in output order.
using Samples = std::vector<std::vector<std::uint8_t>>;

Samples decoded_samples(std::span<const std::uint8_t> stream) {
  Samples pictures;
  h264::Decoder decoder(
      [&](const h264::DecodedFrame& frame) {
        std::vector<std::uint8_t>& samples = pictures.emplace_back();
        for (int plane = 0; plane < 3; ++plane) {
          for (int y = 0; y < frame.height(plane); ++y) {
            const std::uint8_t* const row =
                frame.first_sample(plane) +
                static_cast<std::ptrdiff_t>(y) * frame.samples->width(plane);
            samples.insert(samples.end(), row, row + frame.width(plane));
          }
        }
      },
      {.take_fault = throw_fault});
  h264::push_stream(stream, decoder);
  return pictures;
}

}  // namespace

std::int64_t parse_stream(std::span<const std::uint8_t> stream) {
  PictureCounter counter;
  h264::StreamParser parser(counter);
  h264::push_stream(stream, parser);
  return counter.pictures();
}

std::int64_t decode_stream(std::span<const std::uint8_t> stream) {
  h264::Decoder decoder([](const h264::DecodedFrame&) {}, {.take_fault = throw_fault});
  h264::push_stream(stream, decoder);
  return decoder.statistics().frames;
}

std::int64_t measure_features(std::span<const std::uint8_t> stream) {
  FeatureCounter counter;
  h264::StreamParser parser(counter);
  h264::push_stream(stream, parser);
  if (counter.bytes() != static_cast<std::int64_t>(stream.size())) {
    throw Error(ErrorCode::kInternal, "frames of " + std::to_string(counter.bytes()) +
                                          " bytes in a stream of " + std::to_string(stream.size()));
  }
  return counter.pictures();
}

double frame_rate_of(std::span<const std::uint8_t> stream) {
  FirstParameters first;
  h264::StreamParser parser(first, {.wants_coefficients = false});
  h264::AnnexBSplitter splitter;
  splitter.push(stream);
  splitter.finish();
  while (const auto unit = splitter.next()) {
    parser.push_nal_unit(unit->bytes, unit->byte, unit->start_code_bytes);
    if (first.get() != nullptr) break;
  }
  parser.finish();
  if (first.get() == nullptr || first.get()->units_in_tick == 0) return 0;
  return static_cast<double>(first.get()->time_scale) / (2.0 * first.get()->units_in_tick);
}

ComparedDecisions check_decisions(std::span<const std::uint8_t> stream, const H264Peer& peer) {
  OutputOrder ours;
  // Samples reveal wrong coefficients.
  h264::StreamParser parser(ours, {.wants_coefficients = false});
  h264::push_stream(stream, parser);
  std::size_t pictures = 0;
  ComparedDecisions compared;
  peer.decode(
      [&](const H264PeerPicture& theirs) {
        if (pictures < ours.pictures().size()) {
          const ParsedPicture& picture = *ours.pictures()[pictures];
          for (const H264PeerVector& vector : theirs.vectors) require_vector(picture, vector);
          compared.vectors += static_cast<std::int64_t>(theirs.vectors.size());
          compared.qps += require_qps(picture, theirs.qps);
        }
        ++pictures;
      },
      true);
  require_count(ours.pictures().size(), pictures);
  return compared;
}

void check_samples(std::span<const std::uint8_t> stream, const H264Peer& peer) {
  const Samples ours = decoded_samples(stream);
  std::size_t pictures = 0;
  peer.decode([&](const H264PeerPicture& theirs) {
    if (pictures < ours.size()) {
      const std::uint8_t* mine = ours[pictures].data();
      for (int plane = 0; plane < 3; ++plane) {
        const int shift = plane == 0 ? 0 : 1;
        for (int y = 0; y < theirs.height >> shift; ++y) {
          const std::uint8_t* const row = theirs.planes[plane] + y * theirs.strides[plane];
          if (!std::equal(row, row + (theirs.width >> shift), mine)) {
            throw Error(ErrorCode::kInternal, "row " + std::to_string(y) + " of plane " +
                                                  std::to_string(plane) + " of picture " +
                                                  std::to_string(pictures) + " is not the peer's");
          }
          mine += theirs.width >> shift;
        }
      }
    }
    ++pictures;
  });
  require_count(ours.size(), pictures);
}

}  // namespace millrace::tools
