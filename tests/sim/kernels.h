// What one transformer layer launches, forward and backward: the operator, the
// kernel under it and how long it runs, in percent of the scenario's kernel.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/entry.h"

namespace gpuledger::sim {

struct LayerOp {
  std::string_view module;    // of the Python stack; empty: a function
  std::string_view function;  // the frame that calls the operator
  std::string_view outer, op;
  std::string_view kernel;
  Entry entry;
  int64_t percent;
  std::string_view node;  // of autograd
  std::string_view back_op, back_kernel;
  int64_t back_percent;
};

inline constexpr std::string_view kMatmulKernel =
    "ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_tn";
inline constexpr std::string_view kMatmulBackKernel =
    "cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_nt_align8";
inline constexpr std::string_view kAddKernel =
    "void at::native::vectorized_elementwise_kernel<4, "
    "at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul> >(int, "
    "at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)";
inline constexpr std::string_view kFillKernel =
    "void at::native::vectorized_elementwise_kernel<4, "
    "at::native::FillFunctor<float>, std::array<char*, 1ul> >(int, "
    "at::native::FillFunctor<float>, std::array<char*, 1ul>)";
inline constexpr std::string_view kReduceKernel =
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
    "at::native::MeanOps<float, float, float, float>, unsigned int, float, 4> "
    ">(at::native::ReduceOp<float, at::native::MeanOps<float, float, float, "
    "float>, unsigned int, float, 4>)";
inline constexpr std::string_view kNormKernel =
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::"
    "BFloat16, float>(int, float, c10::BFloat16 const*, c10::BFloat16 const*, "
    "c10::BFloat16 const*, float*, float*, c10::BFloat16*)";
inline constexpr std::string_view kNormBackKernel =
    "void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_"
    "vectorized<c10::BFloat16, float>(c10::BFloat16 const*, c10::BFloat16 "
    "const*, float const*, float const*, c10::BFloat16 const*, c10::BFloat16*, "
    "int)";
inline constexpr std::string_view kGeluKernel =
    "void at::native::vectorized_elementwise_kernel<4, at::native::"
    "GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::"
    "{lambda()#2}::operator()() const::{lambda()#4}::operator()() const::"
    "{lambda(c10::BFloat16)#1}, std::array<char*, 2ul> >(int, at::native::"
    "GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::"
    "{lambda()#2}::operator()() const::{lambda()#4}::operator()() const::"
    "{lambda(c10::BFloat16)#1}, std::array<char*, 2ul>)";
inline constexpr std::string_view kGeluBackKernel =
    "void at::native::vectorized_elementwise_kernel<4, at::native::"
    "GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)"
    "::{lambda()#2}::operator()() const::{lambda()#4}::operator()() const::"
    "{lambda(c10::BFloat16, c10::BFloat16)#1}, std::array<char*, 3ul> >(int)";
inline constexpr std::string_view kFlashKernel =
    "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128,"
    " 4, false, false, cutlass::bfloat16_t> >(pytorch_flash::Flash_fwd_params)";
inline constexpr std::string_view kFlashBackKernel =
    "void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd"
    "_kernel_traits<64, 128, 128, 8, 4, 4, 4, false, false, cutlass::"
    "bfloat16_t> >(pytorch_flash::Flash_bwd_params)";
inline constexpr std::string_view kCastKernel =
    "void at::native::unrolled_elementwise_kernel<at::native::"
    "direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::"
    "operator()() const::{lambda()#7}::operator()() const::{lambda(float)#1}, "
    "std::array<char*, 2ul>, 4, TrivialOffsetCalculator<1, unsigned int>, "
    "TrivialOffsetCalculator<1, unsigned int>, at::native::memory::"
    "LoadWithCast<1>, at::native::memory::StoreWithCast<1> >(int)";
inline constexpr std::string_view kGatherKernel =
    "void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*, "
    "int, long, long, long, long, bool)";
inline constexpr std::string_view kScatterKernel =
    "void at::native::(anonymous namespace)::embedding_backward_feature_kernel<"
    "c10::BFloat16, float, long>(long const*, c10::BFloat16 const*, "
    "c10::BFloat16*, int, long, int)";
inline constexpr std::string_view kAdamKernel =
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::"
    "native::(anonymous namespace)::FusedOptimizerTensorListMetadata<4>, at::"
    "native::(anonymous namespace)::FusedAdamMathFunctor<float, 4, (at::native"
    "::ADAM_MODE)1, false>, float const*, double, double, double, double, "
    "double, bool, float*, float*>(at::native::(anonymous namespace)::"
    "FusedOptimizerTensorListMetadata<4>)";
inline constexpr std::string_view kAllReduceKernel =
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>"
    ")";

inline constexpr std::array<LayerOp, 11> kLayerOps = {{
    {"LayerNorm", "torch/nn/functional.py(2546): layer_norm",
     "aten::layer_norm", "aten::native_layer_norm", kNormKernel,
     Entry::compute_normalisation, 40, "NativeLayerNormBackward0",
     "aten::native_layer_norm_backward", kNormBackKernel, 70},
    {"Linear", "torch/nn/modules/linear.py(116): forward", "aten::linear",
     "aten::addmm", kMatmulKernel, Entry::compute_matmul, 160, "AddmmBackward0",
     "aten::mm", kMatmulBackKernel, 170},
    {"", "model.py(58): split_heads", "aten::contiguous", "aten::copy_",
     kCastKernel, Entry::compute_layout, 30, "CloneBackward0", "aten::copy_",
     kCastKernel, 30},
    {"", "model.py(63): attend", "aten::scaled_dot_product_attention",
     "aten::_flash_attention_forward", kFlashKernel, Entry::compute_attention,
     150, "ScaledDotProductFlashAttentionBackward0",
     "aten::_flash_attention_backward", kFlashBackKernel, 320},
    {"Linear", "torch/nn/modules/linear.py(116): forward", "aten::linear",
     "aten::addmm", kMatmulKernel, Entry::compute_matmul, 100, "AddmmBackward0",
     "aten::mm", kMatmulBackKernel, 110},
    {"", "model.py(71): forward", "", "aten::add", kAddKernel,
     Entry::compute_elementwise, 30, "AddBackward0", "aten::add_", kAddKernel,
     30},
    {"LayerNorm", "torch/nn/functional.py(2546): layer_norm",
     "aten::layer_norm", "aten::native_layer_norm", kNormKernel,
     Entry::compute_normalisation, 40, "NativeLayerNormBackward0",
     "aten::native_layer_norm_backward", kNormBackKernel, 70},
    {"Linear", "torch/nn/modules/linear.py(116): forward", "aten::linear",
     "aten::addmm", kMatmulKernel, Entry::compute_matmul, 220, "AddmmBackward0",
     "aten::mm", kMatmulBackKernel, 230},
    {"GELU", "torch/nn/modules/activation.py(704): forward", "", "aten::gelu",
     kGeluKernel, Entry::compute_elementwise, 50, "GeluBackward0",
     "aten::gelu_backward", kGeluBackKernel, 60},
    {"Linear", "torch/nn/modules/linear.py(116): forward", "aten::linear",
     "aten::addmm", kMatmulKernel, Entry::compute_matmul, 220, "AddmmBackward0",
     "aten::mm", kMatmulBackKernel, 230},
    {"", "model.py(74): forward", "", "aten::add", kAddKernel,
     Entry::compute_elementwise, 30, "AddBackward0", "aten::add_", kAddKernel,
     30},
}};

}  // namespace gpuledger::sim
