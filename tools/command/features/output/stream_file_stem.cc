// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/output/stream_file_stem.h>

#include <cstddef>
#include <filesystem>

namespace millrace::tools {

std::string stream_file_stem(const std::string& stream) {
  // A stream of a capture is FILE#ADDRESS:PORT/SSRC.
  const std::size_t hash = stream.rfind('#');
  const bool is_captured = hash != stream.npos && stream.find(':', hash) != stream.npos;
  const std::string file = is_captured ? stream.substr(0, hash) : stream;
  std::string name = std::filesystem::path(file).stem().string();
  if (is_captured) name += "-" + stream.substr(hash + 1);
  for (char& letter : name) {
    if (letter == '/' || letter == ':') letter = '-';
  }
  return name.empty() ? "stream" : name;
}

}  // namespace millrace::tools
