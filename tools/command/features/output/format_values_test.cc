// SPDX-License-Identifier: Apache-2.0

// Tests that CSV and .npz have the values of the lines of JSON.
#include <millrace/tools/command/features/output/npz/npz_output.h>
#include <millrace/tools/command/features/output/testing/feature_tables.h>
#include <millrace/tools/command/features/output/text_output.h>
#include <millrace/tools/files/test_folder.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using FormatValuesTest = TestFolder;

// Gives each value of a row another number, whole ones and fractions. Numbers of the next frame
// begin at 1,000 more.
class DistinctRow {
 public:
  explicit DistinctRow(std::int64_t frame) : next_(1000 * (frame + 1)) {
    row.frame = frame;
    h264::FrameFeatures& features = row.features;
    set(features.picture_order, features.frame_number, features.width, features.height,
        features.frame_type, features.bytes, features.mean_qp, features.mean_qp_inside,
        features.least_qp, features.greatest_qp, features.bit_depth, features.black_rows,
        features.macroblocks, features.transforms_8x8, features.header_bits, features.other_bits,
        features.slices, features.damaged_slices, features.lost_macroblocks,
        features.inferred_pictures);
    features.is_idr = frame == 0;
    features.is_reference = frame != 1;
    h264::MotionStatistics& motion = features.motion;
    for (h264::MeanAndDeviation* const of :
         {&motion.length, &motion.x, &motion.y, &motion.difference}) {
      set(of->mean, of->deviation);
    }
    set_each(features.kinds);
    set_each(features.sub_partitions);
    set_each(features.qp_histogram);
    set_each(features.bits);
    set_sums(features.coefficients.luma_4x4);
    set_sums(features.coefficients.luma_8x8);
    set_sums(features.coefficients.chroma);
    h264::ReferenceDistances& references = features.references;
    set_each(references.counts);
    set(references.references, references.missing, references.mean_decoding_distance,
        references.mean_output_distance, features.damage.refer_to_concealed,
        features.damage.refer_to_damaged, features.damage.inter_macroblocks);
    DecodedFeatures& decoded = row.decoded;
    set(decoded.output_frame, decoded.concealed_fraction, decoded.blockiness,
        decoded.spatial_information, decoded.temporal_information, decoded.structural_similarity);
    set_each(decoded.mean_squared_errors);
  }

  FeatureRow row;

 private:
  void set_one(double& value) { value = static_cast<double>(next_++) + 1.0 / 3; }
  void set_one(int& value) { value = static_cast<int>(next_++); }
  void set_one(std::int64_t& value) { value = next_++; }
  template <class... Values>
  void set(Values&... values) {
    (set_one(values), ...);
  }
  template <class Values>
  void set_each(Values& values) {
    for (auto& value : values) set_one(value);
  }
  template <class Sums>
  void set_sums(Sums& sums) {
    set(sums.blocks);
    set_each(sums.energy);
    set_each(sums.zeros);
  }

  std::int64_t next_;
};

struct Added {
  std::string stream;
  FeatureRow row;
};

void write(FeatureOutput& output, const std::vector<Added>& rows) {
  std::unique_ptr<StreamOutput> stream;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || rows[i].stream != rows[i - 1].stream) {
      if (stream != nullptr) stream->end({.error = "", .notes = ""});
      stream = output.begin(rows[i].stream);
    }
    stream->add(rows[i].row);
  }
  stream->end({.error = "", .notes = ""});
  output.commit();
}

TEST_F(FormatValuesTest, CsvAndNpzHaveTheValuesOfJson) {
  std::vector<Added> rows = {
      {"a.264", DistinctRow(0).row}, {"a.264", DistinctRow(1).row}, {"b.264", DistinctRow(2).row}};
  rows[1].row.decoded = {};                             // A frame that is never output.
  rows[2].row.decoded.mean_squared_errors = {0, 1, 2};  // PSNR of the first plane is infinite.
  for (const FeatureSet set : {FeatureSet::kParsed, FeatureSet::kDecoded, FeatureSet::kCompared}) {
    SCOPED_TRACE(static_cast<int>(set));
    write(*open_json_lines({.path = path("a.ldjson"), .force = true, .features = set}), rows);
    write(*open_csv({.path = path("a.csv"), .force = true, .features = set}), rows);
    write(*open_npz(path("a.npz"), true, set), rows);
    const ColumnTable json = table_of_json_lines(text("a.ldjson"));
    ASSERT_EQ(json.streams.size(), rows.size());
    std::size_t values = 0;
    for (const FeatureColumn& column : feature_columns(set)) values += column.count;
    EXPECT_EQ(json.columns.size(), values);
    // Values that this file computes itself.
    EXPECT_EQ(json.columns.at("frame"), (std::vector<double>{0, 1, 2}));
    EXPECT_EQ(json.columns.at("picture_order"), (std::vector<double>{1000, 2000, 3000}));
    EXPECT_EQ(json.columns.at("Av_QP"),
              (std::vector<double>{1006 + 1.0 / 3, 2006 + 1.0 / 3, 3006 + 1.0 / 3}));
    {
      SCOPED_TRACE("csv");
      expect_values_of_json(table_of_csv(text("a.csv")), json);
    }
    {
      SCOPED_TRACE("npz");
      expect_values_of_json(table_of_npz(path("a.npz"), folder_.string(), set), json);
    }
  }
}

TEST_F(FormatValuesTest, ValuesThatAreMissingAndInfiniteOnesDiffer) {
  FeatureRow row = DistinctRow(0).row;
  row.decoded.mean_squared_errors = {0, kNoValue, 1};
  const std::vector<Added> rows = {{"a.264", row}};
  write(*open_csv({.path = path("a.csv"), .features = FeatureSet::kCompared}), rows);
  write(*open_npz(path("a.npz"), false, FeatureSet::kCompared), rows);
  for (const ColumnTable& table :
       {table_of_csv(text("a.csv")),
        table_of_npz(path("a.npz"), folder_.string(), FeatureSet::kCompared)}) {
    EXPECT_EQ(table.columns.at("psnr_y")[0], std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(table.columns.at("mse_u")[0]));
    EXPECT_TRUE(std::isnan(table.columns.at("psnr_u")[0]));
    EXPECT_EQ(table.columns.at("mse_v")[0], 1);
  }
}

}  // namespace
}  // namespace millrace::tools
