// app/ptx/INSTRUCTIONS.md as text: what the table of instructions says, for readers.

#pragma once

#include <string>

namespace lanescope::ptx {

std::string instruction_table();

}  // namespace lanescope::ptx
