// SPDX-License-Identifier: Apache-2.0

// Options of the subcommands of `millrace` that read a clip.
#ifndef MILLRACE_TOOLS_COMMAND_CLIP_CLIP_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_CLIP_CLIP_OPTIONS_H_

#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/video/video_reader.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

struct ClipOptions {
  std::string path;
  VideoReaderOptions reading;

  // Returns the path for messages and for names of output files.
  std::string name() const;

  // Returns the file that outputs must not replace; none if the clip is a pipe.
  std::vector<std::string> files() const;
};

// Adds CLIP, --size, --pixel-format and --pattern to a subcommand. `options` must outlive it.
// Parsing throws Error (kInvalidArgument) for a wrong size or format.
void add_clip_options(Command& command, ClipOptions& options);

// The same for a subcommand that takes several clips: CLIP adds to `paths`, which must outlive it,
// and `options` has what they share.
void add_clips_options(Command& command, ClipOptions& options, std::vector<std::string>& paths);

// Throws Error (kInvalidArgument) if several ranks would each read a clip that can be read only
// once.
void check_clip_of_ranks(const ClipOptions& options, int ranks);

// Opens the clip. Throws as VideoReader does, and Error (kIo) for a clip that is known to be
// truncated, unless only the first `frames` are wanted (not 0): they may be before the cut.
VideoReader open_clip(const ClipOptions& options, std::int64_t frames);

// Writes to stderr how the pictures of a clip are converted, turned and padded.
void note_clip(const VideoReader& reader);

// Writes notes to stderr once the clip was read: that it is truncated, has lost pictures or, unless
// the command keeps the times of pictures, has frames of different durations.
void note_end_of_clip(const ClipOptions& options, const VideoReader& reader,
                      bool keeps_times = false);

// Returns the line of a table about lost pictures; "" if there are none.
std::string losses_text(const ClipLosses& losses);

// Returns the number of frames a run over a clip will read; 0 if unknown. `frames` as above.
std::int64_t expected_frames(const VideoReader& reader, std::int64_t frames);

// "1 frame", "2 frames".
std::string frames_text(std::int64_t frames);

// Writes a note to stderr; nothing if it is empty.
void note(const std::string& sentence);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_CLIP_CLIP_OPTIONS_H_
