// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/encode_run.h>
#include <millrace/algorithms/h264/encoder/encoder.h>
#include <millrace/runtime/core/check.h>

#include <string>
#include <utility>

namespace millrace::h264 {
void check_encoder_options(const EncoderOptions& options) {
  check_range("width", options.width, 16, 4096);
  check_range("height", options.height, 16, 2304);
  if (options.width % 2 != 0 || options.height % 2 != 0) {
    reject("a picture of " + std::to_string(options.width) + " x " +
           std::to_string(options.height) + " samples; both must be even");
  }
  if (options.frame_rate == 0 || options.frame_rate_base == 0) {
    reject("the frame rate is " + std::to_string(options.frame_rate) + "/" +
           std::to_string(options.frame_rate_base) + "; both must be above 0");
  }
  // time_scale is twice the rate.
  check_range("frame_rate", options.frame_rate, 1, 0x7fff'ffff);
  check_range("sample_aspect_width", options.sample_aspect_width, 0, 0xffff);
  check_range("sample_aspect_height", options.sample_aspect_height, 0, 0xffff);
  check_range("qp", options.qp, 0, 51);
  if (options.rate == EncoderRate::kBitrate) {
    check_range("kbit_per_second", options.kbit_per_second, 1, kMostKbitPerSecond);
  }
  check_range("pictures_a_group", options.pictures_a_group, 1, 1000);
  check_range("range", options.range, motion::kLeastRange, motion::kMostRange);
  check_range("references", options.references, 1, motion::kMostReferences);
  check_range("slices", options.slices, 1, (options.height + 15) / 16);
}

Encoder::Encoder(std::shared_ptr<Device> device, const EncoderOptions& options)
    : device_(std::move(device)), options_(options) {
  check_encoder_options(options_);
}

Encoder::~Encoder() = default;

DeviceWork Encoder::device_work() const { return EncodeRun::work_of(*device_, options_); }

void Encoder::run(const EncoderStages& stages, const std::stop_token& stop) {
  EncodeRun(device_, options_, stages)(stop);
}

}  // namespace millrace::h264
