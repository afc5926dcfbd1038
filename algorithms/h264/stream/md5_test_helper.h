// SPDX-License-Identifier: Apache-2.0

// MD5, by FFmpeg's library, for comparison with published sums of decoded pictures.
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_MD5_TEST_HELPER_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_MD5_TEST_HELPER_H_

extern "C" {
#include <libavutil/md5.h>
#include <libavutil/mem.h>
}

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace millrace::h264 {

class Md5 {
 public:
  Md5() : state_(av_md5_alloc()) { av_md5_init(state_.get()); }

  void add(std::span<const std::uint8_t> bytes) {
    av_md5_update(state_.get(), bytes.data(), bytes.size());
  }

  // Returns the sum in hexadecimal digits. Nothing may be added afterwards.
  std::string finish() {
    std::uint8_t sum[16];
    av_md5_final(state_.get(), sum);
    std::string text;
    for (const std::uint8_t byte : sum) {
      text += "0123456789abcdef"[byte >> 4];
      text += "0123456789abcdef"[byte & 15];
    }
    return text;
  }

 private:
  struct Free {
    void operator()(AVMD5* state) const { av_free(state); }
  };

  std::unique_ptr<AVMD5, Free> state_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_MD5_TEST_HELPER_H_
