// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/wavefront/fasta.h>
#include <millrace/runtime/core/check.h>

#include <fstream>

namespace millrace::examples {
namespace {

bool is_space(char character) { return character == ' ' || character == '\t' || character == '\r'; }

char upper_case(char character) {
  const bool is_lower = character >= 'a' && character <= 'z';
  return is_lower ? static_cast<char>(character - 'a' + 'A') : character;
}

bool is_of_sequence(char character) {
  return (character >= 'A' && character <= 'Z') || character == '*' || character == '-';
}

void append(const std::string& line, std::size_t number, const std::string& name,
            std::string& sequence) {
  for (const char character : line) {
    if (is_space(character)) continue;
    const char letter = upper_case(character);
    if (!is_of_sequence(letter)) {
      reject_file(name, "line " + std::to_string(number) + " has '" + std::string(1, character) +
                            "'; a sequence has letters, '*' and '-'");
    }
    sequence.push_back(letter);
  }
}

}  // namespace

std::string read_fasta(std::istream& stream, const std::string& name) {
  std::string line;
  std::size_t number = 1;
  if (!std::getline(stream, line) || !line.starts_with('>')) {
    reject_file(name, "is no FASTA file; its first line must begin with '>'");
  }
  std::string sequence;
  while (std::getline(stream, line) && !line.starts_with('>')) {
    append(line, ++number, name, sequence);
  }
  if (sequence.empty()) reject_file(name, "has no letters in its first record; write some");
  return sequence;
}

std::string read_fasta(const std::string& path) {
  std::ifstream file(path);
  if (!file) reject_file(path, "cannot be read; give a FASTA file");
  return read_fasta(file, path);
}

}  // namespace millrace::examples
