// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/device_memory.h>
#include <millrace/algorithms/h264/entropy/slice_input_maker.h>
#include <millrace/algorithms/h264/entropy/tasks/longest_first.h>
#include <millrace/algorithms/h264/entropy/tasks/parse_on.h>
#include <millrace/algorithms/h264/entropy/tasks/parsing_tasks.h>
#include <millrace/algorithms/h264/entropy/tasks/slices_a_warp.h>
#include <millrace/algorithms/h264/pictures/picture_pool.h>
#include <millrace/runtime/host/scratch_memory.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace millrace::h264 {
namespace {

// Macroblocks of all pictures that jobs write or read, behind each other on the device.
class DevicePictures {
 public:
  // Reserves memory for the picture's macroblocks. Its slices are parsed in this run if
  // `is_written`.
  void add(const ParsedPicture& picture, bool is_written) {
    const auto [entry, is_new] =
        pictures_.try_emplace(&picture, UploadedPicture{macroblocks_, is_written});
    if (is_new) macroblocks_ += picture.macroblocks.size();
    entry->second.is_written = entry->second.is_written || is_written;
  }

  // Called once all pictures are added.
  void upload(DeviceMemory& memory) {
    buffer_ = memory.make<Macroblock>(macroblocks_);
    ranges_ = memory.make<CoefficientRange>(macroblocks_);
    for (const auto& [picture, on_device] : pictures_) {
      memory.upload(std::span<const Macroblock>(picture->macroblocks), buffer_, on_device.first);
      if (!on_device.is_written || !picture->coefficients.are_wanted()) continue;
      memory.upload(picture->coefficients.ranges(), ranges_, on_device.first);
    }
  }
  void download(DeviceMemory& memory, ParsedPicture& picture) {
    const std::size_t first = pictures_.at(&picture).first;
    memory.download(buffer_, first, std::span<Macroblock>(picture.macroblocks));
    if (!picture.coefficients.are_wanted()) return;
    memory.download(ranges_, first, picture.coefficients.ranges());
  }

  Macroblock* macroblocks(const ParsedPicture& picture) {
    return buffer_.data() + pictures_.at(&picture).first;
  }
  CoefficientRange* ranges(const ParsedPicture& picture) {
    return ranges_.data() + pictures_.at(&picture).first;
  }

 private:
  struct UploadedPicture {
    std::size_t first;  // Index of its first macroblock.
    bool is_written;
  };

  std::map<const ParsedPicture*, UploadedPicture> pictures_;
  std::size_t macroblocks_ = 0;
  Buffer<Macroblock> buffer_;
  Buffer<CoefficientRange> ranges_;
};

// Scales of levels on the host, each set of scaling lists once.
class ScaleSets {
 public:
  std::size_t index_of(const ScalingLists& lists, const LevelScales& scales) {
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      if (std::memcmp(&lists_[i], &lists, sizeof(lists)) == 0) return i;
    }
    lists_.push_back(lists);
    scales_.push_back(scales);
    return lists_.size() - 1;
  }
  const std::vector<LevelScales>& scales() const { return scales_; }

 private:
  std::vector<ScalingLists> lists_;
  std::vector<LevelScales> scales_;
};

// Returns the picture whose motion the slice may read, or null.
const ParsedPicture* colocated_of(const ParsingJob& job) {
  const Slice& slice = job.picture->slices[static_cast<std::size_t>(job.slice)];
  if (slice.header.type != SliceType::kB || slice.references[1].empty()) return nullptr;
  const ParsedPicture* const picture = slice.references[1][0].parsed;
  return picture != nullptr && picture->macroblocks.size() == job.picture->macroblocks.size()
             ? picture
             : nullptr;
}

// One run. Its members are what uploads read and what the device has.
class Parsing {
 public:
  // A warp parses up to `slices_a_warp` slices.
  Parsing(Queue& queue, std::span<const ParsingJob> jobs, int slices_a_warp)
      : queue_(queue), memory_(queue) {
    for (const ParsingJob& job : jobs) add(job);
    find_predecessors();
    form_groups(slices_a_warp);
    find_followers();
    upload();
  }

  ParsingResult run(const RunOptions& options) {
    TaskList<ParsingTasks> roots;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i].unfinished_predecessors > 0) continue;
      roots.push(ParseSlices{batch_buffer_.data(), static_cast<std::int32_t>(i)});
    }
    ParsingResult result;
    result.report = run_tasks(queue_, roots, options);
    download();
    result.slices = std::move(ends_);
    return result;
  }

 private:
  // A job that can be parsed, and the offsets of its memory in the buffers.
  struct Entry {
    ParsingJob job;
    std::size_t end;  // Index into ends_.
    std::size_t payload, edges, coefficients, colocated_references, scales;
  };

  void add(const ParsingJob& job) {
    // Direct prediction reads macroblocks that are lost, too.
    if (cleared_.insert(job.picture).second) clear_lost(*job.picture);
    SliceInputMaker::Input input = maker_.make(*job.picture, job.slice, job.payload, job.first_bit);
    if (job.picture->macroblocks.empty()) input.damage = kNoMacroblocks;
    ends_.push_back({0, input.damage == nullptr ? "" : input.damage, job.first_bit, 0});
    if (input.damage != nullptr) return;
    SliceWork& work = works_.emplace_back();
    work.slice = input.slice;
    SliceParameters& parameters = work.slice.parameters;
    parameters.are_macroblocks_clear = true;
    if (job.picture->coefficients.are_wanted()) {
      parameters.coefficient_capacity = most_coefficients_of(work.slice);
    }
    const auto slice = static_cast<std::size_t>(job.slice);
    entries_.push_back(
        {job, ends_.size() - 1, payload_bytes_, edges_, coefficients_, references_.size(),
         scales_.index_of(job.picture->picture_parameters[slice]->scaling, *parameters.scales)});
    payload_bytes_ += job.payload.size();
    edges_ += static_cast<std::size_t>(parameters.width);
    coefficients_ += parameters.coefficient_capacity;
    if (parameters.colocated_references != nullptr) {
      references_.insert(references_.end(), parameters.colocated_references,
                         parameters.colocated_references + parameters.colocated_slices);
    }
    pictures_.add(*job.picture, true);
    if (const ParsedPicture* const colocated = colocated_of(job)) pictures_.add(*colocated, false);
  }

  // Finds the slices that each slice waits for, and its level: 0 where it waits for none, else one
  // more than the highest level of these.
  void find_predecessors() {
    predecessors_.resize(works_.size());
    levels_.resize(works_.size());
    std::map<const ParsedPicture*, std::size_t> last;  // Work of each picture's last slice so far.
    for (std::size_t i = 0; i < works_.size(); ++i) {
      const ParsingJob& job = entries_[i].job;
      for (const ParsedPicture* const before :
           {static_cast<const ParsedPicture*>(job.picture), colocated_of(job)}) {
        const auto found = last.find(before);
        if (found == last.end()) continue;
        predecessors_[i].push_back(found->second);
        levels_[i] = std::max(levels_[i], levels_[found->second] + 1);
      }
      last[job.picture] = i;
    }
  }

  // Puts slices of one level into groups of up to `most`, the longest first: a warp waits for the
  // longest slice of its group.
  void form_groups(int most) {
    longest_first(
        works_.size(), [this](std::size_t i) { return entries_[i].job.payload.size(); }, order_);
    const auto level_of = [this](std::int32_t i) { return levels_[static_cast<std::size_t>(i)]; };
    std::ranges::stable_sort(order_, {}, level_of);
    group_of_.resize(works_.size());
    for (std::size_t position = 0; position < order_.size(); ++position) {
      const std::int32_t slice = order_[position];
      const bool is_added = !groups_.empty() && groups_.back().count < most &&
                            level_of(order_[position - 1]) == level_of(slice);
      if (!is_added) groups_.push_back({static_cast<std::int32_t>(position), 0, 0});
      ++groups_.back().count;
      group_of_[static_cast<std::size_t>(slice)] = static_cast<std::int32_t>(groups_.size() - 1);
    }
  }

  // Finds the groups that wait for each slice.
  void find_followers() {
    std::vector<std::vector<std::int32_t>> followers(works_.size());
    for (std::size_t i = 0; i < works_.size(); ++i) {
      for (const std::size_t predecessor : predecessors_[i]) {
        followers[predecessor].push_back(group_of_[i]);
        ++groups_[static_cast<std::size_t>(group_of_[i])].unfinished_predecessors;
      }
    }
    for (std::size_t i = 0; i < works_.size(); ++i) {
      first_followers_.push_back(followers_.size());
      followers_.insert(followers_.end(), followers[i].begin(), followers[i].end());
      works_[i].follower_count = static_cast<std::int32_t>(followers[i].size());
    }
  }

  void upload() {
    pictures_.upload(memory_);
    payload_buffer_ = memory_.make<std::uint8_t>(payload_bytes_);
    edges_buffer_ = memory_.make<CodedEdge>(edges_);
    coefficients_buffer_ = memory_.make<CodedCoefficient>(coefficients_);
    references_buffer_ = memory_.upload(references_);
    scales_buffer_ = memory_.upload(scales_.scales());
    followers_buffer_ = memory_.upload(followers_);
    scans_buffer_ = memory_.upload(scans_);
    cabac_buffer_ = memory_.upload(cabac_);
    cavlc_buffer_ = memory_.upload(cavlc_);
    for (std::size_t i = 0; i < works_.size(); ++i) {
      memory_.upload(entries_[i].job.payload, payload_buffer_, entries_[i].payload);
      point_to_device(works_[i], entries_[i]);
      works_[i].followers = followers_buffer_.data() + first_followers_[i];
    }
    works_buffer_ = memory_.upload(works_);
    order_buffer_ = memory_.upload(order_);
    groups_buffer_ = memory_.upload(groups_);
    batch_ = {{works_buffer_.data(),
               order_buffer_.data(),
               groups_buffer_.data(),
               {cabac_buffer_.data(), cavlc_buffer_.data()}}};
    batch_buffer_ = memory_.upload(batch_);
    queue_.wait();
  }

  void point_to_device(SliceWork& work, const Entry& entry) {
    const ParsedPicture& picture = *entry.job.picture;
    SliceParameters& parameters = work.slice.parameters;
    work.slice.payload = payload_buffer_.data() + entry.payload;
    parameters.macroblocks = pictures_.macroblocks(picture);
    parameters.edges_above = edges_buffer_.data() + entry.edges;
    parameters.scales = scales_buffer_.data() + entry.scales;
    parameters.scans = scans_buffer_.data();
    if (picture.coefficients.are_wanted()) {
      parameters.coefficients = coefficients_buffer_.data() + entry.coefficients;
      parameters.coefficient_ranges = pictures_.ranges(picture);
    }
    if (const ParsedPicture* const colocated = colocated_of(entry.job)) {
      parameters.colocated = pictures_.macroblocks(*colocated);
    }
    if (parameters.colocated_references != nullptr) {
      parameters.colocated_references = references_buffer_.data() + entry.colocated_references;
    }
  }

  void download() {
    memory_.download(works_buffer_, 0, std::span<SliceWork>(works_));
    std::map<ParsedPicture*, bool> is_downloaded;
    for (const Entry& entry : entries_) {
      if (!std::exchange(is_downloaded[entry.job.picture], true)) {
        pictures_.download(memory_, *entry.job.picture);
      }
    }
    queue_.wait();
    std::vector<std::size_t> offsets;
    for (std::size_t i = 0; i < works_.size(); ++i) offsets.push_back(take(works_[i], entries_[i]));
    for (std::size_t i = 0; i < works_.size(); ++i) {
      PictureCoefficients& coefficients = entries_[i].job.picture->coefficients;
      if (!coefficients.are_wanted()) continue;
      memory_.download(coefficients_buffer_, entries_[i].coefficients,
                       coefficients.list().subspan(offsets[i], works_[i].end.coefficients));
    }
    queue_.wait();
  }

  // Takes over the end of a slice and reserves memory for its coefficients; returns their offset
  // in the picture's list.
  std::size_t take(const SliceWork& work, const Entry& entry) {
    const ParsedSliceEnd& end = work.end;
    ends_[entry.end] = {end.macroblocks, end.damage, end.bit, end.coefficients};
    PictureCoefficients& coefficients = entry.job.picture->coefficients;
    const std::size_t offset = coefficients.list().size();
    if (!coefficients.are_wanted()) return offset;
    // A slice counts its coefficients from 0.
    const int first = work.slice.parameters.first_macroblock;
    for (int k = first; k < first + end.macroblocks; ++k) {
      coefficients.ranges()[k].first += static_cast<std::uint32_t>(offset);
    }
    coefficients.extend(end.coefficients);
    return offset;
  }

  Queue& queue_;
  DeviceMemory memory_;
  SliceInputMaker maker_;
  DevicePictures pictures_;
  std::set<const ParsedPicture*> cleared_;
  ScaleSets scales_;
  std::vector<Entry> entries_;
  std::vector<SliceWork> works_;
  std::vector<ParsedSlice> ends_;
  std::vector<ColocatedReferences> references_;
  std::vector<std::vector<std::size_t>> predecessors_;
  std::vector<int> levels_;
  std::vector<std::int32_t> order_;
  std::vector<SliceGroup> groups_;
  std::vector<std::int32_t> group_of_;  // Indexed by work.
  std::vector<std::int32_t> followers_;
  std::vector<std::size_t> first_followers_;
  std::vector<ParsingBatch> batch_;  // One element.
  const std::vector<ScanOffsets> scans_ = {kScanOffsets};
  const std::vector<CabacTables> cabac_ = {kCabacTables};
  const std::vector<CavlcTables> cavlc_ = {kCavlcTables};
  std::size_t payload_bytes_ = 0, edges_ = 0, coefficients_ = 0;
  Buffer<std::uint8_t> payload_buffer_;
  Buffer<CodedEdge> edges_buffer_;
  Buffer<CodedCoefficient> coefficients_buffer_;
  Buffer<ColocatedReferences> references_buffer_;
  Buffer<LevelScales> scales_buffer_;
  Buffer<std::int32_t> followers_buffer_;
  Buffer<ScanOffsets> scans_buffer_;
  Buffer<CabacTables> cabac_buffer_;
  Buffer<CavlcTables> cavlc_buffer_;
  Buffer<SliceWork> works_buffer_;
  Buffer<std::int32_t> order_buffer_;
  Buffer<SliceGroup> groups_buffer_;
  Buffer<ParsingBatch> batch_buffer_;
  const QueueGuard guard_{queue_};  // Last: it is destroyed before what copies read.
};

}  // namespace

ParsingResult parse_on(Queue& queue, std::span<const ParsingJob> jobs,
                       const ParsingOptions& options) {
  const int chosen = slices_a_warp(queue.device().info(), jobs.size());
  return Parsing(queue, jobs, options.slices_a_warp > 0 ? options.slices_a_warp : chosen)
      .run(options.run);
}

}  // namespace millrace::h264
