// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/stream/slice_faults.h>

namespace millrace::h264 {

std::string text_of_damaged_slice(std::size_t slice, const SliceEnd& end) {
  return "slice " + std::to_string(slice) + " is damaged after " + std::to_string(end.macroblocks) +
         " macroblocks: " + end.damage;
}

std::string text_of_lost_slices(int lost, int macroblocks) {
  return "slices of a picture are lost, with " + std::to_string(lost) + " of its " +
         std::to_string(macroblocks) + " macroblocks";
}

}  // namespace millrace::h264
