// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/h264/coded_stream.h>
#include <millrace/tools/benchmarks/workloads/h264/features_start.h>
#include <millrace/tools/video/h264/h264_input.h>
#include <millrace/tools/video/h264/parser_feed.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

constexpr char kLibrary[] = "library";
constexpr char kCommand[] = "command";

// A file with a stream, as long as the object lives.
class StreamFile {
 public:
  explicit StreamFile(const std::vector<std::uint8_t>& bytes) {
    std::string name = (fs::temp_directory_path() / "millrace-bench-XXXXXX").string();
    const int file = ::mkstemp(name.data());
    if (file < 0) throw Error(ErrorCode::kIo, name + ": cannot be created");
    ::close(file);
    path_ = name;
    std::ofstream out(path_, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) throw Error(ErrorCode::kIo, name + ": cannot be written");
  }
  ~StreamFile() {
    std::error_code error;
    fs::remove(path_, error);
  }
  StreamFile(const StreamFile&) = delete;
  StreamFile& operator=(const StreamFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Measures the first picture.
class FirstPicture final : public h264::PictureSink {
 public:
  void decode(const std::shared_ptr<const h264::ParsedPicture>& picture) override {
    if (bytes_ == 0) bytes_ = extractor_.measure(*picture).bytes;
  }
  void fault(const h264::StreamFault& fault) override {
    throw Error(ErrorCode::kInternal, "the stream has a fault: " + fault.message);
  }
  bool is_there() const { return bytes_ > 0; }
  std::int64_t bytes() const { return bytes_; }

 private:
  h264::FrameFeatureExtractor extractor_;
  std::int64_t bytes_ = 0;
};

// Returns the bytes of the first picture.
std::int64_t measure_first_picture(const std::string& path) {
  FirstPicture first;
  h264::StreamParser parser(first);
  const std::unique_ptr<h264::NalUnitSource> source = open_one_stream(path);
  ParserFeed feed(parser, [&] { return first.is_there(); });
  while (!first.is_there() && source->read(feed)) continue;
  if (!first.is_there()) parser.finish();
  return first.bytes();
}

// The same of a whole stream in memory.
std::int64_t bytes_of_first_picture(std::span<const std::uint8_t> stream) {
  FirstPicture first;
  h264::StreamParser parser(first);
  h264::push_stream(stream, parser);
  return first.bytes();
}

void require_bytes(std::int64_t bytes, std::int64_t expected) {
  if (bytes == expected) return;
  throw Error(ErrorCode::kInternal, "the first picture has " + std::to_string(bytes) +
                                        " bytes, and " + std::to_string(expected) +
                                        " where the whole stream is parsed");
}

// Returns the file of this process's program. Throws kUnsupported unless it is the command.
std::string command_path() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error && program.filename() == "millrace") return program.string();
  throw Error(ErrorCode::kUnsupported, "another program than `millrace bench` cannot time it");
}

// A process that writes to a pipe. Its end is forced, because the first line is all that is wanted.
class PipedProcess {
 public:
  explicit PipedProcess(std::vector<std::string> words) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorCode::kIo, "cannot make a pipe");
    pipe_ = ends[0];
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int code =
        ::posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (code == 0) return;
    ::close(pipe_);
    throw Error(ErrorCode::kIo, words.front() + ": cannot be started");
  }
  ~PipedProcess() {
    ::kill(process_, SIGKILL);
    ::close(pipe_);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  PipedProcess(const PipedProcess&) = delete;
  PipedProcess& operator=(const PipedProcess&) = delete;

  // Returns the first line, without its end if the process has none.
  std::string first_line() const {
    std::string line;
    char bytes[4096];
    while (line.find('\n') == std::string::npos) {
      const ssize_t count = ::read(pipe_, bytes, sizeof bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return line;
      line.append(bytes, static_cast<std::size_t>(count));
    }
    return line.substr(0, line.find('\n') + 1);
  }

 private:
  pid_t process_ = -1;
  int pipe_ = -1;
};

double command_seconds(const std::string& path, std::int64_t bytes) {
  const std::string command = command_path();
  const double begin = seconds_now();
  const PipedProcess process({command, "features", path});
  const std::string line = process.first_line();
  const double seconds = seconds_now() - begin;
  const std::string size = "\"FrameSize\":" + std::to_string(bytes) + ',';
  if (line.ends_with('\n') && line.find("\"frame\":0,") != std::string::npos &&
      line.find(size) != std::string::npos) {
    return seconds;
  }
  throw Error(ErrorCode::kInternal, "the command's first line is not of a first frame of " +
                                        std::to_string(bytes) + " bytes: " + line);
}

PreparedWork prepare_features_start(const std::shared_ptr<Device>& device, const std::string& input,
                                    std::uint64_t size) {
  if (!device->info().shares_host_memory || device->info().is_simulated) {
    throw Error(ErrorCode::kUnsupported, "features of one stream are measured on the CPU");
  }
  const std::vector<std::uint8_t> stream = coded_stream_of(input, size).bytes;
  const auto file = std::make_shared<StreamFile>(stream);
  const std::int64_t bytes = bytes_of_first_picture(stream);
  PreparedWork prepared{InputHash().add(stream).text(), {}};
  const auto add = [&](const char* strategy, const std::function<double()>& seconds) {
    prepared.runs.push_back({.strategy = strategy,
                             .check =
                                 [seconds] {
                                   seconds();
                                   return RunAmount{.items = 1};
                                 },
                             .run = seconds});
  };
  add(kLibrary, [file, bytes] {
    return seconds_of([&] { require_bytes(measure_first_picture(file->path()), bytes); });
  });
  add(kCommand, [file, bytes] { return command_seconds(file->path(), bytes); });
  return prepared;
}

}  // namespace

Workload start_workload() {
  Workload workload;
  workload.name = "features-start";
  workload.what = "from the start of `millrace features` to the line of a stream's first frame";
  workload.item_name = "pictures";
  workload.inputs = {"1080p-cavlc", "1080p-cabac"};
  workload.takes_clips = true;
  workload.copies_clips = true;
  workload.input_rule = kClipRule;
  workload.is_input = is_clip_input;
  workload.strategies = {kLibrary, kCommand};
  workload.sizes = SizeChoice{.cpu = {10}, .gpu = {10}, .quick = 2, .simulated = 2};
  workload.size_rule = "is 2 to 10000";
  workload.is_size = [](std::uint64_t size) { return size >= 2 && size <= 10'000; };
  workload.prepare = prepare_features_start;
  return workload;
}

}  // namespace millrace::tools
