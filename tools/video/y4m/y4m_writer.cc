// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <string>

namespace millrace::tools {
namespace {

std::string size_text(int width, int height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

// Returns the tag of y4m. In mixed clips, each frame would need a tag of its own.
const char* tag_of(FieldOrder order) {
  switch (order) {
    case FieldOrder::kProgressive: return "Ip";
    case FieldOrder::kTopFirst: return "It";
    case FieldOrder::kBottomFirst: return "Ib";
    default: return "I?";
  }
}

}  // namespace

Y4mWriter::Y4mWriter(std::ostream& out, const Y4mFormat& format)
    : out_(out), width_(format.width), height_(format.height) {
  if (width_ < 1 || height_ < 1 || format.rate.numerator < 1 || format.rate.denominator < 1) {
    reject("y4m of " + size_text(width_, height_) + " at " + std::to_string(format.rate.numerator) +
           "/" + std::to_string(format.rate.denominator) +
           " frames per second; all must be positive");
  }
  out_ << "YUV4MPEG2 W" << width_ << " H" << height_ << " F" << format.rate.numerator << ":"
       << format.rate.denominator << " " << tag_of(format.field_order) << " A"
       << format.aspect.numerator << ":" << format.aspect.denominator << " "
       << (format.chroma_left ? "C420mpeg2" : "C420jpeg")
       << " XCOLORRANGE=" << (format.full_range ? "FULL" : "LIMITED") << "\n";
  check_stream();
}

void Y4mWriter::write(const Picture& picture) {
  if (picture.width() != width_ || picture.height() != height_) {
    reject("a picture of " + size_text(picture.width(), picture.height()) + " in y4m of " +
           size_text(width_, height_) + "; all pictures must have that size");
  }
  out_ << "FRAME\n";
  for (int i = 0; i < Picture::kPlanes; ++i) {
    const ConstPicturePlane plane = picture.plane(i);
    for (int y = 0; y < plane.height; ++y) {
      out_.write(reinterpret_cast<const char*>(plane.row(y)), plane.width);
    }
  }
  check_stream();
  ++frames_;
}

void Y4mWriter::check_stream() const {
  if (out_) return;
  throw Error(ErrorCode::kIo, "y4m cannot be written after " + std::to_string(frames_) +
                                  " frames; give a stream with space for them");
}

}  // namespace millrace::tools
