// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/host_memory.h>
#include <millrace/runtime/host/host_threads.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

// Highway compiles this file once for each instruction set; it must see it by its own name.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/host/host_memory.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace millrace::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Copies `bytes`, a multiple of a cache line, to `target`, which must be aligned to one.
void copy_lines(std::uint8_t* HWY_RESTRICT target, const std::uint8_t* HWY_RESTRICT source,
                std::size_t bytes) {
  const hn::CappedTag<std::uint8_t, 64> vector;
  for (std::size_t i = 0; i < bytes; i += hn::Lanes(vector)) {
    hn::Stream(hn::LoadU(vector, source + i), vector, target + i);
  }
  hwy::FlushStream();
}

}  // namespace millrace::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace {
namespace {

HWY_EXPORT(copy_lines);

namespace fs = std::filesystem;

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

void touch(char* memory, std::size_t bytes) {
  const std::size_t pages = (bytes + kHugePage - 1) / kHugePage;
  HostThreads::shared().for_each(pages, [=](std::size_t i) {
    const std::size_t end = std::min(bytes, (i + 1) * kHugePage);
    for (std::size_t at = i * kHugePage; at < end; at += page_bytes()) memory[at] = 0;
  });
}

constexpr std::size_t kNoLimit = std::numeric_limits<std::ptrdiff_t>::max();

// Returns the number behind a word of a file, or `otherwise` if there is none.
std::size_t number_behind(const fs::path& file, const std::string& wanted, std::size_t otherwise) {
  std::ifstream text(file);
  for (std::string word; text >> word;) {
    std::size_t number = 0;
    if (word == wanted && text >> number) return number;
  }
  return otherwise;
}

// Returns the number in a file, or `otherwise` if the file contains "max" for no limit.
std::size_t number_in(const fs::path& file, std::size_t otherwise) {
  std::size_t number = 0;
  return std::ifstream(file) >> number ? number : otherwise;
}

// Returns a size from /proc/meminfo in bytes.
std::size_t of_machine(const fs::path& root, const std::string& name) {
  const std::size_t most_kibibytes = kNoLimit >> 10;
  return number_behind(root / "proc/meminfo", name, most_kibibytes) << 10;
}

// Returns the folders of the process's control group and of those that contain it, as far as they
// are visible: in a container its own group may be the root.
std::vector<fs::path> groups(const fs::path& root) {
  const fs::path top = root / "sys/fs/cgroup";
  std::vector<fs::path> folders = {top};
  std::ifstream text(root / "proc/self/cgroup");
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("0::/")) continue;
    fs::path folder = top;
    for (const fs::path& name : fs::path(line.substr(4))) {
      folder /= name;
      folders.push_back(folder);
    }
  }
  return folders;
}

// Returns the bytes that a group can still take before its limit.
std::size_t left_in(const fs::path& group) {
  const std::size_t most = number_in(group / "memory.max", kNoLimit);
  if (most == kNoLimit) return kNoLimit;
  const fs::path statistics = group / "memory.stat";
  const std::size_t in_caches =
      number_behind(statistics, "inactive_file", 0) + number_behind(statistics, "active_file", 0);
  const std::size_t used = number_in(group / "memory.current", 0);
  return most - std::min(most, used - std::min(used, in_caches));
}

}  // namespace

std::size_t memory_limit(const std::string& root) {
  std::size_t least = of_machine(root, "MemTotal:");
  for (const fs::path& group : groups(root)) {
    least = std::min(least, number_in(group / "memory.max", kNoLimit));
  }
  return least;
}

std::size_t available_memory(const std::string& root) {
  std::size_t least = of_machine(root, "MemAvailable:");
  for (const fs::path& group : groups(root)) least = std::min(least, left_in(group));
  return least;
}

void* allocate_touched(std::size_t bytes) {
  const bool is_large = bytes >= kHugePage;
  // Touching more than is available would make the kernel kill a process.
  if (is_large && bytes > available_memory()) return nullptr;
  const std::size_t alignment = is_large ? kHugePage : page_bytes();
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  std::unique_ptr<void, decltype(&free_host_memory)> memory(std::aligned_alloc(alignment, whole),
                                                            &free_host_memory);
  if (!memory) return nullptr;
  // This is advice, so a failure is ignored.
  if (is_large) madvise(memory.get(), whole, MADV_HUGEPAGE);
  touch(static_cast<char*>(memory.get()), whole);
  return memory.release();
}

void* allocate_untouched(std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  const bool is_large = bytes >= kHugePage / 2;
  const std::size_t alignment = is_large ? kHugePage : kLine;
  // Less than half of a huge page at the end has ordinary pages.
  const std::size_t huge = (bytes + kHugePage / 2) / kHugePage * kHugePage;
  const std::size_t least = std::max<std::size_t>(is_large ? std::max(bytes, huge) : bytes, 1);
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, least) != 0) return nullptr;
  // This is advice, so a failure is ignored.
  if (is_large) madvise(memory, huge, MADV_HUGEPAGE);
  return memory;
}

void free_host_memory(void* memory) noexcept { std::free(memory); }

void streaming_copy(std::uint8_t* target, const std::uint8_t* source, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(target) % kLine;
  const std::size_t head = misaligned == 0 ? 0 : std::min(bytes, kLine - misaligned);
  const std::size_t lines = (bytes - head) / kLine * kLine;
  std::memcpy(target, source, head);
  HWY_DYNAMIC_DISPATCH(copy_lines)(target + head, source + head, lines);
  std::memcpy(target + head + lines, source + head + lines, bytes - head - lines);
}

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
#endif  // HWY_ONCE
