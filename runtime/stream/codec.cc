// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/stream/codec.h>

#include <string>

#include <millrace/runtime/core/error.h>

namespace millrace {

void throw_if_failed(const CodecResult& result) {
  switch (result.error()) {
    case CodecError::kNone: return;
    case CodecError::kNotCodable:
      throw Error(ErrorCode::kInvalidArgument, "an item is outside the range its codec is for");
    case CodecError::kCorrupt:
      throw Error(ErrorCode::kInvalidArgument,
                  "a coded chunk is corrupt, or is not of this codec and count");
  }
  throw Error(ErrorCode::kInternal,
              "a codec's result has error " + std::to_string(result.error_word));
}

}  // namespace millrace
