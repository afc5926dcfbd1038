// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/pictures/reference_lists.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace millrace::h264 {
namespace {

using List = std::vector<const StoredPicture*>;  // Null: missing.

// Sorts the elements from `first` on, at most those of a reference list, and keeps the order of
// equal ones. Unlike std::stable_sort() it allocates nothing.
template <class Less>
void insertion_sort(List& list, std::size_t first, const Less& less) {
  for (std::size_t end = first + 1; end < list.size(); ++end) {
    const StoredPicture* const picture = list[end];
    std::size_t at = end;
    for (; at > first && less(picture, list[at - 1]); --at) list[at] = list[at - 1];
    list[at] = picture;
  }
}

class ListBuilder {
 public:
  ListBuilder(std::span<const StoredPicture> stored, const CurrentPicture& current,
              const SliceHeader& header)
      : stored_(stored), current_(current), header_(header) {}

  // Both replace `result`.
  void initial_p(List& result) const;
  // Makes the initial list 0 or 1 of a B slice, before entries are exchanged.
  void initial_b(int list, List& result) const;
  // Applies the header's operations to an initial list; counts pictures that are missing.
  void modify(const std::vector<ReferenceOperation>& operations, List& list, int& missing) const;

 private:
  int number(const StoredPicture& picture) const {
    return picture_number(picture, header_.frame_number, current_.max_frame_number);
  }
  // Appends the short-term pictures on one side of the current one in output order, by distance.
  void append_before(List& list) const;
  void append_after(List& list) const;
  template <class IsOnSide>
  void append_short_terms(List& list, const IsOnSide& is_on_side) const;
  void append_long_terms(List& list) const;
  const StoredPicture* find_short_term(std::int64_t number) const;
  const StoredPicture* find_long_term(std::uint32_t index) const;

  std::span<const StoredPicture> stored_;
  const CurrentPicture& current_;
  const SliceHeader& header_;
};

// Clause 8.2.4.2.1.
void ListBuilder::initial_p(List& result) const {
  result.clear();
  for (const StoredPicture& picture : stored_) {
    if (picture.is_short_term()) result.push_back(&picture);
  }
  insertion_sort(result, 0, [this](const StoredPicture* a, const StoredPicture* b) {
    return number(*a) > number(*b);
  });
  append_long_terms(result);
}

// Clause 8.2.4.2.3.
void ListBuilder::initial_b(int list, List& result) const {
  result.clear();
  if (list == 0) {
    append_before(result);
    append_after(result);
  } else {
    append_after(result);
    append_before(result);
  }
  append_long_terms(result);
}

void ListBuilder::append_before(List& list) const {
  const std::size_t first = list.size();
  append_short_terms(list, [this](const StoredPicture& picture) {
    return picture.picture_order < current_.picture_order;
  });
  insertion_sort(list, first, [](const StoredPicture* a, const StoredPicture* b) {
    return a->picture_order > b->picture_order;
  });
}

void ListBuilder::append_after(List& list) const {
  const std::size_t first = list.size();
  append_short_terms(list, [this](const StoredPicture& picture) {
    return picture.picture_order >= current_.picture_order;
  });
  insertion_sort(list, first, [](const StoredPicture* a, const StoredPicture* b) {
    return a->picture_order < b->picture_order;
  });
}

template <class IsOnSide>
void ListBuilder::append_short_terms(List& list, const IsOnSide& is_on_side) const {
  for (const StoredPicture& picture : stored_) {
    if (!picture.is_short_term()) continue;
    // Inferred pictures have no picture order count of type 0.
    if (picture.is_inferred && current_.picture_order_type == 0) continue;
    if (is_on_side(picture)) list.push_back(&picture);
  }
}

void ListBuilder::append_long_terms(List& list) const {
  const std::size_t first = list.size();
  for (const StoredPicture& picture : stored_) {
    if (picture.is_long_term()) list.push_back(&picture);
  }
  insertion_sort(list, first, [](const StoredPicture* a, const StoredPicture* b) {
    return a->long_term_index < b->long_term_index;
  });
}

const StoredPicture* ListBuilder::find_short_term(std::int64_t number) const {
  for (const StoredPicture& picture : stored_) {
    if (picture.is_short_term() && this->number(picture) == number) return &picture;
  }
  return nullptr;
}

const StoredPicture* ListBuilder::find_long_term(std::uint32_t index) const {
  for (const StoredPicture& picture : stored_) {
    if (picture.is_long_term() && static_cast<std::uint32_t>(picture.long_term_index) == index) {
      return &picture;
    }
  }
  return nullptr;
}

// Clause 8.2.4.3.
void ListBuilder::modify(const std::vector<ReferenceOperation>& operations, List& list,
                         int& missing) const {
  const std::int64_t period = current_.max_frame_number;
  std::int64_t predicted = header_.frame_number;  // picNumLXNoWrap
  std::size_t index = 0;
  for (const ReferenceOperation& operation : operations) {
    const StoredPicture* picture = nullptr;
    if (operation.operation == 2) {
      picture = find_long_term(operation.operand);
    } else {
      // A conforming difference is at most MaxFrameNum; a larger one names no picture.
      const std::int64_t difference = std::int64_t{operation.operand} + 1;
      if (difference <= period) {
        predicted += operation.operation == 0 ? -difference : difference;
        if (predicted < 0) predicted += period;
        if (predicted >= period) predicted -= period;
        const bool wraps = predicted > header_.frame_number;
        picture = find_short_term(wraps ? predicted - period : predicted);
      }
    }
    if (picture == nullptr) ++missing;
    if (index >= list.size()) break;
    // Entry `index` becomes the picture, and what was there moves on to where the picture was.
    const auto at = list.begin() + static_cast<std::ptrdiff_t>(index);
    auto old = picture == nullptr ? list.end() : std::find(at, list.end(), picture);
    if (old == list.end()) --old;
    std::move_backward(at, old, old + 1);
    *at = picture;
    ++index;
  }
}

Reference reference_to(const StoredPicture* picture) {
  if (picture == nullptr) return {};
  Reference reference;
  reference.picture_order = picture->picture_order;
  reference.is_long_term = picture->is_long_term();
  if (picture->is_inferred) return reference;
  reference.picture = picture->id;
  reference.parsed = picture->parsed.get();
  return reference;
}

}  // namespace

int build_reference_lists(std::span<const StoredPicture> stored, const CurrentPicture& current,
                          Slice& slice) {
  const SliceHeader& header = slice.header;
  const ListBuilder builder(stored, current, header);
  thread_local List lists[2];  // Their memory is used again.
  for (List& list : lists) list.clear();
  if (header.type == SliceType::kP) builder.initial_p(lists[0]);
  if (header.type == SliceType::kB) {
    builder.initial_b(0, lists[0]);
    builder.initial_b(1, lists[1]);
    if (lists[1].size() > 1 && lists[0] == lists[1]) std::swap(lists[1][0], lists[1][1]);
  }
  int missing = 0;
  for (int i = 0; i < 2; ++i) {
    List& list = lists[i];
    const auto length = static_cast<std::size_t>(header.reference_counts[i]);
    list.resize(length, nullptr);
    builder.modify(header.list_operations[i], list, missing);
    slice.references[i].resize(length);
    std::transform(list.begin(), list.end(), slice.references[i].begin(), reference_to);
  }
  return missing;
}

}  // namespace millrace::h264
