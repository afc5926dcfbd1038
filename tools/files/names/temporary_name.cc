// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/names/temporary_name.h>

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

namespace millrace::tools {
namespace {

// An entry of the table of names: a list that only grows, whose entries are reused. A signal
// handler reads it without a lock.
struct NameEntry {
  std::atomic<const char*> path = nullptr;  // Null: the entry is free.
  NameEntry* next = nullptr;
};

std::atomic<NameEntry*> entries = nullptr;
std::atomic<int> readers = 0;
static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler may not lock");

NameEntry* add_entry(const char* path) {
  for (NameEntry* entry = entries; entry != nullptr; entry = entry->next) {
    const char* none = nullptr;
    if (entry->path.compare_exchange_strong(none, path)) return entry;
  }
  auto* const entry = new NameEntry;  // Never deleted: a handler may be reading it.
  entry->path = path;
  entry->next = entries;
  while (!entries.compare_exchange_weak(entry->next, entry)) {
  }
  return entry;
}

void clear_entry(NameEntry* entry) {
  const char* const path = entry->path.exchange(nullptr);
  // A handler that is reading the text ends the process soon.
  if (readers == 0) delete[] path;
}

const char* copy_of(const std::string& path) {
  auto* const copy = new char[path.size() + 1];
  std::memcpy(copy, path.c_str(), path.size() + 1);
  return copy;
}

}  // namespace

TemporaryName::TemporaryName(std::string path)
    : path_(std::move(path)), entry_(add_entry(copy_of(path_))) {}

TemporaryName::TemporaryName(TemporaryName&& other) noexcept
    : path_(std::exchange(other.path_, {})), entry_(std::exchange(other.entry_, nullptr)) {}

TemporaryName& TemporaryName::operator=(TemporaryName&& other) noexcept {
  if (this == &other) return *this;
  remove();
  path_ = std::exchange(other.path_, {});
  entry_ = std::exchange(other.entry_, nullptr);
  return *this;
}

void TemporaryName::remove() noexcept {
  if (!path_.empty()) unlink(path_.c_str());
  forget();
}

void TemporaryName::forget() noexcept {
  if (entry_ != nullptr) clear_entry(static_cast<NameEntry*>(std::exchange(entry_, nullptr)));
  path_.clear();
}

std::string temporary_path_beside(const std::string& path) {
  static const unsigned process = std::random_device()();
  static std::atomic<unsigned> counter = 0;
  const std::string name = ".millrace-" + std::to_string(getpid()) + "-" + std::to_string(process) +
                           "-" + std::to_string(counter++) + ".part";
  return (std::filesystem::path(path).parent_path() / name).string();
}

void remove_temporary_files() noexcept {
  ++readers;
  for (const NameEntry* entry = entries; entry != nullptr; entry = entry->next) {
    const char* const path = entry->path;
    if (path != nullptr) unlink(path);
  }
  --readers;
}

}  // namespace millrace::tools
