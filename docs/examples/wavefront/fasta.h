// SPDX-License-Identifier: Apache-2.0

// Reads a sequence of letters from a FASTA file.
#ifndef MILLRACE_DOCS_EXAMPLES_WAVEFRONT_FASTA_H_
#define MILLRACE_DOCS_EXAMPLES_WAVEFRONT_FASTA_H_

#include <istream>
#include <string>

namespace millrace::examples {

// Returns the letters of the first record in upper case, '*' and '-' included. `name` is for
// errors. Throws kIo if there is no record, if it is empty, and for any other character.
std::string read_fasta(std::istream& stream, const std::string& name);

// The same of a file. Throws kIo if it cannot be read.
std::string read_fasta(const std::string& path);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_WAVEFRONT_FASTA_H_
