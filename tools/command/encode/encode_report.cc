// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/encode/encode_report.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>

namespace millrace::tools {
namespace {

using h264::SliceType;

constexpr const char* kPlaneNames[EncodingSummary::kPlanes] = {"y", "u", "v"};

nlohmann::json psnr_json(const std::function<double(int plane)>& psnr_db) {
  nlohmann::json json;
  for (int plane = 0; plane < EncodingSummary::kPlanes; ++plane) {
    const double value = psnr_db(plane);
    // JSON has no infinity.
    json[kPlaneNames[plane]] = std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
  }
  return json;
}

nlohmann::json pictures_json(const EncodingSummary& summary) {
  nlohmann::json array = nlohmann::json::array();
  for (std::size_t i = 0; i < summary.pictures().size(); ++i) {
    const CodedPictureFigures& picture = summary.pictures()[i];
    array.push_back(
        {{"index", i},
         {"type", picture.type == SliceType::kI ? "I" : "P"},
         {"is_idr", picture.is_idr},
         {"qp", picture.qp},
         {"bits", picture.bits},
         {"psnr_db", psnr_json([&](int plane) { return summary.psnr_db(picture, plane); })}});
  }
  return array;
}

// Returns the rate that the options request.
nlohmann::json rate_json(const h264::EncoderOptions& encoder) {
  switch (encoder.rate) {
    case h264::EncoderRate::kQuality: return {{"crf", encoder.qp}};
    case h264::EncoderRate::kBitrate:
      return {{"requested_kbit_per_s", encoder.kbit_per_second},
              {"buffer_frames", encoder.pictures_a_group},
              {"buffer_kbit", encoder.pictures_a_group * h264::bits_a_picture(encoder) / 1000}};
    default: return {{"qp", encoder.qp}};
  }
}

std::string rate_text(const EncodeResult& result) {
  const h264::EncoderOptions& encoder = result.encoder;
  char mean[32];
  std::snprintf(mean, sizeof(mean), "mean QP %.1f", result.summary.mean_qp());
  switch (encoder.rate) {
    case h264::EncoderRate::kQuality: return "quality " + std::to_string(encoder.qp) + ", " + mean;
    case h264::EncoderRate::kBitrate:
      return std::to_string(encoder.kbit_per_second) + " kbit/s requested, " + mean;
    default: return "QP " + std::to_string(encoder.qp);
  }
}

void print_psnr(const char* name, const std::function<double(int plane)>& psnr_db) {
  std::printf("%-10s", name);
  for (int plane = 0; plane < EncodingSummary::kPlanes; ++plane)
    std::printf("  %6.2f", psnr_db(plane));
  std::printf("\n");
}

void print_pictures(const EncodingSummary& summary, SliceType type, const char* name) {
  std::printf("%-10s  %6lld  %12llu bits\n", name, static_cast<long long>(summary.count(type)),
              static_cast<unsigned long long>(summary.bits(type)));
}

// The clip and how it is coded.
std::string coding_text(const EncodeOptions& options, const EncodeResult& result) {
  const h264::EncoderOptions& encoder = result.encoder;
  return options.clip.path + ": " + std::to_string(encoder.width) + "x" +
         std::to_string(encoder.height) + ", " +
         frames_text(static_cast<std::int64_t>(result.summary.pictures().size())) + ", " +
         to_string(encoder.profile) + " profile, " + rate_text(result);
}

}  // namespace

double EncodeResult::frames_per_second() const {
  return seconds > 0 ? static_cast<double>(summary.pictures().size()) / seconds : 0;
}

nlohmann::json to_json(const EncodeOptions& options, const VideoReader& clip,
                       const EncodeResult& result) {
  const EncodingSummary& summary = result.summary;
  const h264::EncoderOptions& encoder = result.encoder;
  nlohmann::json json = {
      {"clip", options.clip.path},
      {"source_format", clip.source_format()},
      {"output", options.out},
      {"width", encoder.width},
      {"height", encoder.height},
      {"frames", summary.pictures().size()},
      {"lost", clip.losses().lost},
      {"concealed", clip.losses().concealed},
      {"profile", to_string(encoder.profile)},
      {"decide", to_string(encoder.decision)},
      {"search", to_string(encoder.search)},
      {"rate_mode", to_string(encoder.rate)},
      {"mean_qp", summary.mean_qp()},
      {"gop", encoder.pictures_a_group},
      {"range", encoder.range},
      {"references", encoder.references},
      {"slices", encoder.slices},
      {"device", result.device},
      {"on_device", to_string(encoder.device_work)},
      {"kbit_per_s", summary.kbit_per_second()},
      {"bits", summary.bits()},
      {"bits_i", summary.bits(SliceType::kI)},
      {"bits_p", summary.bits(SliceType::kP)},
      {"mean_psnr_db", psnr_json([&](int plane) { return summary.mean_psnr_db(plane); })},
      {"overall_psnr_db", psnr_json([&](int plane) { return summary.overall_psnr_db(plane); })},
      {"frames_per_s", result.frames_per_second()},
      {"pictures", pictures_json(summary)}};
  if (!result.fallback.empty()) json["on_device_fallback"] = result.fallback;
  json.update(rate_json(encoder));
  return json;
}

void print_report(const EncodeOptions& options, const VideoReader& clip,
                  const EncodeResult& result) {
  const EncodingSummary& summary = result.summary;
  std::printf("%s\n", coding_text(options, result).c_str());
  std::printf("%s: %.1f frames/s; %.1f kbit/s\n", result.device.c_str(), result.frames_per_second(),
              summary.kbit_per_second());
  const std::string losses = losses_text(clip.losses());
  if (!losses.empty()) std::printf("%s\n", losses.c_str());
  print_pictures(summary, SliceType::kI, "I pictures");
  print_pictures(summary, SliceType::kP, "P pictures");
  std::printf("PSNR in dB       Y       U       V\n");
  print_psnr("mean", [&](int plane) { return summary.mean_psnr_db(plane); });
  print_psnr("overall", [&](int plane) { return summary.overall_psnr_db(plane); });
  const char* word = "wrote";
  for (const std::string& path :
       {options.out, options.reconstruction, options.common.json_path, options.common.trace_path}) {
    if (path.empty()) continue;
    std::printf("%-5s %s\n", word, path.c_str());
    word = "";
  }
}

void print_report_line(const EncodeOptions& options, const VideoReader& clip,
                       const EncodeResult& result) {
  const EncodingSummary& summary = result.summary;
  const std::string losses = losses_text(clip.losses());
  std::printf("%s; %.1f kbit/s, Y %.2f dB%s%s; wrote %s\n", coding_text(options, result).c_str(),
              summary.kbit_per_second(), summary.overall_psnr_db(0), losses.empty() ? "" : "; ",
              losses.c_str(), options.out.c_str());
}

}  // namespace millrace::tools
