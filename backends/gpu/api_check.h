// SPDX-License-Identifier: Apache-2.0

// Checks at compile time that a target's api.h has most functions of backends/gpu/api.h with their
// types, but not those that take a kernel. The backend's sources include it, so it is compiled for
// each target.
#ifndef MILLRACE_BACKENDS_GPU_API_CHECK_H_
#define MILLRACE_BACKENDS_GPU_API_CHECK_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/core/memory_space.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace millrace::MILLRACE_GPU::internal {

template <class Expected, class Found>
inline constexpr bool kIs = std::is_same_v<Expected, Found>;

// Arguments of the calls below, which are not evaluated.
Stream a_stream();
StreamEvent an_event();
Texture a_texture();
void* memory();

// Devices.
static_assert(kIs<int, decltype(count_devices())>&& noexcept(count_devices()));
static_assert(kIs<std::string, decltype(why_no_device())>);
static_assert(kIs<gpu::Properties, decltype(properties(0))>);
static_assert(std::is_constructible_v<DeviceScope, int> &&
              !std::is_copy_constructible_v<DeviceScope>);
static_assert(kIs<bool, decltype(enable_peer(0))>);

// Memory.
static_assert(kIs<std::size_t, decltype(free_memory())>);
static_assert(kIs<void*, decltype(allocate_device(std::size_t{1}))>);
static_assert(kIs<void*, decltype(allocate_pinned(std::size_t{1}))>);
static_assert(noexcept(free_device(std::declval<void*>())));
static_assert(noexcept(free_pinned(std::declval<void*>())));
static_assert(kIs<MemorySpace, decltype(space_of(memory()))>);
static_assert(noexcept(space_of(std::declval<const void*>())));

// Streams and events.
static_assert(kIs<Stream, decltype(create_stream())>);
static_assert(kIs<void, decltype(check_stream(a_stream()))>);
static_assert(kIs<void, decltype(synchronize(a_stream()))>);
static_assert(kIs<bool, decltype(is_idle(a_stream()))>);
static_assert(kIs<void, decltype(copy(memory(), memory(), std::size_t{1}, a_stream()))>);
static_assert(kIs<void, decltype(fill(memory(), std::byte{0}, std::size_t{1}, a_stream()))>);
static_assert(kIs<StreamEvent, decltype(create_event())>);
static_assert(kIs<void, decltype(record(an_event(), a_stream()))>);
static_assert(kIs<void, decltype(wait_for(a_stream(), an_event()))>);
static_assert(kIs<bool, decltype(is_reached(an_event()))>);
static_assert(kIs<void, decltype(synchronize(an_event()))>);
static_assert(kIs<double, decltype(seconds_between(an_event(), an_event()))>);
static_assert(noexcept(destroy_stream(std::declval<Stream>())));
static_assert(noexcept(destroy_event(std::declval<StreamEvent>())));

// Textures.
static_assert(kIs<Texture, decltype(create_texture(memory(), std::size_t{1}, std::size_t{1},
                                                   std::size_t{16}))>);
static_assert(noexcept(destroy_texture(std::declval<Texture>())));

// Device side: threads, barriers and collectives.
static_assert(kIs<int, decltype(thread_index())> && kIs<int, decltype(block_threads())>);
static_assert(kIs<int, decltype(block_index())> && kIs<int, decltype(grid_blocks())>);
static_assert(kIs<int, decltype(warp_width())> && kIs<int, decltype(lane_index())>);
static_assert(kIs<char*, decltype(shared_memory())>);
static_assert(kIs<void, decltype(sync_block())> && kIs<void, decltype(sync_warp())>);
static_assert(kIs<double, decltype(shuffle(1.0, 0))>);
static_assert(kIs<float, decltype(shuffle_down(1.0F, 1))>);
static_assert(kIs<unsigned, decltype(shuffle_xor(1U, 1))>);
static_assert(kIs<gpu::LaneMask, decltype(ballot(true))>);
static_assert(kIs<void, decltype(wait_for_previous_kernel())>);
static_assert(kIs<void, decltype(launch_dependents())>);

// Device side: memory and time.
template <gpu::Scope scope, gpu::Order order>
using AtomicResult = decltype(atomic_add<scope, order>(std::declval<unsigned*>(), 1U));
static_assert(kIs<unsigned, AtomicResult<gpu::Scope::kBlock, gpu::Order::kRelaxed>>);
static_assert(kIs<unsigned, AtomicResult<gpu::Scope::kDevice, gpu::Order::kAcquireRelease>>);
static_assert(kIs<void, decltype(reduce_add(std::declval<double*>(), 1.0))>);
static_assert(kIs<void, decltype(fence<gpu::Scope::kDevice>())>);
static_assert(kIs<std::uint64_t, decltype(clock_cycles())>);
static_assert(kIs<void, decltype(pause(1U))>);
static_assert(kIs<gpu::Vector16, decltype(fetch(std::declval<Texture>(), 0, 0))>);

}  // namespace millrace::MILLRACE_GPU::internal

#endif  // MILLRACE_BACKENDS_GPU_API_CHECK_H_
