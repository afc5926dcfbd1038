// SPDX-License-Identifier: Apache-2.0

// Follows losses from picture to picture: which macroblocks are predicted from what was lost.
#ifndef MILLRACE_ALGORITHMS_H264_PICTURES_DAMAGE_TRACKER_H_
#define MILLRACE_ALGORITHMS_H264_PICTURES_DAMAGE_TRACKER_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstdint>
#include <map>
#include <vector>

namespace millrace::h264 {

// Macroblocks of a picture. A macroblock refers to another if luma samples that its prediction
// reads lie in it: the block that a vector points to, in a direction in which the vector is
// fractional with 2 samples before and 3 behind it (clause 8.4.2.2.1), within the picture.
struct PictureDamage {
  std::int64_t inter_macroblocks = 0;  // Number with a slice, skipped and direct ones included.
  // Inter macroblocks that refer to a concealed one: one that no slice has, all of an inferred
  // picture, and all of a reference that is missing or of another size.
  std::int64_t refer_to_concealed = 0;
  // Inter macroblocks that refer to a damaged one, which is a concealed one or itself refers to a
  // damaged one. What intra prediction and deblocking spread inside a picture does not count.
  std::int64_t refer_to_damaged = 0;

  // Fractions of the inter macroblocks; 0 without any.
  double concealed_reference_fraction() const { return fraction(refer_to_concealed); }
  double damaged_reference_fraction() const { return fraction(refer_to_damaged); }

  PictureDamage& operator+=(const PictureDamage& other);

 private:
  double fraction(std::int64_t count) const {
    return inter_macroblocks == 0
               ? 0.0
               : static_cast<double>(count) / static_cast<double>(inter_macroblocks);
  }
};

// One stream's tracker. Keeps a map of each damaged picture until it is released.
class DamageTracker {
 public:
  // Takes the next picture in decoding order, inferred ones too. Any contents are allowed.
  PictureDamage measure(const ParsedPicture& picture);
  // Returns false if no macroblock of the next picture is lost or refers to a damaged one, so that
  // measure() would only count its inter macroblocks and need not be called. `has_lost`: a
  // macroblock of the picture is lost. Reads no macroblocks.
  bool needs_macroblocks(const ParsedPicture& picture, bool has_lost) const;
  // Notes that no later picture refers to it.
  void release(std::int64_t picture) { damaged_.erase(picture); }

 private:
  struct DamageMap {
    int columns = 0;
    int rows = 0;
    std::vector<std::uint8_t> flags;  // Indexed by macroblock; none: all are concealed.
  };
  class PictureReferences;

  const DamageMap* find(const Reference& reference, int columns, int rows) const;

  static const DamageMap kAllConcealed;
  // ParsedPicture::id is the key; others have no damage.
  std::map<std::int64_t, DamageMap> damaged_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURES_DAMAGE_TRACKER_H_
