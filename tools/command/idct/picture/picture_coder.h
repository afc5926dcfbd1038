// SPDX-License-Identifier: Apache-2.0

// Makes the macroblock queues of a clip: each picture is predicted from the reconstruction of the
// one before, transformed, quantised and dequantised.
//
//   PictureCoder coder(width, height, qp);
//   coder.begin(source);
//   coder.code_rows();             // Several threads may call this at the same time.
//   coder.end();                   // coder.plane(0) is the queue of luma.
//   ... inverse transform into reconstruction ...
//   coder.accept(reconstruction);  // The next picture's prediction.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_PICTURE_PICTURE_CODER_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_PICTURE_PICTURE_CODER_H_

#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/residual_coder/residual_coder.h>
#include <millrace/tools/video/picture/picture.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::tools {

// Returns a picture's plane, padded to whole macroblocks, as a plane of algorithms/idct.
idct::Plane padded_plane(Picture& picture, int index);
idct::ConstPlane padded_plane(const Picture& picture, int index);

// The macroblocks of one plane, in raster order.
struct CodedPlane {
  std::vector<idct::TransformSize> sizes;
  std::vector<std::int16_t> coefficients;
  idct::CodingStatistics statistics;

  idct::MacroblockQueue queue() const { return {sizes.data(), coefficients.data(), sizes.size()}; }
};

// Chroma planes are coded as planes of macroblocks like luma. Used by one thread at a time, except
// for code_rows().
class PictureCoder {
 public:
  // Throws Error (kInvalidArgument) unless `qp` is in 0..51.
  PictureCoder(int width, int height, int qp);

  // Starts a picture, which must outlive end(). The prediction of the first one is mid-grey.
  void begin(const Picture& source);

  // Codes rows of macroblocks that no other thread has taken, until none is left.
  void code_rows();

  // Sums the statistics. All calls of code_rows() must have returned.
  void end();

  // Returns the prediction of the first picture, in a picture of any size.
  static Picture first_prediction(Picture picture);

  const CodedPlane& plane(int index) const { return planes_[index]; }
  const Picture& prediction() const { return prediction_; }

  // Makes the last picture's reconstruction the prediction of the next; the argument gets the old
  // one's memory.
  void accept(Picture& reconstruction);

 private:
  // Rows of macroblocks of all planes, one after another.
  struct Row {
    int plane = 0;
    int row = 0;
    idct::CodingStatistics statistics;
  };

  void code_row(Row& row);

  idct::ResidualCoder first_;
  idct::ResidualCoder later_;
  bool is_first_ = true;
  Picture prediction_;
  std::array<CodedPlane, Picture::kPlanes> planes_;
  std::vector<Row> rows_;
  const Picture* source_ = nullptr;
  std::atomic<std::size_t> next_row_ = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_PICTURE_PICTURE_CODER_H_
