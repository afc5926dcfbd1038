// What subcommands of `millrace` that read a clip have in common.
#ifndef MILLRACE_TOOLS_COMMAND_CLIP_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_CLIP_OPTIONS_H_

#include <cstdint>
#include <string>

#include <millrace/tools/command/cli_forward.h>
#include <millrace/tools/video/video_reader.h>

namespace millrace::tools {

struct ClipOptions {
  std::string path;
  VideoReaderOptions raw_size;
};

// Adds CLIP and --size to a subcommand. `options` must outlive it. Parsing throws Error
// (kInvalidArgument) for a size that is none.
void add_clip_options(CLI::App& command, ClipOptions& options);

// Throws as VideoReader does, and Error (kIo) for a clip that is known to be truncated, unless
// `frames`, which are all that is asked for, is not 0: they may be before the cut.
VideoReader open_clip(const ClipOptions& options, std::int64_t frames);

// How many frames a run over a clip will read; 0 if unknown. `frames` as above.
std::int64_t expected_frames(const VideoReader& reader, std::int64_t frames);

// "1 frame", "2 frames".
std::string frames_text(std::int64_t frames);

// Writes a sentence for people to stderr; nothing if it is empty.
void note(const std::string& sentence);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_CLIP_OPTIONS_H_
