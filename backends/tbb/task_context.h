// The Context (runtime/task.h) of tasks on the CPU: one thread is all the lanes of an item.
#ifndef MILLRACE_BACKENDS_TBB_TASK_CONTEXT_H_
#define MILLRACE_BACKENDS_TBB_TASK_CONTEXT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <millrace/backends/tbb/add_cache.h>
#include <millrace/backends/tbb/run_status.h>
#include <millrace/runtime/error.h>
#include <millrace/runtime/task_set.h>

namespace millrace::tbb_backend {

// What a worker keeps through a run.
template <class Set>
struct WorkerState {
  AddCache adds;
  std::array<std::uint64_t, Set::kTypes> tasks_run{};
  std::unique_ptr<std::byte[]> scratch;  // Set::kScratchBytes, from the first use on.
  bool scratch_taken = false;            // By a task that is waiting inside a nested algorithm.
};

// Lives through a burst of tasks on one thread. Where the tasks are inlined its members stay in
// registers, as long as nothing on the common path lets `this` escape.
// Worker: `WorkerState<Set> state; template <class T> void spawn(const T&)`.
template <class Set, class Worker>
class TaskContext {
 public:
  TaskContext(Worker& worker, RunStatus& status) : worker_(worker), status_(status) {}
  TaskContext(const TaskContext&) = delete;
  TaskContext& operator=(const TaskContext&) = delete;

  ~TaskContext() {
    release_scratch();
    put_sums(std::make_index_sequence<std::tuple_size_v<Sums>>());
    for (std::size_t i = 0; i < Set::kTypes; ++i) worker_.state.tasks_run[i] += tasks_run_[i];
  }

  static constexpr int lane() { return 0; }
  static constexpr int lanes() { return 1; }
  static constexpr void sync() {}

  template <Addable T>
  void add(T* target, std::type_identity_t<T> value) {
    Sum<T>& sum = std::get<Sum<T>>(sums_);
    if (sum.target != target) {
      if (sum.target != nullptr) worker_.state.adds.put(sum.target, sum.value);
      sum.target = target;
      sum.value = T{};
    }
    sum.value += value;
  }

  template <class T>
  void spawn(const T& task) {
    static_assert(Set::template kContains<T>, "spawned tasks are of the types of the set");
    worker_.spawn(task);
  }

  void fail(int code) { status_.fail(tag_, code); }

  template <class T>
  T* scratch(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
    const std::size_t begin = (scratch_used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    if (begin > Set::kScratchBytes || count > (Set::kScratchBytes - begin) / sizeof(T)) {
      throw Error(ErrorCode::kInvalidArgument,
                  "a task asked for " + std::to_string(count * sizeof(T)) + " bytes of scratch; " +
                      std::to_string(Set::kScratchBytes - scratch_used_) +
                      " are left of its set's kScratchBytes");
    }
    scratch_used_ = begin + count * sizeof(T);
    return reinterpret_cast<T*>(scratch_base() + begin);
  }

  template <class T>
  void run(const T& task) {
    tag_ = Set::template tag_of<T>();
    task(*this);
    ++tasks_run_[tag_];
    release_scratch();
  }

  // The type of the task that is running or ran last.
  TaskTag current_tag() const { return tag_; }

 private:
  template <class T>
  struct Sum {
    T* target = nullptr;
    T value{};
  };
  using Sums = std::tuple<Sum<std::int32_t>, Sum<std::uint32_t>, Sum<std::int64_t>,
                          Sum<std::uint64_t>, Sum<float>, Sum<double>>;

  template <std::size_t... kIndex>
  void put_sums(std::index_sequence<kIndex...>) {
    (put_sum(std::get<kIndex>(sums_)), ...);
  }
  template <class T>
  void put_sum(const Sum<T>& sum) {
    if (sum.target != nullptr) worker_.state.adds.put(sum.target, sum.value);
  }

  // The worker's own block, or, inside a task that is itself waiting on this thread, another.
  std::byte* scratch_base() {
    if (scratch_ == nullptr) {
      if (worker_.state.scratch_taken) {
        nested_scratch_ = std::make_unique<std::byte[]>(Set::kScratchBytes);
        scratch_ = nested_scratch_.get();
      } else {
        if (!worker_.state.scratch)
          worker_.state.scratch = std::make_unique<std::byte[]>(Set::kScratchBytes);
        worker_.state.scratch_taken = true;
        scratch_ = worker_.state.scratch.get();
      }
    }
    return scratch_;
  }

  void release_scratch() {
    if (Set::kScratchBytes == 0 || scratch_ == nullptr) return;
    if (!nested_scratch_) worker_.state.scratch_taken = false;
    nested_scratch_.reset();
    scratch_ = nullptr;
    scratch_used_ = 0;
  }

  Worker& worker_;
  RunStatus& status_;
  Sums sums_;
  std::array<std::uint64_t, Set::kTypes> tasks_run_{};
  std::size_t scratch_used_ = 0;
  std::byte* scratch_ = nullptr;
  std::unique_ptr<std::byte[]> nested_scratch_;
  TaskTag tag_ = 0;
};

// Calls `burst(context)`; what a task in it throws ends the run.
template <class Set, class Worker, class Burst>
void run_burst(Worker& worker, RunStatus& status, const Burst& burst) {
  TaskContext<Set, Worker> context(worker, status);
  try {
    burst(context);
  } catch (...) {
    status.fail_with_current_exception(context.current_tag());
  }
}

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_TASK_CONTEXT_H_
