// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/launch/fiber.h>
#include <millrace/backends/simt/launch/sanitizers.h>
#include <millrace/runtime/core/error.h>

#include <boost/context/detail/fcontext.hpp>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace millrace::simt {
namespace {

// The flag __tsan_switch_to_fiber_no_sync.
constexpr unsigned kWithoutSynchronisation = 1;

void* map(void* address, std::size_t bytes, int protection, int flags) {
  void* mapping =
      mmap(address, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  if (mapping != MAP_FAILED) return mapping;
  throw Error(ErrorCode::kOutOfMemory, "could not allocate a simulated GPU thread's stack of " +
                                           std::to_string(bytes) + " bytes");
}

// Returns an offset for a stack's top. Without it, the tops of stacks at multiples of a power of
// two would share the same sets of the cache.
std::size_t next_colour() {
  static std::atomic<std::size_t> count{0};
  return count.fetch_add(1, std::memory_order_relaxed) % 64 * 64;
}

}  // namespace

// The function that Boost calls on a stack's first use. It is outside the class's interface because
// it names Boost's types.
struct Fiber::Arrival {
  __attribute__((no_sanitize("thread"))) static void begin(
      boost::context::detail::transfer_t from) {
    auto& previous = *static_cast<Fiber*>(from.data);
    Fiber& self = *previous.next_;
    self.arrive(previous, from.fctx);
    // An ended fiber waits here for the next prepare(), because ASan's part of a stack is slow to
    // set up.
    while (true) {
      Fiber& next = self.entry_(self.argument_);
      self.has_ended_ = true;
      self.switch_to(next);
    }
  }
};

Fiber::Fiber() : thread_sanitizer_(has_thread_sanitizer() ? __tsan_get_current_fiber() : nullptr) {}

Fiber::Fiber(std::size_t stack_bytes) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  mapping_bytes_ = stack_bytes + 2 * page;
  mapping_ = map(nullptr, mapping_bytes_, PROT_NONE, 0);
  stack_bottom_ = static_cast<std::byte*>(mapping_) + page;
  stack_bytes_ = stack_bytes + page - next_colour();
}

Fiber::~Fiber() {
  if (mapping_ == nullptr) return;
  if (thread_sanitizer_ != nullptr) __tsan_destroy_fiber(thread_sanitizer_);
  if (has_address_sanitizer()) __asan_unpoison_memory_region(mapping_, mapping_bytes_);
  munmap(mapping_, mapping_bytes_);
}

void Fiber::prepare(Entry entry, void* argument) {
  entry_ = entry;
  argument_ = argument;
  if (!std::exchange(has_ended_, false)) begin_anew();
}

// Discards the sanitizers' state of the stack, which is stale: ASan's red zones, and
// ThreadSanitizer's call stack and accesses. Fresh memory makes ThreadSanitizer forget the latter.
void Fiber::begin_anew() {
  if (has_address_sanitizer()) __asan_unpoison_memory_region(stack_bottom_, stack_bytes_);
  if (context_ == nullptr || has_thread_sanitizer()) {
    map(stack_bottom_, stack_bytes_, PROT_READ | PROT_WRITE, MAP_FIXED);
  }
  if (thread_sanitizer_ != nullptr) __tsan_destroy_fiber(thread_sanitizer_);
  if (has_thread_sanitizer()) thread_sanitizer_ = __tsan_create_fiber(0);
  address_sanitizer_ = nullptr;
  context_ = boost::context::detail::make_fcontext(
      static_cast<std::byte*>(stack_bottom_) + stack_bytes_, stack_bytes_, &Arrival::begin);
}

__attribute__((no_sanitize("thread"))) void Fiber::switch_to(Fiber& next) {
  jump_to(next, &address_sanitizer_);
}

__attribute__((no_sanitize("thread"))) void Fiber::leave_to(Fiber& next) {
  jump_to(next, nullptr);
  std::terminate();
}

__attribute__((no_sanitize("thread"))) void Fiber::jump_to(Fiber& next, void** fake_stack) {
  next_ = &next;
  if (has_address_sanitizer()) {
    __sanitizer_start_switch_fiber(fake_stack, next.stack_bottom_, next.stack_bytes_);
  }
  if (has_thread_sanitizer()) {
    __tsan_switch_to_fiber(next.thread_sanitizer_, kWithoutSynchronisation);
  }
  const auto from = boost::context::detail::jump_fcontext(next.context_, this);
  arrive(*static_cast<Fiber*>(from.data), from.fctx);
}

__attribute__((no_sanitize("thread"))) void Fiber::arrive(Fiber& previous, void* previous_context) {
  previous.context_ = previous_context;
  if (!has_address_sanitizer()) return;
  // The bounds of a thread's own stack become known when it is first left.
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(address_sanitizer_, &bottom, &bytes);
  if (previous.mapping_ != nullptr) return;
  previous.stack_bottom_ = const_cast<void*>(bottom);
  previous.stack_bytes_ = bytes;
}

}  // namespace millrace::simt
