// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/ranks/result_stream.h>
#include <millrace/tools/command/common/gather_texts.h>

#include <cstddef>
#include <span>

namespace millrace::tools {

std::vector<std::string> gather_texts(Communicator& world, const std::string& text) {
  if (world.rank() > 0) {
    ResultWriter writer(world);
    writer.write(std::as_bytes(std::span(text)));
    writer.close();
    return {};
  }
  std::vector<std::string> texts = {text};
  ResultReader reader(world);
  for (int rank = 1; rank < world.size(); ++rank) {
    std::string& own = texts.emplace_back();
    while (const auto bytes = reader.next(rank)) {
      own.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    }
  }
  return texts;
}

}  // namespace millrace::tools
