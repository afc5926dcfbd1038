// SPDX-License-Identifier: Apache-2.0

// lost_rank throw|die: ranks of which one is lost while the others wait for it. It never succeeds.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/exchange.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tools/command/common/ranks.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

namespace millrace {
namespace {

constexpr int kLost = 2;

void throw_where_nobody_agrees(Communicator& world) {
  if (world.rank() == kLost) throw Error(ErrorCode::kIo, "nobody is notified of this");
  all_sum(world, 1);
}

// Every rank sends every other a block of many messages; one dies once it has the first block.
void die_while_blocks_travel(Communicator& world) {
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 20;
  const auto queue = open_device(conformance::some_device_name())->make_queue();
  const auto ranks = static_cast<std::size_t>(world.size());
  const std::vector<std::byte> sent(kBytes);
  std::vector<std::byte> received(kBytes * ranks);
  std::vector<SendBlock> sends;
  std::vector<ReceiveBlock> receives;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    sends.push_back({static_cast<int>(rank), sent.data(), kBytes});
    receives.push_back({static_cast<int>(rank), received.data() + rank * kBytes, kBytes});
  }
  exchange({world, *queue, std::size_t{1} << 12}, MemorySpace::kHost, sends, receives,
           [&](std::size_t) {
             if (world.rank() == kLost) std::raise(SIGKILL);
           });
}

}  // namespace
}  // namespace millrace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  millrace::Communicator& world = millrace::world_communicator();
  millrace::tools::run_on_rank(world, [&] {
    if (std::string_view(argv[1]) == "throw") {
      millrace::throw_where_nobody_agrees(world);
    } else {
      millrace::die_while_blocks_travel(world);
    }
  });
  std::puts("no rank was lost");
}
