// SPDX-License-Identifier: Apache-2.0

// The bytes of a clip: a file with random access, or a pipe that is read once.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_CLIP_INPUT_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_CLIP_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::tools {

// Reads from the first byte on. Used by one thread at a time.
class ClipInput {
 public:
  // Opens a file, a named pipe or a device; "-" is standard input. Waits for the first bytes.
  // Throws Error (kIo) if it cannot be read, is a folder or has no bytes.
  explicit ClipInput(const std::string& path);
  ~ClipInput();
  ClipInput(const ClipInput&) = delete;
  ClipInput& operator=(const ClipInput&) = delete;

  // The path that was given, for messages.
  const std::string& path() const { return path_; }

  // Returns true if the bytes can be read only once.
  bool is_pipe() const { return is_pipe_; }

  // Size of a file in bytes; 0 for a pipe.
  std::int64_t size() const { return size_; }

  // Returns a path by which another reader can open a file that is not a pipe.
  std::string file_path() const;

  // Returns the number of bytes read so far.
  std::int64_t position() const { return position_; }

  // Returns the first bytes, up to kStart of them; read() still returns them, too.
  std::string_view start() const { return start_; }
  static constexpr std::size_t kStart = 4096;

  // Reads the next bytes, fewer than `size` only at the end. Throws Error: kIo, or kCancelled if a
  // guard got a signal while waiting for a pipe.
  std::size_t read(void* bytes, std::size_t size);

  // Returns true if the file has no name any more: nobody else can open it to write more.
  bool is_removed() const;

  // Returns false if read_some() would wait for a pipe.
  bool has_bytes() const;

  // Reads the available bytes, waiting for at least one; 0 at the end. Throws as read() does.
  std::size_t read_some(void* bytes, std::size_t size);

 private:
  [[noreturn]] void fail(const std::string& sentence) const;
  [[noreturn]] void fail_to_read(int error) const;
  void open_descriptor();
  void check_kind();

  std::string path_;
  int descriptor_ = -1;
  bool is_pipe_ = false;
  std::int64_t size_ = 0;
  std::string start_;
  std::size_t start_read_ = 0;  // Bytes of start_ that were read.
  std::int64_t position_ = 0;
};

// Returns true for "-", the names of standard input in /dev and /proc, and links to them.
bool is_standard_input(const std::string& path);

// Returns true if `path` is standard input, a pipe or a device: reading it has an effect.
bool is_clip_pipe(const std::string& path);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_CLIP_INPUT_H_
