// A whole program without its host code, so that NVRTC takes it as it is: kernels are rarely in a file of
// their own. Method: host functions and variables are replaced by spaces, names of headers that only a host
// has by nothing, so lines and columns stay. What could belong to either side (types, constants) stays until
// the compiler finds an error in it. Two things that nvcc takes are written so that NVRTC does: extern
// "C"__global__, and a const float that is computed from another one. Tests:
// tests/unit/compile/device_code_test.cpp

#pragma once

#include "compile/declarations.h"
#include "compile/include_files.h"
#include "compile/source.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// `text` without these declarations: spaces in place of all but line ends. Directives inside them stay, for
/// an `#if` may end elsewhere, but for the includes.
std::string without_declarations(std::string_view text, const std::vector<Token>& directives,
                                 const std::vector<Declaration>& left_out);

class DeviceCode {
 public:
  /// `files`, read with KeptTokens::All, must outlive it. Host code is left out of the source and of the
  /// files next to it; of those in folders of headers only where the compiler finds errors, since they may be
  /// made for NVRTC.
  DeviceCode(const SourceFiles& files, const Options& options);

  /// The texts as they are now; each file of the user is a header of the source, by its whole path.
  Source source() const;

  /// Leaves out what could belong to either side and has errors according to NVRTC's log. False: there is
  /// nothing, so the errors are those of device code.
  bool leave_out_errors(std::string_view log);

  /// True if host code was left out, or two words that nvcc takes without a space were separated.
  bool differs() const;

  /// For a log whose errors remain: a sentence for each name that they miss and that was left out or may be
  /// in a file that was not found.
  std::string advice(std::string_view log) const;

 private:
  struct File {
    bool is_taken = false;  // its host code is left out
    std::vector<Declaration> declarations;
    std::vector<size_t> joints;        // bytes where nvcc reads two words without a space between them
    std::vector<size_t> constants;     // bytes of the `const` of each number: const float a = 1
    std::vector<bool> is_left_out;     // [declaration]
    std::vector<std::string> reasons;  // [declaration], the compiler's error
  };

  void take(size_t number);
  bool make_constants();
  std::string text_of(size_t number) const;

  const SourceFiles& files_;
  MacroNames macros_;
  std::vector<File> taken_;            // [file]
  bool has_constant_numbers_ = false;  // each `const` of File::constants is a constexpr
};

}  // namespace lanescope::compile
