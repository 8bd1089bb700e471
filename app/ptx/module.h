// A PTX file as checked data: every name resolved, every instruction known, spelling and places kept.
// Method: ptx::parse reads the text once; whatever it cannot represent is an error with line and text.
// Source: PTX ISA, "Directives". Tests: tests/unit/ptx/{module,function,variable,place}_test.cpp, tests/fuzz

#pragma once

#include "base/dim3.h"
#include "base/error.h"
#include "ptx/instruction.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ptx {

/// `.file 1 "transpose.cu"`.
struct SourceFile {
  uint32_t number = 0;  // as .loc refers to it
  std::string path;
};

/// A place in the CUDA source, from .loc.
struct Place {
  uint32_t file = 0;  // index in Module::files
  int line = 0;       // from 1; 0 where the compiler says that no line is to blame
  int column = 0;
  std::string function;  // mangled name of the inlined function, empty where nothing was inlined
  std::optional<uint32_t> inlined_at;  // index in Module::places: where that function was called
};

/// Bytes of an initializer that are an address: `= generic(counter)`.
struct AddressInitializer {
  uint64_t offset = 0;  // within the variable
  SymbolKind kind = SymbolKind::Global;
  uint32_t index = 0;  // by kind, as in SymbolOperand
  int64_t addend = 0;
  bool generic = false;  // the generic address, not the one in the symbol's own space
};

struct Variable {
  std::string name;
  Space space = Space::Global;
  Type type = Type::b8;     // of one element
  int vector_width = 1;     // .v2, .v4
  uint64_t size_bytes = 0;  // 0: an extern array whose size the launch gives (dynamic shared memory)
  uint32_t alignment = 1;   // bytes, a power of two
  bool is_extern = false;
  std::vector<std::byte> initial;  // from the start; what is not listed is zero
  std::vector<AddressInitializer> addresses;
  int ptx_line = 0;
};

struct Parameter {
  std::string name;
  Type type = Type::b8;  // of one element; a struct by value is an array of b8
  uint32_t size_bytes = 0;
  uint32_t alignment = 1;
  uint32_t offset = 0;  // in the kernel's parameter block
  int ptx_line = 0;
};

/// A register that some instruction mentions. Declared ranges (`%r<100>`) are not expanded further.
struct Register {
  std::string name;
  Type type = Type::b32;
};

struct Label {
  std::string name;
  uint32_t instruction = 0;  // index in Function::instructions; may be one past the last
};

/// `.branchtargets`: what brx.idx jumps to.
struct BranchTable {
  std::string name;
  std::vector<uint32_t> targets;  // indices in Function::labels
};

/// Performance and launch directives of an entry; absent where not written.
struct LaunchBounds {
  std::optional<Dim3> max_threads;        // .maxntid
  std::optional<Dim3> required_threads;   // .reqntid
  std::optional<uint32_t> min_blocks;     // .minnctapersm
  std::optional<uint32_t> max_registers;  // .maxnreg
  std::optional<Dim3> required_cluster;   // .reqnctapercluster
};

struct Function {
  std::string name;
  bool is_kernel = false;       // .entry
  bool is_declaration = false;  // .extern, or a prototype: no body
  std::vector<Parameter> parameters;
  std::vector<Parameter> results;  // of a .func
  uint32_t parameter_bytes = 0;    // size of the parameter block
  LaunchBounds bounds;
  std::vector<Register> registers;
  std::vector<Variable> variables;  // .local, .shared, and the .param of calls, of all scopes
  std::vector<Instruction> instructions;
  std::vector<int> nounroll_lines = {};  // of .pragma "nounroll", in the PTX: before the first of a loop
  std::vector<Label> labels;
  std::vector<BranchTable> branch_tables;
  Location location;  // in the CUDA source where known, else in the PTX
  int ptx_line = 0;
  // Why a kernel that reaches this function cannot be lowered: its head or body has something that cannot be
  // read. Then it has no instructions, and no variables.
  std::optional<Error> refused;
};

/// A variable of the module that cannot be represented, such as a texture. A function that names it is
/// refused.
struct RefusedVariable {
  std::string name;
  Error error;
};

struct Module {
  std::string file_name;  // as given to parse
  std::string text;
  int version_major = 0;  // .version
  int version_minor = 0;
  std::string target;  // "sm_90"
  int address_bits = 64;
  std::vector<SourceFile> files;
  std::vector<Place> places;
  std::vector<Variable> globals;  // .global, .const, .shared of the module
  std::vector<Function> functions;
  std::vector<RefusedVariable> refused_variables;
};

/// The module in `text`. `file_name` is what errors name.
/// Errors: Syntax for malformed text, Unsupported for correct PTX that this program does not know, Limit
/// where the text is larger than any compiler's output. What is wrong within one function, or with a variable
/// that cannot be represented, does not concern the other functions: Function::refused has it.
Result<Module> parse(std::string_view text, std::string_view file_name);

/// The instruction as written, on one line: runs of white space become one space.
std::string text_of(const Module& module, const Instruction& instruction);

/// Where in the CUDA source: of an inlined function's instruction, its own line. Line 0 where unknown.
Location source_of(const Module& module, const Instruction& instruction);

/// Where the inlined function that has source_of() was called, where its caller was, and so on.
std::vector<Location> callers_of(const Module& module, const Instruction& instruction);

/// For errors: where the instruction's kernel or function has it, which for an inlined one is the outermost
/// call; where that is unknown, its line of the PTX.
Location location_of(const Module& module, const Instruction& instruction);

/// The outermost of the calls that lead to a place, or the place itself where nothing was inlined.
const Place& outermost(const Module& module, const Place& place);

/// The kernels of the module, in its order: indices in Module::functions.
std::vector<uint32_t> kernels_of(const Module& module);

/// The kernel whose PTX name is `name`; Usage with the names that there are, if there is none.
Result<uint32_t> find_kernel(const Module& module, std::string_view name);

}  // namespace lanescope::ptx
