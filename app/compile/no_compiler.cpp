// Replaces find_compiler.cpp in a browser, which has no CUDA compiler.

#include "compile/nvrtc.h"

namespace lanescope::compile {

namespace fs = std::filesystem;

Compiler::Library::~Library() = default;

Compiler::Compiler(std::shared_ptr<const Library> loaded) : library_(std::move(loaded)) {}
const fs::path& Compiler::library() const { return library_->file; }
int Compiler::major() const { return library_->major; }
int Compiler::minor() const { return library_->minor; }
const std::vector<fs::path>& Compiler::include_directories() const { return library_->include_directories; }
CompilerFiles Compiler::files() const { return {library(), include_directories(), ""}; }

std::optional<CompilerFiles> find_compiler_files(const fs::path&, const fs::path&) { return {}; }

Result<Compiler> find_compiler(const fs::path&, const fs::path&) {
  return fail(ErrorKind::File,
              "a browser has no CUDA compiler; open the link of a class, whose machine compiles, or add "
              "?compiler=https://godbolt.org to the page's address, or open PTX that a compiler made, or "
              "Lanescope on "
              "your own machine");
}

}  // namespace lanescope::compile
