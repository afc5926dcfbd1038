// Whether sensors and relays are connected, found from their places alone.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_RELAY_CHECK_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_RELAY_CHECK_H_

#include <millrace/algorithms/three_star/relay_position.h>

#include <cstdint>
#include <span>

namespace millrace::three_star {

// How much further than the radius a relay may be, in parts of it: its place is rounded.
inline constexpr double kRelaySlack = 1e-9;

// Into how many parts they fall, none of which hears another: two sensors hear each other at a
// distance of at most `radius`, exactly, a relay and another node to within kRelaySlack.
std::uint64_t count_components(std::span<const Position> sensors, std::span<const Position> relays,
                               std::int32_t radius);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_RELAY_CHECK_H_
