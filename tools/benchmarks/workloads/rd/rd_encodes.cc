// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/peers/h264_peer.h>
#include <millrace/tools/benchmarks/workloads/rd/rd_encodes.h>
#include <millrace/tools/video/encoding/sample_copy.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

// Returns the stage that gives the clip's pictures.
std::function<bool(h264::SamplePicture&)> pictures_of(const RdClip& clip) {
  return [&clip, next = std::size_t{0}](h264::SamplePicture& samples) mutable {
    if (next == clip.pictures.size()) return false;
    copy_samples(clip.pictures[next++], samples);
    return true;
  };
}

// Hashes a rectangle of a picture from its sample at `left`, `top` of luma on.
std::string hash_of(const h264::SamplePicture& samples, int left, int top, int width, int height) {
  InputHash hash;
  for (int plane = 0; plane < 3; ++plane) {
    const int by = plane == 0 ? 1 : 2;
    for (int y = 0; y < height / by; ++y) {
      const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(top / by + y) * samples.width(plane);
      hash.add(
          std::span(samples.plane(plane) + row + left / by, static_cast<std::size_t>(width / by)));
    }
  }
  return hash.text();
}

std::vector<std::string> decoded_hashes(std::span<const std::uint8_t> stream) {
  std::vector<std::string> hashes;
  h264::DecoderOptions options;
  options.take_fault = [](const h264::StreamFault& fault) {
    throw Error(ErrorCode::kInternal, "the stream has a fault: " + fault.message);
  };
  h264::Decoder decoder(
      [&](const h264::DecodedFrame& frame) {
        hashes.push_back(hash_of(*frame.samples, frame.sequence->crop_left,
                                 frame.sequence->crop_top, frame.width(0), frame.height(0)));
      },
      options);
  h264::push_stream(stream, decoder);
  return hashes;
}

// Hashes the pictures that FFmpeg's decoder gives. Returns nothing where the linked libavcodec has
// no decoder of H.264.
std::optional<std::vector<std::string>> hashes_by_peer(std::span<const std::uint8_t> stream) {
  std::vector<std::string> hashes;
  try {
    H264Peer(stream).decode([&](const H264PeerPicture& picture) {
      InputHash hash;
      for (int plane = 0; plane < 3; ++plane) {
        const int by = plane == 0 ? 1 : 2;
        for (int y = 0; y < picture.height / by; ++y) {
          hash.add(std::span(picture.planes[plane] + y * picture.strides[plane],
                             static_cast<std::size_t>(picture.width / by)));
        }
      }
      hashes.push_back(hash.text());
    });
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kUnsupported) return std::nullopt;
    throw;
  }
  return hashes;
}

std::uint64_t squared_error(const ConstPicturePlane& plane, const std::uint8_t* other,
                            std::ptrdiff_t stride) {
  std::uint64_t sum = 0;
  for (int y = 0; y < plane.height; ++y) {
    const std::uint8_t* const row = plane.row(y);
    for (int x = 0; x < plane.width; ++x) {
      const int difference = row[x] - other[y * stride + x];
      sum += static_cast<std::uint64_t>(difference * difference);
    }
  }
  return sum;
}

}  // namespace

h264::EncoderOptions encoder_options_for(const RdClip& clip, h264::EncoderOptions options) {
  options.width = clip.width();
  options.height = clip.height();
  options.frame_rate = static_cast<std::uint32_t>(clip.rate.numerator);
  options.frame_rate_base = static_cast<std::uint32_t>(clip.rate.denominator);
  return options;
}

void encode_once(const RdClip& clip, h264::Encoder& encoder) {
  encoder.run({.produce = pictures_of(clip),
               .consume = [](const h264::EncodedPicture&) {},
               .takes_reconstructions = false});
}

EncodingSummary measure_encode(const RdClip& clip, const std::shared_ptr<Device>& device,
                               const h264::EncoderOptions& options) {
  EncodingSummary summary(clip.width(), clip.height(), clip.rate);
  std::vector<std::uint8_t> stream;
  std::vector<std::string> hashes;
  h264::Encoder encoder(device, options);
  encoder.run({.produce = pictures_of(clip), .consume = [&](const h264::EncodedPicture& picture) {
                 CodedPictureFigures figures{.type = picture.type,
                                             .is_idr = picture.is_idr,
                                             .qp = picture.qp,
                                             .bits = 8 * picture.bytes.size()};
                 std::ranges::copy(picture.squared_errors, figures.squared_errors.begin());
                 summary.add(figures);
                 stream.insert(stream.end(), picture.bytes.begin(), picture.bytes.end());
                 hashes.push_back(
                     hash_of(*picture.reconstruction, 0, 0, clip.width(), clip.height()));
               }});
  if (hashes.size() != clip.pictures.size() || decoded_hashes(stream) != hashes) {
    throw Error(ErrorCode::kInternal, "the decoded pictures are not the encoder's reconstruction");
  }
  if (hashes_by_peer(stream).value_or(hashes) != hashes) {
    throw Error(ErrorCode::kInternal,
                "the pictures that FFmpeg decodes are not the encoder's reconstruction");
  }
  return summary;
}

EncodingSummary measure_x264(const RdClip& clip, const X264Settings& settings, int qp) {
  const X264Stream stream = encode_by_x264(clip.pictures, settings, qp, 1);
  EncodingSummary summary(clip.width(), clip.height(), clip.rate);
  std::size_t index = 0;
  H264Peer(stream.bytes).decode([&](const H264PeerPicture& picture) {
    if (index == clip.pictures.size()) return;
    const X264Stream::Picture& coded = stream.pictures[index];
    CodedPictureFigures figures{.type = coded.is_key ? h264::SliceType::kI : h264::SliceType::kP,
                                .is_idr = coded.is_key,
                                .qp = qp,
                                .bits = coded.bits};
    for (int plane = 0; plane < Picture::kPlanes; ++plane) {
      figures.squared_errors[plane] = squared_error(clip.pictures[index].plane(plane),
                                                    picture.planes[plane], picture.strides[plane]);
    }
    summary.add(figures);
    ++index;
  });
  if (index != clip.pictures.size() || stream.pictures.size() != index) {
    throw Error(ErrorCode::kInternal, "x264's stream has " + std::to_string(index) +
                                          " pictures of " + std::to_string(clip.pictures.size()));
  }
  return summary;
}

}  // namespace millrace::tools
