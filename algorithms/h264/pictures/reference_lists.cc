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

class ListBuilder {
 public:
  ListBuilder(std::span<const StoredPicture> stored, const CurrentPicture& current,
              const SliceHeader& header)
      : stored_(stored), current_(current), header_(header) {}

  List initial_p() const;
  // Returns the initial list 0 or 1 of a B slice, before entries are exchanged.
  List initial_b(int list) const;
  // Applies the header's operations to an initial list; counts pictures that are missing.
  void modify(const std::vector<ReferenceOperation>& operations, List& list, int& missing) const;

 private:
  int number(const StoredPicture& picture) const {
    return picture_number(picture, header_.frame_number, current_.max_frame_number);
  }
  void append_long_terms(List& list) const;
  const StoredPicture* find_short_term(std::int64_t number) const;
  const StoredPicture* find_long_term(std::uint32_t index) const;

  std::span<const StoredPicture> stored_;
  const CurrentPicture& current_;
  const SliceHeader& header_;
};

// Clause 8.2.4.2.1.
List ListBuilder::initial_p() const {
  List list;
  for (const StoredPicture& picture : stored_) {
    if (picture.is_short_term()) list.push_back(&picture);
  }
  std::stable_sort(
      list.begin(), list.end(),
      [this](const StoredPicture* a, const StoredPicture* b) { return number(*a) > number(*b); });
  append_long_terms(list);
  return list;
}

// Clause 8.2.4.2.3.
List ListBuilder::initial_b(int list) const {
  List before;
  List after;
  for (const StoredPicture& picture : stored_) {
    if (!picture.is_short_term()) continue;
    // Inferred pictures have no picture order count of type 0.
    if (picture.is_inferred && current_.picture_order_type == 0) continue;
    (picture.picture_order < current_.picture_order ? before : after).push_back(&picture);
  }
  std::stable_sort(before.begin(), before.end(),
                   [](const StoredPicture* a, const StoredPicture* b) {
                     return a->picture_order > b->picture_order;
                   });
  std::stable_sort(after.begin(), after.end(), [](const StoredPicture* a, const StoredPicture* b) {
    return a->picture_order < b->picture_order;
  });
  List result = list == 0 ? std::move(before) : std::move(after);
  const List& rest = list == 0 ? after : before;
  result.insert(result.end(), rest.begin(), rest.end());
  append_long_terms(result);
  return result;
}

void ListBuilder::append_long_terms(List& list) const {
  const auto first = static_cast<std::ptrdiff_t>(list.size());
  for (const StoredPicture& picture : stored_) {
    if (picture.is_long_term()) list.push_back(&picture);
  }
  std::stable_sort(list.begin() + first, list.end(),
                   [](const StoredPicture* a, const StoredPicture* b) {
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
  List lists[2];
  if (header.type == SliceType::kP) lists[0] = builder.initial_p();
  if (header.type == SliceType::kB) {
    lists[0] = builder.initial_b(0);
    lists[1] = builder.initial_b(1);
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
