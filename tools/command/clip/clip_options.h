// SPDX-License-Identifier: Apache-2.0

// Options of the subcommands of `millrace` that read a clip.
#ifndef MILLRACE_TOOLS_COMMAND_CLIP_CLIP_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_CLIP_CLIP_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/video/video_reader.h>

namespace millrace::tools {

struct ClipOptions {
  std::string path;
  VideoReaderOptions reading;

  // The path for people, and for names of files that are made.
  std::string name() const;

  // The file that outputs must not replace; none where the clip is a pipe.
  std::vector<std::string> files() const;
};

// Adds CLIP, --size, --pixel-format and --pattern to a subcommand. `options` must outlive it.
// Parsing throws Error (kInvalidArgument) for a size or a format that is none.
void add_clip_options(Command& command, ClipOptions& options);

// Throws Error (kInvalidArgument) where several ranks would each read a clip that can be read only
// once.
void check_clip_of_ranks(const ClipOptions& options, int ranks);

// Throws as VideoReader does, and Error (kIo) for a clip that is known to be truncated, unless
// `frames`, which are all that is asked for, is not 0: they may be before the cut.
VideoReader open_clip(const ClipOptions& options, std::int64_t frames);

// Writes to stderr what is to be known of a clip before it is read: how its pictures are converted,
// turned and padded.
void note_clip(const VideoReader& reader);

// Writes to stderr what is known once it was read: that it is truncated, has lost pictures or
// frames of different durations.
void note_end_of_clip(const ClipOptions& options, const VideoReader& reader);

// The line of a table about lost pictures; "" where there are none.
std::string losses_text(const ClipLosses& losses);

// Returns the number of frames a run over a clip will read; 0 if unknown. `frames` as above.
std::int64_t expected_frames(const VideoReader& reader, std::int64_t frames);

// "1 frame", "2 frames".
std::string frames_text(std::int64_t frames);

// Writes a sentence for people to stderr; nothing if it is empty.
void note(const std::string& sentence);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_CLIP_CLIP_OPTIONS_H_
