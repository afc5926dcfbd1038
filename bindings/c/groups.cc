// SPDX-License-Identifier: Apache-2.0
#include <millrace/bindings/c/call.h>

#include <cstddef>
#include <memory>
#include <string>

namespace millrace::c {

extern "C" {

millrace_status millrace_group_open_version(int32_t header_version, const char* names,
                                            millrace_group** group) {
  return call([&] {
    check_version(header_version);
    check_not_null(names, "names");
    check_not_null(group, "group");
    std::shared_ptr<GroupObject> made(new GroupObject{open_device_group(names), {}});
    *group = make_handle<millrace_group>(HandleKind::kGroup, std::move(made));
  });
}

millrace_status millrace_group_size(const millrace_group* group, size_t* devices) {
  return call([&] {
    check_not_null(devices, "devices");
    *devices = find_handle<GroupObject>(group, {HandleKind::kGroup, "group"})->group.size();
  });
}

millrace_status millrace_group_describe(const millrace_group* group, size_t index,
                                        millrace_device_info* info) {
  return call([&] {
    const auto object = find_handle<GroupObject>(group, {HandleKind::kGroup, "group"});
    const std::size_t size = object->group.size();
    if (index >= size) {
      reject("index is " + std::to_string(index) + "; the group has " + std::to_string(size) +
             (size == 1 ? " device" : " devices") + ", counted from 0");
    }
    put_info(info, object->group.device(index)->info());
  });
}

millrace_status millrace_group_close(millrace_group* group) {
  return call([&] { free_handle(group, {HandleKind::kGroup, "group"}); });
}

}  // extern "C"

}  // namespace millrace::c
