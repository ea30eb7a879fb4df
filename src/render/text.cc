#include "render/text.h"

#include <algorithm>
#include <vector>

#include "render/text_page.h"
#include "render/text_sections.h"

namespace gpuledger {
namespace {

constexpr size_t kDevicesInDetail = 2;

const DeviceReport& least_computing(const std::vector<DeviceReport>& devices) {
  return *std::min_element(devices.begin(), devices.end(),
                           [](const DeviceReport& a, const DeviceReport& b) {
                             return a.compute_ratio < b.compute_ratio;
                           });
}

void print_device(const Report& report, const DeviceReport& device,
                  TextPage& page) {
  print_ledger(report, device, page);
  print_kernels(report, device, page);
}

void print_devices(const Report& report, TextPage& page) {
  const std::vector<DeviceReport>& devices = report.devices;
  if (devices.size() <= kDevicesInDetail) {
    for (const DeviceReport& device : devices)
      print_headline(report, device, page);
    print_first_fix(report, page);
    for (const DeviceReport& device : devices)
      print_device(report, device, page);
    return;
  }
  const DeviceReport& worst = least_computing(devices);
  print_headline(report, worst, page);
  print_first_fix(report, page);
  print_device_table(report, page);
  print_device(report, worst, page);
}

}  // namespace

std::string render_text(const Report& report, const TextStyle& style) {
  TextPage page(style);
  print_inputs(report, page);
  print_verdict(report, page);
  print_devices(report, page);
  if (report.host) print_host(report, page);
  print_findings(report, page);
  print_unjudged(report, page);
  print_imports(report, page);
  return page.take();
}

}  // namespace gpuledger
