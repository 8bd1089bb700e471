// Names of the source for mangled symbols.

#include "base/source_name.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(SourceName, a_mangled_name_becomes_the_name_in_the_source) {
  EXPECT_EQ(source_name_of("_Z3addPKfPfi"), "add");
  EXPECT_EQ(source_name_of("transpose_tiled"), "transpose_tiled");
  EXPECT_EQ(source_name_of("_Z1fIiEvT_"), "f<int>");
  EXPECT_EQ(source_name_of("_ZN5outer1gEv"), "outer::g");
}

TEST(SourceName, an_anonymous_namespace_is_left_out) {
  EXPECT_EQ(source_name_of("_ZN12_GLOBAL__N_13addEPf"), "add");
  EXPECT_EQ(source_name_of("_ZN2at12_GLOBAL__N_11fIfLi4EEEvT_"), "at::f<float, 4>");
}

TEST(SourceName, parentheses_and_spaces_of_template_arguments_belong_to_the_name) {
  // void f<(E)1, S::g(int)::{lambda(int)#1}>(int)
  EXPECT_EQ(source_name_of("_Z1fIL1E1EZN1S1gEiEUliE_EvT0_"), "f<(E)1, S::g(int)::{lambda(int)#1}>");
  EXPECT_EQ(source_name_of("_ZNK1SclEi"), "S::operator()");
}

TEST(SourceName, an_unmangled_name_is_not_read_as_a_type) {
  // The Itanium ABI writes float, int, long double and __int128 as these letters, and "float, int" as "fi".
  for (const char* name : {"f", "i", "e", "n", "o", "Pf", "dv", "St", "_f"})
    EXPECT_EQ(source_name_of(name), name);
}

TEST(SourceName, the_file_of_a_static_symbol_is_left_out) {
  EXPECT_EQ(source_name_of("__nv_static_22__18d053db_5_st_cu_main__Z1kPf"), "k");
  EXPECT_EQ(signature_of("__nv_static_22__18d053db_5_st_cu_main__Z1kPf"), "k(float*)");
  EXPECT_EQ(parameter_types_of("__nv_static_22__18d053db_5_st_cu_main__Z1kPf").size(), 1u);
  EXPECT_EQ(variable_name_of("__nv_static_22__18d053db_5_st_cu_main_hidden"), "hidden");
  for (const char* name :
       {"__nv_static_", "__nv_static_22", "__nv_static_9_", "__nv_static_99999999999999999999_x"})
    EXPECT_EQ(source_name_of(name), name);
}

TEST(SourceName, a_variable_of_a_function_loses_the_function_and_one_of_a_namespace_keeps_it) {
  EXPECT_EQ(variable_name_of("_ZZ6kernelPfE4tile"), "tile");
  EXPECT_EQ(variable_name_of("_ZZ2m3E1s"), "s");  // of an extern "C" kernel whose name ends in a digit
  EXPECT_EQ(variable_name_of("_ZZ7reduce7IiEvPT_E5sdata"), "sdata");
  EXPECT_EQ(variable_name_of("_ZN1a5innerE"), "a::inner");
  EXPECT_EQ(variable_name_of("tile"), "tile");
  EXPECT_EQ(variable_name_of("_Znonsense"), "_Znonsense");
}

}  // namespace
}  // namespace lanescope
