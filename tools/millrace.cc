// The `millrace` command. Exit status: 0; 1 where `bench` measured, but had a wrong result or a
// failed run, and where `report --compare` finds something slower or wrong; 2 for bad input or any
// other error; 128 + signal when interrupted.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <millrace/runtime/agreement.h>
#include <millrace/runtime/world.h>
#include <millrace/tools/command/bench_command.h>
#include <millrace/tools/command/devices_command.h>
#include <millrace/tools/command/idct_command.h>
#include <millrace/tools/command/me_command.h>
#include <millrace/tools/command/ranks.h>
#include <millrace/tools/command/report_command.h>
#include <millrace/tools/command/sort_command.h>
#include <millrace/tools/command/three_star_command.h>
#include <millrace/tools/command/tune_command.h>
#include <millrace/tools/reproduce/reproduce_command.h>

namespace {

constexpr int kBadInput = 2;

int fail(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::cerr << "millrace: " << message << '\n';
  return kBadInput;
}

std::string subcommand_problem(const CLI::App& app) {
  std::string known;
  for (const CLI::App* subcommand : app.get_subcommands(nullptr)) {
    known += (known.empty() ? "" : ", ") + subcommand->get_name();
  }
  const std::vector<std::string> words = app.remaining();
  const std::string word = words.empty() ? "" : "'" + words.front() + "'";
  std::string problem = "no subcommand " + word;
  if (word.empty()) problem = "a subcommand is missing";
  if (word.starts_with("'-")) problem = "no option " + word + " before a subcommand";
  return problem + "; there are: " + known + " (millrace --help says more)";
}

// Tables go through stdio, and std::cout with them.
bool is_stdout_written() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

// With the option that it may be the value of.
std::string name_of_argument(int i, char** argv) {
  const std::string option = i > 1 && argv[i - 1][0] == '-' ? argv[i - 1] + std::string(" ") : "";
  return "argument " + std::to_string(i) + ", here '" + option + argv[i] + "'";
}

// Throws where the ranks that were started together were not given the same words.
void compare_arguments(millrace::Communicator& world, int argc, char** argv) {
  millrace::ArgumentCheck check(world, "millrace");
  constexpr int kMost = millrace::ArgumentCheck::kMostArguments;
  std::string others;
  for (int i = 1; i < argc; ++i) {
    if (i < kMost) {
      check.add(name_of_argument(i, argv), argv[i]);
    } else {
      others += argv[i] + std::string(1, '\0');
    }
  }
  for (int i = std::max(argc, 1); i < kMost; ++i) check.add("argument " + std::to_string(i), "");
  check.add("the arguments from " + std::to_string(kMost) + " on", others).compare();
}

}  // namespace

int main(int argc, char** argv) {
  bool is_silent = millrace::launched_rank() > 0;  // Of ranks that fail alike one says so.
  try {
    millrace::Communicator& world = millrace::world_communicator();
    is_silent = world.rank() > 0;
    compare_arguments(world, argc, argv);
  } catch (const std::exception& error) {
    return is_silent ? kBadInput : fail(millrace::tools::words_of(error));
  }
  CLI::App app("Runs irregular work on every processor of this machine", "millrace");
  app.require_subcommand(1);
  app.footer(
      "Such as: millrace idct clip.mp4\n         millrace me clip.mp4 --overlay vectors.y4m\n"
      "         millrace sort keys.bin --type i32 -o sorted.bin\n"
      "         millrace three-star points.csv --radius 50 --place --png relays.png\n"
      "         millrace bench --quick\n"
      "`millrace SUBCOMMAND --help` lists its options.");
  millrace::tools::add_devices_command(app);
  millrace::tools::add_idct_command(app);
  millrace::tools::add_me_command(app);
  millrace::tools::add_sort_command(app);
  millrace::tools::add_three_star_command(app);
  millrace::tools::add_bench_command(app);
  millrace::tools::add_reproduce_command(app);
  millrace::tools::add_report_command(app);
  millrace::tools::add_tune_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return is_silent ? 0 : app.exit(error);  // Help.
    if (is_silent) return kBadInput;
    return fail(app.get_subcommands().empty() ? subcommand_problem(app) : error.what());
  } catch (const std::exception& error) {
    return is_silent ? kBadInput : fail(millrace::tools::words_of(error));
  }
  return is_stdout_written() ? 0 : fail("standard output cannot be written");
}
