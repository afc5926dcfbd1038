// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/idct/picture/picture_features.h>
#include <millrace/tools/video/picture/quality.h>

namespace millrace::tools {

double PictureFeatures::psnr_db() const { return tools::psnr_db(mean_squared_error); }

PictureFeatures measure_features(const Picture& source, const Picture& prediction,
                                 const Picture& reconstruction,
                                 const idct::CodingStatistics& statistics) {
  const auto macroblocks = static_cast<double>(statistics.macroblocks);
  return {.mean_squared_error = mean_squared_difference(source.plane(0), reconstruction.plane(0)),
          .fraction_8x8 = static_cast<double>(statistics.macroblocks_8x8) / macroblocks,
          .zero_coefficient_fraction = static_cast<double>(statistics.zero_coefficients) /
                                       (macroblocks * idct::kMacroblockSamples),
          .residual_energy = mean_squared_difference(source.plane(0), prediction.plane(0)),
          .blockiness = block_edge_step_ratio(reconstruction.plane(0), kEdgeBlock),
          .estimated_bits = static_cast<double>(statistics.estimated_bits)};
}

FeatureTable::FeatureTable(std::ostream& out) : out_(out) {
  out_ << "frame,psnr_y_db,share_8x8,zero_coefficient_share,residual_energy,blockiness,"
          "estimated_bits\n";
}

void FeatureTable::add(const PictureFeatures& features) {
  out_ << frame_++ << ',' << features.psnr_db() << ',' << features.fraction_8x8 << ','
       << features.zero_coefficient_fraction << ',' << features.residual_energy << ','
       << features.blockiness << ',' << static_cast<std::uint64_t>(features.estimated_bits) << '\n';
}

}  // namespace millrace::tools
