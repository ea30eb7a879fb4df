#include "analyze/frame_kind.h"

#include <gtest/gtest.h>

#include <string>

namespace gpuledger {
namespace {

void expect_kind(FrameKind kind, std::initializer_list<const char*> names) {
  for (const char* name : names)
    EXPECT_EQ(static_cast<int>(classify_frame(name)), static_cast<int>(kind))
        << name;
}

TEST(FrameKind, Data) {
  expect_kind(
      FrameKind::data,
      {"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
       "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
       "torch/utils/data/dataloader.py(628): __next__",
       "/opt/conda/lib/python3.11/site-packages/torch/utils/data/_utils/"
       "collate.py(260): collate",
       "PIL/Image.py(2215): resize",
       "transformers/tokenization_utils_base.py(2900): __call__",
       "/usr/lib/python3/dist-packages/PIL/Image.py(10): open",
       "transformers/image_transforms.py(319): resize",
       "transformers/models/videomae/image_processing_videomae.py(50): f",
       "transformers/pipelines/video_classification.py(130): preprocess",
       "[pl][profile][_TrainingEpochLoop].train_dataloader_next"});
  expect_kind(
      FrameKind::none,
      {"transformers/models/bert/modeling_bert.py(180): forward",
       "transformers/pipelines/base.py(1306): run_single",
       "transformers/feature_extraction_utils.py(210): to",
       "transformers/tokenization_utils_base.py(3900): decode",
       "torch/utils/_pytree.py(10): tree_map", "src/av/model.py(3): forward",
       "# TensorsToDeviceModule #", "## data_load ##", "dataloader"});
}

TEST(FrameKind, CheckpointIsNotActivationCheckpointing) {
  expect_kind(FrameKind::checkpoint,
              {"torch/serialization.py(944): save",
               "torch/serialization.py(1214): _save",
               "torch/distributed/checkpoint/state_dict_saver.py(50): save",
               "safetensors/torch.py(286): save_file",
               "transformers/trainer.py(3200): _save_checkpoint"});
  expect_kind(
      FrameKind::none,
      {"torch/utils/checkpoint.py(343): checkpoint",
       "torch/utils/checkpoint.py(1500): recompute_fn",
       "torch/distributed/algorithms/_checkpoint/checkpoint_wrapper.py(166): "
       "forward",
       "nn.Module: CheckpointWrapper_0", "torch/serialization.py(1300): load",
       "torch/serialization.py(90): save_helper",
       "vllm/v1/worker/block_table.py(120): commit_block_table"});
}

TEST(FrameKind, GarbageCollection) {
  expect_kind(FrameKind::gc, {"<built-in function collect>", "Python GC"});
  expect_kind(FrameKind::none,
              {"<built-in method collect of Registry object at 0x7f00>",
               "typing_extensions.py(3178): _collect_type_vars",
               "torch/utils/data_collect.py(3): collect"});
}

TEST(FrameKind, CompilingIsNotRunningCompiledCode) {
  expect_kind(
      FrameKind::compile_jit,
      {"torch/_dynamo/convert_frame.py(1200): __call__",
       "torch/_inductor/compile_fx.py(680): compile_fx_inner",
       "/src/python/triton/compiler/compiler.py(226): compile",
       "triton/testing.py(120): do_bench", "inductor_compile (dynamo_timed)"});
  expect_kind(FrameKind::none,
              {"torch/_dynamo/eval_frame.py(738): _fn",
               "torch/_dynamo/eval_frame.py(791): compile_wrapper",
               "torch/_compile.py(22): inner", "<built-in function compile>",
               "triton/compiler/compiler.py(380): __init__",
               "triton/compiler/compiler.py(481): run",
               "triton/backends/compiler.py(81): get_arg_specialization",
               "triton/runtime/jit.py(574): run",
               "torch/_inductor/runtime/triton_heuristics.py(1242): run",
               "torch/_inductor/compile_fx.py(1): run",
               "torch/_jit_internal.py(101): is_scripting",
               "torch/jit/_trace.py(1324): is_tracing",
               "flashinfer/autotuner.py(400): choose_one",
               "Torch-Compiled Region: 0/0", "TorchDynamo Cache Lookup"});
}

TEST(FrameKind, ProfilerAndSteps) {
  expect_kind(FrameKind::profiler,
              {"torch/profiler/profiler.py(811): step",
               "torch/profiler/profiler.py(850): __enter__",
               "torch/autograd/profiler.py(340): _start_trace",
               "<built-in method _disable_profiler of PyCapsule object>"});
  expect_kind(
      FrameKind::none,
      {"moca/library/profiling/profile.py(34): run_torch_profiler",
       "torch/autograd/profiler.py(700): __enter__",
       "<built-in method __enter__ of torch._C._profiler.RecordFunctionFast>",
       "my/profiler.py(3): step"});
  expect_kind(FrameKind::step_range, {"ProfilerStep#12"});
  expect_kind(FrameKind::none, {"ProfilerStep", "step#3", ""});
}

TEST(Overhead, LoadsAreNotTheProfiler) {
  for (const char* name :
       {"Lazy Function Loading", "Runtime Triggered Module Loading",
        "Driver Compiler"})
    EXPECT_EQ(overhead_account(name), Account::idle_compile_load) << name;
  for (const char* name : {"Activity Buffer Request", "Buffer Flush",
                           "CUPTI Buffer flush", "Instrumentation", "Resource"})
    EXPECT_EQ(overhead_account(name), Account::idle_profiler) << name;
}

TEST(FrameName, Parses) {
  const auto frame = parse_frame("src/train.py(42): main");
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->path, "src/train.py");
  EXPECT_EQ(frame->file, "train.py");
  EXPECT_EQ(frame->line, 42);
  EXPECT_EQ(frame->function, "main");
  const auto odd = parse_frame("a(b): c/t(x).py(7): <lambda>");
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->file, "t(x).py");
  EXPECT_EQ(odd->line, 7);
  EXPECT_EQ(odd->function, "<lambda>");
  for (const char* name :
       {"<built-in method size of Tensor object at 0x7f>",
        "nn.Module: Linear_0", "train.py: main", "train.py(x): main",
        "(3): main", "t.py(99999999999999999999): f", "train.py(3)", "", "): "})
    EXPECT_FALSE(parse_frame(name)) << name;
}

TEST(FrameName, UserCode) {
  for (const char* name :
       {"train.py(42): main", "src/models/net.py(7): forward",
        "/home/me/torch/train.py(3): step", "datasets/coco.py(9): __getitem__",
        "<ipython-input-3-1f>(5): train", "/tmp/ipykernel_7/1.py(2): <module>",
        "moca/library/profiling/profile.py(34): run_torch_profiler"})
    EXPECT_TRUE(is_user_frame(name)) << name;
  for (const char* name :
       {"torch/nn/modules/module.py(1500): _call_impl",
        "/opt/venv/lib/python3.10/site-packages/mylib/x.py(3): f",
        "/usr/lib/python3/dist-packages/six.py(3): f", "threading.py(9): run",
        "/usr/lib/python3.11/threading.py(9): run", "<string>(1): <lambda>",
        "<frozen importlib._bootstrap>(241): _call_with_frames_removed",
        "<eval_with_key>.12(5): forward", "logging/__init__.py(1): info",
        "/tmp/torchinductor_me/ob/cob.py(132): call",
        "/w/triton-custom/python/triton/knobs.py(130): get",
        "datasets/formatting/formatting.py(3): query_table",
        "nn.Module: Linear_0", "<built-in function compile>", ""})
    EXPECT_FALSE(is_user_frame(name)) << name;
}

}  // namespace
}  // namespace gpuledger
