// The `millrace` command. Exit status: 0, 2 for bad input or a failed run, 128 + signal when
// interrupted.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>

#include <millrace/tools/command/devices_command.h>
#include <millrace/tools/command/idct_command.h>

namespace {

constexpr int kBadInput = 2;

int fail(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::cerr << "millrace: " << message << '\n';
  return kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs irregular work on every processor of this machine", "millrace");
  app.require_subcommand(1);
  millrace::tools::add_devices_command(app);
  millrace::tools::add_idct_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();
  } catch (const CLI::ParseError& error) {
    const bool is_help = error.get_exit_code() == 0;
    return is_help ? app.exit(error) : fail(error.what());
  } catch (const std::exception& error) {
    return fail(error.what());
  }
  return 0;
}
