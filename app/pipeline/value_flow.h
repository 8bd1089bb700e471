// Where the values of a kernel's parameters go, and which addresses come from what it read. Method: for each
// register the parameters and the memory that its value may come from, by a pass over the steps in the order
// of the program, repeated for what loops carry. What passes through memory, and a branch that writes the
// same register as another, are not followed. Tests: tests/unit/pipeline/value_flow_test.cpp

#pragma once

#include "ptx/program.h"

#include <set>
#include <string_view>
#include <vector>

namespace lanescope::pipeline {

struct ParameterUse {
  bool is_address = false;  // of global memory
  bool is_read = false;     // memory at addresses that are computed from it
};

struct ValueFlow {
  std::vector<ParameterUse> parameters;  // [parameter]
  std::set<int> data_lines;              // of the PTX: accesses at addresses that come from what was read
  bool has_block_index = false;          // the kernel reads which block it is
};

ValueFlow find_value_flow(const ptx::Program& program);

/// The same of the kernel with this name, in the source or in the PTX; empty where there is none.
ValueFlow find_value_flow(std::string_view ptx_text, std::string_view kernel);

}  // namespace lanescope::pipeline
