#include "diagnose/inputs.h"

#include <algorithm>
#include <filesystem>

namespace gpuledger {

std::vector<InputFile> expand_inputs(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<InputFile> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-" || !fs::is_directory(path, error)) {
      files.push_back({path, false});
      continue;
    }
    std::vector<std::string> inside;
    fs::recursive_directory_iterator it(
        path, fs::directory_options::skip_permission_denied, error);
    for (; !error && it != fs::recursive_directory_iterator();
         it.increment(error)) {
      std::error_code ignored;
      if (it->is_regular_file(ignored)) inside.push_back(it->path().string());
    }
    std::sort(inside.begin(), inside.end());
    for (std::string& file : inside) files.push_back({std::move(file), true});
  }
  return files;
}

}  // namespace gpuledger
