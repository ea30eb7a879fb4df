#include "model/finding.h"

namespace gpuledger {

std::string_view certainty_name(Certainty certainty) {
  switch (certainty) {
    case Certainty::proven:
      return "proven";
    case Certainty::likely:
      return "likely";
    case Certainty::inconclusive:
      return "inconclusive";
  }
  return "inconclusive";
}

}  // namespace gpuledger
