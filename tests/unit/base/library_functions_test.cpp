#include "base/library_functions.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(LibraryFunctions, the_first_function_that_is_missing_is_named) {
  void* const program = dlopen(nullptr, RTLD_LAZY);
  ASSERT_NE(program, nullptr);
  LibraryFunctions functions(program);
  decltype(&dlsym) found = nullptr;
  functions.get("dlsym", found);
  EXPECT_NE(found, nullptr);
  EXPECT_EQ(functions.missing(), nullptr);
  void (*none)() = &std::abort;
  functions.get("lanescope_has_no_such_function", none);
  EXPECT_EQ(none, nullptr);
  functions.get("nor_this_one", none);
  EXPECT_STREQ(functions.missing(), "lanescope_has_no_such_function");
  dlclose(program);
}

}  // namespace
}  // namespace lanescope
