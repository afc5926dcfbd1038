// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/output/number_text.h>
#include <millrace/tools/command/features/output/p1204_output.h>
#include <millrace/tools/command/features/output/stream_file_stem.h>
#include <millrace/tools/files/output/output_file.h>

#include <bzlib.h>

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

// Compresses to a stream as bytes come.
class Bzip2Writer {
 public:
  explicit Bzip2Writer(std::ostream& out) : out_(out) {
    constexpr int kBlock = 1;  // 100,000 bytes: memory, for streams that run side by side.
    if (BZ2_bzCompressInit(&state_, kBlock, 0, 0) != BZ_OK) {
      throw Error(ErrorCode::kOutOfMemory, "no memory to compress by bzip2");
    }
  }
  ~Bzip2Writer() { BZ2_bzCompressEnd(&state_); }
  Bzip2Writer(const Bzip2Writer&) = delete;
  Bzip2Writer& operator=(const Bzip2Writer&) = delete;

  void write(std::string& text) { run(text, BZ_RUN); }
  void finish() {
    std::string none;
    run(none, BZ_FINISH);
  }

 private:
  void run(std::string& text, int action) {
    char bytes[1 << 14];
    state_.next_in = text.data();
    state_.avail_in = static_cast<unsigned>(text.size());
    int result = BZ_OK;
    do {
      state_.next_out = bytes;
      state_.avail_out = sizeof bytes;
      result = BZ2_bzCompress(&state_, action);
      if (result < 0) {
        throw Error(ErrorCode::kInternal, "BZ2_bzCompress returns " + std::to_string(result) +
                                              "; report it as a defect of Millrace");
      }
      out_.write(bytes, static_cast<std::streamsize>(sizeof bytes - state_.avail_out));
    } while (action == BZ_RUN ? state_.avail_in > 0 : result != BZ_STREAM_END);
  }

  std::ostream& out_;
  bz_stream state_ = {};
};

class P1204Stream final : public StreamOutput {
 public:
  P1204Stream(const std::string& path, bool force) : file_(path, force), bzip2_(file_.stream()) {}

  void add(const FeatureRow& row) override {
    constexpr int kIntra = 1;
    if (!has_begun_ && row.features.frame_type != kIntra) return;
    text_ += has_begun_ ? "," : "[";
    has_begun_ = true;
    append_p1204_object(text_, row.features);
    constexpr std::size_t kMost = 1 << 16;
    if (text_.size() >= kMost) flush();
  }

  void end(const StreamEnd& end) override {
    if (!end.error.empty() || !has_begun_) return;
    text_ += "]";
    flush();
    bzip2_.finish();
    file_.commit();
  }

 private:
  void flush() {
    bzip2_.write(text_);
    text_.clear();
  }

  OutputFile file_;
  Bzip2Writer bzip2_;
  std::string text_;
  bool has_begun_ = false;
};

class P1204Output final : public FeatureOutput {
 public:
  P1204Output(std::string folder, bool force, bool resumes)
      : folder_(std::move(folder)), force_(force), resumes_(resumes) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw Error(ErrorCode::kIo, folder_ + ": cannot be made: " + error.message());
  }

  std::unique_ptr<StreamOutput> begin(const std::string& stream) override {
    const std::string path = path_of(stream);
    {
      const std::lock_guard lock(mutex_);
      if (!paths_.insert(path).second) {
        throw Error(ErrorCode::kIo, path +
                                        " would be written for two streams; run them with "
                                        "folders of their own");
      }
    }
    return std::make_unique<P1204Stream>(path, force_);
  }
  bool is_done(const std::string& stream) const override {
    return resumes_ && fs::exists(path_of(stream));
  }
  void commit() override {}

 private:
  std::string path_of(const std::string& stream) const {
    return (fs::path(folder_) / p1204_file_name(stream)).string();
  }

  std::string folder_;
  bool force_;
  bool resumes_;
  std::mutex mutex_;
  std::set<std::string> paths_;
};

void append_member(std::string& text, const char* name, double value) {
  text += text.back() == '{' ? "\"" : ",\"";
  text += name;
  text += "\":";
  append_number(text, value);
}

}  // namespace

std::string p1204_file_name(const std::string& stream) {
  return stream_file_stem(stream) + ".json.bz2";
}

void append_p1204_object(std::string& text, const h264::FrameFeatures& features) {
  text += '{';
  append_member(text, "FrameType", features.frame_type);
  append_member(text, "IsIDR", features.is_key_frame);
  append_member(text, "FrameSize", static_cast<double>(features.bytes));
  append_member(text, "Av_QP", features.mean_qp);
  append_member(text, "Av_QPBB", features.mean_qp_inside);
  append_member(text, "min_QP", features.least_qp);
  append_member(text, "max_QP", features.greatest_qp);
  const h264::MotionStatistics& motion = features.motion;
  append_member(text, "Av_Motion", motion.length.mean);
  append_member(text, "StdDev_Motion", motion.length.deviation);
  append_member(text, "Av_MotionX", motion.x.mean);
  append_member(text, "StdDev_MotionX", motion.x.deviation);
  append_member(text, "Av_MotionY", motion.y.mean);
  append_member(text, "StdDev_MotionY", motion.y.deviation);
  append_member(text, "Av_MotionDif", motion.difference.mean);
  append_member(text, "StdDev_MotionDif", motion.root_mean_square_difference);
  append_member(text, "Seq.BitDepth", features.bit_depth);
  text += ",\"Seq\":{\"BitDepth\":";
  append_number(text, features.bit_depth);
  text += "}}";
}

std::unique_ptr<FeatureOutput> open_p1204(const std::string& folder, bool force, bool resumes) {
  return std::make_unique<P1204Output>(folder, force, resumes);
}

}  // namespace millrace::tools
