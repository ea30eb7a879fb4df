#include "cli/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/exit_code.h"
#include "model/account.h"
#include "model/import_stats.h"

namespace gpuledger {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct Ran {
  int code;
  std::string out, err;
};

Ran ran(int (*command)(const Arguments&), const char* subject) {
  Arguments arguments;
  arguments.subject = subject;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ran result;
  result.code = command(arguments);
  result.out = testing::internal::GetCapturedStdout();
  result.err = testing::internal::GetCapturedStderr();
  return result;
}

TEST(Catalogue, ListsEveryRowOfATable) {
  const Ran accounts = ran(run_list, "accounts");
  EXPECT_EQ(accounts.code, kOk);
  for (const AccountRow& row : kAccounts)
    EXPECT_THAT(accounts.out, HasSubstr(std::string(row.name)));
  const Ran imports = ran(run_list, "imports");
  for (const ImportRow& row : kImports)
    EXPECT_THAT(imports.out, HasSubstr(std::string(row.id)));
}

TEST(Catalogue, ExplainsAnAccountAndAParent) {
  EXPECT_EQ(ran(run_explain, "idle.queue").out,
            "idle.queue              queued work follows with a small gap\n");
  const Ran parent = ran(run_explain, "idle.sync");
  EXPECT_THAT(parent.out, StartsWith("idle.sync.copy "));
  EXPECT_THAT(parent.out, HasSubstr("\nidle.sync.wait "));
}

TEST(Catalogue, RefusesWhatIsNotThere) {
  for (const auto command : {run_list, run_explain}) {
    const Ran result = ran(command, "tea");
    EXPECT_EQ(result.code, kWrongUsage);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr("'tea'"));
  }
}

}  // namespace
}  // namespace gpuledger
