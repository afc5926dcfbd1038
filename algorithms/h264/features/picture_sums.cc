// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/add_macroblock.h>
#include <millrace/algorithms/h264/features/picture_sums.h>

#include <cstddef>

namespace millrace::h264 {

PictureSums sum_macroblocks(const MeasuredPicture& picture, std::vector<MacroblockRowSums>& rows) {
  PictureSums sums;
  rows.assign(static_cast<std::size_t>(picture.height), {});
  const std::int32_t count = picture.width * picture.height;
  for (std::int32_t index = 0; index < count; ++index) {
    add_macroblock(picture, index, sums, sums, rows.data(),
                   [](std::uint64_t& counter, std::uint64_t value) { counter += value; });
  }
  return sums;
}

}  // namespace millrace::h264
