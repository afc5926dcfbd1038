#include <millrace/tools/benchmark/sort_benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <millrace/algorithms/radix_sort/key_distributions.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/runtime/backend.h>
#include <millrace/runtime/buffer.h>
#include <millrace/runtime/error.h>
#include <millrace/tools/benchmark/contest.h>
#include <millrace/tools/benchmark/sort_peers.h>
#include <millrace/tools/chart/chart.h>

namespace millrace::tools {
namespace {

using radix_sort::KeyDistribution;

constexpr const char* kMillrace = "millrace";

// The contender that each distribution is held against.
constexpr const char* kUniform = "uniform";

// Short sorts are timed many at a time, each of an array of its own.
constexpr std::size_t kLeastElements = 100'000;

// Arrays of `count` keys and of pairs, all in one piece, and room for what is sorted.
class SortWorkload {
 public:
  SortWorkload(Queue& queue, KeyDistribution distribution, std::size_t count)
      : queue_(queue),
        count_(count),
        arrays_((kLeastElements + count - 1) / count),
        keys_(array<std::uint32_t>()),
        values_(array<std::uint32_t>()),
        keys_out_(array<std::uint32_t>()),
        values_out_(array<std::uint32_t>()),
        pairs_(array<KeyValue>()) {
    radix_sort::fill_keys(radix_sort::KeyType::kU32, distribution, 1, keys_.size(), keys_.data());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_.data()[i] = static_cast<std::uint32_t>(i);
    }
  }

  // Sorted at a time, in all.
  std::size_t elements() const { return keys_.size(); }

  void sort_keys() {
    for_arrays([this](std::size_t begin) {
      radix_sort::sort_keys<std::uint32_t>(queue_, in(keys_, begin), out(keys_out_, begin));
    });
  }
  void sort_pairs() {
    for_arrays([this](std::size_t begin) {
      radix_sort::sort_pairs<std::uint32_t, std::uint32_t>(
          queue_, in(keys_, begin), in(values_, begin), out(keys_out_, begin),
          out(values_out_, begin));
    });
  }

  // Before each run all find their arrays in the caches as far as these go: ours its outputs, and
  // peers, which sort in place, what they are to sort.
  void touch_outputs() {
    std::copy_n(keys_.data(), keys_.size(), keys_out_.data());
    std::copy_n(values_.data(), values_.size(), values_out_.data());
  }
  void fill_peers_keys() { std::copy_n(keys_.data(), keys_.size(), keys_out_.data()); }
  void fill_peers_pairs() {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      pairs_.data()[i] = {values_.data()[i], keys_.data()[i]};
    }
  }
  void sort_keys(const SortPeer& peer) {
    for_arrays([&](std::size_t begin) { peer.sort_keys(out(keys_out_, begin)); });
  }
  void sort_pairs(const SortPeer& peer) {
    for_arrays([&](std::size_t begin) { peer.sort_pairs(out(pairs_, begin)); });
  }

  // Throws kInternal unless ours sorts keys and pairs, and pairs stably.
  void check() {
    sort_pairs();
    for_arrays([this](std::size_t begin) { check_pairs(begin); });
    const std::vector<std::uint32_t> sorted(keys_out_.data(), keys_out_.data() + keys_out_.size());
    std::fill_n(keys_out_.data(), keys_out_.size(), 0);
    sort_keys();
    if (!std::equal(sorted.begin(), sorted.end(), keys_out_.data())) fail("keys");
  }

 private:
  template <class T>
  Buffer<T> array() {
    Buffer<T> buffer(queue_.device().shared_from_this(), MemorySpace::kDevice, count_ * arrays_);
    std::fill_n(reinterpret_cast<unsigned char*>(buffer.data()), buffer.size_bytes(), 0);
    return buffer;
  }

  template <class T>
  std::span<const T> in(const Buffer<T>& buffer, std::size_t begin) const {
    return {buffer.data() + begin, count_};
  }
  template <class T>
  std::span<T> out(Buffer<T>& buffer, std::size_t begin) const {
    return {buffer.data() + begin, count_};
  }

  void for_arrays(const std::function<void(std::size_t)>& action) const {
    for (std::size_t begin = 0; begin < keys_.size(); begin += count_) action(begin);
  }

  // Each key is that of its value's place, and all are in order, equal ones by place; so no pair is
  // there twice.
  void check_pairs(std::size_t begin) const {
    const std::uint32_t* const keys = keys_out_.data();
    const std::uint32_t* const places = values_out_.data();
    for (std::size_t i = begin; i < begin + count_; ++i) {
      const bool is_in_order = i == begin || keys[i - 1] < keys[i] ||
                               (keys[i - 1] == keys[i] && places[i - 1] < places[i]);
      const bool is_ours = places[i] >= begin && places[i] < begin + count_;
      if (!is_in_order || !is_ours || keys_.data()[places[i]] != keys[i]) fail("pairs");
    }
  }

  [[noreturn]] static void fail(const std::string& what) {
    throw Error(ErrorCode::kInternal, "the sorted " + what + " are wrong");
  }

  Queue& queue_;
  const std::size_t count_;
  const std::size_t arrays_;
  Buffer<std::uint32_t> keys_;
  Buffer<std::uint32_t> values_;
  Buffer<std::uint32_t> keys_out_;
  Buffer<std::uint32_t> values_out_;
  Buffer<KeyValue> pairs_;
};

enum class What { kKeys, kPairs };

const char* to_string(What what) { return what == What::kKeys ? "keys" : "pairs"; }

// One line of a table: the rates, in elements a second, of ours and of others in the same run.
struct Line {
  What what;
  KeyDistribution distribution;
  std::size_t count;
  std::vector<std::string> names;
  std::vector<double> rates;
};

std::size_t least_rounds(std::size_t count) {
  return count <= 1'000'000 ? 15 : count <= 10'000'000 ? 5 : 3;
}

Line measure(const std::vector<Contender>& contenders, const Line& line, std::size_t elements,
             double seconds) {
  Line result = line;
  for (const Timing& timing : run_contest(contenders, seconds, least_rounds(line.count))) {
    result.names.push_back(timing.name);
    result.rates.push_back(static_cast<double>(elements) / timing.median_seconds);
  }
  return result;
}

Contender ours(const char* name, SortWorkload& workload, What what) {
  const auto prepare = [&] { workload.touch_outputs(); };
  if (what == What::kKeys) return {name, [&] { workload.sort_keys(); }, prepare};
  return {name, [&] { workload.sort_pairs(); }, prepare};
}

Contender theirs(SortWorkload& workload, What what, const SortPeer& peer) {
  if (what == What::kKeys) {
    return {peer.name, [&] { workload.sort_keys(peer); }, [&] { workload.fill_peers_keys(); }};
  }
  return {peer.name, [&] { workload.sort_pairs(peer); }, [&] { workload.fill_peers_pairs(); }};
}

Line measure_against_peers(Queue& queue, What what, std::size_t count, double seconds) {
  SortWorkload workload(queue, KeyDistribution::kUniform, count);
  workload.check();
  std::vector<Contender> contenders = {ours(kMillrace, workload, what)};
  for (const SortPeer& peer : sort_peers()) contenders.push_back(theirs(workload, what, peer));
  return measure(contenders, {what, KeyDistribution::kUniform, count, {}, {}}, workload.elements(),
                 seconds);
}

double ratio_to_best_peer(const Line& line) {
  return line.rates[0] / *std::max_element(line.rates.begin() + 1, line.rates.end());
}

void print_peers(What what, const std::vector<Line>& lines) {
  std::printf("\n%s, million a second\n%11s", to_string(what), "count");
  for (const std::string& name : lines.front().names) std::printf("  %10s", name.c_str());
  std::printf("  to the best other\n");
  for (const Line& line : lines) {
    std::printf("%11zu", line.count);
    for (const double rate : line.rates) std::printf("  %10.1f", rate / 1e6);
    std::printf("  %10.2f\n", ratio_to_best_peer(line));
  }
}

void print_bars(What what, const std::vector<Line>& lines) {
  for (const Line& line : lines) {
    if (line.count < 10'000) continue;
    const double bar = line.count >= 10'000'000 ? 1.5 : 1.0;
    const double ratio = ratio_to_best_peer(line);
    print_bar(std::to_string(line.count) + " " + to_string(what) + " to the best other", ratio,
              ">=", bar, ratio >= bar);
  }
}

// Each distribution in turn with uniform keys.
std::vector<Line> measure_distributions(Queue& queue, What what, std::size_t count,
                                        double seconds) {
  SortWorkload uniform(queue, KeyDistribution::kUniform, count);
  std::vector<Line> lines;
  for (const KeyDistribution distribution : radix_sort::kKeyDistributions) {
    SortWorkload workload(queue, distribution, count);
    workload.check();
    lines.push_back(measure({ours(kMillrace, workload, what), ours(kUniform, uniform, what)},
                            {what, distribution, count, {}, {}}, workload.elements(), seconds));
  }
  return lines;
}

void print_distributions(What what, const std::vector<Line>& lines) {
  std::printf("\n%zu %s by distribution, million a second\n", lines.front().count, to_string(what));
  for (const Line& line : lines) {
    std::printf("%14s  %8.1f\n", to_string(line.distribution), line.rates[0] / 1e6);
  }
  for (const Line& line : lines) {
    const double slowdown = line.rates[1] / line.rates[0];
    print_bar(std::string("time of ") + to_string(line.distribution) + " " + to_string(what) +
                  " to that of uniform ones",
              slowdown, "<=", 2, slowdown <= 2);
  }
}

void write_csv(const std::string& path, const std::vector<Line>& lines) {
  std::ofstream file(path);
  file << "what,distribution,count,name,rate\n";
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.names.size(); ++i) {
      if (line.names[i] == kUniform) continue;  // Measured again for each distribution.
      file << to_string(line.what) << ',' << to_string(line.distribution) << ',' << line.count
           << ',' << line.names[i] << ',' << line.rates[i] << '\n';
    }
  }
  if (!file.flush()) throw Error(ErrorCode::kIo, "cannot write " + path);
}

LineChart chart_of(What what, const std::vector<Line>& lines) {
  LineChart chart{
      std::string("Sorting uniform u32 ") + to_string(what), "count", "million a second", {}};
  for (std::size_t i = 0; i < lines.front().names.size(); ++i) {
    ChartLine& line = chart.lines.emplace_back(ChartLine{lines.front().names[i], {}});
    for (const Line& each : lines) {
      line.points.emplace_back(static_cast<double>(each.count), each.rates[i] / 1e6);
    }
  }
  return chart;
}

}  // namespace

void benchmark_sort(const SortBenchmarkOptions& options) {
  const auto device = open_device(options.device);
  if (!device->info().shares_host_memory) {
    throw Error(ErrorCode::kUnsupported,
                options.device + " has memory of its own; host-sort measures it");
  }
  const auto queue = device->make_queue();
  std::vector<Line> all;
  std::vector<Chart> charts;
  for (const What what : {What::kKeys, What::kPairs}) {
    std::vector<Line> lines;
    for (std::size_t count = 1000; count <= options.most; count *= 10) {
      lines.push_back(measure_against_peers(*queue, what, count, options.seconds));
    }
    print_peers(what, lines);
    print_bars(what, lines);
    charts.push_back(chart_of(what, lines));
    all.insert(all.end(), lines.begin(), lines.end());
    const std::size_t count = std::min<std::size_t>(options.most, 10'000'000);
    lines = measure_distributions(*queue, what, count, options.seconds);
    print_distributions(what, lines);
    all.insert(all.end(), lines.begin(), lines.end());
  }
  if (!options.csv.empty()) write_csv(options.csv, all);
  if (!options.svg.empty()) write_charts(options.svg, charts);
}

}  // namespace millrace::tools
