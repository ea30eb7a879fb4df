// The sections of the terminal report, in the order of the page.
#pragma once

#include <string>
#include <string_view>

#include "model/report.h"
#include "render/text_page.h"

namespace gpuledger {

// text_summary.cc
void print_inputs(const Report& report, TextPage& page);
void print_verdict(const Report& report, TextPage& page);
void print_headline(const Report& report, const DeviceReport& device,
                    TextPage& page);
void print_device_table(const Report& report, TextPage& page);

// text_ledger.cc
void print_ledger(const Report& report, const DeviceReport& device,
                  TextPage& page);
void print_kernels(const Report& report, const DeviceReport& device,
                   TextPage& page);

// text_findings.cc
void print_first_fix(const Report& report, TextPage& page);
void print_findings(const Report& report, TextPage& page);
void print_unjudged(const Report& report, TextPage& page);

// text_notes.cc
void print_imports(const Report& report, TextPage& page);
void print_host(const Report& report, TextPage& page);

// True where records of the device are missing: busy time is then a lower bound
// and idle time is not attributable.
bool records_missing(const Report& report);

// "file.py:42 in train_epoch", or the operator where there is no line.
std::string place_of(const Where& where);

}  // namespace gpuledger
