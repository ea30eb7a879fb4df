// Operating errors are values: a function that can fail returns Result<T>.
// Dirty input that can be read past is no error; it is counted (ImportStats).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace gpuledger {

enum class ErrorCode {
  io,           // the operating system refused
  wrong_kind,   // a file of another kind
  malformed,    // of the right kind, but not readable
  over_budget,  // does not fit --memory
  usage,        // the caller's request makes no sense for this input
};

struct Error {
  ErrorCode code = ErrorCode::io;
  std::string file;                // as the user named it; empty: no file
  std::optional<uint64_t> offset;  // bytes from the start of `file`
  std::string text;                // what was found and what was expected
};

template <class T>
struct [[nodiscard]] Result : tl::expected<T, Error> {
  using tl::expected<T, Error>::expected;
  Result(tl::expected<T, Error> other)
      : tl::expected<T, Error>(std::move(other)) {}
};

inline tl::unexpected<Error> fail(ErrorCode code, std::string text) {
  return tl::unexpected<Error>(Error{code, {}, {}, std::move(text)});
}

inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

// RETURN_IF_ERROR(f());           ASSIGN_OR_RETURN(const auto x, f());
#define RETURN_IF_ERROR(expression)                          \
  do {                                                       \
    if (auto outcome_ = (expression); !outcome_)             \
      return ::gpuledger::fail(std::move(outcome_.error())); \
  } while (false)
#define GPULEDGER_JOIN_(a, b) a##b
#define GPULEDGER_JOIN(a, b) GPULEDGER_JOIN_(a, b)
#define ASSIGN_OR_RETURN(variable, expression) \
  ASSIGN_OR_RETURN_(GPULEDGER_JOIN(result_, __LINE__), variable, expression)
#define ASSIGN_OR_RETURN_(result, variable, expression)             \
  auto result = (expression);                                       \
  if (!result) return ::gpuledger::fail(std::move(result.error())); \
  variable = std::move(*result)

}  // namespace gpuledger
