// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/input/text_kind.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace millrace::tools {
namespace {

// Threshold below which random bytes are printable too often.
constexpr std::size_t kLeastBytes = 16;

bool is_control_of_text(unsigned char byte) { return byte >= '\t' && byte <= '\r'; }

bool is_continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// Returns the number of bytes of the UTF-8 sequence that begins with `first`; 0 if none does.
std::size_t sequence_bytes(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  if (first >= 0xf0 && first <= 0xf4) return 4;
  return 0;
}

// Returns true for printable ASCII and UTF-8; the last sequence may be cut if `is_cut`.
bool is_printable(std::string_view text, bool is_cut) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first == 0x7f || (first < ' ' && !is_control_of_text(first))) return false;
    const std::size_t length = sequence_bytes(first);
    if (length == 0) return false;
    const std::string_view rest = text.substr(i + 1, length - 1);
    if (!std::ranges::all_of(rest, [](char byte) { return is_continuation(byte); })) return false;
    if (rest.size() + 1 < length && !is_cut) return false;
    i += length;
  }
  return true;
}

bool is_only(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == text.npos;
}

bool has_any(std::string_view text, std::string_view of) {
  return text.find_first_of(of) != text.npos;
}

bool is_list_of_numbers(std::string_view text) {
  return is_only(text, "0123456789+-.,;eE \t\r\n") && has_any(text, "0123456789") &&
         has_any(text, ",; \t\r\n");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// `text` is the whole text, or its beginning if `is_cut`.
std::string_view name_of(std::string_view text, bool is_cut) {
  const std::string_view body = trimmed(text);
  const auto is_between = [&](char first, char last) {
    return body.starts_with(first) && (is_cut || body.ends_with(last));
  };
  if (is_between('{', '}') || is_between('[', ']')) return "JSON text";
  if (body.starts_with("<?xml")) return "XML text";
  if (body.starts_with("<!DOCTYPE") || body.starts_with("<html")) return "HTML text";
  return "text";
}

// Returns the characters of UTF-16 text if all of them are in Latin-1, else "".
std::string latin_of_utf16(std::string_view pairs, bool is_big_endian) {
  std::string latin;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (pairs[i + (is_big_endian ? 0 : 1)] != '\0') return "";
    latin += pairs[i + (is_big_endian ? 1 : 0)];
  }
  return latin;
}

bool is_utf16(std::string_view head) {
  const bool is_big_endian = head.starts_with("\xfe\xff");
  if (!is_big_endian && !head.starts_with("\xff\xfe")) return false;
  const std::string latin = latin_of_utf16(head.substr(2), is_big_endian);
  return latin.size() > 1 && std::ranges::all_of(latin, [](unsigned char byte) {
           return is_control_of_text(byte) || (byte >= ' ' && byte != 0x7f && byte < 0x80) ||
                  byte >= 0xa0;
         });
}

}  // namespace

std::string_view text_kind(std::string_view head, std::uint64_t bytes) {
  constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
  if (is_utf16(head)) return "UTF-16 text";
  const bool is_cut = head.size() < bytes;
  const bool is_marked = head.starts_with(kUtf8Mark);
  if (is_marked) head.remove_prefix(kUtf8Mark.size());
  if (head.empty() || !is_printable(head, is_cut)) return {};
  if (is_marked) return name_of(head, is_cut);
  if (bytes < kLeastBytes) {
    return is_list_of_numbers(head) && head.ends_with('\n') ? "text" : std::string_view();
  }
  const std::string_view name = name_of(head, is_cut);
  const bool is_text = has_any(head, "\r\n") || name != "text" || is_list_of_numbers(head);
  return is_text ? name : std::string_view();
}

}  // namespace millrace::tools
