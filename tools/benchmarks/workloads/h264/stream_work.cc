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
using h264::SubPartition;

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
  explicit OutputOrder(StreamFaults faults) : faults_(faults) {}
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    waiting_[picture->id] = picture;
  }
  void output(std::int64_t picture) override { pictures_.push_back(std::move(waiting_[picture])); }
  void release(std::int64_t picture) override { waiting_.erase(picture); }
  void fault(const StreamFault& fault) override {
    if (faults_ == StreamFaults::kThrow) throw_fault(fault);
  }
  const std::vector<std::shared_ptr<const ParsedPicture>>& pictures() const { return pictures_; }

 private:
  const StreamFaults faults_;
  std::map<std::int64_t, std::shared_ptr<const ParsedPicture>> waiting_;
  std::vector<std::shared_ptr<const ParsedPicture>> pictures_;
};

// Compares the vectors of one picture with those of the peer.
class VectorCheck {
 public:
  explicit VectorCheck(const ParsedPicture& picture) : picture_(picture) {
    for (std::vector<bool>& list : is_covered_) list.resize(4 * picture.macroblocks.size());
  }

  // Throws unless ours are the same in the whole block, or, where an 8x8 block is divided, in its
  // first 4x4 block.
  void require(const H264PeerVector& theirs) {
    for (int top = theirs.top; top < theirs.top + theirs.height; top += 8) {
      for (int left = theirs.left; left < theirs.left + theirs.width; left += 8) {
        require_8x8(theirs, left, top);
      }
    }
  }

  // Throws where the peer has no vector for an 8x8 block of ours that has a reference. Returns the
  // number of those blocks, counted once for each list.
  std::int64_t require_all() const {
    std::int64_t blocks = 0;
    for (std::size_t i = 0; i < picture_.macroblocks.size(); ++i) {
      for (int list = 0; list < 2; ++list) {
        for (int block = 0; block < 4; ++block) {
          if (picture_.macroblocks[i].references[list][block] < 0) continue;
          ++blocks;
          if (is_covered_[list][4 * i + static_cast<std::size_t>(block)]) continue;
          fail("has a reference in list " + std::to_string(list) + " in 8x8 block " +
               std::to_string(block) + " of macroblock " + std::to_string(i) +
               ", and the peer has no vector");
        }
      }
    }
    return blocks;
  }

 private:
  void require_8x8(const H264PeerVector& theirs, int left, int top) {
    const int index = top / 16 * picture_.sequence->width_in_macroblocks + left / 16;
    const auto& macroblock = picture_.macroblocks.at(static_cast<std::size_t>(index));
    const int block = top % 16 / 8 * 2 + left % 16 / 8;
    if (h264::is_intra(macroblock.type)) {
      fail("has intra macroblock " + std::to_string(index) + ", and the peer a vector");
    }
    is_covered_[theirs.list][static_cast<std::size_t>(4 * index + block)] = true;
    const h264::SubPartition sub = macroblock.sub_partitions[block];
    const bool is_whole = theirs.width > 8 || theirs.height > 8 || sub == SubPartition::k8x8 ||
                          (sub == SubPartition::kDirect && picture_.sequence->direct_8x8_inference);
    for (int k = 0; k < (is_whole ? 4 : 1); ++k) {
      require_4x4(theirs, macroblock, left + 4 * (k % 2), top + 4 * (k / 2));
    }
  }

  void require_4x4(const H264PeerVector& theirs, const h264::Macroblock& macroblock, int left,
                   int top) const {
    const h264::MotionVector ours =
        macroblock.vectors[theirs.list][top % 16 / 4 * 4 + left % 16 / 4];
    if (ours.x == theirs.x && ours.y == theirs.y) return;
    fail("has the vector (" + std::to_string(ours.x) + ", " + std::to_string(ours.y) +
         ") at sample (" + std::to_string(left) + ", " + std::to_string(top) +
         ") and that of the peer (" + std::to_string(theirs.x) + ", " + std::to_string(theirs.y) +
         ")");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::kInternal, "picture " + std::to_string(picture_.id) + ' ' + what);
  }

  const ParsedPicture& picture_;
  std::vector<bool> is_covered_[2];  // Indexed by list, then 4 * macroblock + 8x8 block.
};

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

Samples decoded_samples(std::span<const std::uint8_t> stream, StreamFaults faults) {
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
      {.take_fault = [faults](const StreamFault& fault) {
        if (faults == StreamFaults::kThrow) throw_fault(fault);
      }});
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

ComparedDecisions check_decisions(std::span<const std::uint8_t> stream, const H264Peer& peer,
                                  StreamFaults faults) {
  OutputOrder ours(faults);
  // Samples reveal wrong coefficients.
  h264::StreamParser parser(ours, {.wants_coefficients = false});
  h264::push_stream(stream, parser);
  std::size_t pictures = 0;
  ComparedDecisions compared;
  peer.decode(
      [&](const H264PeerPicture& theirs) {
        if (pictures < ours.pictures().size()) {
          const ParsedPicture& picture = *ours.pictures()[pictures];
          VectorCheck check(picture);
          for (const H264PeerVector& vector : theirs.vectors) check.require(vector);
          compared.predicted_blocks += check.require_all();
          compared.vectors += static_cast<std::int64_t>(theirs.vectors.size());
          compared.qps += require_qps(picture, theirs.qps);
        }
        ++pictures;
      },
      true);
  require_count(ours.pictures().size(), pictures);
  compared.pictures = static_cast<std::int64_t>(pictures);
  return compared;
}

void check_samples(std::span<const std::uint8_t> stream, const H264Peer& peer,
                   StreamFaults faults) {
  const Samples ours = decoded_samples(stream, faults);
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
