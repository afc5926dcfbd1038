// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/pictures/damage_tracker.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace millrace::h264 {
namespace {

constexpr std::uint8_t kConcealed = 1;
constexpr std::uint8_t kDamaged = 2;
constexpr std::uint8_t kBoth = kConcealed | kDamaged;
constexpr int kSide = 16;

// Rows or columns of macroblocks.
struct Range {
  int first, last;
};

// Returns the rows or columns that the prediction of 4 samples from `position` on reads; `vector`
// is in quarter samples.
Range referred_range(int position, int vector, int macroblocks) {
  constexpr int kBlock = 4;
  constexpr int kTapsBefore = 2, kTapsBehind = 3;
  const bool is_fractional = (vector & 3) != 0;
  const int begin = position + (vector >> 2);
  const int first = begin - (is_fractional ? kTapsBefore : 0);
  const int last = begin + kBlock - 1 + (is_fractional ? kTapsBehind : 0);
  const int most = kSide * macroblocks - 1;
  return {std::clamp(first, 0, most) / kSide, std::clamp(last, 0, most) / kSide};
}

}  // namespace

const DamageTracker::DamageMap DamageTracker::kAllConcealed = {};

PictureDamage& PictureDamage::operator+=(const PictureDamage& other) {
  inter_macroblocks += other.inter_macroblocks;
  refer_to_concealed += other.refer_to_concealed;
  refer_to_damaged += other.refer_to_damaged;
  return *this;
}

// The damage of the references of a picture's slices.
class DamageTracker::PictureReferences {
 public:
  PictureReferences(const DamageTracker& tracker, const ParsedPicture& picture)
      : columns_(picture.sequence->width_in_macroblocks),
        rows_(picture.sequence->height_in_macroblocks),
        slices_(picture.slices.size()) {
    for (std::size_t i = 0; i < slices_.size(); ++i) {
      for (int list = 0; list < 2; ++list) {
        for (const Reference& reference : picture.slices[i].references[list]) {
          const DamageMap* const map = tracker.find(reference, columns_, rows_);
          slices_[i].lists[list].push_back(map);
          slices_[i].has_damage = slices_[i].has_damage || map != nullptr;
        }
      }
    }
  }

  // Returns the flags of all macroblocks that this one, at (column, row), refers to.
  std::uint8_t flags(const Macroblock& macroblock, int column, int row) const {
    constexpr int kBlocks = 16;
    const SliceReferences& slice = slices_[macroblock.slice];
    std::uint8_t flags = 0;
    for (int list = 0; list < 2; ++list) {
      for (int block = 0; block < kBlocks; ++block) {
        const int index = macroblock.references[list][2 * (block / 8) + block % 4 / 2];
        if (index < 0) continue;
        if (static_cast<std::size_t>(index) >= slice.lists[list].size()) return kBoth;
        const DamageMap* const map = slice.lists[list][static_cast<std::size_t>(index)];
        if (map == nullptr) continue;
        flags |= flags_of(*map, macroblock.vectors[list][block], kSide * column + 4 * (block % 4),
                          kSide * row + 4 * (block / 4));
        if (flags == kBoth) return flags;
      }
    }
    return flags;
  }

  // Returns false if no macroblock of the slice can refer to damage, unless its indices are wrong.
  bool has_damage(const Macroblock& macroblock) const {
    return slices_[macroblock.slice].has_damage;
  }

 private:
  struct SliceReferences {
    std::vector<const DamageMap*> lists[2];  // Null: no damage.
    bool has_damage = false;
  };

  std::uint8_t flags_of(const DamageMap& map, MotionVector vector, int x, int y) const {
    if (map.flags.empty()) return kBoth;
    const Range across = referred_range(x, vector.x, columns_);
    const Range down = referred_range(y, vector.y, rows_);
    std::uint8_t flags = 0;
    for (int row = down.first; row <= down.last; ++row) {
      for (int column = across.first; column <= across.last; ++column) {
        flags |= map.flags[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                           static_cast<std::size_t>(column)];
      }
    }
    return flags;
  }

  int columns_, rows_;
  std::vector<SliceReferences> slices_;
};

const DamageTracker::DamageMap* DamageTracker::find(const Reference& reference, int columns,
                                                    int rows) const {
  if (reference.picture < 0) return &kAllConcealed;
  if (damaged_.empty()) return nullptr;
  const auto found = damaged_.find(reference.picture);
  if (found == damaged_.end()) return nullptr;
  const DamageMap& map = found->second;
  return map.columns == columns && map.rows == rows ? &map : &kAllConcealed;
}

bool DamageTracker::needs_macroblocks(const ParsedPicture& picture, bool has_lost) const {
  if (has_lost || !picture.sequence || picture.is_inferred || picture.slices.empty()) return true;
  const int columns = picture.sequence->width_in_macroblocks;
  const int rows = picture.sequence->height_in_macroblocks;
  for (const Slice& slice : picture.slices) {
    for (const std::vector<Reference>& list : slice.references) {
      for (const Reference& reference : list) {
        if (find(reference, columns, rows) != nullptr) return true;
      }
    }
  }
  return false;
}

PictureDamage DamageTracker::measure(const ParsedPicture& picture) {
  PictureDamage damage;
  if (!picture.sequence) return damage;
  DamageMap map = {.columns = picture.sequence->width_in_macroblocks,
                   .rows = picture.sequence->height_in_macroblocks,
                   .flags = {}};
  const std::size_t count = std::min(
      picture.macroblocks.size(), static_cast<std::size_t>(picture.sequence->macroblock_count()));
  if (picture.is_inferred || picture.slices.empty()) {
    damaged_[picture.id] = std::move(map);
    return damage;
  }
  const PictureReferences references(*this, picture);
  map.flags.assign(static_cast<std::size_t>(picture.sequence->macroblock_count()), 0);
  bool is_damaged = false;
  for (std::size_t i = 0; i < count; ++i) {
    const Macroblock& macroblock = picture.macroblocks[i];
    std::uint8_t flags = 0;
    if (macroblock.type == MacroblockType::kLost) {
      map.flags[i] = kBoth;
    } else if (!is_intra(macroblock.type) && macroblock.slice < picture.slices.size()) {
      ++damage.inter_macroblocks;
      if (references.has_damage(macroblock)) {
        const int at = static_cast<int>(i);
        flags = references.flags(macroblock, at % map.columns, at / map.columns);
      }
      damage.refer_to_concealed += (flags & kConcealed) != 0 ? 1 : 0;
      damage.refer_to_damaged += flags != 0 ? 1 : 0;
      map.flags[i] = flags != 0 ? kDamaged : 0;
    }
    is_damaged = is_damaged || map.flags[i] != 0;
  }
  if (is_damaged) damaged_[picture.id] = std::move(map);
  return damage;
}

}  // namespace millrace::h264
