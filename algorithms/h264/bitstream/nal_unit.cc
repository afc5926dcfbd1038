// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/nal_unit.h>

#include <algorithm>
#include <cstring>

namespace millrace::h264 {

void AnnexBSplitter::push(std::span<const std::uint8_t> bytes) {
  if (begin_ > 0) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
    buffer_byte_ += static_cast<std::int64_t>(begin_);
    searched_ -= begin_;
    begin_ = 0;
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

// Moves searched_ behind the next start code; false where the buffer has none.
bool AnnexBSplitter::find_start_code() {
  const std::uint8_t* const data = buffer_.data();
  std::size_t at = std::max(searched_, begin_ + 2);
  while (at < buffer_.size()) {
    const void* const one = std::memchr(data + at, 1, buffer_.size() - at);
    if (one == nullptr) break;
    at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(one) - data) + 1;
    if (data[at - 2] == 0 && data[at - 3] == 0) {
      searched_ = at;
      return true;
    }
  }
  searched_ = buffer_.size();
  return false;
}

std::optional<NalUnit> AnnexBSplitter::next() {
  for (;;) {
    const bool has_code = find_start_code();
    const bool is_whole = has_code || is_finished_;
    const int start_code_bytes = start_code_bytes_;
    const std::size_t first = begin_;
    std::size_t end = has_code ? searched_ - 3 : buffer_.size();
    const bool is_too_long = start_code_bytes != 0 && end - first > max_unit_bytes_;
    if (!is_whole && !is_too_long && start_code_bytes != 0) return std::nullopt;

    if (has_code) {
      start_code_bytes_ = searched_ >= first + 4 && buffer_[searched_ - 4] == 0 ? 4 : 3;
      begin_ = searched_;
    } else {
      // Only the last bytes may belong to a start code that later bytes complete; the others are
      // dropped.
      start_code_bytes_ = 0;
      const std::size_t kept = is_finished_ ? 0 : std::min<std::size_t>(3, end - first);
      begin_ = end - kept;
      searched_ = std::max(searched_, begin_);
    }
    if (start_code_bytes == 0) {
      std::size_t skipped = end - first;
      if (has_code && start_code_bytes_ == 4) --skipped;
      if (!has_code) skipped = begin_ - first;
      skipped_bytes_ += static_cast<std::int64_t>(skipped);
      if (!has_code) return std::nullopt;
      continue;
    }
    if (is_too_long) {
      const std::size_t cut = first + max_unit_bytes_;
      skipped_bytes_ += static_cast<std::int64_t>((has_code ? end : begin_) - cut);
      end = cut;
    }
    while (end > first && buffer_[end - 1] == 0) --end;
    if (end == first) {
      if (!has_code) return std::nullopt;
      continue;
    }
    return NalUnit{.bytes = {buffer_.data() + first, end - first},
                   .byte = buffer_byte_ + static_cast<std::int64_t>(first),
                   .start_code_bytes = start_code_bytes};
  }
}

std::size_t unit_byte_of(std::span<const std::size_t> emulation_prevention, std::size_t byte) {
  const auto after =
      std::upper_bound(emulation_prevention.begin(), emulation_prevention.end(), byte);
  return 1 + byte + static_cast<std::size_t>(after - emulation_prevention.begin());
}

std::size_t NalPayload::unit_byte(std::size_t byte) const {
  return unit_byte_of(emulation_prevention, byte);
}

void extract_payload(std::span<const std::uint8_t> unit, NalPayload& payload) {
  payload.emulation_prevention.clear();
  payload.bytes.resize(unit.size());
  if (unit.empty()) return;
  const std::uint8_t* from = unit.data() + 1;
  const std::uint8_t* const end = unit.data() + unit.size();
  const std::uint8_t* search = from;
  std::uint8_t* to = payload.bytes.data();
  while (end - search >= 3) {
    const void* const zero = std::memchr(search, 0, static_cast<std::size_t>(end - search - 2));
    if (zero == nullptr) break;
    search = static_cast<const std::uint8_t*>(zero);
    if (search[1] != 0) {
      search += 2;
    } else if (search[2] != 3) {
      search += 1;
    } else {
      const auto kept = static_cast<std::size_t>(search + 2 - from);
      std::memcpy(to, from, kept);
      to += kept;
      payload.emulation_prevention.push_back(static_cast<std::size_t>(to - payload.bytes.data()));
      from = search = search + 3;
    }
  }
  const auto rest = static_cast<std::size_t>(end - from);
  if (rest > 0) std::memcpy(to, from, rest);
  to += rest;
  payload.bytes.resize(static_cast<std::size_t>(to - payload.bytes.data()));
}

}  // namespace millrace::h264
