// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/tools/command/features/sample_streams.h>
#include <millrace/tools/video/h264/parser_feed.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <numeric>
#include <system_error>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::size_t kSamples = 5;
constexpr std::int64_t kSampleBytes = 64 << 10;

// Measures the first pictures of one stream.
class Sample final : public h264::PictureSink {
 public:
  void decode(const std::shared_ptr<const h264::ParsedPicture>& picture) override {
    if (picture->is_inferred) return extractor_.skip(*picture);
    bytes += extractor_.measure(*picture).bytes;
    ++pictures;
  }
  void release(std::int64_t picture) override { extractor_.release(picture); }
  void fault(const h264::StreamFault&) override {}  // The run reports it.

  std::int64_t bytes = 0;
  std::int64_t pictures = 0;

 private:
  h264::FrameFeatureExtractor extractor_;
};

// Sums over all samples.
struct Samples {
  double files = 0;    // Files that have a stream.
  double streams = 0;  // Streams of these files.
  double bytes = 0;
  double pictures = 0;
  double seconds = 0;

  void add(const std::string& path, const H264InputOptions& input) {
    H264Input opened = open_h264(path, input);
    double in_file = 1;
    if (opened.capture != nullptr) {
      in_file = static_cast<double>(opened.capture->found().streams.size());
      opened.source = open_capture_stream(std::move(opened.capture), 0);
    }
    const auto start = std::chrono::steady_clock::now();
    Sample sample;
    h264::StreamParser parser(sample);
    ParserFeed feed(parser, [&sample] { return sample.bytes >= kSampleBytes; });
    while (sample.bytes < kSampleBytes && opened.source->read(feed)) {
    }
    if (sample.bytes < kSampleBytes) parser.finish();
    if (sample.pictures == 0) return;
    seconds += seconds_since(start);
    bytes += static_cast<double>(sample.bytes);
    pictures += static_cast<double>(sample.pictures);
    streams += in_file;
    ++files;
  }
};

// Returns indices of up to kSamples files that have bytes, at equal distances by their size.
std::vector<std::size_t> sampled(const std::vector<std::uintmax_t>& bytes) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] > 0) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&bytes](std::size_t i) { return bytes[i]; });
  if (order.size() <= kSamples) return order;
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < kSamples; ++k) {
    chosen.push_back(order[k * (order.size() - 1) / (kSamples - 1)]);
  }
  return chosen;
}

}  // namespace

std::vector<std::uintmax_t> bytes_of_streams(const std::vector<StreamName>& names) {
  std::vector<std::uintmax_t> bytes;
  bytes.reserve(names.size());
  for (const StreamName& name : names) {
    std::error_code error;
    const bool is_file = std::filesystem::is_regular_file(name.path, error);
    const std::uintmax_t size = is_file ? std::filesystem::file_size(name.path, error) : 0;
    bytes.push_back(error ? 0 : size);
  }
  return bytes;
}

void sort_by_bytes(std::vector<StreamName>& names, const std::vector<std::uintmax_t>& bytes) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&bytes](std::size_t i) { return bytes[i]; });
  std::vector<StreamName> sorted;
  sorted.reserve(names.size());
  for (const std::size_t i : order) sorted.push_back(std::move(names[i]));
  names = std::move(sorted);
}

StreamLoad sample_streams(const std::vector<StreamName>& names,
                          const std::vector<std::uintmax_t>& bytes, const H264InputOptions& input) {
  StreamLoad load;
  load.streams = static_cast<double>(names.size());
  for (const std::uintmax_t each : bytes) {
    load.bytes += static_cast<double>(each);
    load.longest_bytes = std::max(load.longest_bytes, static_cast<double>(each));
  }
  Samples samples;
  for (const std::size_t index : sampled(bytes)) {
    try {
      samples.add(names[index].path, input);
    } catch (const Error&) {
      continue;  // The run says what is wrong with it.
    }
  }
  if (samples.files == 0) return load;
  load.streams *= samples.streams / samples.files;
  load.longest_bytes *= samples.files / samples.streams;
  load.picture_bytes = samples.bytes / samples.pictures;
  load.core_seconds_a_byte = samples.seconds / samples.bytes;
  return load;
}

}  // namespace millrace::tools
