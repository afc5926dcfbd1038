// SPDX-License-Identifier: Apache-2.0

// What a test may set about how kernels are interleaved, and what devices are without. A change
// counts for launches that follow.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_SETTINGS_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_SETTINGS_H_

#include <cstdint>

namespace millrace::simt {

// Fixes every choice of the scheduler, together with the number of the stream and of the launch in
// it. At the start the environment variable MILLRACE_SIMT_SEED, or 1.
std::uint64_t seed();

// Counts the streams anew, so that the same seed gives the same interleavings again.
void set_seed(std::uint64_t seed);

// A launch is stopped with an Error after so many switches between GPU threads without progress: at
// the start 50 million, or 5 million under ASan and TSan, which are slower. Progress is: a thread
// ended, or an atomic operation changed a value. Barriers and collectives allow 4 times as many. A
// kernel that looks at the clock or at memory of Scope::kSystem may wait for the host, and is given
// 30 seconds as well.
std::uint64_t progress_limit();
void set_progress_limit(std::uint64_t switches);

// What some GPUs are without. A change counts for devices that are opened afterwards. At the start
// devices have all but what the environment variable MILLRACE_SIMT_WITHOUT names, as in
// "cooperative_launch,textures".
struct Features {
  bool has_cooperative_launch = true;
  bool has_textures = true;
};
// Throws kInvalidArgument where that variable has another word.
Features features();
void set_features(Features features);

// Whether to make or record an event throws kInternal, as a vendor's library may do; at the start
// it does not.
bool do_events_fail();
void let_events_fail(bool do_fail);

// The number of a new stream.
std::uint64_t next_stream_number();

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_SETTINGS_H_
