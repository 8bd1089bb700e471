// Finds the functions of a library that is opened at run time, by their names. Tests:
// tests/unit/base/library_functions_test.cpp

#pragma once

#include <dlfcn.h>

namespace lanescope {

class LibraryFunctions {
 public:
  /// `library`: of dlopen().
  explicit LibraryFunctions(void* library) : library_(library) {}

  /// `function` becomes the one with this name, or null.
  template <class Function>
  void get(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr && missing_ == nullptr) missing_ = name;
  }

  /// The name of the first that the library lacks; null when all are there.
  const char* missing() const { return missing_; }

 private:
  void* library_;
  const char* missing_ = nullptr;
};

}  // namespace lanescope
