// SPDX-License-Identifier: Apache-2.0

// Uses Kokkos's objects as Millrace's and the reverse, without copies, for applications that use
// both.
//
//   Kokkos::View<float*> values("values", 1000);
//   auto queue = millrace::kokkos::make_queue(Kokkos::DefaultExecutionSpace());
//   copy(*queue, millrace::kokkos::span_of(values), host.span());
//
// An execution space of the host is a device "kokkos:...". A Kokkos::Cuda or Kokkos::HIP instance
// is a stream of the device "cuda:N" or "hip:N", whose backend must be linked too.
//
// The application may initialize and finalize Kokkos. Otherwise Millrace initializes it when it
// first needs it, and finalizes it at the end of the process. After Kokkos::finalize(), runs throw
// kDeviceLost, memory that Millrace has allocated stays valid, and Kokkos reports the use of Views.
//
// A source that includes this header is compiled like those that include Kokkos_Core.hpp.
#ifndef MILLRACE_BACKENDS_KOKKOS_INTEROP_H_
#define MILLRACE_BACKENDS_KOKKOS_INTEROP_H_

#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/backends/kokkos/host_space_name.h>
#include <millrace/backends/kokkos/kokkos_threads.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/core/queue.h>

#include <Kokkos_Core.hpp>

#include <memory>
#include <string>
#include <type_traits>

namespace millrace::kokkos {

// ---- Execution spaces

// States whether a space's instances are streams of a GPU backend, and of which one. Specialize it
// for other such spaces.
template <class Space>
struct StreamSpace {
  static constexpr bool kIsOne = false;
};
#ifdef KOKKOS_ENABLE_CUDA
template <>
struct StreamSpace<Kokkos::Cuda> {
  static constexpr bool kIsOne = true;
  static std::string device_name(const Kokkos::Cuda& instance) {
    return "cuda:" + std::to_string(instance.cuda_device());
  }
  static void* stream(const Kokkos::Cuda& instance) { return instance.cuda_stream(); }
  static Kokkos::Cuda instance(void* stream) {
    return Kokkos::Cuda(static_cast<cudaStream_t>(stream));
  }
};
#endif
#ifdef KOKKOS_ENABLE_HIP
template <>
struct StreamSpace<Kokkos::HIP> {
  static constexpr bool kIsOne = true;
  static std::string device_name(const Kokkos::HIP& instance) {
    return "hip:" + std::to_string(instance.hip_device());
  }
  static void* stream(const Kokkos::HIP& instance) { return instance.hip_stream(); }
  static Kokkos::HIP instance(void* stream) {
    return Kokkos::HIP(static_cast<hipStream_t>(stream));
  }
};
#endif

// Returns a queue whose work runs on `instance`, after all work launched there before. A stream
// outlives the queue. Throws kNotFound if the GPU's backend is not linked, and kDeviceLost after
// Kokkos::finalize().
template <class Space>
std::unique_ptr<Queue> make_queue(const Space& instance) {
  static_assert(Kokkos::is_execution_space<Space>::value);
  if constexpr (StreamSpace<Space>::kIsOne) {
    return open_device(StreamSpace<Space>::device_name(instance))
        ->make_queue({.stream = StreamSpace<Space>::stream(instance)});
  } else {
    return std::make_unique<cpu::CpuQueue>(open_device(HostSpaceName<Space>::kDevice),
                                           std::make_shared<KokkosThreads<Space>>(instance, 0));
  }
}

// Returns the instance of Space on which the queue's work runs. Launch there after queue.wait().
// Throws kInvalidArgument if the queue is of another space or none.
template <class Space>
Space execution_space(const Queue& queue) {
  static_assert(Kokkos::is_execution_space<Space>::value);
  if constexpr (StreamSpace<Space>::kIsOne) {
    const auto stream = queue.native_stream();
    if (stream && StreamSpace<Space>::device_name(Space()) == queue.device().info().name) {
      return StreamSpace<Space>::instance(*stream);
    }
  } else if (const auto* const of_cpu = dynamic_cast<const cpu::CpuQueue*>(&queue)) {
    const auto* const threads = dynamic_cast<const KokkosThreads<Space>*>(&of_cpu->threads());
    if (threads != nullptr) return threads->instance();
  }
  throw Error(ErrorCode::kInvalidArgument,
              "a queue of " + queue.device().info().name + " has no instance of Kokkos::" +
                  Space::name() + "; make the queue with millrace::kokkos::make_queue");
}

// ---- Memory

// Returns a view's elements, in their order in memory; the span keeps them alive. Throws
// kInvalidArgument for a view with gaps.
template <class View>
BufferSpan<typename View::value_type> span_of(const View& view) {
  static_assert(Kokkos::is_view<View>::value);
  if (!view.span_is_contiguous()) {
    throw Error(ErrorCode::kInvalidArgument,
                "the view '" + view.label() + "' is not contiguous: its " +
                    std::to_string(view.size()) + " elements span " + std::to_string(view.span()) +
                    "; copy it to a contiguous view");
  }
  return {view.data(), view.size(), std::make_shared<const View>(view)};
}

// Returns true if Kokkos may use memory in `space` of a device as KokkosSpace.
template <class KokkosSpace>
bool is_memory_of(const DeviceInfo& device, MemorySpace space) {
  const bool on_host = space != MemorySpace::kDevice || device.shares_host_memory;
  if constexpr (std::is_same_v<KokkosSpace, Kokkos::HostSpace>) return on_host;
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<KokkosSpace, Kokkos::CudaSpace>) {
    return device.target == "cuda" && space == MemorySpace::kDevice;
  }
  if constexpr (std::is_same_v<KokkosSpace, Kokkos::CudaHostPinnedSpace>) {
    return device.target == "cuda" && space == MemorySpace::kPinned;
  }
#endif
#ifdef KOKKOS_ENABLE_HIP
  if constexpr (std::is_same_v<KokkosSpace, Kokkos::HIPSpace>) {
    return device.target == "hip" && space == MemorySpace::kDevice;
  }
  if constexpr (std::is_same_v<KokkosSpace, Kokkos::HIPHostPinnedSpace>) {
    return device.target == "hip" && space == MemorySpace::kPinned;
  }
#endif
  return false;
}

template <class T, class KokkosSpace>
using BufferView = Kokkos::View<T*, KokkosSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// Returns a view of a buffer's elements, valid as long as the buffer; `device` is the one it was
// made on. Throws kInvalidArgument if KokkosSpace is another kind of memory.
template <class KokkosSpace, class T>
BufferView<T, KokkosSpace> view_of(const Device& device, Buffer<T>& buffer) {
  if (!is_memory_of<KokkosSpace>(device.info(), buffer.space())) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string(to_string(buffer.space())) + " memory of " + device.info().name +
                    " is not Kokkos's " + KokkosSpace::name() + "; name the space of that memory");
  }
  return BufferView<T, KokkosSpace>(buffer.data(), buffer.size());
}

}  // namespace millrace::kokkos

#endif  // MILLRACE_BACKENDS_KOKKOS_INTEROP_H_
