// Files that are read and written at places, by several threads at once.
#ifndef MILLRACE_TOOLS_FILES_PLACED_FILE_H_
#define MILLRACE_TOOLS_FILES_PLACED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::tools {

// All members may be called from any thread. What fails throws Error(kIo) with the name and the
// system's reason.
class PlacedFile {
 public:
  // To be read. Throws Error(kIo) unless it is a regular file.
  static PlacedFile open(const std::string& path);

  // To be written and read back: a new file in a folder, which has no name there and is gone with
  // this object, whatever ends the process. Empty for the current folder. Errors name it by the
  // folder and its use: "/tmp (for sorted runs)".
  static PlacedFile make_nameless(const std::string& folder, const std::string& use);

  PlacedFile(PlacedFile&& other) noexcept;
  PlacedFile& operator=(PlacedFile&& other) noexcept;
  ~PlacedFile();

  // As errors name it.
  const std::string& name() const { return name_; }

  // When it was opened.
  std::uint64_t bytes() const { return bytes_; }

  // All of the bytes from `place` on; throws Error(kIo) if the file ends before.
  void read(std::uint64_t place, void* data, std::size_t bytes) const;

  void write(std::uint64_t place, const void* data, std::size_t bytes) const;

 private:
  PlacedFile(std::string name, int descriptor, std::uint64_t bytes);

  std::string name_;
  int descriptor_;
  std::uint64_t bytes_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_PLACED_FILE_H_
