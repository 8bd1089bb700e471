// Linker of PTX: several files' device code (nvcc -rdc=true) becomes one text. Method: the directives at the
// top of each text are found; what one file keeps to itself gets another name where two files use the same
// name, of the definitions that may be repeated (.weak, .common) one is kept, and source files and the names
// of inlined functions are numbered anew. Lines keep their numbers within a file's text.
// Source: PTX ISA, "Linking Directives". Test: tests/unit/driver/linked_ptx_test.cpp

#pragma once

#include "base/error.h"

#include <span>
#include <string>
#include <string_view>

namespace lanescope::driver {

/// One text of all `texts`, of which there is at least one. Errors: those of ptx::Lexer; Syntax where two
/// files define a name, or none defines one that a file uses, with the name as the source has it.
Result<std::string> link_ptx(std::span<const std::string> texts);

/// True for the text of NVIDIA's device runtime library (libcudadevrt), which nvcc adds to relocatable device
/// code. The emulator has the functions that kernels call.
bool is_device_runtime(std::string_view text);

}  // namespace lanescope::driver
