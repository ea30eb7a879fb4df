// Runs the fuzz target over the files of the corpus without a fuzzer, so that
// every build checks what fuzzing once found. Each file is fed whole and cut
// short at several places: inputs end anywhere.
//   fuzz_replay FOLDER...
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

constexpr size_t kCuts = 32;

void feed(const std::string& bytes, size_t size) {
  // A copy of the exact size lets AddressSanitizer see reads past the end.
  const std::vector<uint8_t> exact(bytes.begin(),
                                   bytes.begin() + static_cast<long>(size));
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

bool replay(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::printf("%s: %zu bytes\n", path.c_str(), bytes.size());
  std::fflush(stdout);  // the last line names the file that crashed
  for (size_t cut = 0; cut <= kCuts; ++cut) {
    feed(bytes, bytes.size() * cut / kCuts);
  }
  return true;
}

// How many files were fed, or -1 if the folder or a file cannot be read.
long replay_folder(const char* folder) {
  std::error_code error;
  long count = 0;
  for (fs::recursive_directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    if (!replay(it->path())) return -1;
    ++count;
  }
  return error ? -1 : count;
}

}  // namespace

int main(int argc, char** argv) {
  long total = 0;
  for (int i = 1; i < argc; ++i) {
    const long count = replay_folder(argv[i]);
    if (count <= 0) {
      std::fprintf(stderr, "%s: no readable files\n", argv[i]);
      return 1;
    }
    total += count;
  }
  std::printf("%ld files replayed\n", total);
  return total > 0 ? 0 : 1;
}
