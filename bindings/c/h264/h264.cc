// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/bindings/c/call.h>
#include <millrace/bindings/c/h264/h264_stream.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace millrace::c {
namespace {

using h264::FrameFeatures;
using h264::Macroblock;

// The caller reads the parser's own macroblocks. Where the parser's change, so must the C struct,
// of which members may only be added at the end, or a copy be made for C.
static_assert(std::is_standard_layout_v<Macroblock>);
static_assert(sizeof(Macroblock) == sizeof(millrace_h264_macroblock));
static_assert(offsetof(Macroblock, type) == offsetof(millrace_h264_macroblock, type));
static_assert(offsetof(Macroblock, has_8x8_transform) ==
              offsetof(millrace_h264_macroblock, has_8x8_transform));
static_assert(offsetof(Macroblock, coded_block_pattern) ==
              offsetof(millrace_h264_macroblock, coded_block_pattern));
static_assert(offsetof(Macroblock, qp) == offsetof(millrace_h264_macroblock, qp));
static_assert(offsetof(Macroblock, chroma_qp) == offsetof(millrace_h264_macroblock, chroma_qp));
static_assert(offsetof(Macroblock, intra_chroma_mode) ==
              offsetof(millrace_h264_macroblock, intra_chroma_mode));
static_assert(offsetof(Macroblock, slice) == offsetof(millrace_h264_macroblock, slice));
static_assert(offsetof(Macroblock, intra_modes) == offsetof(millrace_h264_macroblock, intra_modes));
static_assert(offsetof(Macroblock, sub_partitions) ==
              offsetof(millrace_h264_macroblock, sub_partitions));
static_assert(offsetof(Macroblock, references) == offsetof(millrace_h264_macroblock, references));
static_assert(offsetof(Macroblock, vectors) == offsetof(millrace_h264_macroblock, vectors));
static_assert(offsetof(Macroblock, differences) == offsetof(millrace_h264_macroblock, differences));
static_assert(offsetof(Macroblock, coded_blocks) ==
              offsetof(millrace_h264_macroblock, coded_blocks));
static_assert(offsetof(Macroblock, bits) == offsetof(millrace_h264_macroblock, bits));
static_assert(static_cast<int>(h264::MacroblockType::kLost) == MILLRACE_H264_LOST);
static_assert(static_cast<int>(h264::MacroblockType::kPcm) == MILLRACE_H264_PCM);
static_assert(sizeof(h264::MacroblockCoefficients) ==
              MILLRACE_H264_COEFFICIENTS * sizeof(std::int16_t));
static_assert(h264::kSyntaxClasses == MILLRACE_H264_SYNTAX_CLASSES);
static_assert(h264::kMacroblockKinds == MILLRACE_H264_KINDS);
static_assert(h264::kQps == MILLRACE_H264_QPS);

std::shared_ptr<H264Stream> find_stream(const millrace_h264_stream* stream) {
  return find_handle<H264Stream>(stream, {HandleKind::kStream, "stream"});
}

H264StreamOptions stream_options(const millrace_h264_options* options) {
  if (options == nullptr) return {};
  const auto given = read_struct(options, "options", &millrace_h264_options::skips_coefficients);
  return {.parser = {.wants_coefficients = given.skips_coefficients == 0},
          .decodes = given.decodes != 0};
}

millrace_h264_deviation deviation_of(const h264::MeanAndDeviation& motion) {
  return {.mean = motion.mean, .deviation = motion.deviation};
}

template <int frequencies>
void put_coefficients(millrace_h264_bands& target, const h264::FrequencySums<frequencies>& sums) {
  target.blocks = sums.blocks;
  for (int frequency = 0; frequency < frequencies; ++frequency) {
    target.energy[frequency] = sums.mean_energy(frequency);
    target.zero_share[frequency] = sums.zero_fraction(frequency);
  }
}

template <class Range, class Value>
void put_all(Value* target, const Range& values) {
  std::copy(values.begin(), values.end(), target);
}

void put_p1204(millrace_h264_frame_info& info, const FrameFeatures& features) {
  info.frame_type = features.frame_type;
  info.is_idr = features.is_idr ? 1 : 0;
  info.is_key_frame = features.is_key_frame ? 1 : 0;
  info.least_qp = features.least_qp;
  info.greatest_qp = features.greatest_qp;
  info.bit_depth = features.bit_depth;
  info.bytes = features.bytes;
  info.mean_qp = features.mean_qp;
  info.mean_qp_inside = features.mean_qp_inside;
  info.motion = deviation_of(features.motion.length);
  info.motion_x = deviation_of(features.motion.x);
  info.motion_y = deviation_of(features.motion.y);
  info.motion_difference = deviation_of(features.motion.difference);
  info.root_mean_square_motion_difference = features.motion.root_mean_square_difference;
}

void put_counts(millrace_h264_frame_info& info, const FrameFeatures& features) {
  info.black_rows = features.black_rows;
  info.macroblock_count = features.macroblocks;
  put_all(info.kinds, features.kinds);
  put_all(info.sub_partitions, features.sub_partitions);
  info.transforms_8x8 = features.transforms_8x8;
  put_all(info.qp_histogram, features.qp_histogram);
  info.header_bits = features.header_bits;
  put_all(info.bits, features.bits);
  info.other_bits = features.other_bits;
  put_coefficients(info.luma_4x4, features.coefficients.luma_4x4);
  put_coefficients(info.luma_8x8, features.coefficients.luma_8x8);
  put_coefficients(info.chroma, features.coefficients.chroma);
  info.references = features.references.references;
  info.missing_references = features.references.missing;
  put_all(info.reference_distances, features.references.counts);
  info.mean_decoding_distance = features.references.mean_decoding_distance;
  info.mean_output_distance = features.references.mean_output_distance;
  info.slice_count = features.slices;
  info.damaged_slices = features.damaged_slices;
  info.lost_macroblocks = features.lost_macroblocks;
  info.inferred_pictures = features.inferred_pictures;
  info.refers_to_concealed = features.damage.concealed_reference_fraction();
  info.refers_to_damaged = features.damage.damaged_reference_fraction();
}

void put_arrays(millrace_h264_frame_info& info, const H264Frame& frame) {
  info.macroblock_bytes = sizeof(Macroblock);
  info.slice_bytes = sizeof(millrace_h264_slice);
  info.macroblocks =
      reinterpret_cast<const millrace_h264_macroblock*>(frame.picture->macroblocks.data());
  info.slices = frame.slices.data();
  info.slice_count = static_cast<std::int64_t>(frame.slices.size());
  info.coefficients = frame.coefficients();
}

void put(millrace_h264_frame_info* target, const H264Frame& frame) {
  auto info = read_struct(target, "info", &millrace_h264_frame_info::coefficients);
  const FrameFeatures& features = frame.features;
  info.frame = frame.index;
  info.picture = features.picture;
  info.picture_order = features.picture_order;
  info.frame_number = features.frame_number;
  info.width = features.width;
  info.height = features.height;
  info.columns = frame.picture->sequence->width_in_macroblocks;
  info.rows = frame.picture->sequence->height_in_macroblocks;
  info.is_reference = features.is_reference ? 1 : 0;
  put_p1204(info, features);
  put_counts(info, features);
  put_arrays(info, frame);
  write_struct(target, info);
}

void put(millrace_h264_picture_info* target, const H264Picture& picture) {
  auto info = read_struct(target, "info", &millrace_h264_picture_info::strides);
  info.picture = picture.picture;
  info.width = picture.width;
  info.height = picture.height;
  info.concealed_macroblocks = picture.concealed_macroblocks;
  const std::uint8_t* plane = picture.samples.data();
  for (int index = 0; index < 3; ++index) {
    const int divisor = index == 0 ? 1 : 2;
    info.planes[index] = plane;
    info.strides[index] = static_cast<std::size_t>(picture.width / divisor);
    plane += std::ptrdiff_t{picture.width / divisor} * (picture.height / divisor);
  }
  write_struct(target, info);
}

void put(millrace_h264_captured_stream* target, const h264::RtpStream& stream) {
  auto whole = read_struct(target, "stream", &millrace_h264_captured_stream::name);
  whole.packets = static_cast<std::int64_t>(stream.packets.size());
  whole.payload_type = stream.payload_type;
  put_text(whole.name, stream.name());
  write_struct(target, whole);
}

std::shared_ptr<H264Capture> find_capture(const millrace_h264_capture* capture) {
  return find_handle<H264Capture>(capture, {HandleKind::kCapture, "capture"});
}

void put(millrace_h264_fault* target, const h264::StreamFault& fault) {
  auto whole = read_struct(target, "fault", &millrace_h264_fault::message);
  whole.nal_unit = fault.nal_unit;
  whole.byte = fault.byte;
  whole.picture = fault.picture;
  whole.is_unsupported = fault.is_unsupported ? 1 : 0;
  put_text(whole.message, fault.message);
  write_struct(target, whole);
}

}  // namespace

extern "C" {

millrace_status millrace_h264_open(const char* path, const millrace_h264_options* options,
                                   millrace_h264_stream** stream) {
  return call([&] {
    check_not_null(path, "path");
    check_not_null(stream, "stream");
    *stream = make_handle<millrace_h264_stream>(
        HandleKind::kStream,
        std::make_shared<H264Stream>(std::string(path), stream_options(options)));
  });
}

millrace_status millrace_h264_create(const millrace_h264_options* options,
                                     millrace_h264_stream** stream) {
  return call([&] {
    check_not_null(stream, "stream");
    *stream = make_handle<millrace_h264_stream>(
        HandleKind::kStream, std::make_shared<H264Stream>(stream_options(options)));
  });
}

millrace_status millrace_h264_is_capture(const char* path, int32_t* is_capture) {
  return call([&] {
    check_not_null(path, "path");
    check_not_null(is_capture, "is_capture");
    *is_capture = is_h264_capture(path) ? 1 : 0;
  });
}

millrace_status millrace_h264_capture_open(const char* path, const char* session,
                                           millrace_h264_capture** capture) {
  return call([&] {
    check_not_null(path, "path");
    check_not_null(capture, "capture");
    *capture = make_handle<millrace_h264_capture>(
        HandleKind::kCapture,
        std::make_shared<H264Capture>(path, session == nullptr ? "" : session));
  });
}

millrace_status millrace_h264_capture_size(const millrace_h264_capture* capture, size_t* streams) {
  return call([&] {
    check_not_null(streams, "streams");
    *streams = find_capture(capture)->size();
  });
}

millrace_status millrace_h264_capture_describe(const millrace_h264_capture* capture, size_t index,
                                               millrace_h264_captured_stream* stream) {
  return call([&] { put(stream, find_capture(capture)->stream(index)); });
}

millrace_status millrace_h264_open_captured(const millrace_h264_capture* capture, size_t index,
                                            const millrace_h264_options* options,
                                            millrace_h264_stream** stream) {
  return call([&] {
    check_not_null(stream, "stream");
    *stream = make_handle<millrace_h264_stream>(
        HandleKind::kStream,
        std::make_shared<H264Stream>(find_capture(capture), index, stream_options(options)));
  });
}

millrace_status millrace_h264_lost_packets(const millrace_h264_stream* stream, int64_t* packets) {
  return call([&] {
    check_not_null(packets, "packets");
    *packets = find_stream(stream)->lost_packets();
  });
}

millrace_status millrace_h264_capture_close(millrace_h264_capture* capture) {
  return call([&] { free_handle(capture, {HandleKind::kCapture, "capture"}); });
}

millrace_status millrace_h264_push(millrace_h264_stream* stream, const uint8_t* unit, size_t bytes,
                                   int32_t framing_bytes) {
  return call([&] {
    const std::shared_ptr<H264Stream> to = find_stream(stream);
    if (bytes > 0) check_not_null(unit, "unit");
    if (framing_bytes < 0 && framing_bytes != -static_cast<std::int64_t>(bytes)) {
      reject("framing_bytes is " + std::to_string(framing_bytes) +
             "; it must not be negative, or be minus the unit's bytes, so that none count");
    }
    to->push({unit, bytes}, framing_bytes);
  });
}

millrace_status millrace_h264_note_loss(millrace_h264_stream* stream) {
  return call([&] { find_stream(stream)->note_missing(); });
}

millrace_status millrace_h264_finish(millrace_h264_stream* stream) {
  return call([&] { find_stream(stream)->finish(); });
}

millrace_status millrace_h264_next(millrace_h264_stream* stream, millrace_h264_frame** frame) {
  return call([&] {
    check_not_null(frame, "frame");
    *frame = nullptr;
    std::shared_ptr<H264Frame> next = find_stream(stream)->next();
    if (next) *frame = make_handle<millrace_h264_frame>(HandleKind::kFrame, std::move(next));
  });
}

millrace_status millrace_h264_frame_get(const millrace_h264_frame* frame,
                                        millrace_h264_frame_info* info) {
  return call([&] { put(info, *find_handle<H264Frame>(frame, {HandleKind::kFrame, "frame"})); });
}

millrace_status millrace_h264_frame_free(millrace_h264_frame* frame) {
  return call([&] { free_handle(frame, {HandleKind::kFrame, "frame"}); });
}

millrace_status millrace_h264_next_picture(millrace_h264_stream* stream,
                                           millrace_h264_picture** picture) {
  return call([&] {
    check_not_null(picture, "picture");
    *picture = nullptr;
    std::shared_ptr<H264Picture> next = find_stream(stream)->next_picture();
    if (next) *picture = make_handle<millrace_h264_picture>(HandleKind::kPicture, std::move(next));
  });
}

millrace_status millrace_h264_picture_get(const millrace_h264_picture* picture,
                                          millrace_h264_picture_info* info) {
  return call([&] {
    put(info, *find_handle<H264Picture>(picture, {HandleKind::kPicture, "picture"}));
  });
}

millrace_status millrace_h264_picture_free(millrace_h264_picture* picture) {
  return call([&] { free_handle(picture, {HandleKind::kPicture, "picture"}); });
}

millrace_status millrace_h264_fault_count(const millrace_h264_stream* stream, size_t* count) {
  return call([&] {
    check_not_null(count, "count");
    *count = find_stream(stream)->fault_count();
  });
}

millrace_status millrace_h264_fault_describe(const millrace_h264_stream* stream, size_t index,
                                             millrace_h264_fault* fault) {
  return call([&] { put(fault, find_stream(stream)->fault_at(index)); });
}

millrace_status millrace_h264_close(millrace_h264_stream* stream) {
  return call([&] { free_handle(stream, {HandleKind::kStream, "stream"}); });
}

}  // extern "C"

}  // namespace millrace::c
