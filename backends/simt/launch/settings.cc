// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/launch/sanitizers.h>
#include <millrace/backends/simt/launch/settings.h>
#include <millrace/runtime/core/check.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

namespace millrace::simt {
namespace {

std::uint64_t seed_of_environment() {
  const char* text = std::getenv("MILLRACE_SIMT_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

std::atomic<std::uint64_t>& the_seed() {
  static std::atomic<std::uint64_t> value{seed_of_environment()};
  return value;
}

std::atomic<std::uint64_t>& the_progress_limit() {
  static std::atomic<std::uint64_t> value{
      has_address_sanitizer() || has_thread_sanitizer() ? std::uint64_t{5'000'000} : 50'000'000};
  return value;
}

Features features_of_environment() {
  Features features;
  const char* const text = std::getenv("MILLRACE_SIMT_WITHOUT");
  std::istringstream words(text == nullptr ? "" : text);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "cooperative_launch") {
      features.has_cooperative_launch = false;
    } else if (word == "textures") {
      features.has_textures = false;
    } else {
      reject("MILLRACE_SIMT_WITHOUT contains '" + word +
             "'; use cooperative_launch or textures, separated by a comma");
    }
  }
  return features;
}

std::atomic<Features>& the_features() {
  static std::atomic<Features> value{features_of_environment()};
  return value;
}

std::atomic<std::size_t> memory{std::size_t{1} << 30};
std::atomic<bool> events_fail{false};
std::mutex failing_launches_mutex;
std::uint64_t launches_before_failure = 0;
std::uint64_t failing_launches = 0;
std::mutex on_wait_mutex;
std::function<void()> on_wait_function;
std::atomic<std::uint64_t> streams{0};

}  // namespace

std::uint64_t seed() { return the_seed().load(); }

void set_seed(std::uint64_t seed) {
  the_seed().store(seed);
  streams.store(0);
}

std::uint64_t progress_limit() { return the_progress_limit().load(); }

void set_progress_limit(std::uint64_t switches) { the_progress_limit().store(switches); }

Features features() { return the_features().load(); }

void set_features(Features features) { the_features().store(features); }

std::size_t memory_bytes() { return memory.load(); }

void set_memory_bytes(std::size_t bytes) { memory.store(bytes); }

bool do_events_fail() { return events_fail.load(); }

void let_events_fail(bool do_fail) { events_fail.store(do_fail); }

void let_launches_fail(std::uint64_t skipped, std::uint64_t count) {
  const std::lock_guard lock(failing_launches_mutex);
  launches_before_failure = skipped;
  failing_launches = count;
}

bool does_launch_fail() {
  const std::lock_guard lock(failing_launches_mutex);
  if (failing_launches == 0) return false;
  if (launches_before_failure > 0) {
    --launches_before_failure;
    return false;
  }
  --failing_launches;
  return true;
}

std::uint64_t launches_to_fail() {
  const std::lock_guard lock(failing_launches_mutex);
  return failing_launches;
}

void begin_to_wait() {
  const std::lock_guard lock(on_wait_mutex);
  if (on_wait_function) on_wait_function();
}

void set_on_wait(std::function<void()> on_wait) {
  const std::lock_guard lock(on_wait_mutex);
  on_wait_function = std::move(on_wait);
}

std::uint64_t next_stream_number() { return streams.fetch_add(1); }

}  // namespace millrace::simt
