// Compiles jobs: finds the PTX in the assets, in the cache, or by NVRTC, then parses and lowers it. Method:
// programs are kept by their content, so that a change compiles only what it concerns.
// Tests: tests/unit/pipeline/job_test.cpp, tests/unit/pipeline/own_lesson_test.cpp

#pragma once

#include "compile/compile.h"
#include "compile/find_kernels.h"
#include "pipeline/job.h"
#include "pipeline/listed_kernel.h"
#include "pipeline/options.h"
#include "ptx/program.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::pipeline {

/// A job's text after compiling and lowering.
struct Compiled {
  std::string ptx_text;
  ptx::Program program;
  std::string cubin = {};      // machine code of the PTX, if the job asks for it
  bool from_compiler = false;  // NVRTC ran for it; else it came from the assets, the cache or the file itself
};

/// Tells if NVRTC is fetched when it is needed and missing. Never: for work that nobody asked for.
enum class Fetch : uint8_t { IfMissing, Never };

struct CompileRequest {
  Fetch fetch = Fetch::IfMissing;
  std::stop_token stop = {};  // ends a fetch
};

/// Used by one thread at a time.
class JobCompiler {
 public:
  /// `options` must outlive the compiler.
  explicit JobCompiler(const Options& options) : options_(options) {}

  /// Errors: Compile with NVRTC's log, Syntax and Unsupported with the PTX line, File if there is no
  /// compiler, Cancelled.
  Result<std::shared_ptr<const Compiled>> compile(const Job& job, const CompileRequest& request = {});
  /// All kernels of the job's file, whichever is to run. Errors: those of compile() that concern the file.
  Result<std::vector<ListedKernel>> kernels(const Job& job, const CompileRequest& request = {});
  /// The PTX alone, neither parsed nor lowered. Errors: those of compile() that concern the PTX.
  Result<std::string> ptx_text(const Job& job, const CompileRequest& request = {});
  /// Compiles all later jobs anew: a file that a job's text includes may have changed.
  void forget() { compiled_.clear(); }
  /// True if compile() would return at once.
  bool has(const Job& job) const;
  /// Key of the job's program: equal for equal texts, options and kernels.
  static std::string key_of(const Job& job);
  /// Seconds that compile() took for the job; none if they were taken before.
  std::optional<double> take_seconds(const Job& job);

 private:
  /// PTX, and the kernels that the job's text declares.
  struct Ptx {
    std::string text;
    std::vector<compile::KernelDeclaration> kernels = {};
    std::vector<std::string> missing = {};                   // includes that were not found
    std::shared_ptr<const compile::SourceFiles> files = {};  // null where they were not read
    bool from_compiler = false;
    std::string cubin = {};  // if the job asks for it
  };
  Result<Ptx> ptx_of(const Job& job, const CompileRequest& request);
  /// Loads NVRTC. Errors: File if there is none, Cancelled.
  Result<void> load_compiler(const Job& job, const CompileRequest& request);

  const Options& options_;
  std::optional<compile::Compiler> compiler_;  // loaded when something is to be compiled
  compile::CompilerFiles compiler_files_;
  std::map<std::string, std::shared_ptr<const Compiled>> compiled_;  // [key_of()]
  std::map<std::string, double> seconds_;  // [key_of()], of programs that no run has reported
};

/// The name of the job's PTX in errors.
std::string ptx_name(const Job& job);

/// Locates an error in PTX of a CUDA source in that source, if the line is known: the PTX is in no file.
Error in_source(Error error, const Job& job, std::string_view ptx);

}  // namespace lanescope::pipeline
