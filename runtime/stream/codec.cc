// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/stream/codec.h>

#include <string>

namespace millrace {

void throw_if_failed(const CodecResult& result) {
  switch (result.error()) {
    case CodecError::kNone: return;
    case CodecError::kNotCodable:
      reject("an item is outside the range of its codec; send this chunk raw");
    case CodecError::kCorrupt:
      reject("a coded chunk is corrupt, or was not encoded by this codec with this count");
  }
  throw Error(ErrorCode::kInternal,
              "a codec's result has the unknown error " + std::to_string(result.error_word));
}

}  // namespace millrace
