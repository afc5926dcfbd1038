#include <millrace/runtime/host_memory.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <string>

#include <millrace/runtime/host_threads.h>
#include <millrace/runtime/streaming_copy.h>

namespace millrace {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

// What the system can give without taking it from others. Touching more would have it kill a
// process.
std::size_t available_bytes() {
  std::ifstream memory("/proc/meminfo");
  for (std::string word; memory >> word;) {
    std::size_t kibibytes = 0;
    if (word == "MemAvailable:" && memory >> kibibytes) return kibibytes << 10;
  }
  return std::numeric_limits<std::ptrdiff_t>::max();
}

void touch(char* memory, std::size_t bytes) {
  const std::size_t pages = (bytes + kHugePage - 1) / kHugePage;
  HostThreads::shared().for_each(pages, [=](std::size_t i) {
    const std::size_t end = std::min(bytes, (i + 1) * kHugePage);
    for (std::size_t at = i * kHugePage; at < end; at += page_bytes()) memory[at] = 0;
  });
}

}  // namespace

void* allocate_touched(std::size_t bytes) {
  const bool is_large = bytes >= kHugePage;
  if (is_large && bytes > available_bytes()) return nullptr;
  const std::size_t alignment = is_large ? kHugePage : page_bytes();
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  std::unique_ptr<void, decltype(&free_touched)> memory(std::aligned_alloc(alignment, whole),
                                                        &free_touched);
  if (!memory) return nullptr;
  // Advice: without effect where it is not followed.
  if (is_large) madvise(memory.get(), whole, MADV_HUGEPAGE);
  touch(static_cast<char*>(memory.get()), whole);
  return memory.release();
}

void free_touched(void* memory) noexcept { std::free(memory); }

void copy_host_memory(void* target, const void* source, std::size_t bytes) {
  constexpr std::size_t kPiece = std::size_t{512} << 10;
  constexpr std::size_t kLikelyCached = std::size_t{8} << 20;
  auto* const to = static_cast<std::uint8_t*>(target);
  const auto* const from = static_cast<const std::uint8_t*>(source);
  HostThreads::shared().for_each((bytes + kPiece - 1) / kPiece, [=](std::size_t i) {
    const std::size_t begin = i * kPiece;
    const std::size_t piece = std::min(kPiece, bytes - begin);
    if (bytes > kLikelyCached) {
      streaming_copy(to + begin, from + begin, piece);
    } else {
      std::memcpy(to + begin, from + begin, piece);
    }
  });
}

}  // namespace millrace
