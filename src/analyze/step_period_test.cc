#include <gmock/gmock.h>

#include "analyze/book_for_test.h"

namespace gpuledger {
namespace {

using testing::ElementsAre;

using Unit = std::vector<std::string>;

// Kernels of 10 us, one after another, each launched 30 us before it starts.
void draw_kernels(Drawing& d, const Unit& kernels, int64_t& at) {
  for (const std::string& name : kernels) {
    d.launch(name, {at, at + 2_us}, {at + 30_us, at + 40_us});
    at += 10_us;
  }
}

Drawing repeat(const Unit& unit, int times) {
  Drawing d;
  int64_t at = 0;
  for (int i = 0; i < times; ++i) draw_kernels(d, unit, at);
  return d;
}

std::optional<KernelPeriod> period_of(const Drawing& drawing) {
  const Booked booked(drawing);
  return find_period(booked.timeline, booked.labels, booked.order.devices[0]);
}

TEST(KernelPeriod, WithALossKernelIsAStep) {
  const auto period =
      period_of(repeat({"gemm", "relu", "nll_loss_forward"}, 4));
  ASSERT_TRUE(period);
  EXPECT_EQ(period->kernels, 3);
  EXPECT_TRUE(period->is_step);
  EXPECT_THAT(period->firsts, ElementsAre(0u, 3u, 6u, 9u));
  EXPECT_EQ(period->last, 11u);
}

TEST(KernelPeriod, WithoutIsACycle) {
  const auto period = period_of(repeat({"gemm", "softmax", "add"}, 4));
  ASSERT_TRUE(period);
  EXPECT_FALSE(period->is_step);
}

TEST(KernelPeriod, NeedsThreeWholePeriods) {
  EXPECT_FALSE(period_of(repeat({"gemm", "relu", "nll_loss_forward"}, 2)));
  EXPECT_TRUE(period_of(repeat({"gemm", "relu", "nll_loss_forward"}, 3)));
}

TEST(KernelPeriod, OneKernelOverAndOverIsNone) {
  EXPECT_FALSE(period_of(repeat({"lamb_stage_1"}, 12)));
}

bool ends_a_step(const std::string& kernel) {
  const auto period = period_of(repeat({"gemm", kernel}, 4));
  return period && period->is_step;
}

TEST(KernelPeriod, LambIsNotLambda) {
  EXPECT_TRUE(ends_a_step("void lamb_stage_1<float>(float*)"));
  EXPECT_FALSE(ends_a_step(
      "void at::native::elementwise_kernel<gpu_kernel_impl(lambda(float))>"));
  EXPECT_FALSE(ends_a_step("elementwise_kernel<{lambda(float)#1}>"));
}

TEST(KernelPeriod, ListsOfTensorsAreAlsoCopiedAndCast) {
  EXPECT_TRUE(
      ends_a_step("multi_tensor_apply_kernel<TensorListMetadata<4>, "
                  "FusedAdamMathFunctor<float, 4>>"));
  EXPECT_FALSE(
      ends_a_step("multi_tensor_apply_kernel<TensorListMetadata<2>, "
                  "CopyFunctor<float, float, 2, 1, 1>>"));
  EXPECT_FALSE(
      ends_a_step("multi_tensor_apply_kernel<TensorListMetadata<1>, "
                  "UnaryOpFunctor<float, 1, 1, 0>>"));
}

// Twenty units of two: 38 pairs at lag 2, of which 5 % (one) may differ.
TEST(KernelPeriod, AgreesInNineteenPairsOfTwenty) {
  const auto with_wrong = [](int wrong) {
    Drawing d;
    int64_t at = 0;
    for (int i = 0; i < 20; ++i)
      draw_kernels(d, {i < wrong ? fmt::format("odd {}", i) : "gemm", "adam"},
                   at);
    return d;
  };
  ASSERT_TRUE(period_of(with_wrong(1)));
  EXPECT_EQ(period_of(with_wrong(1))->kernels, 2);
  EXPECT_FALSE(period_of(with_wrong(2)));
}

TEST(KernelPeriod, IsThatOfTheStreamWithMostComputeKernels) {
  Drawing d;
  int64_t at = 0;
  d.stream(9);
  for (int i = 0; i < 3; ++i) draw_kernels(d, {"copy_kernel", "add"}, at);
  at = 5_us;
  d.stream(7);
  for (int i = 0; i < 4; ++i) draw_kernels(d, {"a", "b", "cross_entropy"}, at);
  const auto period = period_of(d);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->kernels, 3);
}

// Copies, fills and collectives come when they come.
TEST(KernelPeriod, LooksAtComputeKernelsOnly) {
  Drawing d;
  int64_t at = 0;
  for (int i = 0; i < 4; ++i) {
    draw_kernels(d, {"gemm", "relu"}, at);
    if (i % 2 == 0) draw_kernels(d, {"ncclDevKernel_AllReduce"}, at);
    draw_kernels(d, {"mse_loss"}, at);
    d.launch_set({at, at + 1_us}, {at + 30_us, at + 31_us});
  }
  const auto period = period_of(d);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->kernels, 3);
  EXPECT_TRUE(period->is_step);
}

TEST(StepsFromPeriod, BeginWhereTheFirstKernelOfTheUnitIsLaunched) {
  const Booked booked(repeat({"gemm", "relu", "adam"}, 4));
  const auto period =
      find_period(booked.timeline, booked.labels, booked.order.devices[0]);
  const HostSteps steps =
      steps_from_period(booked.timeline, booked.launches, *period);
  EXPECT_EQ(steps.source, StepSource::period);
  ASSERT_EQ(steps.steps.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    const auto at = static_cast<int64_t>(i) * 30_us;
    EXPECT_EQ(steps.steps[i].label, std::to_string(i));
    EXPECT_EQ(steps.steps[i].start_ns, at);
    // The last ends with its last launch, at 110 us.
    EXPECT_EQ(steps.steps[i].end_ns, i < 3 ? at + 30_us : 110_us + 1);
  }
}

}  // namespace
}  // namespace gpuledger
