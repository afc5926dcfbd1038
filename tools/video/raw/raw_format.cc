// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/raw/raw_format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

extern "C" {
#include <libavutil/imgutils.h>
}

namespace millrace::tools {
namespace {

struct OtherName {
  std::string_view name;
  const char* format;
  bool swaps_chroma = false;
};

constexpr OtherName kOtherNames[] = {
    {"i420", "yuv420p"},       {"iyuv", "yuv420p"},       {"yu12", "yuv420p"},
    {"yv12", "yuv420p", true}, {"i422", "yuv422p"},       {"yv16", "yuv422p", true},
    {"i444", "yuv444p"},       {"yv24", "yuv444p", true}, {"i010", "yuv420p10le"},
    {"i210", "yuv422p10le"},   {"i410", "yuv444p10le"},   {"i012", "yuv420p12le"},
    {"yuy2", "yuyv422"},       {"yuyv", "yuyv422"},       {"yvyu", "yvyu422"},
    {"uyvy", "uyvy422"},       {"2vuy", "uyvy422"},       {"grey", "gray"},
    {"mono", "gray"},          {"luma", "gray"},          {"y8", "gray"},
    {"y800", "gray"},          {"400", "gray"},           {"400p", "gray"},
    {"yuv400", "gray"},        {"yuv400p", "gray"},       {"gray8", "gray"},
    {"grey8", "gray"},         {"mono8", "gray"},         {"y10", "gray10le"},
    {"y12", "gray12le"},       {"y16", "gray16le"},       {"grey10", "gray10le"},
    {"grey12", "gray12le"},    {"grey16", "gray16le"},    {"mono10", "gray10le"},
    {"mono12", "gray12le"},    {"mono16", "gray16le"},    {"grey16le", "gray16le"},
    {"rgb", "rgb24"},          {"bgr", "bgr24"},          {"yuv10", "yuv420p10le"},
    {"yuv12", "yuv420p12le"},  {"yuv16", "yuv420p16le"},  {"yuv8", "yuv420p"},
};

// Layouts that are not sample formats of FFmpeg, but codecs or raw data of cameras.
constexpr std::string_view kNotRead[] = {"v210", "v410", "v408", "v308", "bayer", "r210", "r10k"};

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return lower;
}

bool is_readable(AVPixelFormat format) {
  const AVPixFmtDescriptor* const description = av_pix_fmt_desc_get(format);
  constexpr auto kUnreadable = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_PAL;
  return description != nullptr && (description->flags & kUnreadable) == 0 &&
         sws_isSupportedInput(format) != 0;
}

// Raw video is little-endian unless its name says otherwise.
AVPixelFormat libav_format(const std::string& name) {
  const AVPixelFormat little_endian = av_get_pix_fmt((name + "le").c_str());
  return little_endian != AV_PIX_FMT_NONE ? little_endian : av_get_pix_fmt(name.c_str());
}

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char letter : name) {
    const bool is_word = std::isalnum(static_cast<unsigned char>(letter)) != 0;
    if (is_word) {
      words.back() += letter;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  // "10-bit" is "10bit".
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] != "bit" && words[i] != "bits") continue;
    words[i - 1] += "bit";
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i--));
  }
  return words;
}

bool remove_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Removes the depth at the beginning of `text`, and returns it; 0 if there is none.
int remove_depth(std::string_view& text) {
  for (const int depth : {10, 12, 14, 16, 8, 9}) {
    if (remove_prefix(text, std::to_string(depth))) return depth;
  }
  return 0;
}

// Words of a name, read together.
struct Hints {
  std::string chroma;  // "420" and so on, or "gray".
  int depth = 0;
  bool is_big_endian = false;
  std::vector<RawFormat> formats;  // Words that are a whole format.
};

[[noreturn]] void fail(const std::string& path, const std::string& sentence) {
  reject(path + ": " + sentence);
}

[[noreturn]] void fail_of_two(const std::string& path, const std::string& one,
                              const std::string& other) {
  fail(path, "the name says two sample formats, " + one + " and " + other +
                 "; give one of them, such as --pixel-format yuv422p");
}

std::string describe(const std::string& chroma) { return chroma; }
std::string describe(int depth) { return std::to_string(depth) + " bits"; }
std::string describe(const RawFormat& format) {
  return format.name + (format.swaps_chroma ? " with Cr before Cb" : "");
}

template <class Value>
void set_once(const std::string& path, Value& hint, const Value& value) {
  if (hint != Value() && hint != value) fail_of_two(path, describe(hint), describe(value));
  hint = value;
}

bool read_byte_order(std::string_view& text, Hints& hints) {
  if (remove_prefix(text, "be"))
    hints.is_big_endian = true;
  else
    remove_prefix(text, "le");
  return text.empty();
}

// 10bit, 10bits, 10b, 10bpc, 10le, p10, p10le, bitdepth10.
bool read_depth(const std::string& path, std::string_view text, Hints& hints) {
  bool says_so = false;
  for (const std::string_view prefix : {"bitdepth", "depth", "p"}) {
    says_so = says_so || remove_prefix(text, prefix);
  }
  const int depth = remove_depth(text);
  if (depth == 0) return false;
  for (const std::string_view unit : {"bits", "bit", "bpc", "bpp", "b"}) {
    // "be" is a byte order.
    if (unit == "b" && text.starts_with("be")) continue;
    if (remove_prefix(text, unit)) {
      says_so = true;
      break;
    }
  }
  Hints order;
  says_so = says_so || text == "le" || text == "be";
  if (!says_so || !read_byte_order(text, order)) return false;
  set_once(path, hints.depth, depth);
  hints.is_big_endian = hints.is_big_endian || order.is_big_endian;
  return true;
}

// Layouts that are rare and whose digits stand in names for frames, kbit/s and so on: they need
// `yuv` before, or `p` or a depth behind or beside them.
bool is_rare(std::string_view chroma) {
  return chroma == "400" || chroma == "410" || chroma == "411" || chroma == "440";
}

// 420, yuv422, yuv444p, 420p10, yuv42010le.
bool read_chroma(const std::string& path, std::string_view text, Hints& hints) {
  const bool says_yuv = remove_prefix(text, "yuvj") || remove_prefix(text, "yuv");
  for (const std::string_view chroma : {"420", "422", "444", "440", "411", "410"}) {
    if (!remove_prefix(text, chroma)) continue;
    const bool says_planes = remove_prefix(text, "p");
    const int depth = remove_depth(text);
    Hints order;
    if (!read_byte_order(text, order)) return false;
    if (is_rare(chroma) && !says_yuv && !says_planes && depth == 0) return false;
    set_once(path, hints.chroma, std::string(chroma));
    if (depth > 0) set_once(path, hints.depth, depth);
    hints.is_big_endian = hints.is_big_endian || order.is_big_endian;
    return true;
  }
  return false;
}

// A bare 411 and so on with a depth before or behind it.
void read_rare_chroma(const std::string& path, const std::vector<std::string>& words,
                      Hints& hints) {
  const auto is_depth = [&](std::size_t i) {
    Hints none;
    return i < words.size() && read_depth(path, words[i], none);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_rare(words[i]) || !(is_depth(i + 1) || (i > 0 && is_depth(i - 1)))) continue;
    set_once(path, hints.chroma, words[i] == "400" ? std::string("gray") : words[i]);
  }
}

void read_word(const std::string& path, const std::string& word, Hints& hints) {
  if (word.empty()) return;
  if (std::ranges::find(kNotRead, word) != std::end(kNotRead)) {
    fail(path, "the name says " + word + ", which cannot be read; convert it to another format");
  }
  if (read_chroma(path, word, hints) || read_depth(path, word, hints)) return;
  if (word == "gray" || word == "grey" || word == "mono" || word == "luma") {
    return set_once(path, hints.chroma, std::string("gray"));
  }
  if (is_rare(word)) return;
  if (const auto format = raw_format_of(word)) hints.formats.push_back(*format);
}

std::string composed_name(const Hints& hints) {
  const std::string chroma = hints.chroma.empty() ? "420" : hints.chroma;
  std::string name = chroma == "gray" ? "gray" : "yuv" + chroma + "p";
  if (hints.depth > 8) name += std::to_string(hints.depth) + (hints.is_big_endian ? "be" : "le");
  return name;
}

// Returns true if a format agrees with the other words.
bool agrees(const RawFormat& format, const Hints& hints) {
  const AVPixFmtDescriptor& description = *av_pix_fmt_desc_get(libav_format(format.name));
  if (hints.depth > 0 && hints.depth != description.comp[0].depth) return false;
  if (hints.chroma.empty()) return true;
  if (hints.chroma == "gray") return description.nb_components < 3;
  constexpr std::pair<std::string_view, std::array<int, 2>> kShifts[] = {
      {"420", {1, 1}}, {"422", {1, 0}}, {"444", {0, 0}},
      {"440", {0, 1}}, {"411", {2, 0}}, {"410", {2, 2}}};
  for (const auto& [chroma, shifts] : kShifts) {
    if (hints.chroma != chroma) continue;
    return description.nb_components >= 3 && description.log2_chroma_w == shifts[0] &&
           description.log2_chroma_h == shifts[1];
  }
  return true;
}

std::string extension_of(const std::string& path) {
  const std::string extension = in_lower_case(std::filesystem::path(path).extension().string());
  return extension.empty() ? "" : extension.substr(1);
}

}  // namespace

std::int64_t RawFormat::frame_bytes(const RawSize& size) const {
  const int bytes = av_image_get_buffer_size(libav_format(name), size.width, size.height, 1);
  if (bytes < 1) {
    reject("pictures of " + std::to_string(size.width) + "x" + std::to_string(size.height) +
           " in " + name +
           " are too large; (width + 128) x (height + 128) "
           "must be below 268435456");
  }
  return bytes;
}

std::optional<RawFormat> raw_format_of(std::string_view name) {
  const std::string lower = in_lower_case(name);
  for (const OtherName& other : kOtherNames) {
    if (lower == other.name) return RawFormat{other.format, other.swaps_chroma};
  }
  const AVPixelFormat format = libav_format(lower);
  if (format == AV_PIX_FMT_NONE || !is_readable(format)) return std::nullopt;
  return RawFormat{av_get_pix_fmt_name(format)};
}

std::optional<RawFormat> raw_format_from_name(const std::string& path) {
  const std::string name = in_lower_case(std::filesystem::path(path).filename().string());
  const std::vector<std::string> words = words_of(name);
  Hints hints;
  for (const std::string& word : words) read_word(path, word, hints);
  read_rare_chroma(path, words, hints);
  if (hints.formats.empty() && extension_of(path) == "y")
    set_once(path, hints.chroma, std::string("gray"));
  if (hints.formats.empty()) {
    if (hints.chroma.empty() && hints.depth == 0) return std::nullopt;
    const auto composed = raw_format_of(composed_name(hints));
    if (!composed) {
      fail(path, "the name says " + composed_name(hints) +
                     ", which cannot be read; give another by --pixel-format");
    }
    return composed;
  }
  for (const RawFormat& format : hints.formats) {
    const bool is_same = format.name == hints.formats[0].name &&
                         format.swaps_chroma == hints.formats[0].swaps_chroma;
    if (!is_same) fail_of_two(path, describe(hints.formats[0]), describe(format));
    if (!agrees(format, hints)) {
      fail_of_two(path, describe(format),
                  hints.chroma.empty() ? describe(hints.depth) : composed_name(hints));
    }
  }
  return hints.formats[0];
}

bool has_raw_name(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension.empty()) return false;
  if (extension == "yuv" || extension == "y") return true;
  // Names of samples that are endings of other files, too.
  constexpr std::string_view kOthers[] = {"mono", "luma", "400", "400p"};
  if (std::ranges::find(kOthers, extension) != std::end(kOthers)) return false;
  return raw_format_of(extension).has_value();
}

std::string deeper_format(std::string_view start) {
  std::set<unsigned char> low;
  unsigned low_bits = 0;
  unsigned high_bits = 0;
  unsigned most_high = 0;
  for (std::size_t i = 0; i + 1 < start.size(); i += 2) {
    const auto low_byte = static_cast<unsigned char>(start[i]);
    const auto high_byte = static_cast<unsigned char>(start[i + 1]);
    low.insert(low_byte);
    low_bits |= low_byte;
    high_bits |= high_byte;
    most_high = std::max<unsigned>(most_high, high_byte);
  }
  // Ten or twelve low bits of 16: every other byte is nearly black, and those between are not.
  if (low.size() > 2 && low_bits >= 0x40 && most_high > 0) {
    if (most_high < 1U << 2) return "yuv420p10le";
    if (most_high < 1U << 4) return "yuv420p12le";
  }
  // Ten high bits of 16.
  const bool is_shifted = (low_bits & 0x3FU) == 0 && low.size() > 1 && (high_bits & 0x3FU) != 0;
  return is_shifted ? "p010le" : "";
}

}  // namespace millrace::tools
