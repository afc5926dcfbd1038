// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/idct/stream_features.h>

namespace millrace::tools {
namespace {

double fraction(std::uint64_t count, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(whole);
}

}  // namespace

double coded_fraction(const h264::LumaStatistics& luma) {
  return fraction(luma.coded, luma.macroblocks);
}

double fraction_8x8(const h264::LumaStatistics& luma) {
  return fraction(luma.macroblocks_8x8, luma.macroblocks);
}

double zero_coefficient_fraction(const h264::LumaStatistics& luma) {
  return fraction(luma.zero_coefficients, luma.macroblocks * idct::kMacroblockSamples);
}

double mean_square(std::span<const std::int16_t> residual) {
  std::uint64_t sum = 0;
  for (const std::int64_t sample : residual) sum += static_cast<std::uint64_t>(sample * sample);
  return fraction(sum, residual.size());
}

StreamFeatureTable::StreamFeatureTable(std::ostream& out) : out_(out) {
  out_ << "frame,macroblocks,coded_share,share_8x8,zero_coefficient_share,residual_energy,"
          "blockiness,luma_bits\n";
}

void StreamFeatureTable::add(const StreamFeatures& features) {
  const h264::LumaStatistics& luma = features.luma;
  out_ << frame_++ << ',' << luma.macroblocks << ',' << coded_fraction(luma) << ','
       << fraction_8x8(luma) << ',' << zero_coefficient_fraction(luma) << ','
       << features.residual_energy << ',' << features.blockiness << ',' << luma.luma_bits << '\n';
}

}  // namespace millrace::tools
