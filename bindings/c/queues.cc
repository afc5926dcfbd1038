// SPDX-License-Identifier: Apache-2.0
#include <millrace/bindings/c/call.h>

#include <cstddef>

namespace millrace::c {
namespace {

QueueOptions options_of(const millrace_queue_options* given) {
  if (given == nullptr) return {};
  const auto options = read_struct(given, "options", &millrace_queue_options::stream);
  QueueOptions result{.concurrency = options.concurrency,
                      .task_memory_bytes = options.task_memory_bytes};
  if (options.uses_stream != 0) result.stream = options.stream;
  return result;
}

}  // namespace

extern "C" {

millrace_status millrace_queue_create(millrace_device* device,
                                      const millrace_queue_options* options,
                                      millrace_queue** queue) {
  return call([&] {
    check_not_null(queue, "queue");
    std::shared_ptr<Queue> made = find_device(device)->make_queue(options_of(options));
    *queue = make_handle<millrace_queue>(HandleKind::kQueue, std::move(made));
  });
}

millrace_status millrace_queue_wait(millrace_queue* queue) {
  return call([&] { find_queue(queue)->wait(); });
}

millrace_status millrace_queue_free(millrace_queue* queue) {
  return call([&] { free_handle(queue, {HandleKind::kQueue, "queue"}); });
}

}  // extern "C"

}  // namespace millrace::c
