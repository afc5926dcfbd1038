// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as a device's stored costs of policies, a file of the user's cache.
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/tests/fuzz/input/input_file.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

namespace millrace {
namespace {

const DeviceInfo& device() {
  static const DeviceInfo info{
      .backend = "fuzz", .name = "fuzz", .target = "fuzz", .description = "", .compute_units = 2};
  return info;
}

// The file of the device's costs in a cache of this process alone.
std::unique_ptr<fuzz::InputFile> make_cache() {
  setenv("XDG_CACHE_HOME", "/", 1);
  auto file = std::make_unique<fuzz::InputFile>(
      policy_store_path(device()).lexically_relative("/").string());
  setenv("XDG_CACHE_HOME", file->folder().c_str(), 1);
  fuzz::require(policy_store_path(device()) == file->path(), "the cache is elsewhere");
  return file;
}

}  // namespace
}  // namespace millrace

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  static const std::unique_ptr<fuzz::InputFile> file = make_cache();
  file->write({data, size});
  fuzz::read_or_reject([&] {
    const StoredCosts stored = load_costs(device());
    fuzz::require(stored.problem.empty() == (stored.costs != nullptr),
                  "costs are neither there nor missing for a reason");
  });
  return 0;
}
