#include <millrace/tools/benchmark/three_star_paper_benchmark.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/set_hash.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/algorithms/three_star/three_star_paper.h>
#include <millrace/runtime/backend.h>
#include <millrace/runtime/error.h>
#include <millrace/tools/benchmark/contest.h>
#include <millrace/tools/chart/chart.h>

namespace millrace::tools {
namespace {

using three_star::kPaperSchemes;
using three_star::PaperOptions;
using three_star::PaperProfile;
using three_star::PaperReport;
using three_star::PaperScheme;
using three_star::PaperTables;
using three_star::Point;
using three_star::StarVisitor;
using three_star::ThreeStar;

constexpr std::int32_t kWidth = 2000;
constexpr std::int32_t kRadius = 50;

struct ProfileRow {
  const char* name;
  double PaperProfile::*seconds;
};
constexpr ProfileRow kRows[] = {{"LOAD", &PaperProfile::load},
                                {"COMP", &PaperProfile::compute},
                                {"REPORT", &PaperProfile::report},
                                {"DataOut", &PaperProfile::data_out},
                                {"DECODE", &PaperProfile::decode}};

// A set of 3-stars.
struct FoundSet {
  std::uint64_t three_stars = 0;
  std::uint64_t hash = 0;

  friend bool operator==(const FoundSet&, const FoundSet&) = default;
};

// What `find` finds, by its visitor.
template <class Find>
FoundSet set_of(const Find& find) {
  std::atomic<std::uint64_t> hash = 0;
  const PaperReport report = find([&](std::span<const ThreeStar> some) {
    std::uint64_t sum = 0;
    for (const ThreeStar& star : some) sum += three_star::hash_of(star);
    hash += sum;
  });
  return {report.three_stars, hash};
}

// Looks at every id.
class Reader {
 public:
  StarVisitor visitor() {
    return [this](std::span<const ThreeStar> some) {
      std::uint64_t own = 0;
      for (const ThreeStar& star : some) own += star.a ^ star.b ^ star.c;
      sum_ += own;
    };
  }

 private:
  std::atomic<std::uint64_t> sum_ = 0;
};

// A way to find them on the device.
struct Variant {
  std::string name;
  PaperOptions options;
  double seconds = 0;
  std::uint64_t bytes_down = 0;
  PaperProfile profile{};
};

class ThreeStarPaperBenchmark {
 public:
  explicit ThreeStarPaperBenchmark(const ThreeStarPaperOptions& options)
      : options_(options),
        device_(open_device(options.device)),
        queue_(device_->make_queue()),
        one_thread_(open_device("tbb")->make_queue({.concurrency = 1})),
        tables_(kRadius),
        times_{"The paper's method on 2000 x 2000, radius 50: " + device_->info().description,
               "points",
               "ms",
               {}} {
    // The paper's code for CPUs has no tables.
    const bool has_tables = !device_->info().shares_host_memory;
    const auto add = [&](const std::string& name, PaperScheme scheme, bool by_tables) {
      variants_.push_back(
          {name, {.radius = kRadius, .scheme = scheme, .tables = by_tables ? &tables_ : nullptr}});
    };
    for (const PaperScheme scheme : kPaperSchemes) {
      add(three_star::to_string(scheme), scheme, has_tables);
    }
    add(variants_.back().name + (has_tables ? "; arithmetic" : "; tables"), PaperScheme::kBoth,
        !has_tables);
    if (options.csv.empty()) return;
    csv_.open(options.csv);
    if (!csv_) throw Error(ErrorCode::kIo, "cannot write " + options.csv);
    csv_ << "points,three_stars,what,seconds,bytes_down";
    for (const ProfileRow& row : kRows) csv_ << ',' << row.name << "_seconds";
    csv_ << '\n';
  }

  void run() {
    const DeviceInfo& info = device_->info();
    std::printf("%s: %s\n%8s  %12s  %-50s  %10s  %8s  %9s  %10s\n", info.name.c_str(),
                info.description.c_str(), "points", "3-stars", "what", "ms", "B/each", "/baseline",
                "sequential");
    for (const std::size_t count : counts()) compare(three_star::random_points(count, kWidth));
    print_profile();
    if (options_.svg.empty()) return;
    profiles_.insert(profiles_.begin(), times_);
    write_charts(options_.svg, profiles_);
  }

 private:
  std::vector<std::size_t> counts() const {
    if (!options_.points.empty()) return options_.points;
    if (device_->info().is_simulated) return {400};
    if (device_->info().shares_host_memory) return {1600, 3200, 6400, 12800};
    return {1600, 3200, 6400, 12800, 25600, 51200, 102400};
  }

  void compare(const std::vector<Point>& points) {
    points_ = points.size();
    found_ = set_of([&](const StarVisitor& visitor) {
      const PaperReport report = find_as_paper_sequential(*one_thread_, points, kRadius, visitor);
      sequential_ = report.seconds;
      return report;
    });
    check(points);
    time(points);
    for (Variant& variant : variants_) {
      Reader reader;
      variant.profile = {};
      find_as_paper(*queue_, points, variant.options, reader.visitor(), &variant.profile);
    }
    print_rows();
    write_csv();
    chart();
  }

  void check(const std::vector<Point>& points) {
    const auto check_set = [&](const std::string& name, const FoundSet& found) {
      if (found == found_) return;
      throw Error(ErrorCode::kInternal, name + " found " + std::to_string(found.three_stars) +
                                            " 3-stars, the sequential code " +
                                            std::to_string(found_.three_stars) + ", or others");
    };
    for (Variant& variant : variants_) {
      check_set(variant.name, set_of([&](const StarVisitor& visitor) {
                  const PaperReport report =
                      find_as_paper(*queue_, points, variant.options, visitor);
                  variant.bytes_down = report.bytes_down;
                  return report;
                }));
    }
    check_set("our count", {count(points), found_.hash});
  }

  std::uint64_t count(const std::vector<Point>& points) {
    return count_three_stars(*queue_, points, {.radius = kRadius}).three_stars;
  }

  void time(const std::vector<Point>& points) {
    std::vector<Contender> contenders;
    for (const Variant& variant : variants_) {
      contenders.push_back({variant.name, [&] {
                              Reader reader;
                              find_as_paper(*queue_, points, variant.options, reader.visitor());
                            }});
    }
    contenders.push_back({"our count", [&] { count(points); }});
    const auto timings = run_contest(contenders, options_.seconds, options_.rounds);
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      variants_[i].seconds = timings[i].median_seconds;
    }
    our_count_ = timings.back().median_seconds;
  }

  void print_rows() const {
    const auto print = [&](const std::string& name, double seconds, double bytes) {
      std::printf("%8zu  %12llu  %-50s  %10.3f  %8.2f  %9.3f  %10.2f\n", points_,
                  static_cast<unsigned long long>(found_.three_stars), name.c_str(), seconds * 1e3,
                  bytes, seconds / variants_[0].seconds, sequential_ / seconds);
    };
    const auto stars = static_cast<double>(found_.three_stars);
    print("sequential", sequential_, 0);
    for (const Variant& variant : variants_) {
      print(variant.name, variant.seconds, static_cast<double>(variant.bytes_down) / stars);
    }
    print("our count", our_count_, 0);
    std::fflush(stdout);
  }

  // Of the last number of points.
  void print_profile() const {
    std::printf("\nProfile for %zu points, each step by itself, ms; all together in `wall`\n%-50s",
                points_, "what");
    for (const ProfileRow& row : kRows) std::printf("  %10s", row.name);
    std::printf("  %10s  %10s\n", "sum", "wall");
    for (const Variant& variant : variants_) {
      std::printf("%-50s", variant.name.c_str());
      for (const ProfileRow& row : kRows) {
        std::printf("  %10.3f", variant.profile.*row.seconds * 1e3);
      }
      std::printf("  %10.3f  %10.3f\n", variant.profile.sum() * 1e3, variant.seconds * 1e3);
    }
  }

  // After figures 10 and 11.
  void chart() {
    const auto add = [&](const std::string& name, double seconds) {
      auto line = std::ranges::find(times_.lines, name, &ChartLine::name);
      if (line == times_.lines.end()) line = times_.lines.insert(line, ChartLine{name, {}});
      line->points.emplace_back(static_cast<double>(points_), 1e3 * seconds);
    };
    BarChart profile{"Each step by itself: " + std::to_string(points_) + " points", "ms", {}, {}};
    for (const ProfileRow& row : kRows) profile.parts.emplace_back(row.name);
    add("sequential", sequential_);
    for (std::size_t i = 0; i < std::size(kPaperSchemes); ++i) {
      const Variant& variant = variants_[i];
      add(variant.name, variant.seconds);
      ChartBar& bar = profile.bars.emplace_back(ChartBar{variant.name, {}});
      for (const ProfileRow& row : kRows) bar.figures.push_back(1e3 * variant.profile.*row.seconds);
    }
    add("our count", our_count_);
    profiles_.emplace_back(std::move(profile));
  }

  void write_csv() {
    if (!csv_.is_open()) return;
    const auto line = [&](const std::string& name, double seconds) {
      csv_ << points_ << ',' << found_.three_stars << ',' << name << ',' << seconds;
    };
    const std::string no_profile(1 + std::size(kRows), ',');
    line("sequential", sequential_);
    csv_ << no_profile << '\n';
    for (const Variant& variant : variants_) {
      line(variant.name, variant.seconds);
      csv_ << ',' << variant.bytes_down;
      for (const ProfileRow& row : kRows) csv_ << ',' << variant.profile.*row.seconds;
      csv_ << '\n';
    }
    line("our count", our_count_);
    csv_ << no_profile << '\n';
    csv_.flush();
  }

  const ThreeStarPaperOptions& options_;
  const std::shared_ptr<Device> device_;
  const std::unique_ptr<Queue> queue_;
  const std::unique_ptr<Queue> one_thread_;
  const PaperTables tables_;
  std::vector<Variant> variants_;
  std::ofstream csv_;
  LineChart times_;
  std::vector<Chart> profiles_;

  // Of the last number of points.
  std::size_t points_ = 0;
  FoundSet found_;
  double sequential_ = 0;
  double our_count_ = 0;
};

}  // namespace

void benchmark_three_stars_as_paper(const ThreeStarPaperOptions& options) {
  ThreeStarPaperBenchmark(options).run();
}

}  // namespace millrace::tools
