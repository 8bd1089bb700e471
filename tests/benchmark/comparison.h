// A kernel in the emulator on one thread, with all counts, beside the same computation by hand in C++: the
// ratio of the CPU times, and that of a run with all checks to one without. All run in turns in one process
// on the same inputs; the median of all rounds counts. The results of both are compared.

#pragma once

#include "lesson_cases.h"
#include "support/test_kernel.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanescope::benchmarks {

/// A kernel and the computation by hand: from the inputs to the buffer `result`.
struct Comparison {
  std::string name;
  Case emulated;
  uint32_t result = 1;
  double tolerance = 0;  // of each float; 0: every byte is equal
  std::function<void(const std::vector<launch::Buffer>& in, std::byte* out)> natively;
};

template <class T>
const T* input(const std::vector<launch::Buffer>& buffers, size_t n) {
  return reinterpret_cast<const T*>(buffers[n].initial->data());
}

/// The kernel `name` with this launch; `arguments` are in the words of --arg.
tests::TestKernel launched(const std::string& name, const std::string& grid, const std::string& block,
                           const std::vector<std::string>& arguments);
/// The launch of the kernel of that name in the text of PTX. Ends the program with a sentence if it is none.
Case test_case(const tests::TestKernel& kernel, const std::string& ptx);

/// Prints the first two lines of the table of compare().
void print_header();
/// Prints a row of the table: native code and emulator in `rounds` turns; the native code runs several times
/// in a round, since it is short. Returns 10^9 lane-instructions per second. Ends the program if the results
/// differ.
double compare(const Comparison& what, int rounds);

}  // namespace lanescope::benchmarks
