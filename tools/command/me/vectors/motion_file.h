// SPDX-License-Identifier: Apache-2.0

// Motion vectors as a binary file, little-endian and without padding:
//
//   header    "MRMOTION", then u32: version (1), width and height in samples, references (the most
//             that a picture has), range, qp, precision (0 integer, 1 half, 2 quarter)
//   pictures  u32 index in the clip, u32 references (1 or more); for each reference, the nearest
//             first, 41 vectors a macroblock (i16 x, i16 y in quarter samples), then 41 costs a
//             macroblock (u32); then a mode a macroblock (16 bytes: u32 cost, u8 shape, u8 of each
//             quarter's shape, u8 of each quarter's reference, 3 zeros)
//   end       u32 0xffffffff, u32 count of pictures
//
// Macroblocks are in raster order and cover the padded picture; partitions, shapes and modes are as
// in partition.h and motion_search.h of algorithms/motion_estimation.
#ifndef MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_FILE_H_
#define MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_FILE_H_

#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/tools/files/input/positioned_file.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace millrace::tools {

struct MotionFileFormat {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t references = 1;
  std::uint32_t range = 0;
  std::uint32_t qp = 0;
  std::uint32_t precision = 0;

  std::size_t macroblocks() const;

  friend bool operator==(const MotionFileFormat&, const MotionFileFormat&) = default;
};

// Used by one thread at a time.
class MotionFileWriter {
 public:
  // Writes the header. The stream must outlive it.
  MotionFileWriter(std::ostream& out, const MotionFileFormat& format);

  // Writes nothing for a picture without references; others have modes.
  void write(const motion::PictureMotion& picture);

  // Writes the end; nothing may be written afterwards.
  void finish();

 private:
  std::ostream& out_;
  std::uint32_t pictures_ = 0;
};

// A picture that was read.
struct MotionFilePicture {
  struct Field {
    std::vector<motion::MotionVector> vectors;  // Sorted by MotionField::index.
    std::vector<std::uint32_t> costs;
  };

  std::uint32_t index = 0;
  std::vector<Field> fields;  // One for each reference.
  std::vector<motion::MacroblockMode> modes;
};

// Every failure is an Error(kIo) of one line that starts with the file's name. Used by one thread
// at a time.
class MotionFileReader {
 public:
  // Throws if the file cannot be read or is not of this kind and version.
  explicit MotionFileReader(const std::string& path);

  const MotionFileFormat& format() const { return format_; }

  // Reads the next picture; false at the end. Throws if the file is damaged or not complete.
  bool next(MotionFilePicture& picture);

 private:
  [[noreturn]] void reject(const std::string& what) const;
  std::uint32_t read_number();
  template <class T>
  void read_array(std::vector<T>& array, std::size_t count);

  PositionedFile file_;
  std::uint64_t offset_ = 0;
  MotionFileFormat format_;
  std::uint32_t pictures_ = 0;
  std::int64_t last_index_ = -1;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_FILE_H_
