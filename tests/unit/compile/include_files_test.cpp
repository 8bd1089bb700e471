// Which files a source includes. The same order of search is NVRTC's: Compile.* in device_code_test.cpp and
// compile_test.cpp compile such folders.

#include "compile/include_files.h"

#include "support/temporary_folder.h"

#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;
using Found = IncludeLine::Found;

class IncludeFiles : public testing::Test {
 protected:
  void write(const fs::path& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }

  SourceFiles read(const std::string& text, std::vector<Header> headers = {}) {
    Options options;
    options.include_directories = folders_;
    options.defines = defines_;
    return read_source_files({(folder_ / "k.cu").string(), text, std::move(headers)}, options,
                             {folder_ / "cuda"})
        .value();
  }

  std::string name_of(const SourceFile& file) const {
    return fs::relative(file.name, fs::canonical(folder_.path())).string();
  }

  /// The names of all files but the source.
  std::vector<std::string> names(const std::string& text) {
    const SourceFiles files = read(text);
    std::vector<std::string> names;
    for (size_t n = 1; n < files.files.size(); ++n) names.push_back(name_of(files.files[n]));
    return names;
  }

  tests::TemporaryFolder folder_{"include_files"};
  std::vector<fs::path> folders_;
  std::vector<std::string> defines_;
};

using Names = std::vector<std::string>;

TEST_F(IncludeFiles, a_quoted_name_is_next_to_the_file_that_includes_it) {
  write("a/x.h", "#include \"y.h\"\n#include \"../b/x.h\"\n");
  write("a/y.h", "");
  write("b/x.h", "#include \"y.h\"\n");
  write("b/y.h", "");
  write("y.h", "");
  EXPECT_EQ(names("#include \"a/x.h\"\n"), (Names{"a/x.h", "a/y.h", "b/x.h", "b/y.h"}));
}

TEST_F(IncludeFiles, folders_are_searched_in_their_order_and_cudas_last) {
  write("one/x.h", "");
  write("two/x.h", "");
  write("two/y.h", "");
  write("cuda/x.h", "");
  write("cuda/z.h", "");
  folders_ = {folder_ / "one", folder_ / "two"};
  const SourceFiles files = read("#include <x.h>\n#include <y.h>\n#include <z.h>\n#include <vector>\n");
  ASSERT_EQ(files.files.size(), 3u);
  EXPECT_EQ(name_of(files.files[1]), "one/x.h");
  EXPECT_EQ(name_of(files.files[2]), "two/y.h");
  EXPECT_FALSE(files.files[1].is_beside);
  const auto& lines = files.files[0].includes;
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2].found, Found::Cuda);
  EXPECT_EQ(lines[3].found, Found::Nowhere);
}

TEST_F(IncludeFiles, a_file_is_read_once_and_a_circle_ends) {
  write("a.h", "#include \"./b.h\"\n#include \"a.h\"\n");
  write("b.h", "#include \"sub/../a.h\"\n");
  write("sub/c.h", "");
  EXPECT_EQ(names("#include \"a.h\"\n#include \"b.h\"\n"), (Names{"a.h", "b.h"}));
}

TEST_F(IncludeFiles, a_given_header_wins) {
  write("x.h", "");
  const SourceFiles files = read("#include \"x.h\"\n", {{"x.h", "int given;"}});
  ASSERT_EQ(files.files.size(), 2u);
  EXPECT_EQ(files.files[1].text, "int given;");
  EXPECT_EQ(files.files[0].includes[0].found, Found::Given);
}

TEST_F(IncludeFiles, a_name_in_a_macro_is_looked_up) {
  write("x.h", "");
  write("y.h", "");
  write("names.h", "#define LATE <y.h>\n");
  folders_ = {folder_.path()};
  EXPECT_EQ(names("#define NAME \"x.h\"\n#include NAME\n#include LATE\n#include \"names.h\"\n"),
            (Names{"names.h", "x.h", "y.h"}));
  defines_ = {"GIVEN=\"x.h\""};
  EXPECT_EQ(names("#include GIVEN\n"), Names{"x.h"});
  EXPECT_TRUE(read("#include GIVEN\n").is_complete);
  EXPECT_FALSE(read("#include JOIN(x, y)\n").is_complete);
  EXPECT_FALSE(read("#define TEXT(a) #a\n#include TEXT(x.h)\n").is_complete);
  EXPECT_FALSE(read("#define OTHER NAME\n#define NAME \"x.h\"\n#include OTHER\n").is_complete);
}

TEST_F(IncludeFiles, every_file_that_a_macro_may_stand_for_counts) {
  write("x.h", "");
  write("lib/x.h", "");
  folders_ = {folder_.path()};
  const SourceFiles files = read(
      "#ifdef A\n#define IN(name) <lib/name.h>\n#else\n#define IN(name) <name.h>\n#endif\n#include IN(x)\n");
  EXPECT_TRUE(files.is_complete);
  ASSERT_EQ(files.files.size(), 3u);
  EXPECT_EQ(name_of(files.files[1]), "lib/x.h");
  EXPECT_EQ(name_of(files.files[2]), "x.h");
  EXPECT_FALSE(files.files[0].includes[0].is_certain);
}

TEST_F(IncludeFiles, what_hides_a_file_from_the_scan_is_noticed) {
  EXPECT_TRUE(read("#include \"nowhere.h\"\n%:include <vector>\n#inc\\\nlude \"x\"\n").is_complete);
  EXPECT_FALSE(read("#include_next <x.h>\n").is_complete);
  EXPECT_FALSE(read("#if __has_include(NAME)\n#endif\n").is_complete);
  const SourceFiles before = read("#if __has_include(\"x.h\")\n#endif\n");
  write("x.h", "");
  const SourceFiles after = read("#if __has_include(\"x.h\")\n#endif\n");
  EXPECT_TRUE(after.is_complete);
  EXPECT_NE(before.probes, after.probes);
}

TEST_F(IncludeFiles, all_tokens_are_kept_of_the_program_and_of_headers_with_kernels) {
  folders_ = {folder_ / "headers"};
  write("own.h", "int own;\n");
  write("headers/plain.h", "#define N 4\nint plain;\n");
  write("headers/kernel.h", "__global__ void f() {}\n");
  Options options;
  options.include_directories = folders_;
  const Source source{(folder_ / "k.cu").string(),
                      "#include \"own.h\"\n#include <plain.h>\n#include <kernel.h>\nint x;\n",
                      {}};
  const SourceFiles files = read_source_files(source, options, {}, KeptTokens::All).value();
  ASSERT_EQ(files.files.size(), 4u);
  EXPECT_EQ(files.files[0].tokens.size(), 6u);
  EXPECT_EQ(files.files[0].directives.size(), 3u);
  EXPECT_EQ(files.files[1].tokens.size(), 3u);
  EXPECT_TRUE(files.files[2].tokens.empty());
  EXPECT_EQ(files.files[2].directives.size(), 1u);
  EXPECT_FALSE(files.files[3].tokens.empty());
  EXPECT_TRUE(read(source.text).files[0].tokens.empty());
}

TEST_F(IncludeFiles, a_pipe_is_refused_before_anything_waits_for_it) {
  ASSERT_EQ(mkfifo((folder_ / "x.h").c_str(), 0600), 0);
  const auto files = read_source_files({(folder_ / "k.cu").string(), "\n#include \"x.h\"\n", {}}, {}, {});
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().kind, ErrorKind::File);
  EXPECT_EQ(files.error().where->line, 2);
}

}  // namespace
}  // namespace lanescope::compile
