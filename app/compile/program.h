// A person's whole program, host code and kernels, compiled by nvcc as `lanescope run` needs it: with the
// runtime library as a shared one, and PTX with source lines. Method: each file is compiled by itself, then
// all are linked; what was compiled stays in a cache of this user's alone, by a key of the texts, their
// names, the options, nvcc and g++, with the sizes and times of all headers beside it. Where nvcc refuses a
// name that CUDA 13 took away, a second attempt includes a header that brings such names back; where kernels
// launch kernels, or files use each other's device code, it asks for relocatable device code. A program that
// calls the driver, cuBLAS or the like is linked with the library in its place. Tests:
// tests/unit/compile/program_test.cpp, tests/cli/program_test.cpp

#pragma once

#include "base/error.h"
#include "compile/toolkit.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace lanescope::compile {

struct ProgramOptions {
  std::vector<std::string> defines = {};  // NAME or NAME=VALUE
  std::vector<std::filesystem::path> include_directories = {};
  std::string standard = "c++17";
  std::vector<std::string> more = {};    // options of nvcc
  std::filesystem::path cache = {};      // the folder of compiled programs; empty: a temporary one
  std::filesystem::path old_names = {};  // the header of names that CUDA 13 took away; empty: none
  std::filesystem::path libraries = {};  // the folder of libraries in place of NVIDIA's; empty: none
  std::stop_token stop = {};             // ends the compilation
  std::function<void(const std::string&)> progress =
      {};  // called before each step with what it is; may be empty
};

struct CompiledProgram {
  std::filesystem::path executable;
  bool was_cached = false;
  std::vector<std::string> notes = {};  // a sentence for what was added so that nvcc took the program
};

/// Compiles and links the files (.cu, .cpp, .cc, .c). Errors: Compile with nvcc's own words, the first error
/// in the first line; File where the cache cannot be used or g++ is missing; Cancelled.
Result<CompiledProgram> compile_program(const Toolkit& toolkit,
                                        const std::vector<std::filesystem::path>& files,
                                        const ProgramOptions& options);

/// The line of a compiler's or linker's output that says what is wrong first: with "error" in it, or an
/// undefined reference; else the first line; with FILE:LINE in place of FILE(LINE).
std::string first_error_of(std::string_view log);

/// The folder, made if need be, which only this user can enter. Errors: File where it belongs to another
/// user or others can enter it.
Result<void> make_private_folder(const std::filesystem::path& folder);

}  // namespace lanescope::compile
