// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/entropy/slice_input_maker.h>
#include <millrace/algorithms/h264/entropy/tasks/longest_first.h>
#include <millrace/algorithms/h264/entropy/tasks/slices_a_warp.h>
#include <millrace/algorithms/h264/features/tasks/feature_run.h>
#include <millrace/algorithms/h264/features/tasks/feature_tasks.h>
#include <millrace/algorithms/h264/features/tasks/memory/array_layout.h>
#include <millrace/algorithms/h264/features/tasks/memory/uploaded_memory.h>
#include <millrace/algorithms/h264/features/tasks/memory/waiting_lists.h>
#include <millrace/algorithms/h264/prefetch_object.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/internal/memory_pool.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/scratch_memory.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/timeline/timeline.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace millrace::h264 {
namespace {

using Clock = std::chrono::steady_clock;

ElementCounts counts_of(const PendingPicture& picture) {
  ElementCounts counts;
  (picture.is_kept ? counts.kept_macroblocks : counts.macroblocks) = picture.macroblocks();
  counts.ranges = picture.macroblocks();
  counts.rows = static_cast<std::size_t>(picture.height);
  counts.slices = picture.slices.size();
  counts.payload_bytes = picture.payloads.size();
  counts.colocated_references = picture.colocated_references.size();
  counts.references = picture.references.size();
  counts.edges = picture.slices.size() * static_cast<std::size_t>(picture.width);
  for (const PendingSlice& slice : picture.slices) {
    if (slice.damage == nullptr) counts.coefficients += most_coefficients_of(slice.slice);
  }
  return counts;
}

// Returns the bytes of the device that a picture takes in a run, at most.
std::size_t bytes_of(const PendingPicture& picture, const ElementCounts& counts) {
  return counts.slices * (sizeof(BatchSlice) + sizeof(MeasuredSlice) + sizeof(ParsedSliceEnd)) +
         counts.payload_bytes + counts.colocated_references * sizeof(ColocatedReferences) +
         counts.references * sizeof(MeasuredReference) +
         counts.ranges * (sizeof(CoefficientRange) + sizeof(Macroblock)) +
         counts.coefficients * sizeof(CodedCoefficient) + counts.edges * sizeof(CodedEdge) +
         counts.rows * sizeof(MacroblockRowSums) + sizeof(BatchPicture) + sizeof(PictureGroup) +
         sizeof(PictureSums) + SampleRun::bytes_of(picture);
}

constexpr std::size_t kAhead = 4;  // Pictures that are fetched lie so far ahead.

// Fetches the first slice and the first bytes of a picture.
void prefetch_arrays(const PendingPicture& picture) {
  constexpr std::size_t kMostBytes = 1024;
  if (!picture.slices.empty()) prefetch_object(picture.slices.front());
  prefetch_bytes(picture.payloads.data(), std::min(picture.payloads.size(), kMostBytes));
  prefetch_bytes(picture.references.data(), 1);
}

// The level scales of a run, one for each of the scaling lists that its slices have.
class ScaleSets {
 public:
  void add(const ScalingLists* lists) {
    if (!lists_.empty() && lists_.back() == lists) return;  // Most streams have the same ones.
    if (indices_.try_emplace(lists, lists_.size()).second) lists_.push_back(lists);
  }
  std::size_t size() const { return lists_.size(); }
  std::size_t index_of(const ScalingLists* lists) const {
    return lists_.back() == lists ? lists_.size() - 1 : indices_.at(lists);
  }
  void write(LevelScales* scales) const {
    for (std::size_t i = 0; i < lists_.size(); ++i) set_level_scales(*lists_[i], scales[i]);
  }

 private:
  std::unordered_map<const ScalingLists*, std::size_t> indices_;
  std::vector<const ScalingLists*> lists_;
};

}  // namespace

// Keeps what the host knows of each picture of a run.
struct FeatureRun::Arrays {
  std::vector<PictureSummary> summaries;
  std::vector<ElementCounts> firsts;    // One more: the numbers of all elements.
  std::vector<std::int32_t> order;      // Pictures in the order in which lanes take them.
  std::vector<std::int32_t> positions;  // Positions of the pictures in that order.
  std::vector<PictureGroup> groups;
  std::vector<std::int32_t> group_of;
};

// Makes the memory of one run. What the device reads is written to pinned memory, with pointers of
// the device, and copied as one piece; so are the results.
class FeatureRun::Writer {
 public:
  Writer(FeatureRun& run, std::span<PendingPicture* const> pictures, int pictures_a_warp)
      : run_(run),
        pictures_(pictures),
        summaries_(run.arrays_->summaries),
        firsts_(run.arrays_->firsts),
        order_(run.arrays_->order),
        positions_(run.arrays_->positions),
        groups_(run.arrays_->groups),
        group_of_(run.arrays_->group_of) {
    gather();
    firsts_.clear();
    firsts_.reserve(pictures.size() + 1);
    for (std::size_t k = 0; k < pictures.size(); ++k) {
      firsts_.push_back(counts_);
      counts_ += summaries_[k].counts;
      has_colocated_ = has_colocated_ || summaries_[k].has_colocated;
      add_scaling(k);
    }
    firsts_.push_back(counts_);
    find_order();
    const int chosen = slices_a_warp(run.queue_.device().info(), pictures.size());
    form_groups(pictures_a_warp > 0 ? pictures_a_warp : chosen);
    find_waiting();
    lay_out_arrays();
    allocate();
  }

  const ElementCounts& counts() const { return counts_; }
  std::size_t bytes_up() const { return input_.bytes(); }
  std::size_t bytes_down() const { return result_.bytes(); }

  void write() {
    scale_sets_.write(host_of<LevelScales>(scales_));
    copy_array(groups_, host_of<PictureGroup>(batch_groups_));
    copy_array(waiting_lists_.array(), host_of<std::int32_t>(waiting_));
    *host_of<FeatureBatch>(batch_) = {.pictures = input_of<BatchPicture>(batch_pictures_),
                                      .groups = input_of<PictureGroup>(batch_groups_),
                                      .tables = {run_.cabac_.data(), run_.cavlc_.data()}};
    // A slice reads the device's picture of another one.
    if (has_colocated_) set_device_pictures();
    for_each_piece([this](std::size_t first, std::size_t end) {
      if (!has_colocated_) set_device_pictures(first, end);
      for (std::size_t k = first; k < end; ++k) {
        if (k + kAhead < end) prefetch_arrays(*pictures_[k + kAhead]);
        write_picture(k);
      }
    });
  }

  // Returns the groups that wait for nothing.
  TaskList<FeatureTasks> roots() {
    TaskList<FeatureTasks> roots;
    for (std::size_t k = 0; k < groups_.size(); ++k) {
      if (groups_[k].missing > 0) continue;
      roots.push(ParsePictures{input_of<FeatureBatch>(batch_), static_cast<std::int32_t>(k)});
    }
    return roots;
  }

  void upload() {
    inputs_.upload(run_.queue_);
    fill_bytes(run_.queue_, results_.span(), std::byte{0});
  }

  // Enqueues the copy of the results.
  void download() {
    const auto pool = run_.queue_.device().pool(MemorySpace::kPinned);
    run_.results_ = Buffer<std::byte>(pool, results_.size());
    copy(run_.queue_, run_.results_.span(), results_.span());
    run_.ends_ = ends_;
    run_.sums_ = sums_;
    run_.rows_ = rows_;
  }

  // Returns the coefficients of the pictures on the device, valid as long as this object.
  std::vector<ParsedCoefficients> coefficients() {
    std::vector<ParsedCoefficients> coefficients;
    for (const ElementCounts& first : std::span(firsts_).first(pictures_.size())) {
      coefficients.push_back(
          {coefficients_of(first), work_of<CoefficientRange>(ranges_) + first.ranges});
    }
    return coefficients;
  }

 private:
  void lay_out_arrays() {
    batch_ = input_.add<FeatureBatch>(1);
    batch_pictures_ = input_.add<BatchPicture>(pictures_.size());
    batch_groups_ = input_.add<PictureGroup>(groups_.size());
    slices_ = input_.add<BatchSlice>(counts_.slices);
    measured_slices_ = input_.add<MeasuredSlice>(counts_.slices);
    waiting_ = input_.add<std::int32_t>(waiting_lists_.array().size());
    colocated_references_ = input_.add<ColocatedReferences>(counts_.colocated_references);
    references_ = input_.add<MeasuredReference>(counts_.references);
    scales_ = input_.add<LevelScales>(scale_sets_.size());
    payloads_ = input_.add<std::uint8_t>(counts_.payload_bytes);
    ends_ = result_.add<ParsedSliceEnd>(counts_.slices);
    sums_ = result_.add<PictureSums>(pictures_.size());
    rows_ = result_.add<MacroblockRowSums>(counts_.rows);
    ranges_ = work_.add<CoefficientRange>(counts_.ranges);
    coefficients_ = work_.add<CodedCoefficient>(counts_.coefficients);
    edges_ = work_.add<CodedEdge>(counts_.edges);
  }

  void allocate() {
    Device& device = run_.queue_.device();
    const std::shared_ptr<MemoryPool> pool = device.pool(MemorySpace::kDevice);
    inputs_ = UploadedMemory(device, input_.bytes());
    results_ = Buffer<std::byte>(pool, result_.bytes());
    works_ = Buffer<std::byte>(pool, work_.bytes());
    macroblocks_ = std::make_shared<Buffer<Macroblock>>(pool, counts_.macroblocks);
    kept_macroblocks_ = std::make_shared<Buffer<Macroblock>>(pool, counts_.kept_macroblocks);
    run_.kept_.add(run_.number_, kept_macroblocks_);
  }

  void add_scaling(std::size_t k) {
    if (summaries_[k].scaling != nullptr) return scale_sets_.add(summaries_[k].scaling);
    for (const PendingSlice& slice : pictures_[k]->slices) {
      if (slice.damage == nullptr) scale_sets_.add(slice.scaling);
    }
  }

  // Gathers the summaries, and marks the pictures of this run for slices.
  void gather() {
    summaries_.resize(pictures_.size());
    for_each_piece([this](std::size_t first, std::size_t end) {
      for (std::size_t k = first; k < end; ++k) {
        if (k + 2 * kAhead < end) prefetch_object(*pictures_[k + 2 * kAhead]);
        if (k + kAhead < end) prefetch_object(*pictures_[k + kAhead]->device);
        summaries_[k] = pictures_[k]->summary;
        pictures_[k]->device->macroblocks.run = run_.number_;
        pictures_[k]->device->index_in_run = k;
      }
    });
  }
  void set_device_pictures() {
    for_each_piece([this](std::size_t first, std::size_t end) { set_device_pictures(first, end); });
  }
  void set_device_pictures(std::size_t first, std::size_t end) {
    const auto kept = owner_of(kept_macroblocks_), own = owner_of(macroblocks_);
    for (std::size_t k = first; k < end; ++k) {
      if (k + 2 * kAhead < end) prefetch_object(*pictures_[k + 2 * kAhead]);
      if (k + kAhead < end) prefetch_object(*pictures_[k + kAhead]->device);
      const PendingPicture& picture = *pictures_[k];
      PictureElements<Macroblock>& macroblocks = picture.device->macroblocks;
      macroblocks.memory = picture.is_kept ? kept : own;
      macroblocks.first = picture.is_kept ? firsts_[k].kept_macroblocks : firsts_[k].macroblocks;
      macroblocks.count = firsts_[k + 1].ranges - firsts_[k].ranges;
    }
  }

  // Returns an owner whose copies are counted by themselves: many threads that count in one
  // counter wait for each other.
  static std::shared_ptr<Buffer<Macroblock>> owner_of(
      const std::shared_ptr<Buffer<Macroblock>>& memory) {
    return {memory.get(), [memory](const Buffer<Macroblock>*) {}};
  }

  // Calls work(first, end) for the pictures from `first` to before `end`, on the host's threads.
  template <class Work>
  void for_each_piece(const Work& work) const {
    constexpr std::size_t kPiece = 64;
    const std::size_t count = pictures_.size();
    HostThreads::shared().for_each((count + kPiece - 1) / kPiece, [&](std::size_t piece) {
      work(piece * kPiece, std::min(count, (piece + 1) * kPiece));
    });
  }

  bool waits_in_this_run(const PendingSlice& slice) const {
    return slice.damage == nullptr && slice.colocated != nullptr &&
           slice.colocated->macroblocks.run == run_.number_;
  }

  // Returns the number of slices that wait for pictures of this run.
  std::uint32_t waiting_slices(std::size_t k) const {
    if (!summaries_[k].has_colocated) return 0;
    std::uint32_t count = 0;
    for (const PendingSlice& slice : pictures_[k]->slices) {
      count += waits_in_this_run(slice) ? 1 : 0;
    }
    return count;
  }

  // Has the longest pictures begin first, and the lanes of a warp parse pictures of similar length:
  // the warp waits for the longest one. Those that wait for others come last, which cannot begin.
  void find_order() {
    longest_first(
        pictures_.size(), [this](std::size_t k) { return summaries_[k].counts.payload_bytes; },
        order_);
    if (!has_colocated_) return;
    std::ranges::stable_partition(order_, [this](std::int32_t picture) {
      return waiting_slices(static_cast<std::size_t>(picture)) == 0;
    });
  }

  // A group has pictures that are next to each other in the order. Pictures that wait for others of
  // the run are groups of one.
  void form_groups(int most) {
    groups_.clear();
    group_of_.resize(pictures_.size());
    positions_.resize(pictures_.size());
    for (std::size_t position = 0; position < order_.size(); ++position) {
      const auto k = static_cast<std::size_t>(order_[position]);
      const std::uint32_t missing = waiting_slices(k);
      const bool is_added = missing == 0 && !groups_.empty() && groups_.back().missing == 0 &&
                            groups_.back().count < most;
      if (is_added) {
        ++groups_.back().count;
      } else {
        groups_.push_back({static_cast<std::int32_t>(position), 1, missing});
      }
      group_of_[k] = static_cast<std::int32_t>(groups_.size() - 1);
      positions_[k] = static_cast<std::int32_t>(position);
    }
  }

  // Finds which groups wait for which pictures.
  void find_waiting() {
    waiting_lists_ = WaitingLists(pictures_.size(), [this](const auto& use) {
      for (std::size_t k = 0; has_colocated_ && k < pictures_.size(); ++k) {
        if (!summaries_[k].has_colocated) continue;
        for (const PendingSlice& slice : pictures_[k]->slices) {
          if (waits_in_this_run(slice)) use(slice.colocated->index_in_run, group_of_[k]);
        }
      }
    });
  }

  void write_picture(std::size_t k) {
    const PendingPicture& picture = *pictures_[k];
    const ElementCounts& first = firsts_[k];
    copy_array(picture.payloads, host_of<std::uint8_t>(payloads_) + first.payload_bytes);
    copy_array(picture.colocated_references,
               host_of<ColocatedReferences>(colocated_references_) + first.colocated_references);
    copy_array(picture.references, host_of<MeasuredReference>(references_) + first.references);
    BatchPicture& batch = host_of<BatchPicture>(batch_pictures_)[positions_[k]];
    batch.macroblocks = picture.device->macroblocks.data();
    batch.measured = {.macroblocks = batch.macroblocks,
                      .ranges = work_of<CoefficientRange>(ranges_) + first.ranges,
                      .slices = input_of<MeasuredSlice>(measured_slices_) + first.slices,
                      .slice_count = static_cast<std::int32_t>(picture.slices.size()),
                      .width = picture.width,
                      .height = picture.height};
    batch.sums = result_of<PictureSums>(sums_) + k;
    batch.rows = result_of<MacroblockRowSums>(rows_) + first.rows;
    batch.waiting = input_of<std::int32_t>(waiting_) + waiting_lists_.first(k);
    batch.waiting_count = waiting_lists_.count(k);
    batch.slices = input_of<BatchSlice>(slices_) + first.slices;
    batch.ends = result_of<ParsedSliceEnd>(ends_) + first.slices;
    batch.slice_count = static_cast<std::int32_t>(picture.slices.size());
    std::size_t coefficients = first.coefficients;
    for (std::size_t s = 0; s < picture.slices.size(); ++s) {
      const PendingSlice& pending = picture.slices[s];
      write_measured(picture, first, s);
      BatchSlice& slice = host_of<BatchSlice>(slices_)[first.slices + s];
      slice.is_sound = pending.damage == nullptr;
      if (!slice.is_sound) continue;
      write_slice(k, s, coefficients, slice.slice);
      coefficients += slice.slice.parameters.coefficient_capacity;
    }
  }

  // Returns the list of a picture, which its slices fill from indices of their own on.
  CodedCoefficient* coefficients_of(const ElementCounts& first) {
    return work_of<CodedCoefficient>(coefficients_) + first.coefficients;
  }

  void write_measured(const PendingPicture& picture, const ElementCounts& first, std::size_t s) {
    const PendingSlice& pending = picture.slices[s];
    MeasuredSlice& measured = host_of<MeasuredSlice>(measured_slices_)[first.slices + s];
    measured = {};
    measured.type = pending.slice.parameters.type;
    measured.references[0] =
        input_of<MeasuredReference>(references_) + first.references + pending.references;
    measured.references[1] = measured.references[0] + pending.reference_counts[0];
    for (int list = 0; list < 2; ++list) measured.counts[list] = pending.reference_counts[list];
    measured.coefficients = coefficients_of(first);
  }

  void write_slice(std::size_t k, std::size_t s, std::size_t coefficients, CodedSlice& slice) {
    const PendingPicture& picture = *pictures_[k];
    const ElementCounts& first = firsts_[k];
    const PendingSlice& pending = picture.slices[s];
    slice = pending.slice;
    slice.payload = input_of<std::uint8_t>(payloads_) + first.payload_bytes + pending.payload;
    SliceParameters& parameters = slice.parameters;
    parameters.macroblocks = picture.device->macroblocks.data();
    parameters.are_macroblocks_clear = true;
    parameters.coefficient_ranges = work_of<CoefficientRange>(ranges_) + first.ranges;
    parameters.coefficients = work_of<CodedCoefficient>(coefficients_) + coefficients;
    parameters.coefficient_capacity = most_coefficients_of(pending.slice);
    parameters.first_coefficient = static_cast<std::uint32_t>(coefficients - first.coefficients);
    parameters.scales = input_of<LevelScales>(scales_) + scale_sets_.index_of(pending.scaling);
    parameters.scans = run_.scans_.data();
    parameters.edges_above =
        work_of<CodedEdge>(edges_) + first.edges + s * static_cast<std::size_t>(picture.width);
    parameters.colocated = pending.colocated ? pending.colocated->macroblocks.data() : nullptr;
    parameters.colocated_references = parameters.colocated_slices > 0
                                          ? input_of<ColocatedReferences>(colocated_references_) +
                                                first.colocated_references +
                                                pending.colocated_references
                                          : nullptr;
  }

  template <class T>
  static void copy_array(const std::vector<T>& from, T* to) {
    std::copy(from.begin(), from.end(), to);
  }
  template <class T>
  T* host_of(std::size_t offset) {
    return inputs_.host_of<T>(offset);
  }
  template <class T>
  T* input_of(std::size_t offset) {
    return inputs_.device_of<T>(offset);
  }
  template <class T>
  T* result_of(std::size_t offset) {
    return reinterpret_cast<T*>(results_.data() + offset);
  }
  template <class T>
  T* work_of(std::size_t offset) {
    return reinterpret_cast<T*>(works_.data() + offset);
  }

  FeatureRun& run_;
  std::span<PendingPicture* const> pictures_;
  ElementCounts counts_;
  std::vector<PictureSummary>& summaries_;
  std::vector<ElementCounts>& firsts_;
  std::vector<std::int32_t>& order_;
  std::vector<std::int32_t>& positions_;
  std::vector<PictureGroup>& groups_;
  std::vector<std::int32_t>& group_of_;
  bool has_colocated_ = false;
  WaitingLists waiting_lists_;  // Indexed by picture.
  ScaleSets scale_sets_;
  // Offsets in what the device reads, in the results, and in memory of the device alone.
  ArrayLayout input_, result_, work_;
  std::size_t batch_ = 0, batch_pictures_ = 0, batch_groups_ = 0, slices_ = 0, measured_slices_ = 0,
              waiting_ = 0, colocated_references_ = 0, references_ = 0, scales_ = 0, payloads_ = 0;
  std::size_t ends_ = 0, sums_ = 0, rows_ = 0;
  std::size_t ranges_ = 0, coefficients_ = 0, edges_ = 0;
  UploadedMemory inputs_;
  Buffer<std::byte> results_, works_;
  std::shared_ptr<Buffer<Macroblock>> macroblocks_, kept_macroblocks_;
  const QueueGuard guard_{run_.queue_};  // Last: it is destroyed before what copies read.
};

FeatureRun::FeatureRun(Queue& queue)
    : queue_(queue), arrays_(std::make_unique<Arrays>()), samples_(queue) {
  const std::shared_ptr<MemoryPool> pool = queue.device().pool(MemorySpace::kDevice);
  const auto upload = [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    Buffer<Table> buffer(pool, 1);
    copy(queue, buffer.span(), BufferSpan<const Table>(std::span(&table, 1)));
    return buffer;
  };
  cabac_ = upload(kCabacTables);
  cavlc_ = upload(kCavlcTables);
  scans_ = upload(kScanOffsets);
  queue.wait();
}

FeatureRun::~FeatureRun() = default;

FeatureRun::Result FeatureRun::result(std::size_t picture) const {
  const ElementCounts& first = arrays_->firsts[picture];
  const ElementCounts& end = arrays_->firsts[picture + 1];
  const std::byte* const memory = results_.data();
  return {{reinterpret_cast<const ParsedSliceEnd*>(memory + ends_) + first.slices,
           end.slices - first.slices},
          reinterpret_cast<const PictureSums*>(memory + sums_) + picture,
          {reinterpret_cast<const MacroblockRowSums*>(memory + rows_) + first.rows,
           end.rows - first.rows}};
}

void FeatureRun::summarise(PendingPicture& picture) {
  PictureSummary& summary = picture.summary;
  summary.counts = counts_of(picture);
  summary.bytes = bytes_of(picture, summary.counts);
  bool is_first = true;
  for (const PendingSlice& slice : picture.slices) {
    if (slice.damage != nullptr) continue;
    if (is_first) summary.scaling = slice.scaling;
    if (summary.scaling != slice.scaling) summary.scaling = nullptr;
    is_first = false;
    summary.has_colocated = summary.has_colocated || slice.colocated != nullptr;
  }
}

FeatureRunReport FeatureRun::run(std::span<PendingPicture* const> pictures,
                                 const FeatureRunOptions& options) {
  FeatureRunReport report;
  const Clock::time_point start = Clock::now();
  ++number_;
  std::optional<TimelineScope> scope(std::in_place, "host write", "what a run reads");
  Writer writer(*this, pictures, options.pictures_a_warp);
  writer.write();
  const TaskList<FeatureTasks> roots = writer.roots();
  // Written before the tasks run, so that the device does not wait for the host between parsing and
  // reconstruction.
  std::shared_ptr<SampleRun::Pictures> reconstructed;
  report.bytes_up = writer.bytes_up();
  report.bytes_down = writer.bytes_down();
  const bool are_given = options.samples == StreamSamples::kGiven;
  if (options.samples != StreamSamples::kNone) {
    reconstructed =
        samples_.prepare(number_, pictures, writer.coefficients(), options.picture_tasks);
    report.bytes_up += SampleRun::bytes_up(*reconstructed);
    report.bytes_down += SampleRun::bytes_down(*reconstructed, are_given);
  }
  const Clock::time_point written = Clock::now();
  writer.upload();
  scope.emplace("wait for parsing", "a run", report.bytes_up);
  report.tasks = run_tasks(queue_, roots, options.run);
  writer.download();
  if (reconstructed != nullptr) {
    scope.emplace("wait for pictures", "a run", report.bytes_down);
    report.reconstruction = samples_.run(*reconstructed, options.run, are_given);
  }
  queue_.wait();
  scope.reset();
  report.slices = writer.counts().slices;
  report.payload_bytes = writer.counts().payload_bytes;
  report.macroblocks = writer.counts().ranges;
  report.writing_seconds = seconds_between(start, written);
  report.device_seconds = seconds_between(written, Clock::now());
  return report;
}

void FeatureRun::download(const DevicePicture& picture, std::span<Macroblock> macroblocks) {
  const PictureElements<Macroblock>& from = picture.macroblocks;
  copy(queue_, BufferSpan<Macroblock>(macroblocks),
       std::as_const(*from.memory).span(from.first, from.count));
  queue_.wait();
}

}  // namespace millrace::h264
