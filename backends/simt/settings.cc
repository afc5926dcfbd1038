#include <atomic>
#include <cstdlib>

#include <millrace/backends/simt/sanitizers.h>
#include <millrace/backends/simt/settings.h>

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

std::atomic<std::uint64_t> streams{0};

}  // namespace

std::uint64_t seed() { return the_seed().load(); }

void set_seed(std::uint64_t seed) {
  the_seed().store(seed);
  streams.store(0);
}

std::uint64_t progress_limit() { return the_progress_limit().load(); }

void set_progress_limit(std::uint64_t switches) { the_progress_limit().store(switches); }

std::uint64_t next_stream_number() { return streams.fetch_add(1); }

}  // namespace millrace::simt
