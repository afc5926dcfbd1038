// SPDX-License-Identifier: Apache-2.0

// Writes access units of a stream that an encoder makes.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_PICTURE_WRITER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_PICTURE_WRITER_H_

#include <millrace/algorithms/h264/encoder/coded_picture.h>
#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/slice.h>

namespace millrace::h264 {

// A picture to write. Both arrays have all macroblocks in raster order. Not owned.
struct WrittenPicture {
  int number = 0;      // Index in its group; 0 is an IDR picture.
  int idr_id = 0;      // The group's; neighbouring groups differ in it.
  int references = 0;  // 0: an I picture.
  int qp = 0;
  const Macroblock* macroblocks = nullptr;
  const MacroblockLevels* levels = nullptr;
};

class PictureWriter {
 public:
  PictureWriter(const EncoderOptions& options, const SequenceParameters& sequence,
                const PictureParameters& picture)
      : options_(options), sequence_(sequence), picture_(picture) {}

  // Returns the picture without squared errors. An IDR picture has parameter sets before it. Any
  // thread may call it.
  CodedPicture write(const WrittenPicture& picture) const;

 private:
  void write_slices(const WrittenPicture& picture, const SliceHeader& first,
                    CodedPicture& coded) const;

  const EncoderOptions options_;
  const SequenceParameters sequence_;
  const PictureParameters picture_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_PICTURE_WRITER_H_
