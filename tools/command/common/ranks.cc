// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/files/names/file_name.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

// Returns the names of the devices of a backend.
std::vector<std::string> devices_of(const std::string& backend) {
  std::vector<std::string> names;
  for (const DeviceInfo& device : list_devices()) {
    if (device.backend == backend) names.push_back(device.name);
  }
  return names;
}

std::vector<std::string> preferred_devices() {
  const std::string first = default_device();
  return devices_of(first.substr(0, first.find(':')));
}

// Returns the full name of a device, without opening it. Throws for one that does not exist.
std::string full_name(const std::string& name) {
  for (const DeviceInfo& device : list_devices()) {
    if (name == device.name || name == device.backend) return device.name;
  }
  return open_named_device(name)->info().name;  // Throws with the names there are.
}

// Returns the full names of the devices in the list. Throws if one is there twice.
std::vector<std::string> devices_in(const std::string& names) {
  std::vector<std::string> devices;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string name = names.substr(begin, end - begin);
    if (name.empty()) {
      reject("'" + names + "' has an empty device name; write one comma between names");
    }
    devices.push_back(full_name(name));
    if (std::find(devices.begin(), devices.end() - 1, devices.back()) != devices.end() - 1) {
      reject("device '" + devices.back() + "' is twice in --device " + names +
             "; name it once, or alone for all ranks to share it");
    }
    begin = end + 1;
  }
  return devices;
}

// Returns true if `name` stands for all devices of a backend; the CPU is named like its backend.
bool is_of_all(const std::string& name) {
  const std::vector<std::string> devices = devices_of(name);
  return !devices.empty() && devices.front() != name;
}

// Returns the one of these devices that is this rank's own on its machine.
std::string own_device(const Communicator& communicator, const std::vector<std::string>& devices,
                       const std::string& names) {
  const auto position = static_cast<std::size_t>(communicator.local_rank());
  if (static_cast<std::size_t>(communicator.local_size()) <= devices.size())
    return devices[position];
  reject("--device " + names + " names fewer devices (" + std::to_string(devices.size()) +
         ") than there are ranks on this machine (" + std::to_string(communicator.local_size()) +
         "); name one for each rank, or one that all share");
}

// Waits without using a core.
void wait_for(Transfer& message) {
  constexpr std::chrono::milliseconds kPollInterval(20);
  while (!message.is_done()) std::this_thread::sleep_for(kPollInterval);
}

// Returns the exit status of a command that threw this, or nothing.
std::int32_t status_of(const std::exception_ptr& thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
    return 0;
  } catch (const ExitStatus& end) {
    return end.status();
  } catch (...) {
    return kFailedStatus;
  }
}

// Rethrows. Ranks other than 0 print the message first, because main() prints only that of rank 0.
void end(const Communicator& communicator, const std::exception_ptr& thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ExitStatus&) {
    throw;  // An exit status needs no message.
  } catch (const std::exception& error) {
    if (communicator.rank() > 0) {
      std::cerr << "millrace: rank " << communicator.rank() << ": " << words_of(error) << '\n';
    }
    throw;
  }
}

void run_and_notify(Communicator& communicator, const std::vector<int>& sleepers,
                    const std::function<void()>& run) {
  std::exception_ptr thrown;
  try {
    run();
  } catch (...) {
    thrown = std::current_exception();
  }
  const std::int32_t status = status_of(thrown);
  for (const int rank : sleepers) {
    wait_for(*communicator.send(rank, MessageTag::kControl, &status, sizeof status));
  }
  end(communicator, thrown);
}

void sleep_until_notified(Communicator& communicator, const std::vector<int>& runners) {
  const InterruptGuard leaves_signals_to_runners;
  std::int32_t worst = 0;
  for (const int rank : runners) {
    std::int32_t status = 0;
    wait_for(*communicator.receive(rank, MessageTag::kControl, &status, sizeof status));
    worst = std::max(worst, status);
  }
  if (worst != 0) throw ExitStatus(worst);
}

// Collective. Calls `run` on the ranks with `is_runner`, with their number.
void run_on_some(Communicator& communicator, bool is_runner,
                 const std::function<void(std::size_t runners)>& run) {
  std::vector<char> all(static_cast<std::size_t>(communicator.size()));
  const char mine = is_runner ? 1 : 0;
  communicator.all_gather(&mine, sizeof mine, all.data());
  std::vector<int> runners;
  std::vector<int> sleepers;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    (all[static_cast<std::size_t>(rank)] != 0 ? runners : sleepers).push_back(rank);
  }
  if (is_runner) {
    run_and_notify(communicator, sleepers, [&] { run(runners.size()); });
  } else {
    sleep_until_notified(communicator, runners);
  }
}

void say(const Communicator& communicator, const std::string& words) {
  if (communicator.rank() == 0) std::cerr << "millrace: " << words << '\n';
}

}  // namespace

std::string words_of(const std::exception& error) {
  const bool is_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return is_memory ? "the run needs more memory than this process may have" : error.what();
}

std::shared_ptr<Device> open_rank_device(const Communicator& communicator,
                                         const std::string& names) {
  if (names.empty()) {
    const std::vector<std::string> devices = preferred_devices();
    return open_device(
        devices[static_cast<std::size_t>(communicator.local_rank()) % devices.size()]);
  }
  if (is_of_all(names)) return open_device(own_device(communicator, devices_of(names), names));
  const std::vector<std::string> devices = devices_in(names);
  if (devices.size() == 1) return open_device(devices.front());
  return open_device(own_device(communicator, devices, names));
}

QueueOptions rank_queue_options(const Communicator& communicator, const Device& device) {
  const DeviceInfo& info = device.info();
  if (!info.shares_host_memory) return {};
  return {.concurrency = std::max(1, info.compute_units / communicator.local_size())};
}

DeviceGroup open_rank_group(const Communicator& communicator, const std::string& names) {
  std::vector<std::shared_ptr<Device>> devices = {open_rank_device(communicator, names)};
  const QueueOptions options = rank_queue_options(communicator, *devices[0]);
  return DeviceGroup(std::move(devices), std::span(&options, 1));
}

std::string sample_of_file(const std::string& path) {
  constexpr std::uintmax_t kEnd = std::uintmax_t{1} << 16;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return "";
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) return "";
  std::string bytes(std::min(size, 2 * kEnd), '\0');
  const std::size_t front = bytes.size() / 2;
  file.read(bytes.data(), static_cast<std::streamsize>(front));
  file.seekg(static_cast<std::streamoff>(size - (bytes.size() - front)));
  file.read(bytes.data() + front, static_cast<std::streamsize>(bytes.size() - front));
  return std::to_string(size) + ' ' + bytes;
}

void require_file_of_all_ranks(const Communicator& communicator, const std::string& path) {
  if (communicator.size() == 1) return;
  if (!is_pipe(path) && !descriptor_in(path, NameUse::kInput)) return;
  reject(shown_name(path, NameUse::kInput) +
         " is no file that all ranks can read; save it as a file and name that");
}

int signal_of_any(Communicator& communicator, const InterruptGuard& interrupt) {
  for (const int signal : all_gather(communicator, interrupt.signal())) {
    if (signal != 0) return signal;
  }
  return 0;
}

void end_all_ranks(const Communicator& communicator, const std::exception& error) {
  // MPICH's launcher loses what it has not read by the end: one write, and time for it.
  constexpr std::chrono::milliseconds kTimeToBeRead(200);
  std::cerr << "millrace: rank " + std::to_string(communicator.rank()) + ": " + words_of(error) +
                   '\n';
  std::this_thread::sleep_for(kTimeToBeRead);
  abort_world(kFailedStatus);
}

void run_on_rank_0(Communicator& communicator, const std::string& command,
                   const std::function<void()>& run) {
  if (communicator.size() == 1) return run();
  say(communicator, command + " works on rank 0 alone");
  run_on_some(communicator, communicator.rank() == 0, [&](std::size_t) { run(); });
}

void run_on_each_machine(Communicator& communicator, const std::string& command,
                         const std::function<void(const std::string& machine)>& run) {
  if (communicator.size() == 1) return run("");
  say(communicator, command + " works on one rank of each machine");
  run_on_some(communicator, communicator.local_rank() == 0, [&](std::size_t machines) {
    run(machines == 1 ? "" : "-rank" + std::to_string(communicator.rank()));
  });
}

std::string path_of_machine(const std::string& path, const std::string& machine) {
  std::filesystem::path result(path);
  if (!result.has_filename()) result = result.parent_path();  // "folder/".
  const std::string extension = result.extension().string();
  return result.replace_extension().string() + machine + extension;
}

}  // namespace millrace::tools
