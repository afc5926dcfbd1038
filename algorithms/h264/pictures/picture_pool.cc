// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/pictures/picture_pool.h>

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace millrace::h264 {
struct PicturePool::Spare {
  // Most spare pictures. A stream uses one picture at a time, and those that wait for a sink's
  // thread; an IDR picture gives back more at once, which are freed.
  static constexpr std::size_t kMaxPictures = 2;

  std::mutex mutex;
  std::vector<std::unique_ptr<ParsedPicture>> pictures;
  std::vector<PictureCoefficients> coefficients;
  bool is_closed = false;

  void give_back(std::unique_ptr<ParsedPicture> picture) {
    // A spare picture must not keep its parameter sets and references alive.
    picture->sequence.reset();
    picture->picture_parameters.clear();
    picture->slices.clear();
    const std::lock_guard lock(mutex);
    if (is_closed || pictures.size() >= kMaxPictures) return;
    keep_coefficients(*picture);
    pictures.push_back(std::move(picture));
  }

  void strip(ParsedPicture& picture) {
    for (Slice& slice : picture.slices) {
      for (std::vector<Reference>& list : slice.references) {
        for (Reference& reference : list) reference.parsed = nullptr;
      }
    }
    const std::lock_guard lock(mutex);
    keep_coefficients(picture);
  }

  void keep_coefficients(ParsedPicture& from) {
    if (!is_closed && from.coefficients.are_wanted() && coefficients.size() < kMaxPictures) {
      coefficients.push_back(std::move(from.coefficients));
    }
    from.coefficients = {};
  }
};

PicturePool::PicturePool() : spare_(std::make_shared<Spare>()) {}

PicturePool::~PicturePool() {
  const std::lock_guard lock(spare_->mutex);
  spare_->is_closed = true;
  spare_->pictures.clear();
  spare_->coefficients.clear();
}

std::shared_ptr<ParsedPicture> PicturePool::make(int macroblocks, bool wants_coefficients) {
  const auto count = static_cast<std::size_t>(macroblocks);
  std::unique_ptr<ParsedPicture> picture;
  PictureCoefficients coefficients;
  {
    const std::lock_guard lock(spare_->mutex);
    if (!spare_->pictures.empty()) {
      picture = std::move(spare_->pictures.back());
      spare_->pictures.pop_back();
    }
    if (wants_coefficients && !spare_->coefficients.empty()) {
      coefficients = std::move(spare_->coefficients.back());
      spare_->coefficients.pop_back();
    }
  }
  if (picture != nullptr) {
    ParsedPicture fresh;
    fresh.picture_parameters.swap(picture->picture_parameters);
    fresh.slices.swap(picture->slices);
    fresh.macroblocks.swap(picture->macroblocks);
    *picture = std::move(fresh);
  } else {
    picture = std::make_unique<ParsedPicture>();
  }
  if (picture->macroblocks.size() == count) {
    for (Macroblock& macroblock : picture->macroblocks) macroblock.type = MacroblockType::kLost;
  } else {
    picture->macroblocks.assign(count, {});
  }
  if (wants_coefficients) {
    coefficients.reset(count);
    picture->coefficients = std::move(coefficients);
  }
  return {picture.release(), [spare = spare_](ParsedPicture* last) {
            spare->give_back(std::unique_ptr<ParsedPicture>(last));
          }};
}

std::shared_ptr<const ParsedPicture> PicturePool::lend(std::shared_ptr<ParsedPicture> picture) {
  const ParsedPicture* const lent = picture.get();
  return {lent, [spare = spare_, picture = std::move(picture)](const ParsedPicture*) {
            spare->strip(*picture);
          }};
}

void clear_lost(ParsedPicture& picture) {
  for (std::size_t i = 0; i < picture.macroblocks.size(); ++i) {
    if (picture.macroblocks[i].type != MacroblockType::kLost) continue;
    picture.macroblocks[i] = {};
    if (i < picture.coefficients.size()) picture.coefficients.remove(i);
  }
}

}  // namespace millrace::h264
