// CUDA C++ -> PTX with NVRTC, opened at run time: this program builds and starts without it. Method: a
// program that NVRTC refuses as it is, is compiled without its host code. Results are cached on disk by
// content: source, headers, options and the compiler's version. Source: NVRTC documentation, "Basic Usage".
// Tests: tests/unit/compile/*

#pragma once

#include "base/error.h"
#include "compile/compiler.h"
#include "compile/find_kernels.h"
#include "compile/host_launches.h"
#include "compile/include_files.h"
#include "compile/source.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct Compilation {
  std::optional<std::string> ptx;         // empty: the source does not compile, see log
  std::optional<std::string> cubin = {};  // the machine code, if Options::with_machine_code asks for it
  std::string log;                        // NVRTC's, with its lines; warnings too
  bool from_cache = false;
  std::vector<KernelDeclaration> kernels = {};  // that the source and the files that it includes declare
  std::vector<std::string> missing = {};        // quoted names of its includes that were not found
  std::shared_ptr<const SourceFiles> files =
      {};  // the source and what it includes, read with KeptTokens::All
};

/// Errors: Usage for options that NVRTC refuses (an unknown arch), Internal for its own failures. A source
/// that does not compile is no Error but a Compilation without PTX.
Result<Compilation> compile(const Compiler& compiler, const Source& source, const Options& options);

/// Result of compile() if it is in the cache, else none; the compiler need not be loaded.
Result<std::optional<Compilation>> find_compiled(const CompilerFiles& compiler, const Source& source,
                                                 const Options& options);

/// The launches of the source's host code, and of the files next to it, and the types that they define.
/// Errors: those of read_source_files().
Result<HostCode> host_code_of(const CompilerFiles& compiler, const Source& source, const Options& options);

}  // namespace lanescope::compile
