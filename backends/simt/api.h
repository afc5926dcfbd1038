// SPDX-License-Identifier: Apache-2.0

// The calls of backends/gpu/api.h on simulated devices: GPU sources run on the CPU, for tests.
//
// Behaviour that a GPU leaves undefined stops the launch here with an Error, which
// synchronize(stream) or is_idle(stream) throws: threads of a block at different barriers, lanes of
// a warp in different collectives, a thread that returns while others wait for it, a shuffle from a
// missing lane, an atomic operation whose scope does not fit its memory, a texture read out of
// range, a grid that makes no progress. AddressSanitizer reports memory accesses out of range, and
// ThreadSanitizer data races between GPU threads; both know the simulated threads. A launch's
// interleaving is random and follows from MILLRACE_SIMT_SEED (settings.h).
#ifndef MILLRACE_BACKENDS_SIMT_API_H_
#define MILLRACE_BACKENDS_SIMT_API_H_

#include <millrace/backends/gpu/api_types.h>
#include <millrace/backends/simt/atomics.h>
#include <millrace/backends/simt/device_calls.h>
#include <millrace/backends/simt/host/devices.h>
#include <millrace/backends/simt/host/stream.h>
#include <millrace/backends/simt/host/texture.h>

#include <cstddef>
#include <functional>
#include <tuple>
#include <utility>

#define MILLRACE_GPU simt_backend
#define MILLRACE_KERNEL

namespace millrace::simt_backend {

template <class... P, class... A>
void launch(void (*kernel)(P...), const gpu::LaunchShape& shape, Stream stream, A&&... arguments) {
  stream->launch([kernel, parameters = std::tuple<P...>(
                              std::forward<A>(arguments)...)] { std::apply(kernel, parameters); },
                 shape);
}

template <class Body>
MILLRACE_KERNEL void body_kernel(const Body body) {
  body();
}

template <class... P>
int resident_blocks(void (* /*kernel*/)(P...), int threads, std::size_t shared_bytes) {
  return simt::resident_blocks(threads, shared_bytes);
}

}  // namespace millrace::simt_backend

#endif  // MILLRACE_BACKENDS_SIMT_API_H_
