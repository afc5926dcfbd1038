// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/decoder/picture_converter.h>

#include <cstring>

namespace millrace::tools {
namespace {

AVPixelFormat format_of(const AVFrame& frame) { return static_cast<AVPixelFormat>(frame.format); }

bool is_planar_420(AVPixelFormat format) {
  return format == AV_PIX_FMT_YUV420P || format == AV_PIX_FMT_YUVJ420P;
}

bool is_rgb(const AVPixFmtDescriptor& format) {
  return format.flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);
}

bool is_gray(const AVPixFmtDescriptor& format) {
  return !is_rgb(format) && format.nb_components < 3;
}

// The yuvj formats are full range by name; FFmpeg takes gray for full range unless set otherwise.
bool is_full_range(const AVFrame& frame) {
  const AVPixelFormat format = format_of(frame);
  if (is_rgb(*av_pix_fmt_desc_get(format))) return false;
  if (std::strncmp(av_get_pix_fmt_name(format), "yuvj", 4) == 0) return true;
  if (is_gray(*av_pix_fmt_desc_get(format))) return frame.color_range != AVCOL_RANGE_MPEG;
  return frame.color_range == AVCOL_RANGE_JPEG;
}

std::string chroma_of(const AVPixFmtDescriptor& format) {
  if (is_rgb(format)) return "RGB";
  if (is_gray(format)) return "gray";
  switch (format.log2_chroma_w * 10 + format.log2_chroma_h) {
    case 0: return "4:4:4";
    case 1: return "4:4:0";
    case 10: return "4:2:2";
    case 11: return "4:2:0";
    case 20: return "4:1:1";
    case 22: return "4:1:0";
    default: return "YUV";
  }
}

LibavPointer<SwsContext> make_scaler(const AVFrame& frame, bool full_range) {
  const AVPixelFormat format = format_of(frame);
  LibavPointer<SwsContext> scaler(sws_getContext(
      frame.width, frame.height, format, frame.width, frame.height, AV_PIX_FMT_YUV420P,
      SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, nullptr, nullptr, nullptr));
  if (!scaler) {
    throw Error(ErrorCode::kUnsupported, PictureConverter::describe(frame) +
                                             " cannot be converted to 8-bit 4:2:0; give a clip of "
                                             "another pixel format, such as yuv420p");
  }
  const int* coefficients = sws_getCoefficients(SWS_CS_DEFAULT);
  const bool source_full = full_range || is_rgb(*av_pix_fmt_desc_get(format));
  sws_setColorspaceDetails(scaler.get(), coefficients, source_full, coefficients, full_range, 0,
                           1 << 16, 1 << 16);
  return scaler;
}

}  // namespace

PictureConverter::PictureConverter(const AVFrame& like)
    : width_(like.width),
      height_(like.height),
      format_(format_of(like)),
      full_range_(is_full_range(like)),
      // swscale puts chroma between the luma samples.
      chroma_left_(is_planar_420(format_) && like.chroma_location == AVCHROMA_LOC_LEFT) {
  if (!is_planar_420(format_)) scaler_ = make_scaler(like, full_range_);
}

bool PictureConverter::fits(const AVFrame& frame) const {
  return frame.width == width_ && frame.height == height_ && format_of(frame) == format_ &&
         is_full_range(frame) == full_range_;
}

void PictureConverter::convert(const AVFrame& frame, Picture& picture) {
  picture.resize(width_, height_);
  if (scaler_) {
    std::uint8_t* planes[Picture::kPlanes];
    int strides[Picture::kPlanes];
    for (int i = 0; i < Picture::kPlanes; ++i) {
      planes[i] = picture.plane(i).data;
      strides[i] = static_cast<int>(picture.plane(i).stride);
    }
    sws_scale(scaler_.get(), frame.data, frame.linesize, 0, height_, planes, strides);
  } else {
    copy(frame, picture);
  }
  picture.pad();
}

void PictureConverter::copy(const AVFrame& frame, Picture& picture) const {
  for (int i = 0; i < Picture::kPlanes; ++i) {
    const PicturePlane plane = picture.plane(i);
    for (int y = 0; y < plane.height; ++y) {
      const std::ptrdiff_t position = std::ptrdiff_t{y} * frame.linesize[i];
      std::memcpy(plane.row(y), frame.data[i] + position, plane.width);
    }
  }
}

std::string PictureConverter::describe(const AVFrame& frame) {
  const char* name = av_get_pix_fmt_name(format_of(frame));
  return std::string(name ? name : "unknown format") + " " + std::to_string(frame.width) + "x" +
         std::to_string(frame.height);
}

std::string PictureConverter::converted() const {
  const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(format_);
  const int depth = format.comp[0].depth;
  const bool alpha = format.flags & AV_PIX_FMT_FLAG_ALPHA;
  const std::string chroma = chroma_of(format);
  if (depth == 8 && chroma == "4:2:0" && !alpha) return "";
  return std::to_string(depth) + "-bit " + chroma + (alpha ? " with alpha" : "") +
         " converted to 8-bit 4:2:0";
}

}  // namespace millrace::tools
