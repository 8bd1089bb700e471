// Runs the built program as a person would, and keeps what it printed. For tests of the command line.

#pragma once

#include "support/project.h"

#include <string>
#include <vector>

namespace lanescope::tests {

struct Finished {
  int status = -1;  // exit status; 128 + n when signal n ended it
  std::string output;
  std::string error;
};

/// Runs the built program with these arguments and no standard input.
Finished run_program(const std::vector<std::string>& arguments);

/// The same of another program, and with standard output in `output`, a device, unless that is empty.
struct Place {
  std::string program = lanescope_program();
  std::string output = {};
};
Finished run_program_in(const Place& place, const std::vector<std::string>& arguments);

}  // namespace lanescope::tests
