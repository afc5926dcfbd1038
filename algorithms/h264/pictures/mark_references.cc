// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/pictures/mark_references.h>

#include <algorithm>
#include <cstdint>

namespace millrace::h264 {
namespace {

class Marking {
 public:
  Marking(std::vector<StoredPicture>& stored, StoredPicture& current, MarkingLimits& limits)
      : stored_(stored), current_(current), limits_(limits) {}

  void apply(const ReferenceOperation& operation);
  const MarkingResult& result() const { return result_; }

 private:
  // Returns the short-term reference picNumX = CurrPicNum - (difference_minus1 + 1), or null.
  StoredPicture* short_term(std::uint32_t difference_minus1) {
    const std::int64_t number =
        std::int64_t{current_.frame_number} - (std::int64_t{difference_minus1} + 1);
    for (StoredPicture& picture : stored_) {
      if (picture.is_short_term() &&
          picture_number(picture, current_.frame_number, limits_.max_frame_number) == number) {
        return &picture;
      }
    }
    return nullptr;
  }

  StoredPicture* long_term(std::uint32_t index) {
    for (StoredPicture& picture : stored_) {
      if (picture.is_long_term() && static_cast<std::uint32_t>(picture.long_term_index) == index) {
        return &picture;
      }
    }
    return nullptr;
  }

  void unmark(StoredPicture* picture, const char* missing) {
    if (picture == nullptr) return note(missing);
    picture->marking = ReferenceMarking::kUnused;
  }

  void mark_long_term(StoredPicture* picture, std::uint32_t index) {
    if (picture == nullptr) return note("a picture to be marked as long-term is missing");
    if (std::int64_t{index} > limits_.max_long_term_index) {
      return note("a long-term index is above the maximum of the sequence");
    }
    StoredPicture* const other = long_term(index);
    if (other != nullptr && other != picture) other->marking = ReferenceMarking::kUnused;
    picture->marking = ReferenceMarking::kLongTerm;
    picture->long_term_index = static_cast<int>(index);
  }

  void limit_long_terms(std::uint32_t max_plus_1) {
    if (max_plus_1 > 16) return note("a maximum of long-term indices is above 15");
    limits_.max_long_term_index = static_cast<int>(max_plus_1) - 1;
    for (StoredPicture& picture : stored_) {
      if (picture.is_long_term() && picture.long_term_index > limits_.max_long_term_index) {
        picture.marking = ReferenceMarking::kUnused;
      }
    }
  }

  void unmark_all() {
    for (StoredPicture& picture : stored_) picture.marking = ReferenceMarking::kUnused;
    limits_.max_long_term_index = -1;
    result_.has_reset = true;
  }

  void note(const char* damage) {
    if (result_.damage == nullptr) result_.damage = damage;
  }

  std::vector<StoredPicture>& stored_;
  StoredPicture& current_;
  MarkingLimits& limits_;
  MarkingResult result_;
};

// Table 7-9.
void Marking::apply(const ReferenceOperation& operation) {
  switch (operation.operation) {
    case 1:
      unmark(short_term(operation.operand), "a short-term picture to be unmarked is missing");
      break;
    case 2:
      unmark(long_term(operation.operand), "a long-term picture to be unmarked is missing");
      break;
    case 3: mark_long_term(short_term(operation.operand), operation.second_operand); break;
    case 4: limit_long_terms(operation.operand); break;
    case 5: unmark_all(); break;
    case 6: mark_long_term(&current_, operation.operand); break;
    default: break;
  }
}

int reference_count(const std::vector<StoredPicture>& stored) {
  return static_cast<int>(std::count_if(stored.begin(), stored.end(),
                                        [](const StoredPicture& p) { return p.is_reference(); }));
}

// Unmarks what has been a reference for longest: a short-term one, or else a long-term one.
void unmark_oldest(std::vector<StoredPicture>& stored, int current_frame_number,
                   int max_frame_number) {
  StoredPicture* oldest = nullptr;
  for (StoredPicture& picture : stored) {
    if (!picture.is_reference()) continue;
    if (oldest == nullptr || (oldest->is_long_term() && picture.is_short_term()) ||
        (oldest->is_short_term() && picture.is_short_term() &&
         picture_number(picture, current_frame_number, max_frame_number) <
             picture_number(*oldest, current_frame_number, max_frame_number))) {
      oldest = &picture;
    }
  }
  if (oldest != nullptr) oldest->marking = ReferenceMarking::kUnused;
}

}  // namespace

void slide_window(std::vector<StoredPicture>& stored, int current_frame_number,
                  const MarkingLimits& limits) {
  const int most = std::max(limits.max_reference_frames, 1);
  for (int count = reference_count(stored); count >= most; --count) {
    unmark_oldest(stored, current_frame_number, limits.max_frame_number);
  }
}

MarkingResult mark_references(std::vector<StoredPicture>& stored, StoredPicture& current,
                              const SliceHeader& header, MarkingLimits& limits) {
  if (header.is_idr()) {
    for (StoredPicture& picture : stored) picture.marking = ReferenceMarking::kUnused;
    current.marking =
        header.is_long_term ? ReferenceMarking::kLongTerm : ReferenceMarking::kShortTerm;
    current.long_term_index = 0;
    limits.max_long_term_index = header.is_long_term ? 0 : -1;
    return {};
  }
  MarkingResult result;
  if (header.has_marking_operations) {
    Marking marking(stored, current, limits);
    for (const ReferenceOperation& operation : header.marking_operations) marking.apply(operation);
    result = marking.result();
  }
  if (!current.is_reference()) {
    // Two short-term references of one frame_num are damage: the newer one stays.
    for (StoredPicture& picture : stored) {
      if (picture.is_short_term() && picture.frame_number == current.frame_number) {
        picture.marking = ReferenceMarking::kUnused;
      }
    }
    current.marking = ReferenceMarking::kShortTerm;
  }
  if (header.has_marking_operations && result.damage == nullptr &&
      reference_count(stored) >= std::max(limits.max_reference_frames, 1)) {
    result.damage = "operations leave more reference pictures than the sequence may have";
  }
  slide_window(stored, current.frame_number, limits);
  return result;
}

}  // namespace millrace::h264
