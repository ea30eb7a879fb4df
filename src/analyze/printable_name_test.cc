#include "analyze/printable_name.h"

#include <gtest/gtest.h>

namespace gpuledger {
namespace {

TEST(WithoutFolders, PathsAreShownByTheirLastPart) {
  EXPECT_EQ(without_folders("load /home/me/data/a.bin"), "load a.bin");
  EXPECT_EQ(without_folders("/opt/secret/train.py(42): step"),
            "train.py(42): step");
  EXPECT_EQ(without_folders("open('~/runs/x.pt')"), "open('x.pt')");
  EXPECT_EQ(without_folders("C:\\Users\\me\\x.py"), "x.py");
  EXPECT_EQ(without_folders("read D:/data/x y"), "read x y");
  EXPECT_EQ(without_folders("\\\\server\\share\\x"), "x");
  EXPECT_EQ(without_folders("file:/srv/a/b"), "file:b");
  EXPECT_EQ(without_folders("a=/x/b,c=/y/d"), "a=b,c=d");
  EXPECT_EQ(without_folders("/tmp/"), "");
}

TEST(WithoutFolders, SlashesAloneMakeNoPath) {
  for (const char* name :
       {"aten::mm", "encoder/layer 3/attention", "a / b", "a/b", "and/or",
        "nccl:all_reduce", "aten::div_(a, b)", "50 %/s", "", "/", "~"})
    EXPECT_EQ(without_folders(name), name);
}

}  // namespace
}  // namespace gpuledger
