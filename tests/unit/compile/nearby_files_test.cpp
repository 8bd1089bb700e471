// Headers and sources of a project that are not next to a source.

#include "compile/nearby_files.h"

#include "support/temporary_folder.h"

#include <fstream>

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

class NearbyFiles : public testing::Test {
 protected:
  fs::path write(const fs::path& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  const tests::TemporaryFolder folder_{"nearby"};
};

TEST_F(NearbyFiles, headers_are_found_where_projects_have_theirs) {
  write("include/a.h", "");
  write("include/b.h", "");
  write("common/inc/c.h", "");
  write("app/beside.h", "");
  const fs::path source = write("app/kernels/k.cu", "");
  EXPECT_EQ(folders_of_headers("#include \"a.h\"\n#include \"b.h\"\n#include \"c.h\"\n#include \"none.h\"\n"
                               "#include <angled.h>\n// #include \"beside.h\"\n",
                               source, {}),
            (std::vector<fs::path>{folder_ / "include", folder_ / "common/inc"}));
  EXPECT_EQ(folders_of_headers("#include \"beside.h\"\n", source, {folder_ / "app"}), std::vector<fs::path>{})
      << "a folder that is searched has it";
}

TEST_F(NearbyFiles, a_source_with_the_missing_function_is_found) {
  const fs::path source = write("main.cu", "int main() { return size(1); }");
  write("src/calls.cu", "int size(int);\nint other() { if (size(2)) { } return size(3); }");
  write("src/program.cu", "int size(int n) { return n; } int main() { }");
  const fs::path other = write("src/size.cu", "// size() {\nint size(int (*of)(int)) { return of(0); }");
  for (const char* message : {"a.o: undefined reference to `size(int)'", "undefined reference to `size'",
                              "undefined reference to `int own::size<float>(float, int)'"})
    EXPECT_EQ(source_with_missing_function(message, source), other) << message;
  EXPECT_EQ(source_with_missing_function("undefined reference to `siz(int)'", source), "");
  EXPECT_EQ(source_with_missing_function("error: size(int) is undefined", source), "");
}

}  // namespace
}  // namespace lanescope::compile
