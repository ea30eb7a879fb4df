#include "analyze/kernel_class.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analyze/kernel_table.h"

namespace gpuledger {
namespace {

using enum Account;
using Names = std::vector<std::pair<const char*, Account>>;

void expect_accounts(const Names& names) {
  for (const auto& [name, account] : names)
    EXPECT_EQ(account_name(classify_kernel(name).account),
              account_name(account))
        << name;
}

TEST(KernelClass, MatrixProductsAndConvolutions) {
  expect_accounts({
      {"ampere_fp16_s16816gemm_fp16_64x64_ldg8_f2f_nn", compute_matmul},
      {"volta_sgemm_64x64_tn", compute_matmul},
      {"nvjet_tst_64x64_64x16_2x1_2cta_v_bz_bias_TNT", compute_matmul},
      {"void cutlass::Kernel<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>(x)",
       compute_matmul},
      {"void splitKreduce_kernel<32, 16, int, float>(int)", compute_matmul},
      {"sm80_xmma_fprop_implicit_gemm_tf32f32_nhwc_execute_kernel_cudnn_infer",
       compute_matmul},
      {"cudnn_volta_scudnn_128x64_relu_xregs_large_nn_v1", compute_matmul},
      {"void fft2d_r2c_32x32<float, false, 0u, false>(float2*)",
       compute_matmul},
      {"Cijk_Alik_Bljk_BBS_BH_MT16x16x256_MI16x16x1_SN", compute_matmul},
      {"igemm_bwd_gtcx2_nhwc_bf16_bx0_ex1", compute_matmul},
      {"Im2Col", compute_matmul},
      {"naive_conv_ab_nonpacked_fwd_nchw_half", compute_matmul},
      {"_ZN2ck16tensor_operation6device37kernel_batched_gemm_xdlops_bwd_weight",
       compute_matmul},
      {"_matmul_ogs_NNT_bf16xbf16xmxfp4_128x128x128x1_swiglu", compute_matmul},
      {"bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_transOut",
       compute_matmul},
      {"fused_moe_kernel", compute_matmul},
      {"triton_tem_fused_mm_12", compute_matmul},
      {"triton_mm", compute_matmul},
  });
}

TEST(KernelClass, Attention) {
  expect_accounts({
      {"void pytorch_flash::flash_fwd_kernel<traits<64, 128>>(params)",
       compute_attention},
      {"fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausal", compute_attention},
      {"fmha_cutlassF_bf16_aligned_64x64_rf_sm80(p)", compute_attention},
      {"_ZN7ck_tile6kentryILi2ENS_13FmhaFwdKernelI", compute_attention},
      {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16",
       compute_attention},
      {"attn_fwd", compute_attention},
      {"kernel_unified_attention_2d", compute_attention},
      {"void paged_attention_ll4mi_QKV_mfma16_kernel<0, Fp8KVCacheDataType>",
       compute_attention},
      {"triton_tem_fused_flex_attention_0", compute_attention},
  });
}

TEST(KernelClass, NormalisationAndLayout) {
  expect_accounts({
      {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<"
       "float, float>(int)",
       compute_normalisation},
      {"void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, 512>(x)",
       compute_normalisation},
      {"MIOpenBatchNormFwdTrainSpatialNorm", compute_normalisation},
      {"_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdI", compute_normalisation},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::"
       "(anonymous namespace)::batch_norm_calc_invstd(at::Tensor)>",
       compute_normalisation},
      {"triton_red_fused_add_mean_mul_pow_rsqrt_0", compute_normalisation},
      {"triton_per_fused_native_layer_norm_3", compute_normalisation},
      {"void nchwToNhwcKernel<float, (cudnnKernelDataType_t)0>(int)",
       compute_layout},
      {"batched_transpose_16x32_half", compute_layout},
      {"SubTensorOpWithCastTensor1d", compute_layout},
      {"void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl"
       "<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)>>",
       compute_layout},
      {"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float>",
       compute_layout},
      {"void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16>",
       compute_layout},
      {"triton_poi_fused__to_copy_1", compute_layout},
      {"triton_poi_fused_clone_transpose_view_12", compute_layout},
      {"triton_poi_fused_add_clone_12", compute_elementwise},
  });
}

TEST(KernelClass, EmbeddingOptimizerElementwise) {
  expect_accounts({
      {"void at::native::(anonymous namespace)::indexSelectLargeIndex<float>",
       compute_embedding},
      {"void (anonymous namespace)::indexing_backward_kernel<float, 4>(long*)",
       compute_embedding},
      {"void at::native::vectorized_gather_kernel<16, long>(char*)",
       compute_embedding},
      {"void cub::DeviceRadixSortOnesweepKernel<x>(int*)", compute_embedding},
      {"void split_embedding_backward_codegen_rowwise_adagrad_kernel<x>",
       compute_embedding},
      {"void fbgemm_gpu::permute_2D_data_kernel<false>(int)",
       compute_embedding},
      {"triton_poi_fused_embedding_0", compute_embedding},
      {"void multi_tensor_apply_kernel<TensorListMetadata<4>, "
       "AdamFunctor<float>, float>(int)",
       compute_optimizer},
      {"void multi_tensor_apply_kernel<TensorListMetadata<5>, "
       "LAMBStage1Functor<float>>",
       compute_optimizer},
      {"fused_lamb_kernel", compute_optimizer},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::"
       "exp_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}>(int)",
       compute_elementwise},
      {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>",
       compute_elementwise},
      {"void (anonymous namespace)::softmax_warp_forward<float>(float*)",
       compute_elementwise},
      {"void vllm::rotary_embedding_kernel<c10::BFloat16, true>",
       compute_elementwise},
      {"triton_poi_fused_0", compute_elementwise},
      {"at::cuda::(anonymous namespace)::spin_kernel(long)", compute_other},
      {"Kernel", compute_other},
      {"", compute_other},
  });
}

TEST(KernelClass, Communication) {
  for (const char* name :
       {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)",
        "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
        "ncclAllReduceRingLLKernel_sum_f32(ncclColl)",
        "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16>",
        "void vllm::cross_device_reduce_1stage<half, 2>(x)",
        "void quickreduce::allreduce_prototype_twoshot<x>",
        "void deep_ep::intranode::dispatch<8, 768>(x)",
        "nvshmemi_transfer_putmem_block"}) {
    const KernelClass k = classify_kernel(name);
    EXPECT_EQ(k.family, KernelFamily::communication) << name;
    EXPECT_EQ(k.account, communication_unsplit) << name;
  }
  // Compiled code names the operators it fuses, collectives among them.
  EXPECT_EQ(classify_kernel("triton_poi_fused_add_all_reduce_3").family,
            KernelFamily::compute);
}

TEST(KernelClass, RuntimeCopies) {
  const KernelClass fill = classify_kernel("__amd_rocclr_fillBufferAligned");
  EXPECT_EQ(fill.family, KernelFamily::set);
  EXPECT_EQ(fill.account, copy_set);
  const KernelClass copy = classify_kernel("__amd_rocclr_copyBuffer");
  EXPECT_EQ(copy.family, KernelFamily::copy);
  EXPECT_EQ(copy.account, copy_other);
  const KernelClass up = classify_kernel("MEMORY_COPY_HOST_TO_DEVICE");
  EXPECT_EQ(up.copy, CopyKind::h2d);
  EXPECT_EQ(up.account, copy_h2d_unknown);
  // Whoever launched it: it stays a copy.
  EXPECT_EQ(classify_launched(copy, {true, true, compute_matmul}).account,
            copy_other);
}

TEST(KernelClass, TensorCore) {
  for (const char* name :
       {"ampere_fp16_s16816gemm_fp16_64x64_nn", "nvjet_tst_64x64_TNT",
        "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64>",
        "fmhaSm100aKernel_QkvE4m3OBfloat16", "igemm_fwd_gtcx2_nhwc_bf16",
        "Cijk_Ailk_Bjlk_BBS_BH_MT64x32x64_MI16x16x1_SN",
        "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64"})
    EXPECT_TRUE(classify_kernel(name).tensor_core) << name;
  for (const char* name :
       {"ampere_sgemm_128x32_tn", "ampere_fp16_sgemm_fp16_128x64_tn",
        "void cutlass::Kernel<cutlass_80_simt_sgemm_128x32>",
        "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_ffma_aligna4_execute_kernel",
        "void cublasLt::splitKreduce_kernel<32, 16>",
        "volta_scudnn_128x64_relu_small_nn_v1", "Im2Col",
        "void at::native::reduce_kernel<512, 1>"})
    EXPECT_FALSE(classify_kernel(name).tensor_core) << name;
}

TEST(KernelClass, Precedence) {
  const KernelClass product = classify_kernel("ampere_sgemm_128x32_tn");
  const KernelClass add =
      classify_kernel("void at::native::vectorized_elementwise_kernel<4>");
  const KernelClass unknown = classify_kernel("my_kernel");
  const LaunchedBy nobody;
  EXPECT_EQ(classify_launched(add, nobody).account, compute_elementwise);

  LaunchedBy norm;
  norm.account = account_by_operator("aten::native_layer_norm");
  EXPECT_EQ(classify_launched(add, norm).account, compute_normalisation);
  EXPECT_EQ(classify_launched(unknown, norm).account, compute_normalisation);
  EXPECT_EQ(classify_launched(product, norm).account, compute_matmul);

  LaunchedBy step;
  step.optimizer = true;
  EXPECT_EQ(classify_launched(product, step).account, compute_optimizer);

  LaunchedBy collective;
  collective.communication = true;
  collective.optimizer = true;
  EXPECT_EQ(classify_launched(unknown, collective).family,
            KernelFamily::communication);
  EXPECT_EQ(classify_launched(product, collective).family,
            KernelFamily::compute);
}

TEST(OperatorClass, Accounts) {
  const auto account = [](std::string_view op) {
    return account_by_operator(op).value_or(unattributed);
  };
  EXPECT_EQ(account("aten::addmm, op_id = 99"), compute_matmul);
  EXPECT_EQ(account("aten::cudnn_convolution"), compute_matmul);
  EXPECT_EQ(account("AddmmBackward0"), compute_matmul);
  EXPECT_EQ(account("aten::_scaled_dot_product_flash_attention"),
            compute_attention);
  EXPECT_EQ(account("NativeLayerNormBackward0"), compute_normalisation);
  EXPECT_EQ(account("aten::index_put_"), compute_embedding);
  EXPECT_EQ(account("aten::copy_"), compute_layout);
  EXPECT_EQ(account("aten::_foreach_mul_"), compute_elementwise);
  EXPECT_EQ(account("Optimizer.step#AdamW.step"), compute_optimizer);
  EXPECT_EQ(account("Optimizer.zero_grad#AdamW.zero_grad"), unattributed);
  EXPECT_EQ(account("aten::linalg_vector_norm"), unattributed);
  EXPECT_EQ(account("my::op"), unattributed);
}

TEST(OperatorClass, CommunicationAndOptimizer) {
  for (const char* name :
       {"c10d::allreduce_", "record_param_comms", "nccl:all_reduce",
        "symm_mem::multimem_all_reduce_", "_c10d_functional::all_reduce",
        "record_param_comms, op_id = 4"})
    EXPECT_TRUE(launches_communication(name)) << name;
  for (const char* name :
       {"## all2all_data:lengths ##", "All2All_Pooled_Req", "aten::add",
        "torch.distributed.ddp.reducer::copy_bucket_to_grad",
        "fsdp::all_gather_copy_in", "vllm::all_reduce", "gloo:all_reduce"})
    EXPECT_FALSE(launches_communication(name)) << name;
  EXPECT_TRUE(is_optimizer_step("Optimizer.step"));
  EXPECT_TRUE(is_optimizer_step("Optimizer.step#SGD.step"));
  EXPECT_FALSE(is_optimizer_step("## optimizer ##"));
  EXPECT_FALSE(is_optimizer_step("Optimizer.step_pre"));
}

TEST(OperatorClass, StripsNvtxFields) {
  EXPECT_EQ(operator_base_name("aten::to, op_id = 99"), "aten::to");
  EXPECT_EQ(operator_base_name("aten::mm, seq = 5, op_id = 9, sizes = [[1]]"),
            "aten::mm");
  EXPECT_EQ(operator_base_name("load, then wait"), "load, then wait");
}

TEST(CopyNames, DirectionAndHostMemory) {
  struct Row {
    const char* name;
    CopyKind kind;
    HostMemory memory;
    Account account;
  };
  const Row rows[] = {
      {"Memcpy HtoD (Pageable -> Device)", CopyKind::h2d, HostMemory::pageable,
       copy_h2d_pageable},
      {"Memcpy HtoD (Pinned -> Device)", CopyKind::h2d, HostMemory::pinned,
       copy_h2d_pinned},
      {"Memcpy HtoD (Host -> Device)", CopyKind::h2d, HostMemory::unknown,
       copy_h2d_unknown},
      {"Memcpy DtoH (Device -> Pinned)", CopyKind::d2h, HostMemory::pinned,
       copy_d2h},
      {"Memcpy DtoH (Device -> Pageable)", CopyKind::d2h, HostMemory::pageable,
       copy_d2h},
      {"Memcpy DtoD (Device -> Device)", CopyKind::d2d, HostMemory::none,
       copy_d2d},
      {"Memcpy PtoP (Device -> Device)", CopyKind::p2p, HostMemory::none,
       copy_p2p},
      {"[CUDA memcpy Host-to-Device]", CopyKind::h2d, HostMemory::unknown,
       copy_h2d_unknown},
      {"MEMORY_COPY_DEVICE_TO_HOST", CopyKind::d2h, HostMemory::unknown,
       copy_d2h},
      {"Memcpy HtoH (Pageable -> Pinned)", CopyKind::other, HostMemory::none,
       copy_other},
      {"", CopyKind::other, HostMemory::none, copy_other},
  };
  for (const Row& row : rows) {
    const CopyName copy = parse_copy_name(row.name);
    EXPECT_EQ(copy.kind, row.kind) << row.name;
    EXPECT_EQ(copy.memory, row.memory) << row.name;
    EXPECT_EQ(copy_account(copy), row.account) << row.name;
  }
}

// A needle with a capital letter would never match; one that an earlier row
// already catches is dead.
TEST(KernelTables, RowsAreLowerCaseAndAlive) {
  for (const auto rows : {kernel_rows(), inductor_rows(), operator_rows()}) {
    for (size_t i = 0; i < rows.size(); ++i) {
      for (char c : rows[i].text) EXPECT_FALSE(c >= 'A' && c <= 'Z');
      for (size_t j = 0; j < i; ++j)
        EXPECT_FALSE(name_matches(rows[j].how, rows[j].text, rows[i].text))
            << rows[i].text << " is dead behind " << rows[j].text;
    }
  }
}

}  // namespace
}  // namespace gpuledger
