// SPDX-License-Identifier: Apache-2.0

// Settings for tests: the interleaving of kernels, and memory and missing features of devices. A
// change applies to later launches.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_SETTINGS_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_SETTINGS_H_

#include <cstddef>
#include <cstdint>
#include <functional>

namespace millrace::simt {

// Returns the seed. With the numbers of the stream and of the launch in it, it determines every
// choice of the scheduler. The initial value is that of the environment variable
// MILLRACE_SIMT_SEED, or 1.
std::uint64_t seed();

// Sets the seed, and numbers streams from 0 again, so that the same seed gives the same
// interleavings.
void set_seed(std::uint64_t seed);

// The number of switches between GPU threads without progress after which a launch is stopped with
// an Error. Initially 50 million, or 5 million under ASan and TSan, which are slower. Progress
// means that a thread ended, or that an atomic operation changed a value. With barriers and
// collectives the limit is 4 times as high. A kernel that reads the clock or memory of
// Scope::kSystem may be waiting for the host, and gets at least 30 seconds.
std::uint64_t progress_limit();
void set_progress_limit(std::uint64_t switches);

// Features that some GPUs do not have. A change applies to devices that are opened afterwards.
// Initially devices have all features but those in the environment variable MILLRACE_SIMT_WITHOUT,
// as in "cooperative_launch,textures".
struct Features {
  bool has_cooperative_launch = true;
  bool has_textures = true;
};
// Throws kInvalidArgument if that variable contains another word.
Features features();
void set_features(Features features);

// The memory of each device in bytes. A change applies to devices that are opened afterwards.
// Initially 1 GiB.
std::size_t memory_bytes();
void set_memory_bytes(std::size_t bytes);

// Returns true if creating and recording events throws kInternal, as a vendor's library may do.
// Initially false.
bool do_events_fail();
void let_events_fail(bool do_fail);

// Lets `count` launches after the next `skipped` throw kOutOfMemory, as a vendor's library may do.
// Replaces what an earlier call has set. Initially no launch throws.
void let_launches_fail(std::uint64_t skipped, std::uint64_t count);
// Counts a launch that begins. Returns true if it is to throw.
bool does_launch_fail();
// Returns the number of launches that are still to throw.
std::uint64_t launches_to_fail();

// Calls the function set last, if any, of a thread that begins to wait until a stream is idle, on
// that thread. The function must not wait for a stream or change the setting.
void begin_to_wait();
void set_on_wait(std::function<void()> on_wait);

// Returns the number of a new stream.
std::uint64_t next_stream_number();

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_SETTINGS_H_
