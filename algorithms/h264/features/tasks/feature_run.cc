// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/entropy/slice_input_maker.h>
#include <millrace/algorithms/h264/features/tasks/array_layout.h>
#include <millrace/algorithms/h264/features/tasks/feature_run.h>
#include <millrace/algorithms/h264/features/tasks/feature_tasks.h>
#include <millrace/algorithms/h264/features/tasks/uploaded_memory.h>
#include <millrace/algorithms/h264/features/tasks/waiting_lists.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/memory_pool.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/scratch_memory.h>
#include <millrace/runtime/host/seconds_since.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <utility>

namespace millrace::h264 {
namespace {

using Clock = std::chrono::steady_clock;

// Returns the number of pictures that a warp parses at a time where a run has so many
// (docs/experiments/how_many_slices_a_warp_parses.md).
int pictures_a_warp_of(std::size_t pictures) {
  constexpr std::size_t kWarps = 900;
  constexpr int kMost = 32;
  int count = 1;
  while (count < kMost && pictures / static_cast<std::size_t>(count) > kWarps) count *= 2;
  return count;
}

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
         counts.rows * sizeof(RowSums) + sizeof(BatchPicture) + sizeof(PictureGroup) +
         sizeof(PictureSums) + SampleRun::bytes_of(picture);
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

// Makes the memory of one run. What the device reads is written to pinned memory, with pointers of
// the device, and copied as one piece; so are the results.
class FeatureRun::Writer {
 public:
  Writer(FeatureRun& run, std::span<PendingPicture* const> pictures, int pictures_a_warp)
      : run_(run), pictures_(pictures) {
    firsts_.reserve(pictures.size());
    for (std::size_t k = 0; k < pictures.size(); ++k) {
      const PendingPicture& picture = *pictures[k];
      firsts_.push_back(counts_);
      counts_ += picture.summary.counts;
      has_colocated_ = has_colocated_ || picture.summary.has_colocated;
      add_scaling(picture);
    }
    set_places();
    form_groups(pictures_a_warp > 0 ? pictures_a_warp : pictures_a_warp_of(pictures.size()));
    find_waiting();
    place_arrays();
    allocate();
    set_device_pictures();
  }

  const ElementCounts& counts() const { return counts_; }

  void write() {
    scale_sets_.write(host_of<LevelScales>(scales_));
    copy_array(groups_, host_of<PictureGroup>(batch_groups_));
    copy_array(waiting_lists_.array(), host_of<std::int32_t>(waiting_));
    *host_of<FeatureBatch>(batch_) = {.pictures = input_of<BatchPicture>(batch_pictures_),
                                      .groups = input_of<PictureGroup>(batch_groups_),
                                      .tables = {run_.cabac_.data(), run_.cavlc_.data()}};
    for_each_picture([this](std::size_t k) { write_picture(k); });
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

  // Enqueues the copy of the results; they are set once the queue has been waited for.
  void download() {
    const auto pool = run_.queue_.device().pool(MemorySpace::kPinned);
    run_.results_memory_ = Buffer<std::byte>(pool, results_.size());
    copy(run_.queue_, run_.results_memory_.span(), results_.span());
    const std::byte* const memory = run_.results_memory_.data();
    const auto* const ends = reinterpret_cast<const ParsedSliceEnd*>(memory + ends_);
    const auto* const sums = reinterpret_cast<const PictureSums*>(memory + sums_);
    const auto* const rows = reinterpret_cast<const RowSums*>(memory + rows_);
    run_.results_.clear();
    run_.results_.reserve(pictures_.size());
    for (std::size_t k = 0; k < pictures_.size(); ++k) {
      const ElementCounts& first = firsts_[k];
      run_.results_.push_back(
          {{ends + first.slices, pictures_[k]->slices.size()},
           sums + k,
           {rows + first.rows, static_cast<std::size_t>(pictures_[k]->height)}});
    }
  }

  // Returns the coefficients of the pictures on the device, valid as long as this object.
  std::vector<ParsedCoefficients> coefficients() {
    std::vector<ParsedCoefficients> coefficients;
    for (const ElementCounts& first : firsts_) {
      coefficients.push_back(
          {coefficients_of(first), work_of<CoefficientRange>(ranges_) + first.ranges});
    }
    return coefficients;
  }

 private:
  void place_arrays() {
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
    rows_ = result_.add<RowSums>(counts_.rows);
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

  void add_scaling(const PendingPicture& picture) {
    if (picture.summary.scaling != nullptr) return scale_sets_.add(picture.summary.scaling);
    for (const PendingSlice& slice : picture.slices) {
      if (slice.damage == nullptr) scale_sets_.add(slice.scaling);
    }
  }

  // Tells slices which pictures are of this run.
  void set_places() {
    for_each_picture([this](std::size_t k) {
      pictures_[k]->device->macroblocks.run = run_.number_;
      pictures_[k]->device->index_in_run = k;
    });
  }
  void set_device_pictures() {
    for_each_picture([this](std::size_t k) {
      const PendingPicture& picture = *pictures_[k];
      PictureMemory<Macroblock>& macroblocks = picture.device->macroblocks;
      macroblocks.memory = picture.is_kept ? kept_macroblocks_ : macroblocks_;
      macroblocks.first = picture.is_kept ? firsts_[k].kept_macroblocks : firsts_[k].macroblocks;
      macroblocks.count = picture.macroblocks();
    });
  }

  // Calls work(k) for each picture, on the host's threads.
  template <class Work>
  void for_each_picture(const Work& work) const {
    constexpr std::size_t kPiece = 64;
    HostThreads::shared().for_each_in_pieces(pictures_.size(), kPiece, work);
  }

  bool waits_in_this_run(const PendingSlice& slice) const {
    return slice.damage == nullptr && slice.colocated != nullptr &&
           slice.colocated->macroblocks.run == run_.number_;
  }

  // Pictures that wait for others of the run are groups of one.
  void form_groups(int most) {
    for (std::size_t k = 0; k < pictures_.size(); ++k) {
      std::uint32_t missing = 0;
      if (pictures_[k]->summary.has_colocated) {
        for (const PendingSlice& slice : pictures_[k]->slices) {
          missing += waits_in_this_run(slice) ? 1 : 0;
        }
      }
      const bool is_added = missing == 0 && !groups_.empty() && groups_.back().missing == 0 &&
                            groups_.back().count < most;
      if (is_added) {
        ++groups_.back().count;
      } else {
        groups_.push_back({static_cast<std::int32_t>(k), 1, missing});
      }
      group_of_.push_back(static_cast<std::int32_t>(groups_.size() - 1));
    }
  }

  // Finds which groups wait for which pictures.
  void find_waiting() {
    waiting_lists_ = WaitingLists(pictures_.size(), [this](const auto& use) {
      for (std::size_t k = 0; has_colocated_ && k < pictures_.size(); ++k) {
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
    BatchPicture& batch = host_of<BatchPicture>(batch_pictures_)[k];
    batch.macroblocks = picture.device->macroblocks.data();
    batch.measured = {.macroblocks = batch.macroblocks,
                      .ranges = work_of<CoefficientRange>(ranges_) + first.ranges,
                      .slices = input_of<MeasuredSlice>(measured_slices_) + first.slices,
                      .slice_count = static_cast<std::int32_t>(picture.slices.size()),
                      .width = picture.width,
                      .height = picture.height};
    batch.sums = result_of<PictureSums>(sums_) + k;
    batch.rows = result_of<RowSums>(rows_) + first.rows;
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

  // Returns the list of a picture, which its slices fill from places of their own on.
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
  std::vector<ElementCounts> firsts_;  // By picture.
  bool has_colocated_ = false;
  std::vector<PictureGroup> groups_;
  std::vector<std::int32_t> group_of_;  // By picture.
  WaitingLists waiting_lists_;          // By picture.
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

FeatureRun::FeatureRun(Queue& queue) : queue_(queue), samples_(queue) {
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
  Writer writer(*this, pictures, options.pictures_a_warp);
  writer.write();
  const TaskList<FeatureTasks> roots = writer.roots();
  const Clock::time_point written = Clock::now();
  writer.upload();
  report.tasks = run_tasks(queue_, roots, options.run);
  writer.download();
  if (options.samples != StreamSamples::kNone) {
    report.reconstruction = samples_.run(number_, pictures, writer.coefficients(),
                                         {.tasks = options.picture_tasks, .run = options.run},
                                         options.samples == StreamSamples::kGiven);
  }
  queue_.wait();
  report.slices = writer.counts().slices;
  report.payload_bytes = writer.counts().payload_bytes;
  report.macroblocks = writer.counts().ranges;
  report.writing_seconds = seconds_between(start, written);
  report.device_seconds = seconds_between(written, Clock::now());
  return report;
}

void FeatureRun::download(const DevicePicture& picture, std::span<Macroblock> macroblocks) {
  const PictureMemory<Macroblock>& from = picture.macroblocks;
  copy(queue_, BufferSpan<Macroblock>(macroblocks),
       std::as_const(*from.memory).span(from.first, from.count));
  queue_.wait();
}

}  // namespace millrace::h264
