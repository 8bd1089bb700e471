#include "compile/compile.h"

#include "base/escape.h"
#include "compile/ptx_cache.h"
#include "support/project.h"

#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

class Compile : public testing::Test {
 protected:
  void SetUp() override {
    auto found = find_compiler(tests::source_dir() / ".cache/third_party");
    if (!found) GTEST_SKIP() << "no NVRTC here: " << found.error().message;
    compiler_ = *std::move(found);
    cache_ = fs::temp_directory_path() / ("lanescope_compile_test." + std::to_string(getpid()));
  }
  void TearDown() override { fs::remove_all(cache_); }

  std::optional<Compiler> compiler_;
  fs::path cache_;
};

const Source kGood{"good.cu",
                   "#include \"n.h\"\nextern \"C\" __global__ void f(int* p) { p[threadIdx.x] = N; }\n",
                   {{"n.h", "#define N 7\n"}}};

TEST_F(Compile, a_kernel_becomes_ptx_with_its_lines) {
  const auto compilation = compile(*compiler_, kGood, {}).value();
  ASSERT_TRUE(compilation.ptx) << compilation.log;
  EXPECT_NE(compilation.ptx->find(".entry f("), std::string::npos);
  EXPECT_NE(compilation.ptx->find(".target sm_90"), std::string::npos);
  EXPECT_NE(compilation.ptx->find(".loc"), std::string::npos);
  EXPECT_NE(compilation.ptx->find("\"good.cu\""), std::string::npos)
      << "the file's name is as given, without a folder";
}

TEST_F(Compile, alloca_compiles_with_and_without_its_header_as_with_nvcc) {
  const std::string kernel =
      "extern \"C\" __global__ void f(int* p) { int* q = (int*)alloca(*p * 4); q[*p / 2] = 1; *p = "
      "q[threadIdx.x]; }\n";
  for (const std::string& text : {kernel, "#include <alloca.h>\n" + kernel}) {
    const auto compilation = compile(*compiler_, {"stack.cu", text, {}}, {}).value();
    ASSERT_TRUE(compilation.ptx) << compilation.log;
    EXPECT_NE(compilation.ptx->find("alloca.u64"), std::string::npos);
    EXPECT_NE(compilation.ptx->find("\"alloca.h\""), std::string::npos) << "named without a folder";
  }
  const auto other =
      compile(*compiler_, {"bad.cu", "__global__ void f() { alloca(1); nonsense; }", {}}, {}).value();
  EXPECT_FALSE(other.ptx);
  EXPECT_NE(other.log.find("nonsense"), std::string::npos) << other.log;
  EXPECT_EQ(other.log.find("\"alloca\" is undefined"), std::string::npos) << other.log;
}

/// A library chosen by the user, in the folder layouts of pip's CUDA 12 packages and of a toolkit.
TEST_F(Compile, a_chosen_library_uses_the_headers_next_to_it) {
  const auto touch = [&](const fs::path& file) {
    fs::create_directories((cache_ / file).parent_path());
    std::ofstream(cache_ / file) << '\n';
  };
  for (const char* file :
       {"nvidia/cuda_runtime/include/cuda_fp16.h", "nvidia/cuda_nvcc/include/crt/host_defines.h",
        "nvidia/cuda_cccl/include/cub/cub.cuh", "toolkit/include/cuda_fp16.h"})
    touch(file);
  for (const char* folder : {"nvidia/cuda_nvrtc/lib", "toolkit/lib64"}) {
    fs::create_directories(cache_ / folder);
    for (const auto& entry : fs::directory_iterator(compiler_->library().parent_path()))
      if (entry.path().filename().string().starts_with("libnvrtc"))
        fs::create_symlink(entry.path(), cache_ / folder / entry.path().filename());
  }
  const auto found_with = [&](const fs::path& chosen) {
    // No other thread is running yet.
    setenv("LANESCOPE_NVRTC", chosen.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    const auto found = find_compiler({});
    unsetenv("LANESCOPE_NVRTC");  // NOLINT(concurrency-mt-unsafe)
    return found ? found->include_directories() : std::vector<fs::path>{};
  };
  const fs::path packages = cache_ / "nvidia";
  const std::vector<fs::path> of_packages{packages / "cuda_runtime/include", packages / "cuda_nvcc/include",
                                          packages / "cuda_cccl/include"};
  EXPECT_EQ(found_with(packages / "cuda_nvrtc/lib"), of_packages);
  EXPECT_EQ(found_with(packages / "cuda_nvrtc/lib" / compiler_->library().filename()), of_packages);
  EXPECT_EQ(found_with(cache_ / "toolkit/lib64/"), std::vector<fs::path>{cache_ / "toolkit/include"});
}

TEST_F(Compile, a_broken_source_is_a_log_with_its_line_and_no_error) {
  const auto compilation =
      compile(*compiler_, {"bad.cu", "\n__global__ void f() { nonsense; }", {}}, {}).value();
  EXPECT_FALSE(compilation.ptx);
  EXPECT_NE(compilation.log.find("bad.cu(2): error"), std::string::npos) << compilation.log;
}

TEST_F(Compile, defines_and_arch_reach_the_compiler) {
  Options options;
  options.arch = "sm_75";
  options.defines = {"M=3"};
  const auto compilation =
      compile(*compiler_, {"m.cu", "extern \"C\" __global__ void f(int* p) { *p = M; }", {}}, options)
          .value();
  ASSERT_TRUE(compilation.ptx) << compilation.log;
  EXPECT_NE(compilation.ptx->find(".target sm_75"), std::string::npos);
}

TEST_F(Compile, an_unknown_arch_is_a_usage_error) {
  Options options;
  options.arch = "sm_1";
  const auto compilation = compile(*compiler_, kGood, options);
  ASSERT_FALSE(compilation);
  EXPECT_EQ(compilation.error().kind, ErrorKind::Usage);
}

TEST_F(Compile, the_second_time_comes_from_the_cache_and_is_equal) {
  Options options;
  options.cache_directory = cache_;
  const auto first = compile(*compiler_, kGood, options).value();
  const auto second = compile(*compiler_, kGood, options).value();
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(first.ptx, second.ptx);
}

TEST_F(Compile, concurrent_compilations_are_independent) {
  constexpr int kThreads = 4;
  const auto source_of = [](int n) {
    // Every second thread compiles the same source.
    return Source{
        "f.cu", fmt::format("extern \"C\" __global__ void f{}(int* p) {{ *p = {}; }}", n % 2, n % 2), {}};
  };
  std::vector<Result<Compilation>> results(kThreads, Compilation{});
  Options options;
  options.cache_directory = cache_;
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < kThreads; ++n) {
      threads.emplace_back(
          [&, n] { results[static_cast<size_t>(n)] = compile(*compiler_, source_of(n), options); });
    }
  }
  for (int n = 0; n < kThreads; ++n) {
    const auto& result = results[static_cast<size_t>(n)];
    ASSERT_TRUE(result && result->ptx);
    EXPECT_NE(result->ptx->find(fmt::format(".entry f{}(", n % 2)), std::string::npos);
    EXPECT_TRUE(compile(*compiler_, source_of(n), options)->from_cache);
  }
}

TEST_F(Compile, half_precision_headers_are_found) {
  const auto compilation =
      compile(*compiler_,
              {"h.cu",
               "#include <cuda_fp16.h>\nextern \"C\" __global__ void f(__half* p) { *p = __hadd(*p, *p); }",
               {}},
              {})
          .value();
  EXPECT_TRUE(compilation.ptx) << compilation.log;
}

TEST(KeptPtx, a_damaged_file_counts_as_missing) {
  const fs::path folder =
      fs::temp_directory_path() / ("lanescope_ptx_cache_test." + std::to_string(getpid()));
  write_cached(folder, "k", kPtxExtension, "text\nmore\n");
  EXPECT_EQ(read_cached(folder, "k", kPtxExtension), "text\nmore\n");
  std::ofstream(folder / "k.ptx", std::ios::app) << "x";
  EXPECT_EQ(read_cached(folder, "k", kPtxExtension), std::nullopt);
  EXPECT_EQ(read_cached(folder, "other", kPtxExtension), std::nullopt);
  fs::remove_all(folder);
}

/// Integers of 128 bits, concepts of C++20, an option of NVRTC by name, and an instance of a template.
TEST_F(Compile, options_of_the_compiler_are_passed_on) {
  const auto compiled = [&](const char* text, const Options& options) {
    return compile(*compiler_, {"o.cu", text, {}}, options).value();
  };
  const auto wide = compiled(
      "__global__ void f(unsigned long long* a) { unsigned __int128 p = (unsigned __int128)a[0] * a[1];"
      " a[2] = p >> 64; }",
      {});
  EXPECT_TRUE(wide.ptx) << wide.log;
  constexpr const char* kConcept =
      "template <class T> requires (sizeof(T) == 4) __device__ T twice(T x) { return x + x; }"
      "__global__ void f(float* a) { a[0] = twice(a[1]); }";
  EXPECT_FALSE(compiled(kConcept, {}).ptx);
  Options modern;
  modern.standard = "c++20";
  EXPECT_TRUE(compiled(kConcept, modern).ptx);
  constexpr const char* kSine = "__global__ void f(float* a) { a[0] = sinf(a[1]); }";
  Options fast;
  fast.more = {"--use_fast_math"};
  EXPECT_EQ(compiled(kSine, {}).ptx->find("sin.approx.ftz"), std::string::npos);
  EXPECT_NE(compiled(kSine, fast).ptx->find("sin.approx.ftz"), std::string::npos);
  Options wrong;
  wrong.more = {"--no-such-option"};
  const auto refused = compile(*compiler_, {"o.cu", kSine, {}}, wrong);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
  EXPECT_NE(refused.error().message.find("no-such-option"), std::string::npos) << refused.error().message;
  Options instance;
  instance.instances = {"scale<3>"};
  constexpr const char* kTemplate = "template <int n> __global__ void scale(float* a) { a[0] *= n; }";
  EXPECT_EQ(compiled(kTemplate, {}).ptx->find(".entry"), std::string::npos);
  EXPECT_NE(compiled(kTemplate, instance).ptx->find(".entry _Z5scaleILi3EEvPf"), std::string::npos);
}

TEST_F(Compile, a_file_has_the_name_that_the_user_gave_it) {
  for (const char* name : {"r\303\251duction.cu", "a \"b\".cu", "a\\b.cu", "a\tb.cu", "a\nb.cu"}) {
    const auto compilation =
        compile(*compiler_, {name, "__global__ void f(int* a) { a[0] = 1; }\n", {}}, {}).value();
    ASSERT_TRUE(compilation.ptx) << compilation.log;
    EXPECT_NE(compilation.ptx->find("\"" + escaped(name) + "\""), std::string::npos) << *compilation.ptx;
  }
}

/// Compiles `text` in the folder of the cache, and says whether NVRTC was spared.
class CachedCompile : public Compile {
 protected:
  void write(const fs::path& file, const std::string& text) {
    fs::create_directories((cache_ / file).parent_path());
    std::ofstream(cache_ / file) << text;
  }
  bool is_cached(const std::string& text, const std::vector<std::string>& defines = {}) {
    Options options;
    options.cache_directory = cache_ / "ptx";
    options.include_directories = {cache_, cache_ / "one", cache_ / "two"};
    options.defines = defines;
    const Compilation compilation =
        compile(*compiler_, {(cache_ / "k.cu").string(), text, {}}, options).value();
    EXPECT_TRUE(compilation.ptx) << compilation.log;
    return compilation.from_cache;
  }
};

TEST_F(CachedCompile, a_file_counts_with_the_headers_that_it_includes) {
  const std::string text = "#include \"tools.h\"\n__global__ void f(int* a) { a[0] = VALUE; }\n";
  write("tools.h", "#include \"nested/value.h\"\n");
  write("nested/value.h", "#define VALUE 1\n");
  EXPECT_FALSE(is_cached(text));
  EXPECT_TRUE(is_cached(text));
  write("nested/value.h", "#define VALUE 2\n");
  EXPECT_FALSE(is_cached(text));
  EXPECT_TRUE(is_cached(text));
  EXPECT_FALSE(is_cached(text, {"OTHER"}));
}

TEST_F(CachedCompile, what_is_cached_is_found_without_loading_the_compiler) {
  const auto files = find_compiler_files(tests::source_dir() / ".cache/third_party");
  if (!files) GTEST_SKIP() << "NVRTC is where only the loader finds it";
  EXPECT_EQ(files->library, compiler_->library());
  EXPECT_EQ(files->include_directories, compiler_->include_directories());
  EXPECT_EQ(files->identity, compiler_->files().identity);
  const Source source{"k.cu", "__global__ void f(int* a) { a[0] = 1; }\n", {}};
  Options options;
  EXPECT_FALSE(find_compiled(*files, source, options).value());
  options.cache_directory = cache_ / "ptx";
  EXPECT_FALSE(find_compiled(*files, source, options).value());
  const Compilation compiled = compile(*compiler_, source, options).value();
  const auto found = find_compiled(*files, source, options).value();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ptx, compiled.ptx);
  EXPECT_TRUE(found->from_cache);
  EXPECT_EQ(found->kernels.size(), 1u);
  CompilerFiles other = *files;
  other.identity += "newer";
  EXPECT_FALSE(find_compiled(other, source, options).value());
}

TEST_F(CachedCompile, a_header_that_hides_another_counts) {
  const std::string text = "#include <value.h>\n__global__ void f(int* a) { a[0] = VALUE; }\n";
  write("two/value.h", "#define VALUE 1\n");
  EXPECT_FALSE(is_cached(text));
  EXPECT_TRUE(is_cached(text));
  write("one/value.h", "#define VALUE 1\n");
  EXPECT_FALSE(is_cached(text));
}

TEST_F(CachedCompile, a_whole_program_is_cached_too) {
  const std::string text =
      "#include <vector>\n__global__ void f(int* a) { a[0] = 1; }\nint main() { std::vector<int> v; }\n";
  EXPECT_FALSE(is_cached(text));
  EXPECT_TRUE(is_cached(text));
}

TEST_F(CachedCompile, a_name_that_the_scan_cannot_read_is_compiled_each_time) {
  write("value.h", "#define VALUE 1\n");
  const std::string text =
      "#define TEXT(a) #a\n#define NAME(a) TEXT(a.h)\n#include NAME(value)\n"
      "__global__ void f(int* a) { a[0] = VALUE; }\n";
  EXPECT_FALSE(is_cached(text));
  EXPECT_FALSE(is_cached(text));
}

}  // namespace
}  // namespace lanescope::compile
