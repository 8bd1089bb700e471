// Writes the probes of tests/data/probes into a folder, for a run on a GPU: NAME.ptx, NAME.in, and
// manifest.txt with a line "NAME THREADS BYTES_IN BYTES_OUT" each.

#include "support/probe.h"
#include "support/project.h"

#include <fstream>
#include <iostream>

int main(int count, char** arguments) {
  namespace fs = std::filesystem;
  if (count != 2) {
    std::cerr << "usage: write_probes FOLDER\n";
    return 1;
  }
  const fs::path folder = arguments[1];
  const auto probes =
      lanescope::tests::read_probes(lanescope::tests::source_dir() / "tests/data/probes/probes.txt");
  if (!probes) {
    std::cerr << lanescope::describe(probes.error()) << '\n';
    return 1;
  }
  fs::create_directories(folder);
  std::ofstream manifest(folder / "manifest.txt");
  for (const lanescope::tests::Probe& probe : *probes) {
    std::ofstream(folder / (probe.name + ".ptx")) << lanescope::tests::ptx_of(probe);
    const std::vector<std::byte> inputs = lanescope::tests::inputs_of(probe);
    std::ofstream(folder / (probe.name + ".in"), std::ios::binary)
        .write(reinterpret_cast<const char*>(inputs.data()), static_cast<std::streamsize>(inputs.size()));
    manifest << probe.name << ' ' << probe.threads << ' ' << probe.input_bytes() << ' '
             << probe.output_bytes() << '\n';
  }
  return manifest ? 0 : 1;
}
