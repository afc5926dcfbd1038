// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/output/stream_note.h>
#include <millrace/tools/command/features/ranks/rank_output.h>

#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

// A message is a sequence of records: a kind, then its members. All ranks run the same program, so
// numbers have the form that they have in memory.
enum class RecordKind : std::uint8_t { kBegin, kRow, kFault, kEnd, kTotals };

class RecordWriter {
 public:
  template <class T>
  RecordWriter& add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
    return *this;
  }
  RecordWriter& add(const std::string& text) {
    add(std::uint64_t{text.size()});
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
    bytes_.insert(bytes_.end(), bytes, bytes + text.size());
    return *this;
  }

  std::span<const std::byte> bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::vector<std::byte> bytes_;
};

class RecordReader {
 public:
  explicit RecordReader(std::span<const std::byte> bytes) : left_(bytes) {}

  bool has_more() const { return !left_.empty(); }

  template <class T>
  T value() {
    T value;
    std::memcpy(static_cast<void*>(&value), take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() {
    const std::span<const std::byte> bytes = take(value<std::uint64_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  std::span<const std::byte> take(std::size_t count) {
    if (count > left_.size()) {
      throw Error(ErrorCode::kIo,
                  "a message of another rank is cut off; run the same program on "
                  "all ranks");
    }
    const std::span<const std::byte> taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }

  std::span<const std::byte> left_;
};

}  // namespace

// Collects the records of a stream until they fill a message.
class RankOutput::Stream final : public StreamOutput {
 public:
  Stream(RankOutput& output, std::uint64_t id, const std::string& name) : output_(output), id_(id) {
    begin(RecordKind::kBegin).add(name);
  }

  void add(const FeatureRow& row) override {
    begin(RecordKind::kRow).add(row);
    constexpr std::size_t kMost = std::size_t{1} << 18;
    if (records_.bytes().size() >= kMost) send();
  }
  void add_fault(const h264::StreamFault& fault) override {
    begin(RecordKind::kFault)
        .add(fault.message)
        .add(fault.nal_unit)
        .add(fault.byte)
        .add(fault.picture)
        .add(fault.is_unsupported)
        .add(fault.has_primary_pictures);
  }
  void end(const StreamEnd& end) override {
    begin(RecordKind::kEnd)
        .add(end.error)
        .add(end.frames)
        .add(end.faults)
        .add(end.lost_packets)
        .add(end.lost_pictures)
        .add(end.dropped_pictures)
        .add(end.notes);
    send();
  }

 private:
  RecordWriter& begin(RecordKind kind) { return records_.add(kind).add(id_); }
  void send() {
    output_.send(records_.bytes());
    records_.clear();
  }

  RankOutput& output_;
  const std::uint64_t id_;
  RecordWriter records_;
};

std::unique_ptr<StreamOutput> RankOutput::begin(const std::string& stream) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t id = std::uint64_t(rank_) << 32 | begun_++;
  return std::make_unique<Stream>(*this, id, stream);
}

void RankOutput::finish(const StreamTotals& totals) {
  RecordWriter record;
  record.add(RecordKind::kTotals).add(std::uint64_t{0}).add(totals);
  send(record.bytes());
  writer_.close();
}

void RankOutput::send(std::span<const std::byte> message) {
  const std::lock_guard lock(mutex_);
  if (writer_.write(message)) return;
  throw Error(ErrorCode::kCancelled, "rank 0 writes no more features; its error says why");
}

void RankInput::begin(std::uint64_t id, const std::string& name) {
  std::unique_ptr<StreamOutput>& stream = streams_[id];
  try {
    stream = output_.begin(name);
  } catch (const Error& error) {
    print_stream_note(name + ": " + error.what());
  }
}

void RankInput::take(std::span<const std::byte> message) {
  RecordReader record(message);
  while (record.has_more()) {
    const auto kind = record.value<RecordKind>();
    const auto id = record.value<std::uint64_t>();
    switch (kind) {
      case RecordKind::kBegin: begin(id, record.text()); break;
      case RecordKind::kRow: {
        const auto row = record.value<FeatureRow>();
        if (StreamOutput* const stream = streams_.at(id).get()) stream->add(row);
        break;
      }
      case RecordKind::kFault: {
        h264::StreamFault fault;
        fault.message = record.text();
        fault.nal_unit = record.value<std::int64_t>();
        fault.byte = record.value<std::int64_t>();
        fault.picture = record.value<std::int64_t>();
        fault.is_unsupported = record.value<bool>();
        fault.has_primary_pictures = record.value<bool>();
        if (StreamOutput* const stream = streams_.at(id).get()) stream->add_fault(fault);
        break;
      }
      case RecordKind::kEnd: {
        StreamEnd end;
        end.error = record.text();
        end.frames = record.value<std::int64_t>();
        end.faults = record.value<std::int64_t>();
        end.lost_packets = record.value<std::int64_t>();
        end.lost_pictures = record.value<std::int64_t>();
        end.dropped_pictures = record.value<std::int64_t>();
        end.notes = record.text();
        if (StreamOutput* const stream = streams_.at(id).get()) {
          stream->end(end);
        } else if (end.error.empty()) {  // Its rank counts it as one that ended well.
          --totals_.streams;
          ++totals_.failed;
        }
        streams_.erase(id);
        break;
      }
      case RecordKind::kTotals: totals_ += record.value<StreamTotals>(); break;
    }
  }
}

}  // namespace millrace::tools
