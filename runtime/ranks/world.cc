// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/world.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

namespace millrace {
namespace {

WorldMaker& registered() {
  static WorldMaker maker;
  return maker;
}

// Returns true if the environment variables of Open MPI, of MPICH and its relatives, or of PMIx
// state that a launcher has started several processes.
bool is_launched_with_others() {
  constexpr const char* kSizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS",
                                    "MV2_COMM_WORLD_SIZE"};
  bool is_size_known = false;
  for (const char* name : kSizes) {
    const char* const size = std::getenv(name);
    if (size != nullptr && std::string_view(size) != "1") return true;
    is_size_known = is_size_known || size != nullptr;
  }
  return !is_size_known && std::getenv("PMIX_RANK") != nullptr;
}

int number_in(const char* text) {
  int number = 0;
  std::from_chars(text, text + std::strlen(text), number);
  return number;
}

class SelfCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int local_rank() const override { return 0; }
  int local_size() const override { return 1; }
  std::unique_ptr<Transfer> send(int /*target*/, MessageTag /*tag*/, const void* /*data*/,
                                 std::size_t /*bytes*/) override {
    throw Error(ErrorCode::kInternal,
                "send() was called, but there is only one rank; start more by mpirun");
  }
  std::unique_ptr<Transfer> receive(int /*source*/, MessageTag /*tag*/, void* /*data*/,
                                    std::size_t /*bytes*/) override {
    throw Error(ErrorCode::kInternal,
                "receive() was called, but there is only one rank; start more by mpirun");
  }
  bool takes_device_memory(const std::string& /*target*/) const override { return false; }
  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    if (bytes > 0) std::memcpy(all, mine, bytes);
  }
  void broadcast(void* /*data*/, std::size_t /*bytes*/, int /*root*/) override {}
  void all_sum(std::uint64_t* /*values*/, std::size_t /*count*/) override {}
};

std::unique_ptr<Communicator> make_world() {
  if (!is_launched_with_others()) return make_self_communicator();
  if (registered().world) return registered().world();
  throw Error(ErrorCode::kUnsupported,
              "this process was started as one of several, but this program was built without MPI "
              "(bazel build --config=mpi; Debian, Ubuntu: apt install libopenmpi-dev)");
}

}  // namespace

std::unique_ptr<Communicator> make_self_communicator() {
  return std::make_unique<SelfCommunicator>();
}

Communicator& world_communicator() {
  static const std::unique_ptr<Communicator> world = make_world();
  return *world;
}

std::unique_ptr<Communicator> make_subcommunicator(int ranks) {
  const int all = world_communicator().size();
  check_range("ranks", ranks, 1, all);
  return all == 1 ? make_self_communicator() : registered().subcommunicator(ranks);
}

int launched_rank() {
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "PMIX_RANK"}) {
    if (const char* const rank = std::getenv(name)) return number_in(rank);
  }
  return 0;
}

void abort_world(int status) {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  if (world_communicator().size() > 1 && registered().abort) registered().abort(status);
  std::_Exit(status);
}

RegisterWorld::RegisterWorld(WorldMaker maker) {
  if (registered().world) {
    reject("a world is registered already; link only one library that provides it");
  }
  registered() = std::move(maker);
}

}  // namespace millrace
