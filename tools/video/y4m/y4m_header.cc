// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/y4m/y4m_header.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

namespace millrace::tools {
namespace {

using ChromaSite = Y4mHeader::ChromaSite;
using Range = Y4mHeader::Range;

std::optional<int> number(std::string_view text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (rest != end || error != std::errc() || value < 0) return std::nullopt;
  return value;
}

// Parses a ratio such as 30000:1001; returns 0 and 0 if there is none.
std::pair<int, int> ratio(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return {};
  const auto numerator = number(text.substr(0, colon));
  const auto denominator = number(text.substr(colon + 1));
  if (numerator.value_or(0) == 0 || denominator.value_or(0) == 0) return {};
  return {*numerator, *denominator};
}

FieldOrder field_order(std::string_view letter) {
  if (letter == "p") return FieldOrder::kProgressive;
  if (letter == "t") return FieldOrder::kTopFirst;
  if (letter == "b") return FieldOrder::kBottomFirst;
  return letter == "m" ? FieldOrder::kMixed : FieldOrder::kUnknown;
}

struct ColourSpace {
  std::string_view name;
  const char* format;
  ChromaSite site = ChromaSite::kUnknown;
};

constexpr ColourSpace kColourSpaces[] = {
    {"420", "yuv420p", ChromaSite::kCentre},
    {"420jpeg", "yuv420p", ChromaSite::kCentre},
    {"420mpeg2", "yuv420p", ChromaSite::kLeft},
    {"420paldv", "yuv420p", ChromaSite::kTopLeft},
    {"411", "yuv411p"},
    {"410", "yuv410p"},
    {"440", "yuv440p"},
    {"422", "yuv422p"},
    {"444", "yuv444p"},
    {"444alpha", "yuva444p"},
    {"mono", "gray"},
};

// Parses 420p10, 444p16, mono12: a depth behind 'p', which gray may omit.
std::optional<std::string> deep_format(std::string_view name) {
  const bool is_mono = name.starts_with("mono");
  const std::string_view chroma = name.substr(0, is_mono ? 4 : 3);
  std::string_view depth = name.substr(chroma.size());
  if (depth.starts_with("p"))
    depth.remove_prefix(1);
  else if (!is_mono)
    return std::nullopt;
  constexpr std::string_view kChromas[] = {"420", "422", "440", "444", "mono"};
  constexpr std::string_view kDepths[] = {"9", "10", "12", "14", "16"};
  if (std::ranges::find(kChromas, chroma) == std::end(kChromas)) return std::nullopt;
  if (std::ranges::find(kDepths, depth) == std::end(kDepths)) return std::nullopt;
  const std::string samples = is_mono ? "gray" : "yuv" + std::string(chroma) + "p";
  return samples + std::string(depth) + "le";
}

bool read_colour_space(std::string_view name, Y4mHeader& header) {
  for (const ColourSpace& space : kColourSpaces) {
    if (name != space.name) continue;
    header.pixel_format = space.format;
    header.chroma_site = space.site;
    return true;
  }
  const std::optional<std::string> format = deep_format(name);
  if (!format) return false;
  header.pixel_format = *format;
  header.chroma_site = ChromaSite::kUnknown;
  return true;
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return lower;
}

[[noreturn]] void fail(const std::string& sentence) { throw Error(ErrorCode::kIo, sentence); }

// Tags whose meaning depends on others.
struct Spaces {
  std::optional<std::string> given;       // C.
  std::optional<std::string> by_comment;  // XYSCSS, of programs from before C had all of them.
};

void read_tag(char kind, std::string_view value, Y4mHeader& header, Spaces& spaces) {
  constexpr std::string_view kSubsampling = "YSCSS=";
  constexpr std::string_view kRange = "COLORRANGE=";
  switch (kind) {
    case 'W': header.width = number(value).value_or(0); break;
    case 'H': header.height = number(value).value_or(0); break;
    case 'I': header.field_order = field_order(value); break;
    case 'C': spaces.given = value; break;
    case 'F': {
      const auto [numerator, denominator] = ratio(value);
      if (numerator > 0) header.rate = {numerator, denominator};
      break;
    }
    case 'A': {
      const auto [numerator, denominator] = ratio(value);
      header.aspect = {numerator, denominator};
      break;
    }
    case 'X':
      if (value.starts_with(kSubsampling)) {
        spaces.by_comment = in_lower_case(value.substr(kSubsampling.size()));
      } else if (value.starts_with(kRange)) {
        const std::string_view range = value.substr(kRange.size());
        if (range == "FULL") header.range = Range::kFull;
        if (range == "LIMITED") header.range = Range::kLimited;
      }
      break;
    default: break;
  }
}

}  // namespace

Y4mHeader parse_y4m_header(std::string_view line) {
  Y4mHeader header;
  Spaces spaces;
  line.remove_prefix(std::min(line.size(), kY4mMagic.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view tag = line.substr(0, end);
    if (!tag.empty()) read_tag(tag[0], tag.substr(1), header, spaces);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  if (header.width < 1 || header.height < 1) {
    fail("y4m without a width (W) and a height (H) in its first line; write them, such as W64 H48");
  }
  if (spaces.given) {
    if (!read_colour_space(*spaces.given, header)) {
      fail(
          "y4m of colour space C" + *spaces.given +
          ", which cannot be read; convert it to 420, 422, 444 or mono of 8 to 16 bits, or to 411");
    }
  } else if (spaces.by_comment) {
    read_colour_space(*spaces.by_comment, header);
  }
  return header;
}

}  // namespace millrace::tools
