// SPDX-License-Identifier: Apache-2.0

// A group of pictures that is encoded in the memory of a device, one picture after another.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_DEVICE_GROUP_ENCODER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_DEVICE_GROUP_ENCODER_H_

#include <millrace/algorithms/h264/device_memory.h>
#include <millrace/algorithms/h264/encoder/decision/macroblock_encoder.h>
#include <millrace/algorithms/h264/encoder/macroblock/level_quantiser.h>
#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/algorithms/h264/encoder/syntax/coded_border.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/encoder/tasks/encoding_tasks.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/buffer.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::h264 {

// Holds what all groups of a stream share in the memory of a device.
class SharedCoding {
 public:
  // Returns once all is uploaded. The options must outlive the object.
  SharedCoding(DeviceMemory& memory, const EncoderOptions& options,
               const SequenceParameters& sequence, const PictureParameters& picture);

  const EncoderOptions& options() const { return options_; }
  // Has the sizes, tools and tables of all pictures.
  const PictureCoding& setup() const { return setup_; }
  std::size_t macroblock_count() const { return empty_.size(); }

  // Return the initial values of arrays, which are copied before a group or a picture begins.
  const Buffer<Macroblock>& empty_macroblocks() const { return empty_; }
  const Buffer<std::uint32_t>& coding_arrivals() const { return coding_arrivals_; }
  const Buffer<std::uint32_t>& deblocking_arrivals() const { return deblocking_arrivals_; }

 private:
  const EncoderOptions& options_;
  PictureCoding setup_;
  Buffer<CavlcCodes> cavlc_codes_;
  Buffer<CabacTables> cabac_tables_;
  Buffer<CabacCosts> cabac_costs_;
  Buffer<Macroblock> empty_;
  Buffer<std::uint32_t> coding_arrivals_, deblocking_arrivals_;
};

// Searches of pictures of one QP.
struct SearchesOfQp {
  int qp = 0;
  std::vector<motion::SearchFrame<std::uint8_t>> frames;
  std::vector<motion::MotionField> fields;
};

// All functions enqueue their copies, and the group must live until these are done. One thread at a
// time may call it.
class DeviceGroupEncoder {
 public:
  // Returns the bytes of the device's memory that a group takes.
  static std::size_t bytes(const EncoderOptions& options, std::size_t macroblocks, int rows);

  DeviceGroupEncoder(DeviceMemory& memory, const SharedCoding& shared);

  void begin();
  // Stores the source of a picture of the group, complete to whole macroblocks. It must live until
  // the copy is done.
  void upload(std::size_t number, const SamplePicture& source);

  // Begins the next picture: adds its searches, and sets work().
  void begin_picture(int qp, std::vector<SearchesOfQp>& searches);
  int references() const;
  // The picture that has begun, for tasks.
  CodingWork* work() { return &state_.data()->work; }

  // Ends the picture once its tasks have run, and copies what it is written from.
  void end_picture(std::span<Macroblock> macroblocks, std::span<MacroblockLevels> levels,
                   std::span<std::uint64_t> squared_errors);

  // Downloads the reconstruction of a picture that has ended.
  void download(std::size_t number, SamplePicture& picture);

 private:
  // Holds the small objects that a picture's tasks read.
  struct State {
    CodingWork work;
    LevelQuantiser luma_quantiser;
    LevelQuantiser chroma_quantiser;
    ReferenceView references[motion::kMostReferences];
  };
  struct DeviceField {
    Buffer<MotionVector> vectors;
    Buffer<std::uint32_t> costs;
  };

  // Returns the offset of a plane in `samples_`.
  std::size_t offset(std::size_t slot, int plane) const;
  std::uint8_t* plane(std::size_t slot, int plane) { return samples_.data() + offset(slot, plane); }
  void add_searches(int qp, std::vector<SearchesOfQp>& searches);
  void set_work(int qp);

  DeviceMemory& memory_;
  const SharedCoding& shared_;
  // Pictures, by slots: the reconstruction of picture i is in slot i, its source in slot i + 1.
  Buffer<std::uint8_t> samples_;
  Buffer<Macroblock> macroblocks_;
  Buffer<MacroblockLevels> levels_;
  Buffer<CodedBorder> borders_;
  Buffer<CabacStates> row_states_, entry_states_;
  Buffer<EncoderMemory> row_memory_;
  Buffer<std::uint32_t> coding_missing_, deblocking_missing_;
  Buffer<MotionVector> zero_vector_;
  std::vector<DeviceField> fields_, fields_before_;  // Indexed by reference.
  Buffer<std::uint64_t> squared_errors_;             // Indexed by plane.
  Buffer<State> state_;
  Buffer<SliceView> slices_;
  State host_state_ = {};
  std::vector<SliceView> host_slices_;
  std::size_t number_ = 0;  // The next picture's, or that of the one that has begun.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_DEVICE_GROUP_ENCODER_H_
