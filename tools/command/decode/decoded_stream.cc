// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/decode/decoded_stream.h>

namespace millrace::tools {

nlohmann::json to_json(const DecodedStream& decoded) {
  const h264::DecodingStatistics& statistics = decoded.statistics;
  return {{"stream", decoded.stream},
          {"output", decoded.output},
          {"width", decoded.width},
          {"height", decoded.height},
          {"frames", decoded.frames},
          {"pictures", statistics.pictures},
          {"macroblocks", statistics.macroblocks},
          {"concealed_macroblocks", statistics.concealed_macroblocks},
          {"concealed_share", statistics.concealed_fraction()},
          {"pictures_with_concealment", statistics.pictures_with_concealment},
          {"refers_to_concealed", statistics.damage.concealed_reference_fraction()},
          {"refers_to_damaged", statistics.damage.damaged_reference_fraction()},
          {"lost_pictures", statistics.missing.lost},
          {"dropped_pictures", statistics.missing.dropped},
          {"faults", statistics.faults},
          {"lost_packets", decoded.lost_packets},
          {"notes", decoded.notes}};
}

}  // namespace millrace::tools
