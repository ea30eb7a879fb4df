#include "analyze/api_class.h"

#include <gtest/gtest.h>

namespace gpuledger {
namespace {

TEST(ApiClass, DropsVersionSuffixes) {
  EXPECT_EQ(api_base_name("cudaMemcpyAsync_v3020"), "cudaMemcpyAsync");
  EXPECT_EQ(api_base_name("cuMemcpyHtoDAsync_v2_ptsz"), "cuMemcpyHtoDAsync");
  EXPECT_EQ(api_base_name("cudaLaunchKernel_ptsz"), "cudaLaunchKernel");
  EXPECT_EQ(api_base_name("cudaGetDevice"), "cudaGetDevice");
  EXPECT_EQ(api_base_name("a_v"), "a_v");
  EXPECT_EQ(api_base_name("a_value"), "a_value");
  EXPECT_EQ(api_base_name(""), "");
}

TEST(ApiClass, Launches) {
  for (const char* name :
       {"cudaLaunchKernel", "cudaLaunchKernelExC", "cudaLaunchKernel_v7000",
        "cudaLaunchCooperativeKernel", "cuLaunchKernel", "cuLaunchKernelEx",
        "hipLaunchKernel", "hipExtModuleLaunchKernel", "hipModuleLaunchKernel",
        "hipExtLaunchKernel"})
    EXPECT_TRUE(classify_api(name).launch) << name;
  for (const char* name :
       {"cudaGraphLaunch", "cuGraphLaunch", "hipGraphLaunch_v1"}) {
    EXPECT_TRUE(classify_api(name).graph_launch) << name;
    EXPECT_FALSE(classify_api(name).launch) << name;
  }
  for (const char* name :
       {"cudaLaunchHostFunc", "cudaGraphInstantiate", "cudaGraphAddMemcpyNode",
        "cudaFuncSetAttribute", "INVALID", "", "LaunchKernel"}) {
    EXPECT_FALSE(classify_api(name).launch) << name;
    EXPECT_FALSE(classify_api(name).graph_launch) << name;
    EXPECT_FALSE(classify_api(name).copy) << name;
  }
}

TEST(ApiClass, BlockingCopies) {
  for (const char* name : {"cudaMemcpy", "cudaMemcpy2D", "cudaMemcpyToSymbol",
                           "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "hipMemcpy",
                           "hipMemcpyWithStream", "cudaMemcpy_v3020"}) {
    EXPECT_TRUE(classify_api(name).copy) << name;
    EXPECT_TRUE(classify_api(name).blocking_copy) << name;
  }
  for (const char* name :
       {"cudaMemcpyAsync", "cuMemcpyHtoDAsync_v2", "hipMemcpyAsync",
        "cudaMemcpyPeer", "cuMemcpyDtoD_v2", "cudaMemcpyAsync_ptsz"}) {
    EXPECT_TRUE(classify_api(name).copy) << name;
    EXPECT_FALSE(classify_api(name).blocking_copy) << name;
  }
  EXPECT_TRUE(classify_api("cudaMemsetAsync").set);
  EXPECT_TRUE(classify_api("cuMemsetD32Async").set);
  EXPECT_FALSE(classify_api("cudaMemsetAsync").copy);
}

TEST(ApiClass, BlockingSyncs) {
  for (const char* name :
       {"cudaDeviceSynchronize", "cudaStreamSynchronize_v3020",
        "cudaEventSynchronize", "cuCtxSynchronize", "cuStreamSynchronize_ptsz",
        "hipDeviceSynchronize", "hipEventSynchronize"})
    EXPECT_TRUE(classify_api(name).blocking_sync) << name;
  for (const char* name : {"cudaEventQuery", "cudaStreamWaitEvent",
                           "cudaEventRecord", "cudaStreamQuery", "cudaMemcpy"})
    EXPECT_FALSE(classify_api(name).blocking_sync) << name;
}

TEST(ApiClass, Memory) {
  for (const char* name :
       {"cudaMalloc", "cudaMallocAsync", "cudaFree", "cudaFreeHost",
        "cudaHostAlloc", "cudaHostRegister", "cuMemAlloc_v2", "cuMemCreate",
        "cuMemMap", "cuMemAddressReserve", "hipMalloc", "hipFree",
        "hipHostMalloc", "hipExtMallocWithFlags"})
    EXPECT_TRUE(classify_api(name).alloc) << name;
  for (const char* name : {"cudaFree", "hipFree", "cuMemFree_v2"})
    EXPECT_TRUE(classify_api(name).free) << name;
  for (const char* name : {"cudaFreeHost", "cudaFreeAsync", "hipMalloc"})
    EXPECT_FALSE(classify_api(name).free) << name;
  for (const char* name :
       {"cudaMemGetInfo", "cudaMemcpy", "cudaHostGetDevicePointer",
        "cudaMemsetAsync", "cudaPointerGetAttributes"})
    EXPECT_FALSE(classify_api(name).alloc) << name;
}

TEST(ApiClass, LoadsAndCapture) {
  for (const char* name :
       {"cuModuleLoadData", "cuModuleLoadDataEx", "cuLibraryLoadData",
        "hipModuleLoadData", "hipModuleLoad", "cuLinkComplete"})
    EXPECT_TRUE(classify_api(name).load) << name;
  for (const char* name :
       {"cudaFuncGetAttributes", "cudaGetFuncBySymbol", "cuModuleUnload"})
    EXPECT_FALSE(classify_api(name).load) << name;
  EXPECT_TRUE(classify_api("cudaStreamBeginCapture_v10000").capture_begin);
  EXPECT_TRUE(classify_api("hipStreamEndCapture").capture_end);
  EXPECT_FALSE(classify_api("cudaStreamIsCapturing").capture_begin);
  EXPECT_FALSE(classify_api("cudaStreamGetCaptureInfo_v2").capture_end);
}

}  // namespace
}  // namespace gpuledger
