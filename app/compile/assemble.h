// PTX -> machine code with ptxas, the assembler of an installed or fetched CUDA toolkit. Used for PTX that no
// compiler here made: of that NVRTC gives both. Results are cached on disk by content: text, architecture,
// assembler. Source: "CUDA Compiler Driver NVCC", "Using ptxas". Tests: tests/unit/compile/assemble_test.cpp,
// tests/cli/level_test.cpp

#pragma once

#include "base/error.h"
#include "compile/toolkit.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace lanescope::compile {

/// The architecture to assemble for: `arch`, or the target of the PTX where that is newer or has features of
/// one architecture alone ("sm_90a").
std::string architecture_for(std::string_view ptx, std::string_view arch);

/// A cubin for architecture_for(). `name`: of the PTX, for errors. `cache`: a folder; empty: none. Errors:
/// File where the toolkit has no ptxas that starts, Compile with what ptxas says of the text.
Result<std::string> assemble(const Toolkit& toolkit, std::string_view ptx, const std::string& name,
                             std::string_view arch, const std::filesystem::path& cache);

}  // namespace lanescope::compile
