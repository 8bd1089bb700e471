#include "pipeline/file_job.h"

#include "base/source_name.h"
#include "compile/include_files.h"
#include "compile/nearby_files.h"
#include "launch/argument_spec.h"
#include "pipeline/kernel_choice.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

/// What the source includes from a folder of the job's is given by the name that it has from there.
void add_edited_headers(Job& job, const EditedFiles& edited) {
  const std::filesystem::path own = edited_name(job.source.file_name);
  for (const auto& [path, text] : edited) {
    if (path == own) continue;
    for (const std::filesystem::path& folder : job.options.include_directories) {
      const std::string name = path.lexically_relative(edited_name(folder)).string();
      if (name.empty() || name.starts_with("..")) continue;
      job.source.headers.push_back({name, *text});
      break;
    }
  }
}

}  // namespace

Result<Job> text_job_of_file(const std::filesystem::path& file, const std::string& kernel,
                             const FileOptions& options) {
  TRY(Job job, job_of_file(file, options.edited));
  job.kernel = kernel;
  if (job.options.launched_instances_of) job.options.launched_instances_of = kernel_name_of(kernel);
  job.options.arch = options.arch;
  job.options.defines = options.defines;
  job.options.standard = options.standard;
  job.options.more = options.compiler_options;
  // A template's instance is made on request, if the source itself does not use it.
  if (job.text == Job::Text::Cuda && kernel.find('<') != std::string::npos)
    job.options.instances.push_back(instance_of(kernel));
  job.options.cache_directory = options.cache;
  for (const std::string& folder : options.include_directories) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
      return fail(ErrorKind::Usage,
                  fmt::format("there is no folder '{}' to search for headers; check -I", folder));
    job.options.include_directories.emplace_back(folder);
  }
  if (job.text == Job::Text::Cuda)
    for (std::filesystem::path& folder :
         compile::folders_of_headers(job.source.text, file, job.options.include_directories))
      job.options.include_directories.push_back(std::move(folder));
  if (options.edited) add_edited_headers(job, *options.edited);
  return job;
}

Result<std::vector<Step>> steps_of_files(const LaunchFile& launches, const FileOptions& options) {
  FileOptions with_folders = options;
  with_folders.include_directories.insert(with_folders.include_directories.end(),
                                          launches.include_directories.begin(),
                                          launches.include_directories.end());
  return steps_of(launches, [&](const std::string& file, const std::string& kernel) {
    return text_job_of_file(file, kernel, with_folders);
  });
}

const ListedKernel* kernel_named(std::span<const ListedKernel> kernels, const std::string& name) {
  if (name.empty()) return kernels.size() == 1 ? &kernels.front() : nullptr;
  std::vector<std::string> entries;
  for (const ListedKernel& kernel : kernels) {
    if (kernel.entry == name || kernel.name == name) return &kernel;
    if (is_name_of_kernel(without_parameters(name), kernel.name)) entries.push_back(kernel.entry);
  }
  if (entries.empty()) return nullptr;
  const bool has_types = without_parameters(name) != name;
  const std::string entry = has_types ? overloads_named(entries, name).front() : entries.front();
  return &*std::ranges::find(kernels, entry, &ListedKernel::entry);
}

std::vector<const ListedKernel*> in_order(std::span<const ListedKernel> kernels) {
  std::vector<const ListedKernel*> all;
  for (const ListedKernel& kernel : kernels)
    if (!kernel.refused) all.push_back(&kernel);
  const auto rank = [](const ListedKernel* kernel) {
    const bool is_launched = !kernel->launches.empty();
    return std::tuple(!is_launched, !is_launched && kernel->is_of_header,
                      is_launched ? kernel->launches.front().order : 0);
  };
  std::ranges::stable_sort(all, {}, rank);
  return all;
}

std::string choosing_name(std::span<const ListedKernel> kernels, const ListedKernel& kernel) {
  return std::ranges::count(kernels, kernel.name, &ListedKernel::name) > 1 ? signature_of(kernel.entry)
                                                                           : kernel.name;
}

std::vector<std::filesystem::path> files_of(const Job& job) {
  std::vector<std::filesystem::path> files{job.source.file_name};
  if (job.text == Job::Text::Ptx) return files;
  const auto read = compile::read_source_files(job.source, job.options, {});
  if (!read) return files;
  for (size_t n = 1; n < read->files.size(); ++n) files.emplace_back(read->files[n].name);
  return files;
}

std::vector<LaunchProblems> problems_of(const LaunchFile& launches) {
  launch::Launch shared;
  // A wrong buffer is an error of the file, and not of a launch.
  for (const std::string& buffer : launches.buffers) (void)launch::add_argument(shared, buffer);
  const auto problem = [](const auto& result) { return result ? std::string() : result.error().message; };
  std::vector<LaunchProblems> all;
  for (const LaunchText& text : launches.launches) {
    LaunchProblems& found = all.emplace_back();
    found.grid = problem(launch::parse_dim3(text.grid));
    found.block = problem(launch::parse_dim3(text.block));
    if (text.shared_bytes > launch::kMaximumSharedBytes)
      found.shared = fmt::format("a block has at most {} bytes of shared memory, {} were given",
                                 launch::kMaximumSharedBytes, text.shared_bytes);
    for (const std::string& argument : text.arguments)
      found.arguments.push_back(problem(launch::add_argument(shared, argument)));
    shared.arguments.clear();
  }
  return all;
}

}  // namespace lanescope::pipeline
