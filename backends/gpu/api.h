// SPDX-License-Identifier: Apache-2.0

// The calls GPU sources are written in: the same names over CUDA, HIP and simt.
//
// A GPU source includes this, puts its code into namespace millrace::MILLRACE_GPU, and is compiled
// once for each target by that target's compiler (gpu_library of backends/gpu/gpu_library.bzl), so
// all targets live in one program. The build defines MILLRACE_GPU_API, the target's own api.h,
// which defines
//
//   MILLRACE_GPU       the target's namespace: cuda_backend, hip_backend or simt_backend
//   MILLRACE_KERNEL    marks a kernel, a function (template) that returns void
//
// and, in namespace millrace::MILLRACE_GPU, plain functions and types. Host side, each throws Error
// (kDeviceLost for an error the device cannot recover from, kInternal for other refusals) unless it
// says otherwise, and may be called from any thread; the thread's device is the one of its
// DeviceScope.
//
//   constexpr char kBackend[]                  "cuda", "hip" or "simt"
//   int count_devices() noexcept               0 where the driver or the hardware is missing
//   std::string why_no_device()                the reason in words when there is none, else empty
//   gpu::Properties properties(int device)
//   DeviceScope(int device)                    while it lives, this thread's calls are for that
//                                              device, and then for what its caller's were for;
//                                              over HIP for its caller's device, in the context
//                                              that is the runtime's own
//   bool enable_peer(int device)               whether this thread's device can copy from that
//                                              device without the host: from then on it does
//   std::size_t free_memory()                  bytes of device memory
//   void* allocate_device(std::size_t bytes)   aligned to 256 bytes; null when there is no room
//   void* allocate_pinned(std::size_t bytes)   host memory at one address for host and device
//   void free_device(void*) noexcept, free_pinned(void*) noexcept
//                                              of memory that no work in flight uses; neither waits
//                                              for a device where the vendor can do without
//   MemorySpace space_of(const void*) noexcept what others have allocated or registered with the
//                                              vendor, too; kHost for what the vendor does not know
//
//   Stream, create_stream(), destroy_stream(Stream) noexcept
//   void check_stream(Stream)                  throws kInvalidArgument for one that is known to be
//                                              of another device or context
//   void synchronize(Stream)                   throws what kernels of the stream did wrong
//   bool is_idle(Stream)                       throws the same; never blocks
//   void copy(void* target, const void* source, std::size_t bytes, Stream)    any two spaces; has
//                                              read or written pageable memory when it returns
//   void fill(void* target, std::byte value, std::size_t bytes, Stream)       device or pinned
//   StreamEvent, create_event(), destroy_event(StreamEvent) noexcept
//   void record(StreamEvent, Stream), wait_for(Stream, StreamEvent)
//   bool is_reached(StreamEvent), void synchronize(StreamEvent)
//   double seconds_between(StreamEvent, StreamEvent)
//
//   void launch(kernel, const gpu::LaunchShape&, Stream, arguments...)
//     enqueues; arguments are converted to the kernel's parameter types and copied
//   body_kernel<Body>
//     a kernel whose one argument is a Body: every thread calls its `void operator()() const`. For
//     arguments that are large: it stays where the hardware keeps arguments, and is not copied.
//     Registers are budgeted by its constants kMostThreads, what a block may have, and
//     kWantedBlocks, of such blocks a multiprocessor is to hold
//   int resident_blocks(kernel, int threads, std::size_t shared_bytes)
//     how many such blocks a multiprocessor holds at once, 0 if none; allows the kernel that much
//     shared memory
//
//   Texture, create_texture(const void* data, width, height, row_bytes), destroy_texture(Texture)
//     2-D, of gpu::Vector16 elements in device memory, read by place; sizes are checked by the
//     caller against Properties
//
// Device side (simt's differ in one thing: barriers and collectives take the caller's place as a
// last, defaulted argument):
//
//   int thread_index(), block_threads(), block_index(), grid_blocks()   of one dimension
//   int warp_width(), lane_index()
//   char* shared_memory()                      the block's, as many bytes as its launch asked for
//   void sync_block()                          all threads of the block that have not exited
//   void sync_warp()                           all lanes; also orders their memory accesses
//   T shuffle(T value, int lane)               all lanes call; T of 4 or 8 bytes
//   T shuffle_down(T value, int delta), shuffle_xor(T value, int mask)
//   gpu::LaneMask ballot(bool)                 all lanes call; shuffles and ballots order nothing
//   void wait_for_kernel_before()              what all threads of a launch that may begin early
//                                              call, but those that do nothing: then what is
//                                              before it in the stream has ended, and what that
//                                              has written is there
//   void let_next_begin()                      called after that, by the same threads: a launch
//                                              behind this one need not wait for the end of this
//                                              block to begin early
//   void exit_thread()                         ends this thread, or its whole warp (AMD); barriers
//   go
//                                              on without what has ended
//
//   template <Scope, Order, T> on integers of 4 and 8 bytes:
//   T atomic_load(const T*), void atomic_store(T*, T)
//   T atomic_add(T*, T), atomic_exchange(T*, T), atomic_max(T*, T)      return the old value
//   T atomic_compare_exchange(T*, T expected, T desired)                returns the old value
//   void reduce_add(T*, T)                     relaxed, device scope, returns nothing; also for
//                                              float and double
//   template <Scope> void fence()              acquires and releases, for the thread that calls it,
//                                              as std::atomic_thread_fence of acq_rel
//
//   std::uint32_t sum_absolute_differences<Sample>(std::uint32_t a, b, sum)
//                                              `sum` and the absolute differences of the samples of
//                                              two words: four std::uint8_t or two std::uint16_t
//   std::uint32_t permute_bytes<kSelector>(std::uint32_t a, b)
//                                              the bytes that the last four hexadecimal digits of
//                                              kSelector name, lowest last: 0 to 3 are a's, 4 to 7
//                                              b's, lowest first
//   std::uint32_t min_halves(std::uint32_t a, b), max_halves(a, b)
//                                              of two unsigned numbers of 16 bits each
//
//   std::uint64_t clock_cycles()               of this multiprocessor, some 1 or 2 a nanosecond
//   void pause(unsigned nanoseconds)           about so long, waiting for other warps or the host
//   gpu::Vector16 fetch(Texture, int x, int y)
//
// Lanes of a warp may run in step (AMD) or not: no lane may wait in a loop for another lane of its
// warp, and a collective is called by all lanes of the warp or none.
#ifndef MILLRACE_BACKENDS_GPU_API_H_
#define MILLRACE_BACKENDS_GPU_API_H_

#include MILLRACE_GPU_API
#include <millrace/backends/gpu/api_types.h>

#endif  // MILLRACE_BACKENDS_GPU_API_H_
