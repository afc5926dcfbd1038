// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/three_star/three_star_rank.h>
#include <millrace/tools/command/three_star/three_star_search.h>
#include <millrace/tools/command/three_star/write_relays.h>

#include <filesystem>
#include <memory>
#include <string>

namespace millrace::tools {
namespace {

void check_relay_format(const ThreeStarOptions& options, const SensorGrid& grid) {
  if (grid.is_lat_lng() || relay_format_of(options.relays) == RelayFormat::kTable) return;
  reject("--relays is " + options.relays +
         ", whose format has longitudes and latitudes, and the points have x and y; give "
         "it a name that ends in .csv");
}

}  // namespace

void prepare(ThreeStarOptions& options, Communicator& world, ThreeStarRank& rank) {
  rank.interrupt.emplace();  // Made before a pipe is waited for.
  for (const std::string& input :
       {options.file, options.fixed_relays, options.forbidden, options.links}) {
    require_file_of_all_ranks(world, input);
  }
  check_three_star_options(options);
  const bool is_alone = world.size() == 1;
  rank.group.emplace(is_alone ? open_search_devices(options.device)
                              : open_rank_group(world, options.device));
  if (options.has_stars) {
    rank.stored = std::make_unique<StarFile>(rank.group->queue(0), options.file, *rank.interrupt);
  }
  const bool is_pipe = options.file == "-" || (std::filesystem::exists(options.file) &&
                                               !std::filesystem::is_regular_file(options.file));
  if (!is_alone && is_pipe) {
    reject(options.file +
           ": is no regular file, and every rank reads the points; save it as a file");
  }
  rank.input.emplace(read_star_inputs(options, rank.stored.get(), rank.notes));
  const SensorGrid& grid = rank.input->grid;
  if (options.is_placed) grid.check_placement();
  check_relay_format(options, grid);
  if (options.is_sorted && !grid.origins().empty()) {
    reject("--sorted is given for points in " + std::to_string(grid.regions()) +
           " regions that overlap; leave it out, or give --projection equirectangular");
  }
  if (!is_alone && options.form == three_star::StarForm::kRaw) {
    reject(
        "--form raw is for one process; leave it out, as ranks send each other compressed 3-stars");
  }
  const three_star::SearchOptions search = {
      .radius = grid.radius(),
      .policy = options.policy,
      .form = options.form.value_or(three_star::StarForm::kCompressed)};
  if (is_alone) {
    rank.alone = search_for_stars(*rank.group, grid.points(), search, *rank.interrupt);
  } else if (!rank.stored) {
    rank.shared = std::make_unique<RankStars>(DistributedQueue{world, rank.group->queue(0)},
                                              grid.points(), search, *rank.interrupt);
  }
  if (grid.origins().empty()) return;
  rank.copies.emplace(grid.inputs(), grid.origins());
  if (world.rank() == 0) {
    rank.originals = std::make_unique<OriginalStars>(rank.source(), *rank.copies);
  }
}

}  // namespace millrace::tools
