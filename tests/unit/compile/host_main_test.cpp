#include "compile/host_main.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

TEST(HostMain, a_function_main_with_a_body_makes_a_program) {
  EXPECT_TRUE(defines_main("__global__ void k() {}\nint main() { k<<<1, 1>>>(); }"));
  EXPECT_TRUE(defines_main("int main(int argc, char* argv[])\n{\n return 0; }"));
  EXPECT_TRUE(defines_main("auto main(void) -> int { }"));
  EXPECT_TRUE(defines_main("void main() {}"));
}

TEST(HostMain, kernels_alone_a_declaration_a_call_and_words_in_text_make_none) {
  EXPECT_FALSE(defines_main(""));
  EXPECT_FALSE(defines_main("__global__ void main_kernel() {}"));
  EXPECT_FALSE(defines_main("int main(int, char**);"));
  EXPECT_FALSE(defines_main("// int main() { }\nconst char* text = \"int main() {}\";"));
  EXPECT_FALSE(defines_main("#define RUN int main() { }\n"));
  EXPECT_FALSE(defines_main("int f() { return main(); }"));
  EXPECT_FALSE(defines_main("int main("));
}

}  // namespace
}  // namespace lanescope::compile
