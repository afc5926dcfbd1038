// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/macroblock_kind.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/features/maps/heat_map.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace millrace::tools {
namespace {

constexpr int kSide = 16;
constexpr double kMostQp = 51;
constexpr double kMostBits = 2048;

// Indexed by h264::MacroblockKind.
constexpr Rgb kKindColours[h264::kMacroblockKinds] = {
    {224, 64, 32}, {240, 120, 32}, {160, 32, 32},  {224, 32, 224},   // Intra
    {32, 64, 192}, {48, 96, 224},  {64, 128, 240}, {112, 176, 255},  // P
    {16, 128, 48}, {32, 160, 64},  {64, 192, 96},  {128, 224, 144},  // B
    {64, 96, 64},  {24, 24, 48},   {24, 48, 24},   {255, 255, 255}};

Rgb kind_colour(const h264::ParsedPicture& picture, const h264::Macroblock& macroblock) {
  const h264::SliceType slice = macroblock.slice < picture.slices.size()
                                    ? picture.slices[macroblock.slice].header.type
                                    : h264::SliceType::kI;
  return kKindColours[static_cast<std::size_t>(h264::macroblock_kind(macroblock.type, slice))];
}

Rgb colour_of(const h264::ParsedPicture& picture, const h264::Macroblock& macroblock,
              HeatValue value) {
  if (macroblock.type == h264::MacroblockType::kLost) return kKindColours[15];
  if (value == HeatValue::kType) return kind_colour(picture, macroblock);
  if (value == HeatValue::kQp) return heat_colour(macroblock.qp / kMostQp);
  double bits = 0;
  for (const std::uint32_t count : macroblock.bits) bits += count;
  return heat_colour(std::log1p(bits) / std::log1p(kMostBits));
}

std::uint8_t between(std::uint8_t from, std::uint8_t to, double position) {
  return static_cast<std::uint8_t>(std::lround(from + (to - from) * position));
}

class HeatMap final : public PictureConsumer {
 public:
  HeatMap(HeatValue value, std::string path, bool force)
      : value_(value),
        path_(std::move(path)),
        is_png_(path_.ends_with(".png")),
        file_(path_, force) {}

  void add(const h264::ParsedPicture& picture) override {
    const h264::SequenceParameters& sequence = *picture.sequence;
    h264::SamplePicture& samples =
        samples_
            .insert_or_assign(picture.id, h264::SamplePicture(sequence.width_in_macroblocks,
                                                              sequence.height_in_macroblocks))
            .first->second;
    h264::reconstruct_picture(
        picture, [this](std::int64_t id) { return find(id); }, samples);
    RgbCanvas canvas = draw_heat(picture, value_, samples);
    if (is_png_) {
      canvas_.emplace(std::move(canvas));
      return;
    }
    if (!writer_) {
      width_ = canvas.width();
      height_ = canvas.height();
      picture_.resize(width_, height_);
      writer_.emplace(file_.stream(),
                      Y4mFormat{.width = width_, .height = height_, .rate = {25, 1}});
    }
    if (canvas.width() != width_ || canvas.height() != height_) {
      reject(path_ +
             ": the pictures change their size, and a clip has one; stop before the "
             "change with --frames");
    }
    convert(canvas, picture_);
    writer_->write(picture_);
  }

  void release(std::int64_t picture) override { samples_.erase(picture); }

  void commit() override {
    if (!canvas_ && !writer_) return;
    if (canvas_) write_png(*canvas_, file_.stream());
    file_.commit();
  }

 private:
  const h264::SamplePicture* find(std::int64_t id) const {
    const auto found = samples_.find(id);
    return found == samples_.end() ? nullptr : &found->second;
  }

  HeatValue value_;
  std::map<std::int64_t, h264::SamplePicture> samples_;  // Indexed by ParsedPicture::id.
  std::string path_;
  bool is_png_;
  OutputFile file_;
  std::optional<RgbCanvas> canvas_;  // Canvas of the last picture, for PNG.
  std::optional<Y4mWriter> writer_;
  Picture picture_{kSide, kSide};
  int width_ = 0;
  int height_ = 0;
};

}  // namespace

HeatValue heat_value_named(const std::string& name) {
  if (name == "QP") return HeatValue::kQp;
  if (name == "bits") return HeatValue::kBits;
  if (name == "type") return HeatValue::kType;
  reject("--heat is '" + name + "'; give QP, bits or type");
}

Rgb heat_colour(double position) {
  constexpr Rgb kStops[] = {
      {16, 32, 128}, {0, 160, 160}, {64, 192, 64}, {240, 224, 48}, {224, 32, 16}};
  constexpr int kSpans = static_cast<int>(std::size(kStops)) - 1;
  const double at = std::clamp(position, 0.0, 1.0) * kSpans;
  const int span = std::min(static_cast<int>(at), kSpans - 1);
  const Rgb& from = kStops[span];
  const Rgb& to = kStops[span + 1];
  return {between(from.red, to.red, at - span), between(from.green, to.green, at - span),
          between(from.blue, to.blue, at - span)};
}

RgbCanvas draw_heat(const h264::ParsedPicture& picture, HeatValue value,
                    const h264::SamplePicture& samples) {
  constexpr double kFraction = 0.5;
  const int columns = picture.sequence->width_in_macroblocks;
  const int rows = picture.sequence->height_in_macroblocks;
  RgbCanvas canvas(kSide * columns, kSide * rows);
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) {
      const std::size_t index =
          static_cast<std::size_t>(y / kSide) * static_cast<std::size_t>(columns) +
          static_cast<std::size_t>(x / kSide);
      const std::uint8_t luma = samples.plane(0)[y * canvas.width() + x];
      canvas.set(x, y, {luma, luma, luma});
      canvas.blend(x, y, colour_of(picture, picture.macroblocks[index], value), kFraction);
    }
  }
  return canvas;
}

std::unique_ptr<PictureConsumer> open_heat_map(HeatValue value, const std::string& path,
                                               bool force) {
  if (!path.ends_with(".png") && !path.ends_with(".y4m")) {
    reject("-o is '" + path + "'; with --heat it ends in .y4m or .png");
  }
  return std::make_unique<HeatMap>(value, path, force);
}

}  // namespace millrace::tools
