// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/output/feature_columns.h>
#include <millrace/tools/video/picture/quality.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace millrace::tools {
namespace {

using h264::FrameFeatures;

template <class Read>
FeatureColumn scalar(std::string name, bool is_whole, Read read) {
  return {.name = std::move(name),
          .is_whole = is_whole,
          .read = [read](const FeatureRow& row, double* values) {
            *values = static_cast<double>(read(row.features));
          }};
}

template <class Read>
FeatureColumn whole(std::string name, Read read) {
  return scalar(std::move(name), true, read);
}

template <class Read>
FeatureColumn real(std::string name, Read read) {
  return scalar(std::move(name), false, read);
}

// `read(features)` is a range of `count` numbers.
template <class Read>
FeatureColumn several(std::string name, std::size_t count, std::vector<std::string> labels,
                      Read read) {
  return {.name = std::move(name),
          .count = count,
          .labels = std::move(labels),
          .read = [read](const FeatureRow& row, double* values) {
            for (const auto value : read(row.features)) *values++ = static_cast<double>(value);
          }};
}

std::vector<std::string> kind_names() {
  return {std::begin(h264::kMacroblockKindNames), std::end(h264::kMacroblockKindNames)};
}

FeatureColumn kind_fractions() {
  return {.name = "type_shares",
          .is_whole = false,
          .count = h264::kMacroblockKinds,
          .labels = kind_names(),
          .read = [](const FeatureRow& row, double* values) {
            const auto all =
                static_cast<double>(std::max<std::int64_t>(row.features.macroblocks, 1));
            for (const std::int64_t count : row.features.kinds) {
              *values++ = static_cast<double>(count) / all;
            }
          }};
}

FeatureColumn bits() {
  return {.name = "bits",
          .count = 6,
          .labels = {"headers", "types", "vectors", "luma", "chroma", "other"},
          .read = [](const FeatureRow& row, double* values) {
            *values++ = static_cast<double>(row.features.header_bits);
            for (const std::int64_t count : row.features.bits) {
              *values++ = static_cast<double>(count);
            }
            *values = static_cast<double>(row.features.other_bits);
          }};
}

// The columns of one transform; `read(features)` is its FrequencySums.
template <int frequencies, class Read>
void add_coefficients(const std::string& name, Read read, std::vector<FeatureColumn>& columns) {
  columns.push_back(
      whole(name + "_blocks", [read](const FrameFeatures& f) { return read(f).blocks; }));
  const auto add = [&](const char* suffix, auto of_frequency) {
    columns.push_back({.name = name + suffix,
                       .is_whole = false,
                       .count = frequencies,
                       .read = [read, of_frequency](const FeatureRow& row, double* values) {
                         for (int frequency = 0; frequency < frequencies; ++frequency) {
                           *values++ = of_frequency(read(row.features), frequency);
                         }
                       }});
  };
  using Sums = h264::FrequencySums<frequencies>;
  add("_energy", [](const Sums& sums, int frequency) { return sums.mean_energy(frequency); });
  add("_zero_share", [](const Sums& sums, int frequency) { return sums.zero_fraction(frequency); });
}

void add_identity(std::vector<FeatureColumn>& columns) {
  columns.push_back({.name = "frame", .read = [](const FeatureRow& row, double* values) {
                       *values = static_cast<double>(row.frame);
                     }});
  columns.push_back(whole("picture_order", [](const auto& f) { return f.picture_order; }));
  columns.push_back(whole("frame_number", [](const auto& f) { return f.frame_number; }));
  columns.push_back(whole("width", [](const auto& f) { return f.width; }));
  columns.push_back(whole("height", [](const auto& f) { return f.height; }));
  columns.push_back(whole("is_reference", [](const auto& f) { return f.is_reference; }));
}

void add_p1204(std::vector<FeatureColumn>& columns) {
  columns.push_back(whole("FrameType", [](const auto& f) { return f.frame_type; }));
  columns.push_back(whole("IsIDR", [](const auto& f) { return f.is_idr; }));
  columns.push_back(whole("FrameSize", [](const auto& f) { return f.bytes; }));
  columns.push_back(real("Av_QP", [](const auto& f) { return f.mean_qp; }));
  columns.push_back(real("Av_QPBB", [](const auto& f) { return f.mean_qp_inside; }));
  columns.push_back(whole("min_QP", [](const auto& f) { return f.least_qp; }));
  columns.push_back(whole("max_QP", [](const auto& f) { return f.greatest_qp; }));
  const auto add = [&](const std::string& name, auto of_motion) {
    columns.push_back(real(
        "Av_" + name, [of_motion](const FrameFeatures& f) { return of_motion(f.motion).mean; }));
    columns.push_back(real("StdDev_" + name, [of_motion](const FrameFeatures& f) {
      return of_motion(f.motion).deviation;
    }));
  };
  add("Motion", [](const h264::MotionStatistics& motion) { return motion.length; });
  add("MotionX", [](const h264::MotionStatistics& motion) { return motion.x; });
  add("MotionY", [](const h264::MotionStatistics& motion) { return motion.y; });
  add("MotionDif", [](const h264::MotionStatistics& motion) { return motion.difference; });
  columns.push_back(whole("Seq.BitDepth", [](const auto& f) { return f.bit_depth; }));
}

void add_macroblocks(std::vector<FeatureColumn>& columns) {
  columns.push_back(whole("black_rows", [](const auto& f) { return f.black_rows; }));
  columns.push_back(whole("macroblocks", [](const auto& f) { return f.macroblocks; }));
  columns.push_back(several("types", h264::kMacroblockKinds, kind_names(),
                            [](const auto& f) { return f.kinds; }));
  columns.push_back(kind_fractions());
  columns.push_back(several("sub_partitions", h264::kSubPartitions,
                            {"8x8", "8x4", "4x8", "4x4", "direct"},
                            [](const auto& f) { return f.sub_partitions; }));
  columns.push_back(whole("transforms_8x8", [](const auto& f) { return f.transforms_8x8; }));
  columns.push_back(
      several("qp_histogram", h264::kQps, {}, [](const auto& f) { return f.qp_histogram; }));
  columns.push_back(bits());
}

void add_references(std::vector<FeatureColumn>& columns) {
  columns.push_back(whole("references", [](const auto& f) { return f.references.references; }));
  columns.push_back(
      whole("missing_references", [](const auto& f) { return f.references.missing; }));
  std::vector<std::string> labels;
  for (int distance = 1; distance < h264::ReferenceDistances::kDistances; ++distance) {
    labels.push_back(std::to_string(distance));
  }
  labels.emplace_back("more");
  columns.push_back(several("reference_distances", h264::ReferenceDistances::kDistances, labels,
                            [](const auto& f) { return f.references.counts; }));
  columns.push_back(real("mean_decoding_distance",
                         [](const auto& f) { return f.references.mean_decoding_distance; }));
  columns.push_back(real("mean_output_distance",
                         [](const auto& f) { return f.references.mean_output_distance; }));
}

void add_losses(std::vector<FeatureColumn>& columns) {
  columns.push_back(whole("slices", [](const auto& f) { return f.slices; }));
  columns.push_back(whole("damaged_slices", [](const auto& f) { return f.damaged_slices; }));
  columns.push_back(whole("lost_macroblocks", [](const auto& f) { return f.lost_macroblocks; }));
  columns.push_back(whole("inferred_pictures", [](const auto& f) { return f.inferred_pictures; }));
  columns.push_back(real("refers_to_concealed",
                         [](const auto& f) { return f.damage.concealed_reference_fraction(); }));
  columns.push_back(real("refers_to_damaged",
                         [](const auto& f) { return f.damage.damaged_reference_fraction(); }));
}

template <class Read>
FeatureColumn decoded(std::string name, bool is_whole, Read read) {
  return {.name = std::move(name),
          .is_whole = is_whole,
          .read = [read](const FeatureRow& row, double* values) {
            *values = static_cast<double>(read(row.decoded));
          }};
}

void add_decoded(std::vector<FeatureColumn>& columns) {
  columns.push_back(decoded("output_frame", true, [](const auto& d) { return d.output_frame; }));
  columns.push_back(
      decoded("concealed_share", false, [](const auto& d) { return d.concealed_fraction; }));
  columns.push_back(decoded("blockiness", false, [](const auto& d) { return d.blockiness; }));
  columns.push_back(
      decoded("spatial_information", false, [](const auto& d) { return d.spatial_information; }));
  columns.push_back(
      decoded("temporal_information", false, [](const auto& d) { return d.temporal_information; }));
}

void add_compared(std::vector<FeatureColumn>& columns) {
  constexpr const char* kPlanes[] = {"y", "u", "v"};
  for (std::size_t plane = 0; plane < std::size(kPlanes); ++plane) {
    columns.push_back(decoded(std::string("mse_") + kPlanes[plane], false,
                              [plane](const auto& d) { return d.mean_squared_errors[plane]; }));
  }
  for (std::size_t plane = 0; plane < std::size(kPlanes); ++plane) {
    columns.push_back(decoded(std::string("psnr_") + kPlanes[plane], false, [plane](const auto& d) {
      return psnr_db(d.mean_squared_errors[plane]);
    }));
  }
  columns.push_back(
      decoded("ssim_y", false, [](const auto& d) { return d.structural_similarity; }));
}

std::vector<FeatureColumn> make_columns(FeatureSet set) {
  std::vector<FeatureColumn> columns;
  add_identity(columns);
  add_p1204(columns);
  add_macroblocks(columns);
  add_coefficients<h264::kFrequencies4x4>(
      "luma_4x4", [](const auto& f) -> const auto& { return f.coefficients.luma_4x4; }, columns);
  add_coefficients<h264::kFrequencies8x8>(
      "luma_8x8", [](const auto& f) -> const auto& { return f.coefficients.luma_8x8; }, columns);
  add_coefficients<h264::kFrequencies4x4>(
      "chroma", [](const auto& f) -> const auto& { return f.coefficients.chroma; }, columns);
  add_references(columns);
  add_losses(columns);
  if (set >= FeatureSet::kDecoded) add_decoded(columns);
  if (set >= FeatureSet::kCompared) add_compared(columns);
  return columns;
}

}  // namespace

std::string FeatureColumn::name_of(std::size_t value) const {
  return name + "." + (labels.empty() ? std::to_string(value) : labels[value]);
}

const std::vector<FeatureColumn>& feature_columns(FeatureSet set) {
  static const std::array<std::vector<FeatureColumn>, kFeatureSets> columns = {
      make_columns(FeatureSet::kParsed), make_columns(FeatureSet::kDecoded),
      make_columns(FeatureSet::kCompared)};
  return columns[static_cast<std::size_t>(set)];
}

}  // namespace millrace::tools
