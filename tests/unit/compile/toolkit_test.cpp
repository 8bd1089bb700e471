#include "compile/toolkit.h"

#include "compile/compiler.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

void make_files(const fs::path& folder, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << name;
  }
}

TEST(Toolkit, the_compiler_that_pip_installed_with_a_wheel_comes_before_one_that_was_fetched) {
  const tests::TemporaryFolder packages{"packages"}, fetched{"fetched"};
  make_files(fetched / "cuda/nvidia/cu13", {"lib/libnvrtc.so.13", "include/cuda_fp16.h"});
  EXPECT_EQ(find_compiler_files(fetched.path(), packages.path())->library,
            fetched / "cuda/nvidia/cu13/lib/libnvrtc.so.13");
  make_files(packages / "nvidia/cu13",
             {"lib/libnvrtc.so.13", "include/cuda_fp16.h", "include/cccl/cub/cub.cuh"});
  const auto found = find_compiler_files(fetched.path(), packages.path());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->library, packages / "nvidia/cu13/lib/libnvrtc.so.13");
  EXPECT_EQ(found->include_directories,
            (std::vector<fs::path>{packages / "nvidia/cu13/include", packages / "nvidia/cu13/include/cccl"}));
}

TEST(Toolkit, a_tree_as_pip_unpacks_it_is_linked_by_the_file_of_its_runtime_library) {
  const tests::TemporaryFolder folder{"toolkit"};
  const Toolkit toolkit{folder / "bin/nvcc", folder.path()};
  const std::vector<std::string> by_name{"-cudart", "shared"};
  EXPECT_EQ(runtime_words_of(toolkit), by_name);
  make_files(folder.path(), {"lib/libcudart.so.13"});
  EXPECT_EQ(
      runtime_words_of(toolkit),
      (std::vector<std::string>{"-cudart", "none", "-L" + (folder / "lib").string(), "-l:libcudart.so.13"}));
  fs::create_symlink("lib", folder / "lib64");  // as fetch.py completes it, and in every installed toolkit
  EXPECT_EQ(runtime_words_of(toolkit), by_name);
}

TEST(Toolkit, code_is_for_compute_90_or_the_highest_that_an_older_toolkit_knows) {
  EXPECT_EQ(architecture_of("compute_75\ncompute_90\ncompute_100\ncompute_121\n"), "compute_90");
  EXPECT_EQ(architecture_of("compute_35\ncompute_80\ncompute_86\n"), "compute_86");
  EXPECT_EQ(architecture_of("compute_100\ncompute_120\n"), "compute_100") << "of a later one its oldest";
  EXPECT_EQ(architecture_of("nvcc fatal: unknown option"), "");
  EXPECT_EQ(architecture_of("compute_\ncompute_x"), "");
}

TEST(Toolkit, a_program_that_is_not_there_has_no_identity) {
  EXPECT_EQ(identity_of_program("/no/such/program"), "");
  EXPECT_FALSE(identity_of_program("/bin/sh").empty());
  EXPECT_TRUE(find_on_path("no-such-program-anywhere").empty());
}

}  // namespace
}  // namespace lanescope::compile
