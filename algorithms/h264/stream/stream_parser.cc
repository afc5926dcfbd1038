// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/codec_guess.h>
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/bitstream/parameter_set_store.h>
#include <millrace/algorithms/h264/bitstream/recovery_point.h>
#include <millrace/algorithms/h264/bitstream/slice_header.h>
#include <millrace/algorithms/h264/bitstream/syntax_fault.h>
#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/algorithms/h264/pictures/picture_pool.h>
#include <millrace/algorithms/h264/pictures/picture_sequence.h>
#include <millrace/algorithms/h264/pictures/recycled_pictures.h>
#include <millrace/algorithms/h264/prefetch_object.h>
#include <millrace/algorithms/h264/stream/slice_faults.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace millrace::h264 {
namespace {

// nal_unit_type, Table 7-1.
enum NalUnitType {
  kSlice = 1,
  kPartitionA = 2,
  kPartitionC = 4,
  kIdrSlice = 5,
  kSupplement = 6,
  kSequenceParameters = 7,
  kPictureParameters = 8,
  kDelimiter = 9,
  kEndOfSequence = 10,
  kEndOfStream = 11,
  kFiller = 12,
  kPrefix = 14,
  kSubsetParameters = 15,
  kAuxiliarySlice = 19,
  kExtensionSlice = 20,
  kDepthSlice = 21,
};

// Returns the tool that a NAL unit of that type belongs to, where it is not supported; else null.
const char* unsupported_tool(int type) {
  if (type >= kPartitionA && type <= kPartitionC) {
    return "data partitioning (NAL units of types 2 to 4); its slices are skipped";
  }
  switch (type) {
    case kPrefix:
    case kSubsetParameters:
    case kExtensionSlice:
      return "scalable or multiview coding (NAL units of types 14, 15 and 20); the base layer is "
             "parsed";
    case kAuxiliarySlice:
      return "auxiliary coded pictures (NAL units of type 19); the primary pictures are parsed";
    case kDepthSlice: return "depth or 3D coding (NAL units of type 21); the base view is parsed";
    default: return nullptr;
  }
}

// Gives a parser the memory of its thread for the payload of one NAL unit. What several parsers use
// one after the other stays in the caches, and they need none of their own in between.
class PayloadMemory {
 public:
  explicit PayloadMemory(NalPayload& payload) : payload_(payload) { swap(); }
  ~PayloadMemory() { swap(); }
  PayloadMemory(const PayloadMemory&) = delete;
  PayloadMemory& operator=(const PayloadMemory&) = delete;

 private:
  void swap() {
    thread_local NalPayload memory;
    payload_.bytes.swap(memory.bytes);
    payload_.emulation_prevention.swap(memory.emulation_prevention);
  }

  NalPayload& payload_;
};

}  // namespace

class StreamParser::State {
 public:
  State(PictureSink& sink, const ParserOptions& options)
      : sink_(sink), options_(options), pictures_(sink) {}

  void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes);
  void end_picture();
  void note_loss(int count);
  void finish();
  MissingPictures missing() const { return {pictures_.lost_pictures(), dropped_pictures_}; }

 private:
  // A NAL unit's position in the stream.
  struct UnitPosition {
    std::int64_t nal_unit = -1;
    std::int64_t byte = 0;
  };

  void add_slice(int nal_reference, int type, std::uint32_t bytes);
  void skip_picture(const SliceHeader& header);
  void begin_picture(const ParameterSets& sets, const SliceHeader& header);
  void parse_slice(SliceHeader&& header, const ParameterSets& sets, const BitReader& reader,
                   std::uint32_t bytes);
  void count_lost();
  void decode();
  void report_no_picture();
  bool can_begin_at(const SliceHeader& header) const;
  bool begins_picture_after(const SliceHeader& header, const SequenceParameters& sequence) const;

  // Reports a fault at byte `payload_byte` of the current NAL unit's payload.
  void report(SyntaxFault fault, std::size_t payload_byte = 0);
  // Reports a fault at a byte of the stream.
  void report_at(const UnitPosition& position, SyntaxFault fault);
  // Reports damage of the whole current picture at its last slice. Empty: none.
  void report_at_picture(std::string damage) {
    if (!damage.empty()) report_at(last_slice_, damaged(std::move(damage)));
  }
  void report(const SyntaxCheck& fault) {
    if (fault) report(*fault);
  }
  void report_damage(std::string damage) {
    if (!damage.empty()) report(damaged(std::move(damage)));
  }
  // Reports a fault that many NAL units of a stream may have only the first time.
  void report_once(const SyntaxFault& fault);

  // Fetches what slices use of this object.
  void prefetch() const {
    constexpr std::size_t kFound = 64;  // Sets that were found last.
    const auto* const first = reinterpret_cast<const char*>(this);
    const auto* const sets = reinterpret_cast<const char*>(&sets_);
    prefetch_bytes(first, static_cast<std::size_t>(sets - first) + kFound);
    if (options_.collector == nullptr) return;
    pictures_.prefetch();
    collected_.prefetch();
    sets_.prefetch();
  }

  PictureSink& sink_;
  UnitPosition unit_;                // The current NAL unit.
  UnitPosition last_slice_;          // The last slice of the current picture.
  std::uint32_t pending_bytes_ = 0;  // Bytes of NAL units that belong to the next picture.
  bool has_fault_ = false;
  bool is_beside_pictures_ = false;  // The NAL unit is of no primary picture.
  bool has_new_sequence_ = false;    // A set arrived since the current picture's last slice.
  bool has_begun_ = false;           // A picture that can be decoded has come.
  bool has_finished_ = false;
  std::shared_ptr<const SequenceParameters> sequence_;  // Active; null before the first picture.
  std::shared_ptr<ParsedPicture> picture_;              // Current; null between pictures.
  std::optional<RecoveryPoint> recovery_point_;         // Recovery point of the next picture.
  NalPayload payload_;                                  // Payload of the current NAL unit.
  ParserOptions options_;
  RecycledPictures collected_;  // A collector uses it instead of the pool.
  PictureSequence pictures_;
  ParameterSetStore sets_;  // The last ones that were found come first.
  // Most slices do not use the members below.
  PicturePool pool_;
  CodecGuess codec_;                    // Guess from the units before the first picture.
  std::optional<SliceHeader> skipped_;  // Header of the last slice dropped before the start.
  std::int64_t dropped_pictures_ = 0;   // Pictures dropped before a start.
  std::set<std::string> said_;          // Messages of report_once().
};

void StreamParser::State::report(SyntaxFault fault, std::size_t payload_byte) {
  // Readers count on behind the end of a payload that is cut.
  const std::size_t within = std::min(payload_byte, payload_.bytes.size());
  const std::size_t unit_byte = within == 0 ? 0 : payload_.unit_byte(within);
  report_at({unit_.nal_unit, unit_.byte + static_cast<std::int64_t>(unit_byte)}, std::move(fault));
}

void StreamParser::State::report_at(const UnitPosition& position, SyntaxFault fault) {
  StreamFault report;
  report.message = std::move(fault.message);
  report.nal_unit = std::max<std::int64_t>(position.nal_unit, 0);
  report.byte = position.byte;
  report.picture = picture_ != nullptr ? picture_->id : pictures_.next_id();
  report.is_unsupported = fault.is_unsupported;
  report.has_primary_pictures = fault.is_unsupported && is_beside_pictures_;
  has_fault_ = true;
  sink_.fault(report);
}

void StreamParser::State::report_once(const SyntaxFault& fault) {
  // A valid stream has a small number of messages. A damaged one may produce new ones without end,
  // so their set is bounded.
  constexpr std::size_t kMaxMessages = 1000;
  if (said_.size() >= kMaxMessages) said_.clear();
  if (said_.insert(fault.message).second) report(fault);
}

void StreamParser::State::push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte,
                                        int framing_bytes) {
  prefetch();
  const PayloadMemory memory(payload_);
  ++unit_.nal_unit;
  unit_.byte = byte;
  if (pictures_.next_id() == 0) codec_.add(unit);
  if (unit.empty()) return report(damaged("a NAL unit is empty; it is skipped"));
  const int type = unit[0] & 31;
  const int nal_reference = unit[0] >> 5 & 3;
  const auto bytes =
      static_cast<std::uint32_t>(unit.size()) + static_cast<std::uint32_t>(framing_bytes);
  if ((unit[0] & 0x80) != 0) {
    pending_bytes_ += bytes;
    return report(damaged("forbidden_zero_bit of a NAL unit is 1; it is skipped"));
  }
  if (type == kSlice || type == kIdrSlice) {
    extract_payload(unit, payload_);
    return add_slice(nal_reference, type, bytes);
  }
  if (type == kDelimiter) end_picture();
  // Units of these types follow the slices of their access unit.
  if (picture_ != nullptr && type >= kEndOfSequence) {
    picture_->bytes += bytes;
  } else {
    pending_bytes_ += bytes;
  }
  if (type == kEndOfSequence || type == kEndOfStream) end_picture();
  switch (type) {
    case kSequenceParameters:
      has_new_sequence_ = true;
      extract_payload(unit, payload_);
      return report(sets_.add_sequence(payload_.bytes));
    case kPictureParameters:
      extract_payload(unit, payload_);
      return report(sets_.add_picture(payload_.bytes));
    case kSupplement:
      extract_payload(unit, payload_);
      return report(find_recovery_point(payload_.bytes, recovery_point_));
    default: break;
  }
  is_beside_pictures_ = type > kPartitionC;
  if (const char* const tool = unsupported_tool(type)) report_once(unsupported(tool));
  is_beside_pictures_ = false;
}

void StreamParser::State::add_slice(int nal_reference, int type, std::uint32_t bytes) {
  pending_bytes_ += bytes;
  BitReader reader(payload_.bytes.data(), payload_.bytes.size());
  const int id = picture_parameters_of_slice(reader);
  if (sets_.last_found(id) == nullptr) {
    ParameterSets found;
    if (const SyntaxCheck fault = sets_.find(id, found)) return report_once(*fault);
  }
  const ParameterSets& sets = *sets_.last_found(id);
  SliceHeader header;
  if (options_.collector != nullptr) collected_.lend_lists(header);
  if (const SyntaxCheck fault =
          parse_slice_header(reader, nal_reference, type, *sets.sequence, *sets.picture, header)) {
    // Its bytes are those of the current picture, most probably.
    if (picture_ != nullptr) picture_->bytes += std::exchange(pending_bytes_, 0);
    if (fault->is_unsupported) return report_once(*fault);
    return report(*fault, reader.position() / 8);
  }
  if (picture_ != nullptr && begins_picture_after(header, *sets.sequence)) end_picture();
  if (picture_ == nullptr) {
    begin_picture(sets, header);
    if (picture_ == nullptr) return;
  }
  has_new_sequence_ = false;
  // Macroblock::slice has 16 bits.
  const std::size_t most =
      std::min<std::size_t>(static_cast<std::size_t>(sequence_->macroblock_count()), 65536);
  if (picture_->slices.size() == most) {
    return report(damaged("a picture has more than " + std::to_string(most) +
                          " slices, one for each macroblock or 65536"));
  }
  picture_->bytes += std::exchange(pending_bytes_, 0);
  parse_slice(std::move(header), sets, reader, bytes);
}

// Sequence parameters come between pictures alone (clause 7.4.1.2.3): where streams are joined, the
// headers of two IDR pictures may be the same.
bool StreamParser::State::begins_picture_after(const SliceHeader& header,
                                               const SequenceParameters& sequence) const {
  const SliceHeader& last = picture_->slices.back().header;
  return begins_picture(last, header) || picture_->sequence.get() != &sequence ||
         (has_new_sequence_ && header.first_macroblock <= last.first_macroblock);
}

bool StreamParser::State::can_begin_at(const SliceHeader& header) const {
  return header.nal_unit_type == kIdrSlice || header.type == SliceType::kI ||
         recovery_point_.has_value();
}

// Drops a slice of a picture before the first one that can be decoded.
void StreamParser::State::skip_picture(const SliceHeader& header) {
  report_once(damaged("pictures before the first I picture or recovery point are dropped"));
  if (!skipped_ || begins_picture(*skipped_, header)) ++dropped_pictures_;
  skipped_ = header;
  pending_bytes_ = 0;
  recovery_point_.reset();
}

void StreamParser::State::begin_picture(const ParameterSets& sets, const SliceHeader& header) {
  const bool is_idr = header.nal_unit_type == kIdrSlice;
  if (has_begun_ && !is_idr && sequence_ != sets.sequence) {
    report(
        damaged("sequence parameters change without an IDR picture; the next I picture or "
                "recovery point begins a new sequence"));
    pictures_.restart();
    has_begun_ = false;
  }
  if (!has_begun_) {
    // An I slice of a picture that is being dropped does not begin a picture.
    if (!can_begin_at(header) || (skipped_ && !begins_picture(*skipped_, header))) {
      return skip_picture(header);
    }
    has_begun_ = true;
    skipped_.reset();
  }
  if (sequence_ != sets.sequence) sequence_ = sets.sequence;
  if (options_.collector != nullptr) {
    picture_ = collected_.make();
  } else {
    picture_ = pool_.make(options_.wants_macroblocks ? sequence_->macroblock_count() : 0,
                          options_.wants_coefficients);
  }
  report_damage(pictures_.begin(sequence_, header, *picture_));
  picture_->has_recovery_point = recovery_point_.has_value();
  recovery_point_.reset();
}

void StreamParser::State::parse_slice(SliceHeader&& header, const ParameterSets& sets,
                                      const BitReader& reader, std::uint32_t bytes) {
  constexpr std::size_t kNalHeaderBits = 8;
  last_slice_ = unit_;
  const std::size_t index = picture_->slices.size();
  picture_->picture_parameters.push_back(sets.picture);
  Slice& slice = picture_->slices.emplace_back();
  slice.header = std::move(header);
  slice.bytes = bytes;
  const std::size_t framing =
      8 * (bytes - payload_.emulation_prevention.size() - 1 - payload_.bytes.size());
  slice.header_bits = static_cast<std::uint32_t>(framing + kNalHeaderBits + reader.position());
  if (options_.collector != nullptr) collected_.lend_lists(slice);
  report_damage(pictures_.add_references(slice));
  if (options_.collector != nullptr) {
    return options_.collector->collect(*picture_, static_cast<int>(index),
                                       {.payload = payload_.bytes,
                                        .first_bit = reader.position(),
                                        .emulation_prevention = payload_.emulation_prevention,
                                        .nal_unit = unit_.nal_unit,
                                        .byte = unit_.byte});
  }
  const SliceEnd end =
      options_.parse_slice(*picture_, static_cast<int>(index), payload_.bytes, reader.position());
  Slice& parsed = picture_->slices[index];
  parsed.macroblock_count = end.macroblocks;
  if (end.damage == nullptr) return;
  parsed.is_damaged = true;
  report(damaged(text_of_damaged_slice(index, end)), end.bit / 8);
}

void StreamParser::State::count_lost() {
  // Slices have no macroblock in common.
  const int macroblocks = picture_->sequence->macroblock_count();
  picture_->lost_macroblocks =
      std::accumulate(picture_->slices.begin(), picture_->slices.end(), macroblocks,
                      [](int lost, const Slice& slice) { return lost - slice.macroblock_count; });
  if (picture_->lost_macroblocks > 0) clear_lost(*picture_);
  const bool is_damaged = std::any_of(picture_->slices.begin(), picture_->slices.end(),
                                      [](const Slice& slice) { return slice.is_damaged; });
  if (picture_->lost_macroblocks > 0 && !is_damaged) {
    report_at_picture(text_of_lost_slices(picture_->lost_macroblocks, macroblocks));
  }
}

void StreamParser::State::decode() {
  if (options_.collector == nullptr) return sink_.decode(pool_.lend(picture_));
  sink_.decode(picture_);
  // Pictures that are kept for reference must not name others, which may end.
  for (Slice& slice : picture_->slices) {
    for (std::vector<Reference>& list : slice.references) {
      for (Reference& reference : list) reference.parsed = nullptr;
    }
  }
}

void StreamParser::State::end_picture() {
  if (picture_ == nullptr) return;
  if (options_.collector == nullptr) count_lost();
  decode();
  report_at_picture(pictures_.end(picture_, picture_->slices.front().header));
  picture_.reset();
}

void StreamParser::State::note_loss(int count) {
  report(damaged(count > 0 ? std::to_string(count) + " NAL units were lost after this one"
                           : "NAL units were lost after this one"));
}

void StreamParser::State::finish() {
  if (std::exchange(has_finished_, true)) return;
  end_picture();
  pictures_.flush();
  if (pictures_.next_id() == 0) report_no_picture();
}

void StreamParser::State::report_no_picture() {
  if (unit_.nal_unit < 0)
    return report(damaged("the stream is empty: it has no NAL unit; give a stream of H.264"));
  const std::string units =
      "no H.264 picture in " + std::to_string(unit_.nal_unit + 1) + " NAL units";
  if (const char* const codec = codec_.name()) {
    report(unsupported(units + ": the stream looks like " + codec + "; give one of H.264"));
  } else if (!has_fault_) {
    report(damaged(units));
  }
}

StreamParser::StreamParser(PictureSink& sink, const ParserOptions& options)
    : state_(std::make_unique<State>(sink, options)) {}

StreamParser::~StreamParser() = default;

StreamParser::StreamParser(StreamParser&&) noexcept = default;

void StreamParser::push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte,
                                 int framing_bytes) {
  state_->push_nal_unit(unit, byte, framing_bytes);
}

void StreamParser::end_picture() { state_->end_picture(); }

void StreamParser::note_loss(int count) { state_->note_loss(count); }

void StreamParser::finish() { state_->finish(); }

MissingPictures StreamParser::missing() const { return state_->missing(); }

}  // namespace millrace::h264
