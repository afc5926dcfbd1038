// SPDX-License-Identifier: Apache-2.0

// The calls in which GPU sources are written: the same names over CUDA, HIP and simt.
//
// A GPU source includes this header and puts its code into namespace millrace::MILLRACE_GPU. It is
// compiled once for each target by that target's compiler (gpu_library of
// backends/gpu/gpu_library.bzl), so one program can contain all targets. The build defines
// MILLRACE_GPU_API, the path of the target's own api.h, which defines
//
//   MILLRACE_GPU       the target's namespace: cuda_backend, hip_backend or simt_backend
//   MILLRACE_KERNEL    marks a kernel, a function (template) that returns void
//
// and, in namespace millrace::MILLRACE_GPU, the functions and types below. Sources that call none
// of the device side may be host_srcs of a gpu_library: the host's compiler compiles them with the
// target's host_api.h instead of api.h, which has the host side without launches.
//
// Host side. Unless stated otherwise, each function throws Error (kDeviceLost for an error that the
// device cannot recover from, kOutOfMemory if the vendor's library had too little memory for the
// call, kInternal for other failures) and may be called from any thread. The current device of a
// thread is that of its DeviceScope.
//
//   constexpr char kBackend[]                  "cuda", "hip" or "simt"
//   int count_devices() noexcept               0 if the driver or the hardware is missing
//   std::string why_no_device()                the reason if there is no device; else empty
//   gpu::Properties properties(int device)
//   DeviceScope(int device)                    makes the device current on this thread while it
//                                              lives, then restores the caller's device and
//                                              context; over HIP the caller's device, in the
//                                              runtime's own context
//   bool enable_peer(int device)               enables copies from that device to the current one
//                                              that bypass the host; false if that is impossible
//   std::size_t free_memory()                  bytes of free device memory
//   void* allocate_device(std::size_t bytes)   aligned to 256 bytes; null if memory is short
//   void* allocate_pinned(std::size_t bytes)   host memory at one address for host and device
//   void free_device(void*) noexcept, free_pinned(void*) noexcept
//                                              no work in flight may use the memory; they wait for
//                                              a device only if the vendor requires it
//   MemorySpace space_of(const void*) noexcept also for memory that others have allocated or
//                                              registered with the vendor; kHost for memory that
//                                              the vendor does not know
//
//   Stream, create_stream(), destroy_stream(Stream) noexcept
//   void check_stream(Stream)                  throws kInvalidArgument if the stream is known to be
//                                              of another device or context
//   void synchronize(Stream)                   waits; throws the errors of the stream's kernels
//   bool is_idle(Stream)                       throws the same; never blocks
//   void copy(void* target, const void* source, std::size_t bytes, Stream)
//                                              between any two spaces; has read or written pageable
//                                              memory when it returns
//   void fill(void* target, std::byte value, std::size_t bytes, Stream)
//                                              device or pinned memory
//   StreamEvent, create_event(), destroy_event(StreamEvent) noexcept
//   void record(StreamEvent, Stream), wait_for(Stream, StreamEvent)
//   bool is_reached(StreamEvent), void synchronize(StreamEvent)
//   double seconds_between(StreamEvent, StreamEvent)
//
//   void launch(kernel, const gpu::LaunchShape&, Stream, arguments...)
//                                              enqueues the kernel; arguments are converted to its
//                                              parameter types and copied
//   body_kernel<Body>                          a kernel with one argument, a Body; every thread
//                                              calls its `void operator()() const`. It is for large
//                                              arguments: the Body stays where the hardware keeps
//                                              arguments, and is not copied. Its constants limit
//                                              registers: kMaxThreads is the largest block, and
//                                              kTargetBlocks the number of such blocks that a
//                                              multiprocessor is to hold
//   int resident_blocks(kernel, int threads, std::size_t shared_bytes)
//                                              number of such blocks that a multiprocessor holds at
//                                              once, 0 if none; allows the kernel that much shared
//                                              memory
//
//   Texture, create_texture(const void* data, width, height, row_bytes), destroy_texture(Texture)
//                                              2-D, of gpu::Vector16 elements in device memory,
//                                              read by index; the caller checks sizes against
//                                              Properties
//
// Device side. In simt, barriers and collectives have one more argument, defaulted: the caller's
// source location.
//
//   int thread_index(), block_threads(), block_index(), grid_blocks()   of one dimension
//   int warp_width(), lane_index()
//   char* shared_memory()                      of the block, of the size that its launch requested
//   void sync_block()                          all threads of the block that have not exited
//   void sync_warp()                           all lanes; also orders their memory accesses
//   T shuffle(T value, int lane)               all lanes call; T has 4 or 8 bytes
//   T shuffle_down(T value, int delta), shuffle_xor(T value, int mask)
//   gpu::LaneMask ballot(bool)                 all lanes call; shuffles and ballots order nothing
//   void wait_for_previous_kernel()            called in launches with is_dependent_launch by all
//                                              threads that do any work; returns when the stream's
//                                              earlier kernels have ended and their writes are
//                                              visible
//   void launch_dependents()                   called after that, by the same threads; the next
//                                              launch with is_dependent_launch may then start
//                                              before this block ends
//   void exit_thread()                         ends this thread, or its whole warp (AMD); barriers
//                                              no longer wait for it, and order its memory accesses
//                                              as if it had arrived
//
//   template <Scope, Order, T> on integers of 4 and 8 bytes:
//   T atomic_load(const T*), void atomic_store(T*, T)
//   T atomic_add(T*, T), atomic_exchange(T*, T), atomic_max(T*, T)      return the old value
//   T atomic_compare_exchange(T*, T expected, T desired)                returns the old value
//   T atomic_min(T*, T)                        on unsigned integers, device scope, relaxed; returns
//                                              the old value
//   void reduce_add(T*, T)                     relaxed, device scope, returns nothing; also for
//                                              float and double
//   template <Scope> void fence()              acquires and releases, for the calling thread, as
//                                              std::atomic_thread_fence(memory_order_acq_rel)
//
//   std::uint32_t sum_absolute_differences<Sample>(std::uint32_t a, b, sum)
//                                              `sum` plus the absolute differences of the samples
//                                              of two words: four std::uint8_t or two std::uint16_t
//   std::uint32_t permute_bytes<kSelector>(std::uint32_t a, b)
//                                              the bytes selected by the last four hexadecimal
//                                              digits of kSelector, the last digit selects the
//                                              lowest byte: 0 to 3 select a's bytes, 4 to 7 b's,
//                                              lowest first
//   std::uint32_t min_halves(std::uint32_t a, b), max_halves(a, b)
//                                              of two unsigned numbers of 16 bits each
//
//   std::uint64_t clock_cycles()               of this multiprocessor, 1 or 2 per nanosecond
//   void pause(unsigned nanoseconds)           sleeps about that long, to wait for other warps or
//                                              the host
//   gpu::Vector16 fetch(Texture, int x, int y)
//
// Lanes of a warp may run in lockstep (AMD) or not. So no lane may wait in a loop for another lane
// of its warp, and a collective is called by all lanes of the warp or by none.
#ifndef MILLRACE_BACKENDS_GPU_API_H_
#define MILLRACE_BACKENDS_GPU_API_H_

// Marks functions that kernels inline, which keeps the state of a lane in registers.
// hipcc limits the variables of a function; without optimization all of them together exceed it.
#if defined(__HIPCC__) && !defined(__OPTIMIZE__)
#define MILLRACE_KERNEL_FUNCTION MILLRACE_FUNCTION inline
#else
#define MILLRACE_KERNEL_FUNCTION MILLRACE_INLINE_FUNCTION
#endif

#include MILLRACE_GPU_API
#include <millrace/backends/gpu/api_types.h>

#endif  // MILLRACE_BACKENDS_GPU_API_H_
