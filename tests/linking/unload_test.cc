// SPDX-License-Identifier: Apache-2.0

// libmillrace.so leaves a process as it was: when it is unloaded none of its threads stays, nor one
// of oneTBB's; and a process that ends waits for nothing.
#include <millrace/c/millrace.h>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<int> detached_threads = 0;

}  // namespace

// Counts the threads that anything in the process detaches, shared libraries included: they find
// this function before that of the C library.
extern "C" int pthread_detach(pthread_t thread) noexcept {
  ++detached_threads;
  static const auto detach =
      reinterpret_cast<int (*)(pthread_t)>(dlsym(RTLD_NEXT, "pthread_detach"));
  return detach(thread);
}

namespace {

namespace fs = std::filesystem;

const char* const kLibrary = "tools/bazel/install_files/libmillrace.so";

std::set<std::string> threads_here() {
  std::set<std::string> threads;
  for (const auto& entry : fs::directory_iterator("/proc/self/task")) {
    threads.insert(entry.path().filename());
  }
  return threads;
}

// Waits until the system lists no thread but those of `before`; one that has ended leaves the list
// a moment later. A thread that stays makes this wait for ever: it shows as the target's timeout.
void wait_for_threads_beyond(const std::set<std::string>& before) {
  const auto was_there = [&](const std::string& thread) { return before.contains(thread); };
  while (!std::ranges::all_of(threads_here(), was_there)) std::this_thread::yield();
}

// Waits until no thread but the calling one runs.
void wait_for_sleep() {
  const std::string own = std::to_string(gettid());
  const auto sleeps = [&](const std::string& thread) {
    std::ifstream file("/proc/self/task/" + thread + "/stat");
    std::string stat;
    std::getline(file, stat);  // Empty where it has ended.
    return thread == own || stat.empty() || stat[stat.rfind(')') + 2] == 'S';
  };
  while (!std::ranges::all_of(threads_here(), sleeps)) std::this_thread::yield();
}

bool is_mapped(const std::string& file) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(file) != std::string::npos) return true;
  }
  return false;
}

// The library's calls, by a handle of its own.
class Library {
 public:
  Library() : handle_(dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) ADD_FAILURE() << dlerror();
  }
  ~Library() { dlclose(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  template <class Function>
  Function* get(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(handle_, name));
  }

  // A queue on a device, neither of which is freed.
  millrace_queue* make_queue(const char* device_name, millrace_device** device) const {
    const auto open = get<decltype(millrace_device_open_version)>("millrace_device_open_version");
    const auto create = get<decltype(millrace_queue_create)>("millrace_queue_create");
    millrace_queue* queue = nullptr;
    EXPECT_EQ(open(MILLRACE_VERSION, device_name, device), MILLRACE_OK);
    EXPECT_EQ(create(*device, nullptr, &queue), MILLRACE_OK);
    return queue;
  }

  void free(millrace_queue* queue, millrace_device* device) const {
    get<decltype(millrace_queue_free)>("millrace_queue_free")(queue);
    get<decltype(millrace_device_close)>("millrace_device_close")(device);
  }

  bool sorts(millrace_queue* queue, std::size_t count) const {
    std::vector<std::uint32_t> keys;
    for (std::uint32_t i = 0; i < count; ++i) keys.push_back(i * 2654435761u);
    millrace_sort_arguments arguments{};
    arguments.size = sizeof(arguments);
    arguments.count = keys.size();
    arguments.keys_in = keys.data();
    arguments.keys_out = keys.data();
    arguments.key_type = MILLRACE_U32;
    return get<decltype(millrace_sort)>("millrace_sort")(queue, &arguments) == MILLRACE_OK &&
           std::is_sorted(keys.begin(), keys.end());
  }

  // Uses the team of host threads, among others.
  bool counts_three_stars(millrace_queue* queue) const {
    std::vector<millrace_point> points;
    for (std::int32_t i = 0; i < 3000; ++i) points.push_back({i * 7919 % 2003, i * 10007 % 1999});
    std::uint64_t found = 0;
    return get<decltype(millrace_three_star_count)>("millrace_three_star_count")(
               queue, points.data(), points.size(), 50, &found) == MILLRACE_OK &&
           found > 0;
  }

  // Work that nobody waits for, which a thread of the queue's does.
  void start_a_copy(millrace_queue* queue, millrace_device* device) const {
    millrace_buffer* buffer = nullptr;
    static const std::vector<char> source(1 << 20);
    EXPECT_EQ(get<decltype(millrace_buffer_create)>("millrace_buffer_create")(
                  device, MILLRACE_HOST, source.size(), &buffer),
              MILLRACE_OK);
    EXPECT_EQ(get<decltype(millrace_copy_in)>("millrace_copy_in")(queue, buffer, 0, source.data(),
                                                                  source.size()),
              MILLRACE_OK);
    get<decltype(millrace_buffer_free)>("millrace_buffer_free")(buffer);
  }

 private:
  void* const handle_;
};

// A use of a library before it is unloaded.
struct Use {
  const char* name;
  bool is_of_gpus;  // A child of fork() is rejected those of its parent.
  std::function<void(const Library&)> with;
};

const Use kUses[] = {
    {"nothing", false, [](const Library&) {}},
    {"an error", false,
     [](const Library& library) {
       millrace_device* device = nullptr;
       const auto open =
           library.get<decltype(millrace_device_open_version)>("millrace_device_open_version");
       EXPECT_NE(open(MILLRACE_VERSION, "abacus", &device), MILLRACE_OK);
       EXPECT_STRNE(library.get<decltype(millrace_error_message)>("millrace_error_message")(), "");
     }},
    {"sorts by the CPU", false,
     [](const Library& library) {
       millrace_device* device = nullptr;
       millrace_queue* const queue = library.make_queue("tbb", &device);
       EXPECT_TRUE(library.sorts(queue, 300'000));
       library.free(queue, device);
     }},
    {"a sort by a simulated GPU", true,
     [](const Library& library) {
       millrace_device* device = nullptr;
       millrace_queue* const queue = library.make_queue("simt:0", &device);
       EXPECT_TRUE(library.sorts(queue, 20'000));
       library.free(queue, device);
     }},
    {"3-stars", false,
     [](const Library& library) {
       millrace_device* device = nullptr;
       millrace_queue* const queue = library.make_queue("tbb", &device);
       EXPECT_TRUE(library.counts_three_stars(queue));
       library.free(queue, device);
     }},
    {"a copy that nobody waits for", false,
     [](const Library& library) {
       millrace_device* device = nullptr;
       millrace_queue* const queue = library.make_queue("tbb", &device);
       library.start_a_copy(queue, device);
       library.free(queue, device);
     }},
    {"handles that nobody frees", true,
     [](const Library& library) {
       millrace_device* device = nullptr;
       EXPECT_TRUE(library.sorts(library.make_queue("tbb", &device), 300'000));
       EXPECT_TRUE(library.sorts(library.make_queue("simt:0", &device), 1000));
     }},
    {"sorts by other threads", false,
     [](const Library& library) {
       std::vector<std::thread> threads;
       for (int i = 0; i < 3; ++i) {
         threads.emplace_back([&library] {
           millrace_device* device = nullptr;
           millrace_queue* const queue = library.make_queue("tbb", &device);
           EXPECT_TRUE(library.sorts(queue, 300'000));
           library.free(queue, device);
         });
       }
       for (std::thread& thread : threads) thread.join();
     }},
};

class Unload : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kLibrary)) GTEST_SKIP() << kLibrary << " is not here";
  }
};

TEST_F(Unload, LeavesNoThreadBehind) {
  const std::set<std::string> before = threads_here();
  for (const Use& use : kUses) {
    SCOPED_TRACE(use.name);
    for (int round = 0; round < 5; ++round) {
      use.with(Library());
      wait_for_threads_beyond(before);
      ASSERT_FALSE(is_mapped("libmillrace")) << "the library is still there";
    }
  }
}

TEST_F(Unload, LeavesNoThreadBehindAHundredTimes) {
  const std::set<std::string> before = threads_here();
  for (int round = 0; round < 100; ++round) {
    kUses[2].with(Library());
    wait_for_threads_beyond(before);
  }
  EXPECT_FALSE(is_mapped("libmillrace"));
}

// Nobody can wait until a detached thread has left the code that is unloaded.
TEST_F(Unload, DetachesNoThread) {
  for (const Use& use : kUses) {
    SCOPED_TRACE(use.name);
    const int before = detached_threads;
    {
      const Library library;
      use.with(library);
      wait_for_sleep();  // Meanwhile oneTBB's workers find that nothing is left for them.
    }
    EXPECT_EQ(detached_threads, before);
  }
}

// Returns the status of a child that does `work`; a signal's number is above 128.
int status_of_child(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    std::exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST_F(Unload, AProcessThatUsesTheLibraryEnds) {
  for (const Use& use : kUses) {
    SCOPED_TRACE(use.name);
    // With the library loaded, and with its threads idle or busy.
    EXPECT_EQ(status_of_child([&use] { use.with(*new Library()); }), 0);
    EXPECT_EQ(status_of_child([&use] { use.with(Library()); }), 0);
  }
}

TEST_F(Unload, AChildUnloadsWhatItsParentUses) {
  for (const Use& use : kUses) {
    SCOPED_TRACE(use.name);
    const Library library;
    use.with(library);
    if (!use.is_of_gpus) {
      EXPECT_EQ(status_of_child([&use] { use.with(Library()); }), 0);
    }
    EXPECT_EQ(status_of_child([&library] { library.~Library(); }), 0);
  }
}

}  // namespace
