// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/common/files/npy_header.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>

namespace millrace::tools {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;
constexpr std::size_t kLongestPreamble = 12;
constexpr std::size_t kMostHeaderBytes = 65'536;  // Limit for all but structured types.

// Returns the text, or the beginning of a long one.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 200;
  std::string result(text.substr(0, kMost));
  if (text.size() > kMost) result += "...";
  return result;
}

// Parser of a dictionary of Python literals. Members throw Broken if the text is none.
class DictionaryReader {
 public:
  struct Broken {};

  explicit DictionaryReader(std::string_view text) : text_(text) {}

  NpyHeader read() {
    NpyHeader header;
    int found = 0;
    expect('{');
    while (!take('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr") {
        header.element = type();
        found |= 1;
      } else if (key == "shape") {
        header.shape = shape();
        found |= 2;
      } else if (key == "fortran_order") {
        header.is_fortran_order = truth();
        found |= 4;
      } else {
        throw Broken();
      }
      if (take(',')) continue;
      expect('}');
      break;
    }
    skip_spaces();
    if (at_ != text_.size() || found != 7) throw Broken();
    return header;
  }

 private:
  void skip_spaces() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  // Skips the character if it is next.
  bool take(char wanted) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) throw Broken();
  }

  bool take_word(std::string_view word) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  // Reads a string in quotes of either kind, after the prefix that Python 2 and 3 may write.
  std::string_view string() {
    skip_spaces();
    if (at_ < text_.size() && std::string_view("uUbB").find(text_[at_]) != text_.npos) ++at_;
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') throw Broken();
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) throw Broken();
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return inside;
  }

  // Reads a string, returned with single quotes around it, or a list or dictionary, returned as it
  // is written.
  std::string type() {
    skip_spaces();
    const std::size_t begin = at_;
    if (begin == text_.size() || (text_[begin] != '[' && text_[begin] != '{')) {
      return shown("'" + std::string(string()) + "'");
    }
    for (int depth = 0; at_ < text_.size();) {
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        string();
        continue;
      }
      ++at_;
      if (c == '[' || c == '{' || c == '(') ++depth;
      if (c == ']' || c == '}' || c == ')') --depth;
      if (depth == 0) return shown(text_.substr(begin, at_ - begin));
    }
    throw Broken();
  }

  bool truth() {
    if (take_word("True")) return true;
    if (take_word("False")) return false;
    throw Broken();
  }

  // Reads a tuple of whole numbers, each of which Python 2 may end with an L.
  std::vector<std::uint64_t> shape() {
    std::vector<std::uint64_t> lengths;
    expect('(');
    while (!take(')')) {
      skip_spaces();
      std::uint64_t length = 0;
      const char* const end = text_.data() + text_.size();
      const auto [rest, error] = std::from_chars(text_.data() + at_, end, length);
      if (error != std::errc()) throw Broken();
      at_ = static_cast<std::size_t>(rest - text_.data());
      take('L');
      lengths.push_back(length);
      if (take(',')) continue;
      // One number between parentheses is no tuple.
      if (lengths.size() == 1) throw Broken();
      expect(')');
      break;
    }
    return lengths;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string NpyHeader::shape_text() const {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

bool is_npy(const std::string& path) { return std::filesystem::path(path).extension() == ".npy"; }

bool begins_as_npy(std::string_view bytes) { return bytes.starts_with(kMagic); }

NpyHeader parse_npy_header(std::string_view bytes, const std::string& name) {
  if (!begins_as_npy(bytes) || bytes.size() < kLongestPreamble) {
    reject_file(name, "is no .npy file; write one by numpy.save");
  }
  const int version = static_cast<unsigned char>(bytes[kMagic.size()]);
  if (version < 1 || version > 3) {
    reject_file(name, "is a .npy file of version " + std::to_string(version) +
                          ", and 1 to 3 are read; save it again with numpy.save");
  }
  const std::size_t size_bytes = version == 1 ? 2 : 4;
  std::size_t size = 0;
  for (std::size_t i = size_bytes; i-- > 0;) {
    size = size << 8 | static_cast<unsigned char>(bytes[kVersionEnd + i]);
  }
  const std::size_t first_byte = kVersionEnd + size_bytes + size;
  if (size > kMostHeaderBytes || first_byte > bytes.size()) {
    reject_file(name, "has a broken header: it says " + std::to_string(size) +
                          " bytes, and at most " + std::to_string(kMostHeaderBytes) +
                          " that are in the file are read; save it again with numpy.save");
  }
  try {
    NpyHeader header = DictionaryReader(bytes.substr(kVersionEnd + size_bytes, size)).read();
    header.first_byte = first_byte;
    return header;
  } catch (const DictionaryReader::Broken&) {
    reject_file(
        name,
        "has a broken header: it is no dictionary of descr, fortran_order and shape; save it "
        "again with numpy.save");
  }
}

NpyHeader read_npy_header(const PositionedFile& file) {
  std::string beginning(std::min<std::uint64_t>(file.bytes(), kLongestPreamble + kMostHeaderBytes),
                        '\0');
  file.read(0, beginning.data(), beginning.size());
  return parse_npy_header(beginning, file.name());
}

void check_npy_size(const NpyHeader& header, std::size_t element_bytes, std::uint64_t present,
                    const std::string& name) {
  std::uint64_t elements = 1;
  bool fits = true;
  for (const std::uint64_t length : header.shape) {
    fits = fits && !__builtin_mul_overflow(elements, length, &elements);
  }
  if (fits && present % element_bytes == 0 && present / element_bytes == elements) return;
  reject_file(name, "has " + std::to_string(present) +
                        " bytes of elements; its header says shape " + header.shape_text() + ", " +
                        std::to_string(element_bytes) +
                        " bytes each; the file is cut short or damaged");
}

std::string npy_header(const std::string& element, std::uint64_t count) {
  return npy_header(element, std::vector<std::uint64_t>{count});
}

std::string npy_header(const std::string& element, const std::vector<std::uint64_t>& shape) {
  constexpr std::size_t kAlignment = 64;
  std::string lengths;
  for (const std::uint64_t length : shape) lengths += std::to_string(length) + ", ";
  if (!lengths.empty()) lengths.pop_back();
  if (shape.size() > 1) lengths.pop_back();
  std::string text =
      "{'descr': " + element + ", 'fortran_order': False, 'shape': (" + lengths + "), }";
  const std::size_t unpadded = kVersionEnd + 2 + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  const std::string version = {'\x01', '\x00'};
  const std::string size = {static_cast<char>(text.size() & 0xff),
                            static_cast<char>(text.size() >> 8)};
  return std::string(kMagic) + version + size + text;
}

}  // namespace millrace::tools
