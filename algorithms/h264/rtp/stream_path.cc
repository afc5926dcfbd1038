// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/stream_path.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <utility>

namespace millrace::h264 {

StreamPath split_stream_path(const std::string& path,
                             const std::function<bool(const std::string&)>& is_file) {
  const std::size_t mark = path.rfind('#');
  if (mark == path.npos || is_file(path) || !is_file(path.substr(0, mark))) return {path, ""};
  return {path.substr(0, mark), path.substr(mark + 1)};
}

std::string stream_names(const std::string& file, const std::vector<RtpStream>& streams) {
  constexpr std::size_t kMost = 16;
  std::vector<std::string> names;
  for (const RtpStream& stream : streams) {
    std::string name = file + "#" + stream.name();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMost) text += " and " + std::to_string(names.size() - kMost) + " more";
  return text;
}

std::size_t find_stream(const std::vector<RtpStream>& streams, const StreamPath& path) {
  const auto has_name = [&path](const RtpStream& stream) { return stream.name() == path.stream; };
  const auto count = std::count_if(streams.begin(), streams.end(), has_name);
  if (count == 0) {
    reject(path.file + ": has no stream '" + path.stream + "'; write " +
           stream_names(path.file, streams));
  }
  if (count > 1) {
    reject(path.file + ": has " + std::to_string(count) + " streams '" + path.stream +
           "', each of another sender; give a capture of one sender");
  }
  return static_cast<std::size_t>(std::find_if(streams.begin(), streams.end(), has_name) -
                                  streams.begin());
}

}  // namespace millrace::h264
