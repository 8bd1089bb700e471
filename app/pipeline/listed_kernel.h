// The kernels of a file, as a list of them shows them and as a launch is guessed of them: names and types of
// parameters, what is done with them, and the launches of the host code. Method: names come from the source,
// types from the symbols of the PTX, where typedefs and templates are resolved; the sizes of structs from the
// source. Tests: tests/cli/guess_test.cpp

#pragma once

#include "compile/find_kernels.h"
#include "compile/host_launches.h"
#include "compile/shared_arrays.h"
#include "ptx/module.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::pipeline {

struct ListedKernel {
  struct Parameter {
    std::string type;  // as in the source: "const real*"; where that is not known as in the PTX: ".u64"
    std::string name;
    uint32_t size_bytes = 0;
    std::string plain = {};      // without qualifiers and typedefs: "float*"; as `type` where it is not known
    uint64_t pointee_bytes = 0;  // 0: not known, or no pointer
    bool is_read = false;        // the kernel reads memory through it
    bool is_address = false;     // the kernel accesses memory through it
    std::vector<compile::HostTypes::Field> fields = {};  // of a struct by value
  };
  std::string entry;  // in the PTX
  std::string name;   // in the source
  std::vector<Parameter> parameters;
  uint32_t static_shared_bytes = 0;           // of a kernel that can be run
  int dimensions = 1;                         // 2 where it reads threadIdx.y or blockIdx.y, 3 for z
  uint32_t tile = 0;                          // 16: it has a shared array of 16 rows of 16 or a few more
  uint64_t most_threads = 0;                  // of a block by __launch_bounds__; 0: it has none
  bool has_block_index = true;                // it reads blockIdx
  bool is_of_header = false;                  // declared in a file that the source includes
  std::optional<Error> refused;               // why it cannot be run
  std::vector<compile::HostLaunch> launches;  // by the host code of the file
};

/// In the order of the module. `source`: the file's name. `arrays`: those of the sources.
std::vector<ListedKernel> list_kernels(const ptx::Module& module,
                                       const std::vector<compile::KernelDeclaration>& declarations,
                                       const compile::HostCode& host, const std::string& source,
                                       std::span<const compile::SharedArray> arrays);

/// The declaration of a kernel of the PTX: of overloads the one whose types fit best, of declarations of one
/// kernel the one with most names. Null where the scan of the sources does not find it.
const compile::KernelDeclaration* declaration_of(const std::string& entry, size_t parameters,
                                                 const std::vector<compile::KernelDeclaration>& declarations,
                                                 const compile::HostTypes& types);

}  // namespace lanescope::pipeline
