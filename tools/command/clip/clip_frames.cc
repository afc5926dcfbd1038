// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/tools/command/clip/clip_frames.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/ranks.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace millrace::tools {
namespace {

struct Read {
  std::int64_t frames = 0;
  std::int32_t is_used = 0;
  std::int32_t has_ended = 0;
};

}  // namespace

void compare_clips(Communicator& communicator, const std::string& path, const std::string& sample,
                   const VideoReader& reader) {
  if (communicator.size() == 1) return;
  ArgumentCheck(communicator, "a clip of all ranks")
      .add("the width of " + path, reader.width())
      .add("the height of " + path, reader.height())
      .add("the format of " + path, reader.source_format())
      .add("the file " + path, sample)
      .compare();
}

int ClipFrames::agree(Communicator& communicator, const std::string& path) const {
  if (const int signal = signal_of_any(communicator, interrupt_)) return signal;
  const Read mine{frames_, is_used_ ? 1 : 0, has_ended_ ? 1 : 0};
  const std::vector<Read> ranks = all_gather(communicator, mine);
  std::optional<std::size_t> first;  // The first rank whose clip ended.
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i].has_ended == 0) continue;
    if (!first || ranks[i].frames < ranks[*first].frames) first = i;
  }
  for (std::size_t i = 0; first && i < ranks.size(); ++i) {
    const bool has_as_many = ranks[i].has_ended != 0 && ranks[i].frames == ranks[*first].frames;
    if (ranks[i].is_used == 0 || has_as_many) continue;
    throw AgreedError(ErrorCode::kIo, path + ": ends after " + frames_text(ranks[*first].frames) +
                                          " on rank " + std::to_string(*first) +
                                          ", and has more on rank " + std::to_string(i) +
                                          "; give all the same clip");
  }
  return 0;
}

}  // namespace millrace::tools
