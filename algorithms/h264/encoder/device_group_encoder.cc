// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/device_group_encoder.h>
#include <millrace/algorithms/h264/encoder/settings/coding_setup.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_codes.h>
#include <millrace/runtime/host/scratch_memory.h>

#include <algorithm>
#include <utility>

namespace millrace::h264 {
namespace {

constexpr std::size_t kPictureBytes = 384;  // Samples of a macroblock.

template <class T>
Buffer<T> upload_one(DeviceMemory& memory, const T& value) {
  return memory.upload(std::span<const T>(&value, 1));
}

// Offset of a plane in a slot, in bytes for each macroblock.
constexpr std::size_t plane_offset(int plane) { return plane == 0 ? 0 : plane == 1 ? 256 : 320; }

}  // namespace

SharedCoding::SharedCoding(DeviceMemory& memory, const EncoderOptions& options,
                           const SequenceParameters& sequence, const PictureParameters& picture)
    : options_(options),
      setup_(coding_setup(options, sequence, picture)),
      cavlc_codes_(upload_one(memory, kCavlcCodes)),
      cabac_tables_(upload_one(memory, kCabacTables)),
      cabac_costs_(upload_one(memory, kCabacCosts)) {
  setup_.cavlc_codes = cavlc_codes_.data();
  setup_.cabac_tables = cabac_tables_.data();
  setup_.cabac_costs = cabac_costs_.data();
  const int columns = setup_.view.columns;
  const int rows = setup_.view.rows;
  std::vector<Macroblock> empty(static_cast<std::size_t>(sequence.macroblock_count()));
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      empty[static_cast<std::size_t>(setup_.view.index(column, row))].slice =
          slice_of_row(options, row, rows);
    }
  }
  std::vector<std::uint32_t> coding(empty.size()), deblocking(empty.size());
  const QueueGuard guard(memory.queue());
  set_arrivals(columns, rows, coding.data(), deblocking.data());
  empty_ = memory.upload(empty);
  coding_arrivals_ = memory.upload(coding);
  deblocking_arrivals_ = memory.upload(deblocking);
  memory.queue().wait();
}

std::size_t DeviceGroupEncoder::bytes(const EncoderOptions& options, std::size_t macroblocks,
                                      int rows) {
  constexpr std::size_t kField = motion::kPartitions * (sizeof(MotionVector) + 4);
  const auto references = static_cast<std::size_t>(options.references);
  const bool is_full = options.search == EncoderSearch::kFull;
  const std::size_t of_macroblock =
      kPictureBytes * (static_cast<std::size_t>(options.pictures_a_group) + 1) +
      (is_full ? 2 * kField * references : 0) + sizeof(Macroblock) + sizeof(MacroblockLevels) +
      sizeof(CodedBorder) + 8;
  return macroblocks * of_macroblock + static_cast<std::size_t>(rows) * sizeof(EncoderMemory);
}

DeviceGroupEncoder::DeviceGroupEncoder(DeviceMemory& memory, const SharedCoding& shared)
    : memory_(memory), shared_(shared) {
  const EncoderOptions& options = shared.options();
  const std::size_t count = shared.macroblock_count();
  const auto rows = static_cast<std::size_t>(shared.setup().view.rows);
  const auto slots = static_cast<std::size_t>(options.pictures_a_group) + 1;
  samples_ = memory.make<std::uint8_t>(slots * kPictureBytes * count);
  macroblocks_ = memory.make<Macroblock>(count);
  levels_ = memory.make<MacroblockLevels>(count);
  borders_ = memory.make<CodedBorder>(count);
  row_states_ = memory.make<CabacStates>(rows);
  entry_states_ = memory.make<CabacStates>(rows);
  row_memory_ = memory.make<EncoderMemory>(rows);
  coding_missing_ = memory.make<std::uint32_t>(count);
  deblocking_missing_ = memory.make<std::uint32_t>(count);
  zero_vector_ = memory.make_zeros<MotionVector>(1);
  const std::size_t size = motion::MotionField::index(count, 0);
  for (int i = 0; options.search == EncoderSearch::kFull && i < options.references; ++i) {
    for (auto* fields : {&fields_, &fields_before_}) {
      fields->push_back({memory.make<MotionVector>(size), memory.make<std::uint32_t>(size)});
    }
  }
  squared_errors_ = memory.make<std::uint64_t>(3);
  state_ = memory.make<State>(1);
  slices_ = memory.make<SliceView>(static_cast<std::size_t>(options.slices));
}

std::size_t DeviceGroupEncoder::offset(std::size_t slot, int plane) const {
  return (slot * kPictureBytes + plane_offset(plane)) * shared_.macroblock_count();
}

void DeviceGroupEncoder::begin() {
  copy(memory_.queue(), macroblocks_.span(), shared_.empty_macroblocks().span());
  number_ = 0;
}

void DeviceGroupEncoder::upload(std::size_t number, const SamplePicture& source) {
  const std::size_t count = shared_.macroblock_count();
  for (int plane = 0; plane < 3; ++plane) {
    const std::span<const std::uint8_t> samples(source.plane(plane),
                                                (plane == 0 ? 256 : 64) * count);
    memory_.upload(samples, samples_, offset(number + 1, plane));
  }
}

void DeviceGroupEncoder::download(std::size_t number, SamplePicture& picture) {
  const std::size_t count = shared_.macroblock_count();
  for (int plane = 0; plane < 3; ++plane) {
    const std::span<std::uint8_t> samples(picture.plane(plane), (plane == 0 ? 256 : 64) * count);
    memory_.download(samples_, offset(number, plane), samples);
  }
}

int DeviceGroupEncoder::references() const {
  return std::min(static_cast<int>(number_), shared_.options().references);
}

void DeviceGroupEncoder::begin_picture(int qp, std::vector<SearchesOfQp>& searches) {
  copy(memory_.queue(), coding_missing_.span(), shared_.coding_arrivals().span());
  copy(memory_.queue(), deblocking_missing_.span(), shared_.deblocking_arrivals().span());
  fill_bytes(memory_.queue(), squared_errors_.span(), std::byte{0});
  add_searches(qp, searches);
  set_work(qp);
}

void DeviceGroupEncoder::add_searches(int qp, std::vector<SearchesOfQp>& searches) {
  if (fields_.empty() || references() == 0) return;
  auto of_qp = std::ranges::find(searches, qp, &SearchesOfQp::qp);
  if (of_qp == searches.end()) of_qp = searches.insert(searches.end(), {qp, {}, {}});
  const int width = 16 * shared_.setup().view.columns;
  const int height = 16 * shared_.setup().view.rows;
  PictureCoding& coding = host_state_.work.coding;
  // The picture before had as many references, or one less.
  const int before = std::min(static_cast<int>(number_) - 1, shared_.options().references);
  for (int i = 0; i < references(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const motion::MotionField field = {fields_[at].vectors.data(), fields_[at].costs.data()};
    coding.searched[i] = {field,
                          i < before ? fields_before_[at].vectors.data() : zero_vector_.data(),
                          i < before ? std::ptrdiff_t{motion::kPartitions} : 0};
    of_qp->frames.push_back({{plane(number_ + 1, 0), width, width, height},
                             {plane(number_ - 1 - at, 0), width, width, height},
                             coding.searched[i].predictors,
                             coding.searched[i].predictor_stride});
    of_qp->fields.push_back(field);
  }
}

void DeviceGroupEncoder::set_work(int qp) {
  State* const device = state_.data();
  const EncoderOptions& options = shared_.options();
  SearchedReference searched[motion::kMostReferences];
  CodingWork& work = host_state_.work;
  std::ranges::copy(work.coding.searched, searched);
  work = {};
  PictureCoding& coding = work.coding;
  coding = shared_.setup();
  std::ranges::copy(searched, coding.searched);
  set_coding_qp(coding, qp);
  coding.references = references();
  coding.is_inter = coding.references > 0;
  for (int plane = 0; plane < 3; ++plane) {
    coding.view.planes[plane] = this->plane(number_, plane);
    coding.source[plane] = this->plane(number_ + 1, plane);
    for (int i = 0; i < coding.references; ++i) {
      host_state_.references[i].planes[plane] =
          this->plane(number_ - 1 - static_cast<std::size_t>(i), plane);
      host_state_.references[i].identity = i;
    }
  }
  coding.view.macroblocks = macroblocks_.data();
  coding.view.slices = slices_.data();
  coding.macroblocks = macroblocks_.data();
  coding.levels = levels_.data();
  coding.borders = borders_.data();
  coding.row_states = row_states_.data();
  coding.entry_states = entry_states_.data();
  coding.luma_quantiser = &device->luma_quantiser;
  coding.chroma_quantiser = &device->chroma_quantiser;
  work.coding_missing = coding_missing_.data();
  work.deblocking_missing = deblocking_missing_.data();
  work.memory = row_memory_.data();
  work.width = options.width;
  work.height = options.height;
  work.squared_errors = squared_errors_.data();
  host_state_.luma_quantiser = level_quantiser(qp);
  host_state_.chroma_quantiser = level_quantiser(coding.chroma_qp);
  host_slices_.assign(static_cast<std::size_t>(options.slices),
                      slice_view(options, device->references, coding.references));
  memory_.upload(std::span<const State>(&host_state_, 1), state_, 0);
  memory_.upload(std::span<const SliceView>(host_slices_), slices_, 0);
}

void DeviceGroupEncoder::end_picture(std::span<Macroblock> macroblocks,
                                     std::span<MacroblockLevels> levels,
                                     std::span<std::uint64_t> squared_errors) {
  memory_.download(macroblocks_, 0, macroblocks);
  memory_.download(levels_, 0, levels);
  memory_.download(squared_errors_, 0, squared_errors);
  std::swap(fields_, fields_before_);
  ++number_;
}

}  // namespace millrace::h264
