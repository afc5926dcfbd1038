// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/me/vectors/motion_file.h>
#include <millrace/tools/video/picture/picture.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <type_traits>

namespace millrace::tools {
namespace {

using motion::MacroblockMode;
using motion::MotionVector;

constexpr std::string_view kMagic = "MRMOTION";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kEnd = 0xffffffff;
constexpr char kAdvice[] = "; write it again with `millrace me -o FILE.bin`";

// Arrays are written and read without conversion.
static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(MotionVector) == 4 && sizeof(MacroblockMode) == 16);
static_assert(std::has_unique_object_representations_v<MotionVector> &&
              std::has_unique_object_representations_v<MacroblockMode>);

void write_numbers(std::ostream& out, std::initializer_list<std::uint32_t> numbers) {
  out.write(reinterpret_cast<const char*>(numbers.begin()),
            static_cast<std::streamsize>(numbers.size() * sizeof(std::uint32_t)));
}

template <class T>
void write_array(std::ostream& out, std::span<const T> array) {
  out.write(reinterpret_cast<const char*>(array.data()),
            static_cast<std::streamsize>(array.size_bytes()));
}

}  // namespace

std::size_t MotionFileFormat::macroblocks() const {
  constexpr std::size_t kSize = Picture::kMacroblock;
  return (width + kSize - 1) / kSize * ((height + kSize - 1) / kSize);
}

MotionFileWriter::MotionFileWriter(std::ostream& out, const MotionFileFormat& format) : out_(out) {
  out_.write(kMagic.data(), kMagic.size());
  write_numbers(out_, {kVersion, format.width, format.height, format.references, format.range,
                       format.qp, format.precision});
}

void MotionFileWriter::write(const motion::PictureMotion& picture) {
  if (picture.references == 0) return;
  write_numbers(out_, {static_cast<std::uint32_t>(picture.index),
                       static_cast<std::uint32_t>(picture.references)});
  for (int reference = 0; reference < picture.references; ++reference) {
    write_array(out_, picture.vectors[reference]);
    write_array(out_, picture.costs[reference]);
  }
  write_array(out_, picture.modes);
  ++pictures_;
}

void MotionFileWriter::finish() { write_numbers(out_, {kEnd, pictures_}); }

MotionFileReader::MotionFileReader(const std::string& path) : file_(PositionedFile::open(path)) {
  std::array<char, kMagic.size()> magic{};
  if (file_.bytes() >= magic.size()) file_.read(0, magic.data(), magic.size());
  if (std::string_view(magic.data(), magic.size()) != kMagic) {
    reject("is no file of motion vectors as `millrace me -o FILE.bin` writes them");
  }
  offset_ = magic.size();
  const std::uint32_t version = read_number();
  if (version != kVersion) {
    reject("is a file of motion vectors of version " + std::to_string(version) + ", not " +
           std::to_string(kVersion) + kAdvice);
  }
  for (std::uint32_t* const number : {&format_.width, &format_.height, &format_.references,
                                      &format_.range, &format_.qp, &format_.precision}) {
    *number = read_number();
  }
  const auto is_size = [](std::uint32_t size) { return size > 0 && size <= Picture::kMaxSize; };
  if (!is_size(format_.width) || !is_size(format_.height))
    reject(std::string("has a broken header") + kAdvice);
}

bool MotionFileReader::next(MotionFilePicture& picture) {
  picture.index = read_number();
  const std::uint32_t count = read_number();
  if (picture.index == kEnd) {
    if (count != pictures_ || offset_ != file_.bytes())
      reject(std::string("is damaged at its end") + kAdvice);
    offset_ -= 2 * sizeof(std::uint32_t);  // Stays before the end mark.
    return false;
  }
  if (picture.index <= last_index_ || count < 1 || count > motion::kMostReferences) {
    reject((last_index_ < 0 ? "is damaged at its first picture"
                            : "is damaged after picture " + std::to_string(last_index_)) +
           kAdvice);
  }
  last_index_ = picture.index;
  picture.fields.resize(count);
  const std::size_t macroblocks = format_.macroblocks();
  for (MotionFilePicture::Field& field : picture.fields) {
    read_array(field.vectors, macroblocks * motion::kPartitions);
    read_array(field.costs, macroblocks * motion::kPartitions);
  }
  read_array(picture.modes, macroblocks);
  ++pictures_;
  return true;
}

void MotionFileReader::reject(const std::string& what) const {
  throw Error(ErrorCode::kIo, file_.name() + ": " + what);
}

std::uint32_t MotionFileReader::read_number() {
  std::vector<std::uint32_t> number;
  read_array(number, 1);
  return number[0];
}

template <class T>
void MotionFileReader::read_array(std::vector<T>& array, std::size_t count) {
  const std::size_t bytes = count * sizeof(T);
  if (file_.bytes() - offset_ < bytes) {
    reject("is truncated: it ends after " + std::to_string(pictures_) + " pictures" + kAdvice);
  }
  array.resize(count);
  file_.read(offset_, array.data(), bytes);
  offset_ += bytes;
}

}  // namespace millrace::tools
