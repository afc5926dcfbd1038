// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>

#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace millrace {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Backend>, std::less<>> backends;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

std::string known_device_names() {
  std::string names;
  for (const DeviceInfo& device : list_devices())
    names += (names.empty() ? "" : ", ") + device.name;
  return names.empty() ? "none" : names;
}

// Says which backends are linked, for a device of another one.
std::string linked_backend_names() {
  std::string names;
  for (const Backend* backend : linked_backends()) {
    names += (names.empty() ? "" : ", ") + std::string(backend->name());
  }
  return "this build has the backends " + names + "; build with --config=NAME to add one";
}

}  // namespace

RegisterBackend::RegisterBackend(std::unique_ptr<Backend> backend) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const std::string name(backend->name());
  if (!all.backends.emplace(name, std::move(backend)).second) {
    reject("backend '" + name + "' is registered twice; each name may be used once");
  }
}

std::vector<Backend*> linked_backends() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::vector<Backend*> result;
  for (const auto& [name, backend] : all.backends) result.push_back(backend.get());
  return result;
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> result;
  for (Backend* backend : linked_backends()) {
    for (DeviceInfo& device : backend->list_devices()) result.push_back(std::move(device));
  }
  return result;
}

std::shared_ptr<Device> open_device(std::string_view name, int header_version) {
  check_header_version(header_version);
  const std::string_view wanted = name.substr(0, name.find(':'));
  bool is_linked = false;
  std::string why_not;
  for (Backend* backend : linked_backends()) {
    if (wanted != backend->name()) continue;
    is_linked = true;
    const std::vector<DeviceInfo> devices = backend->list_devices();
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const bool is_first_of_backend = i == 0 && name == backend->name();
      if (is_first_of_backend || name == devices[i].name) {
        return backend->open_device(static_cast<int>(i));
      }
    }
    if (devices.empty()) why_not = backend->why_empty();
  }
  const std::string reason = why_not.empty() ? "" : " (" + why_not + ")";
  throw Error(ErrorCode::kNotFound, "no device '" + std::string(name) + "'" + reason +
                                        "; there are: " + known_device_names() +
                                        (is_linked ? "" : "; " + linked_backend_names()));
}

std::string version_text(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
         std::to_string(version % 100);
}

void check_header_version(int header_version) {
  if (header_version == MILLRACE_VERSION) return;
  throw Error(ErrorCode::kUnsupported,
              "the program was compiled with the headers of Millrace " +
                  version_text(header_version) + " and runs with the library of Millrace " +
                  version_text(MILLRACE_VERSION) + "; recompile it with that library's headers");
}

}  // namespace millrace
