// SPDX-License-Identifier: Apache-2.0

// A consumer of the measured pictures of one stream, beside the features' output.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_PICTURE_CONSUMER_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_PICTURE_CONSUMER_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstdint>

namespace millrace::tools {

class PictureConsumer {
 public:
  virtual ~PictureConsumer() = default;

  // Takes the next picture in decoding order. Throws Error: kIo, or kInvalidArgument for a picture
  // that it cannot take.
  virtual void add(const h264::ParsedPicture& picture) = 0;
  // Notes that no later picture refers to this one.
  virtual void release(std::int64_t picture) { static_cast<void>(picture); }
  // Puts the file in place. Throws Error(kIo).
  virtual void commit() = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_PICTURE_CONSUMER_H_
