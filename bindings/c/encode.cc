// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/encoder.h>
#include <millrace/bindings/c/call.h>

#include <cstddef>
#include <memory>
#include <string>

namespace millrace::c {
namespace {

using h264::EncodedPicture;
using h264::EncoderOptions;
using h264::SamplePicture;

// Returns choices[value] for the member `name`, whose values are 0, 1, ...
template <class Choice, std::size_t kCount>
Choice choice_of(const char* name, std::int32_t value, const Choice (&choices)[kCount]) {
  if (value >= 0 && static_cast<std::size_t>(value) < kCount) return choices[value];
  reject(std::string("options->") + name + " is " + std::to_string(value) + "; it must be 0 to " +
         std::to_string(kCount - 1));
}

EncoderOptions options_of(const millrace_encoder_options* options) {
  using Profile = h264::EncoderProfile;
  using Search = h264::EncoderSearch;
  using Rate = h264::EncoderRate;
  using Work = h264::DeviceWork;
  using Decision = h264::ModeDecision;
  const auto given = read_struct(options, "options", &millrace_encoder_options::device_work);
  EncoderOptions result = {
      .width = given.width,
      .height = given.height,
      .profile =
          choice_of("profile", given.profile, {Profile::kHigh, Profile::kMain, Profile::kBaseline}),
      .decision =
          choice_of("decision", given.decision, {Decision::kRateDistortion, Decision::kCost}),
      .search =
          choice_of("search", given.search, {Search::kFull, Search::kHexagon, Search::kDiamond}),
      .rate = choice_of("rate", given.rate, {Rate::kQp, Rate::kQuality, Rate::kBitrate}),
      .qp = given.qp,
      .kbit_per_second = given.kbit_per_second,
      .device_work = choice_of("device_work", given.device_work, {Work::kSearch, Work::kPictures}),
  };
  if (given.frame_rate != 0) result.frame_rate = given.frame_rate;
  if (given.frame_rate_base != 0) result.frame_rate_base = given.frame_rate_base;
  if (given.pictures_a_group != 0) result.pictures_a_group = given.pictures_a_group;
  if (given.range != 0) result.range = given.range;
  if (given.references != 0) result.references = given.references;
  if (given.slices != 0) result.slices = given.slices;
  return result;
}

// The callbacks of a C program.
struct Callbacks {
  millrace_picture_source source;
  millrace_encoded_sink sink;
  void* context;
  std::int64_t next = 0;

  bool produce(SamplePicture& picture) {
    std::uint8_t* planes[3] = {picture.plane(0), picture.plane(1), picture.plane(2)};
    std::size_t strides[3];
    for (int i = 0; i < 3; ++i) strides[i] = static_cast<std::size_t>(picture.width(i));
    const int result = source(context, next, planes, strides);
    if (result == 0) return false;
    if (result != 1) {
      throw Error(ErrorCode::kCancelled, "the source returned " + std::to_string(result) +
                                             "; it must return 1, or 0 at the end");
    }
    ++next;
    return true;
  }

  void consume(const EncodedPicture& picture) const {
    millrace_encoded_picture coded = {};
    coded.size = sizeof(coded);
    coded.index = picture.index;
    coded.is_idr = picture.is_idr ? 1 : 0;
    coded.frame_type = picture.type == h264::SliceType::kI ? 1 : 2;
    coded.qp = picture.qp;
    coded.bytes = picture.bytes.data();
    coded.byte_count = picture.bytes.size();
    for (int i = 0; i < 3; ++i) coded.squared_errors[i] = picture.squared_errors[i];
    if (sink(context, &coded) == 0) return;
    throw Error(ErrorCode::kCancelled, "the sink returned a value other than 0; return 0 to go on");
  }
};

}  // namespace

extern "C" {

millrace_status millrace_h264_encode(millrace_device* device,
                                     const millrace_encoder_options* options,
                                     millrace_picture_source source, millrace_encoded_sink sink,
                                     void* context) {
  return call([&] {
    const std::shared_ptr<Device> on = find_device(device);
    check_not_null(source, "source");
    check_not_null(sink, "sink");
    Callbacks callbacks = {source, sink, context};
    h264::Encoder encoder(on, options_of(options));
    encoder.run({
        .produce = [&](SamplePicture& picture) { return callbacks.produce(picture); },
        .consume = [&](const EncodedPicture& picture) { callbacks.consume(picture); },
        .takes_reconstructions = false,
    });
  });
}

}  // extern "C"

}  // namespace millrace::c
