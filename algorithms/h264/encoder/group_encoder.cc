// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/cpu/plane_error_simd.h>
#include <millrace/algorithms/h264/encoder/group_encoder.h>
#include <millrace/algorithms/h264/encoder/settings/coding_setup.h>

#include <algorithm>
#include <utility>

namespace millrace::h264 {
namespace {

constexpr MotionVector kZeroVector = {};

}  // namespace

GroupEncoder::GroupEncoder(const EncoderOptions& options, const SequenceParameters& sequence,
                           const PictureParameters& picture, EncodeRow row_encoder)
    : options_(options),
      sequence_(sequence),
      writer_(options, sequence, picture),
      row_encoder_(row_encoder),
      macroblocks_(static_cast<std::size_t>(sequence.macroblock_count())),
      levels_(macroblocks_.size()),
      borders_(macroblocks_.size()),
      row_states_(static_cast<std::size_t>(sequence.height_in_macroblocks)),
      entry_states_(row_states_.size()),
      fields_(static_cast<std::size_t>(options.references)),
      fields_before_(fields_.size()),
      progress_(sequence.width_in_macroblocks, sequence.height_in_macroblocks) {
  coding_ = coding_setup(options_, sequence_, picture);
  coding_.view.macroblocks = macroblocks_.data();
  coding_.macroblocks = macroblocks_.data();
  coding_.levels = levels_.data();
  coding_.luma_quantiser = &luma_quantiser_;
  coding_.chroma_quantiser = &chroma_quantiser_;
  coding_.borders = borders_.data();
  coding_.row_states = row_states_.data();
  coding_.entry_states = entry_states_.data();
  coding_.cavlc_codes = &kCavlcCodes;
  coding_.cabac_tables = &kCabacTables;
  coding_.cabac_costs = &kCabacCosts;
  if (options_.search != EncoderSearch::kFull) return;
  const std::size_t size = motion::MotionField::index(macroblocks_.size(), 0);
  for (auto* fields : {&fields_, &fields_before_}) {
    for (HostField& field : *fields) {
      field.vectors.resize(size);
      field.costs.resize(size);
    }
  }
}

void GroupEncoder::begin_group() {
  // The first picture of a group does not depend on other groups.
  std::ranges::fill(macroblocks_, Macroblock{});
  number_ = 0;
  references_before_ = 0;
  stored_.clear();
}

int GroupEncoder::references() const { return static_cast<int>(stored_.size()); }

motion::MotionField GroupEncoder::field(int reference) {
  HostField& field = fields_[static_cast<std::size_t>(reference)];
  return {field.vectors.data(), field.costs.data()};
}

const MotionVector* GroupEncoder::predictors(int reference) const {
  return reference < references_before_
             ? fields_before_[static_cast<std::size_t>(reference)].vectors.data()
             : &kZeroVector;
}

std::ptrdiff_t GroupEncoder::predictor_stride(int reference) const {
  return reference < references_before_ ? motion::kPartitions : 0;
}

void GroupEncoder::begin_picture(std::shared_ptr<SamplePicture> source, int qp) {
  source_ = std::move(source);
  set_qp(qp);
  if (spare_ == nullptr) {
    spare_ = std::make_shared<SamplePicture>(sequence_.width_in_macroblocks,
                                             sequence_.height_in_macroblocks,
                                             SamplePicture::Samples::kUninitialised);
  }
  for (int plane = 0; plane < 3; ++plane) {
    coding_.view.planes[plane] = spare_->plane(plane);
    coding_.source[plane] = source_->plane(plane);
  }
  set_references();
  for (int row = 0; row < rows(); ++row) {
    const std::uint16_t number = slice_of_row(options_, row, rows());
    for (int column = 0; column < coding_.view.columns; ++column) {
      macroblocks_[static_cast<std::size_t>(coding_.view.index(column, row))].slice = number;
    }
  }
  progress_.reset();
}

void GroupEncoder::begin_again(std::shared_ptr<SamplePicture> reconstruction, int qp) {
  begin_group();
  std::shared_ptr<SamplePicture> source = std::move(spare_);
  spare_ = std::move(reconstruction);
  begin_picture(std::move(source), qp);
}

void GroupEncoder::set_qp(int qp) {
  set_coding_qp(coding_, qp);
  luma_quantiser_ = level_quantiser(qp);
  chroma_quantiser_ = level_quantiser(coding_.chroma_qp);
}

void GroupEncoder::set_references() {
  coding_.references = references();
  coding_.is_inter = coding_.references > 0;
  for (int i = 0; i < coding_.references; ++i) {
    for (int plane = 0; plane < 3; ++plane) views_[i].planes[plane] = reference(i).plane(plane);
    views_[i].identity = i;
    coding_.searched[i] = {field(i), predictors(i), predictor_stride(i)};
  }
  slices_.assign(static_cast<std::size_t>(options_.slices),
                 slice_view(options_, views_, coding_.references));
  coding_.view.slices = slices_.data();
}

void GroupEncoder::encode_row(int row) { row_encoder_(coding_, progress_, row); }

CodedPicture GroupEncoder::end_picture(int idr_id, std::shared_ptr<SamplePicture>& reconstruction) {
  WrittenPicture picture;
  picture.number = number_;
  picture.idr_id = idr_id;
  picture.references = coding_.references;
  picture.qp = coding_.qp;
  picture.macroblocks = macroblocks_.data();
  picture.levels = levels_.data();
  CodedPicture coded = writer_.write(picture);
  count_errors(*source_, *spare_, coded);

  std::swap(fields_, fields_before_);
  references_before_ = coding_.references;
  reconstruction = std::move(spare_);
  stored_.insert(stored_.begin(), reconstruction);
  if (coding_.references == options_.references) stored_.pop_back();
  spare_ = std::move(source_);  // Its memory takes the next reconstruction.
  ++number_;
  return coded;
}

void GroupEncoder::count_errors(const SamplePicture& source, const SamplePicture& reconstruction,
                                CodedPicture& coded) const {
  for (int plane = 0; plane < 3; ++plane) {
    const int width = plane == 0 ? options_.width : options_.width / 2;
    const int height = plane == 0 ? options_.height : options_.height / 2;
    const std::ptrdiff_t stride = source.width(plane);
    coded.squared_errors[plane] = plane_error_simd(
        {source.plane(plane), stride}, {reconstruction.plane(plane), stride}, width, height);
  }
}

}  // namespace millrace::h264
