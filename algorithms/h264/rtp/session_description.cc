// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/session_description.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace millrace::h264 {
namespace {

// Cuts the text up to `end` off `rest`, and `end` with it.
std::string_view cut(std::string_view& rest, char end) {
  const std::size_t at = std::min(rest.find(end), rest.size());
  const std::string_view head = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return head;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return text;
}

int number_in(std::string_view text) {
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool is_same(std::string_view text, std::string_view upper) {
  return std::equal(text.begin(), text.end(), upper.begin(), upper.end(), [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) == b;
  });
}

class SessionReader {
 public:
  explicit SessionReader(const std::string& name) : name_(name) {}

  void read_line(std::string_view line) {
    if (line.starts_with("m=")) {
      line.remove_prefix(2);
      cut(line, ' ');
      port_ = std::max(0, number_in(cut(line, ' ')));
      first_of_media_ = streams_.size();
    } else if (line.starts_with("a=rtpmap:")) {
      line.remove_prefix(9);
      const int type = number_in(cut(line, ' '));
      if (is_same(cut(line, '/'), "H264")) {
        streams_.push_back({.port = port_, .payload_type = type, .parameter_sets = {}});
      }
    } else if (line.starts_with("a=fmtp:")) {
      line.remove_prefix(7);
      const int type = number_in(cut(line, ' '));
      for (std::size_t i = first_of_media_; i < streams_.size(); ++i) {
        if (streams_[i].payload_type == type) read_parameters(line, streams_[i]);
      }
    }
  }

  std::vector<DescribedStream> take() {
    if (streams_.empty()) {
      throw Error(ErrorCode::kIo, name_ +
                                      ": describes no H.264 (no a=rtpmap line with H264); give the "
                                      "description of a stream of H.264");
    }
    return std::move(streams_);
  }

 private:
  void read_parameters(std::string_view parameters, DescribedStream& stream) const {
    while (!parameters.empty()) {
      std::string_view value = trimmed(cut(parameters, ';'));
      const std::string_view key = cut(value, '=');
      if (key == "packetization-mode") {
        stream.packetisation_mode = number_in(value);
        if (stream.packetisation_mode == 2) {
          throw Error(ErrorCode::kIo, name_ +
                                          ": packetization-mode is 2 (interleaved), which is not "
                                          "supported; send with mode 0 or 1");
        }
      } else if (key == "sprop-parameter-sets") {
        read_sets(value, stream);
      }
    }
  }

  void read_sets(std::string_view sets, DescribedStream& stream) const {
    while (!sets.empty()) {
      const std::string_view set = trimmed(cut(sets, ','));
      auto bytes = decode_base64(set);
      if (!bytes) {
        throw Error(ErrorCode::kIo, name_ + ": sprop-parameter-sets has '" + std::string(set) +
                                        "', which is no Base64; copy the description again");
      }
      if (!bytes->empty()) stream.parameter_sets.push_back(std::move(*bytes));
    }
  }

  const std::string& name_;
  int port_ = 0;
  std::size_t first_of_media_ = 0;
  std::vector<DescribedStream> streams_;
};

}  // namespace

std::vector<DescribedStream> read_session_description(std::string_view text,
                                                      const std::string& name) {
  SessionReader reader(name);
  while (!text.empty()) reader.read_line(trimmed(cut(text, '\n')));
  return reader.take();
}

std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1) return {};
  std::vector<std::uint8_t> bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char digit : text) {
    const std::size_t value = kDigits.find(digit);
    if (value == kDigits.npos) return {};
    bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<std::uint8_t>(bits >> count));
    }
  }
  return bytes;
}

}  // namespace millrace::h264
