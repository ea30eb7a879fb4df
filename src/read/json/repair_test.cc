#include "read/json/repair.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <simdjson.h>

#include "read/json/json_for_test.h"

namespace gpuledger {
namespace {

bool parses(std::string_view text) {
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  return parser.parse(simdjson::padded_string(text)).get(element) ==
         simdjson::SUCCESS;
}

void expect_repair(std::string_view broken, std::string_view whole) {
  const auto repaired = repair_element(broken);
  EXPECT_EQ(repaired.text, whole);
  EXPECT_TRUE(parses(repaired.text)) << repaired.text;
  EXPECT_GT(repaired.repairs() + repaired.missing_values, 0) << broken;
}

TEST(Repair, ControlBytes) {
  expect_repair("{\"a\":\"x\ty\nz\x01\"}", R"({"a":"x\u0009y\u000az\u0001"})");
  EXPECT_EQ(repair_element("{\"a\":\"x\ty\nz\x01\"}").control_bytes, 3);
  expect_repair(std::string_view("{\"a\":\0 1}", 9), R"({"a":  1})");
}

TEST(Repair, InvalidUtf8) {
  expect_repair("{\"a\":\"\xff\xc3(\xed\xa0\x80\"}",
                "{\"a\":\"\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd"
                "\xef\xbf\xbd\"}");
  expect_repair("{\"a\":\"cut \xe2\x82",
                "{\"a\":\"cut \xef\xbf\xbd\xef\xbf"
                "\xbd\"}");
}

TEST(Repair, InvalidEscapes) {
  expect_repair(R"({"f":"C:\Users\x\u12"})", R"({"f":"C:\\Users\\x\\u12"})");
  expect_repair(R"({"f":"\ud800 \udc00"})", R"({"f":"\ufffd \ufffd"})");
  EXPECT_EQ(repair_element(R"({"f":"C:\Users\x"})").invalid_escapes, 2);
}

TEST(Repair, StrayQuotes) {
  expect_repair(R"({"name":"a "b" c", "pid":1})",
                R"({"name":"a \"b\" c", "pid":1})");
  expect_repair(R"j({"name":"f("x", y)", "pid":1})j",
                R"j({"name":"f(\"x\", y)", "pid":1})j");
  expect_repair(R"({"a"b":["c"d"]})", R"({"a\"b":["c\"d"]})");
  EXPECT_EQ(repair_element(R"({"name":"a "b" c"})").stray_quotes, 2);
}

TEST(Repair, CutString) {
  expect_repair("{\"name\":\"abc\n  \"pid\": 1}",
                "{\"name\":\"abc\"\n  ,\"pid\": 1}");
}

TEST(Repair, Commas) {
  expect_repair("{\"a\":[1,2,],\"b\":1,}", "{\"a\":[1,2],\"b\":1}");
  expect_repair("{,\"a\":[,1,,2],,\"b\":1}", "{\"a\":[1,2],\"b\":1}");
  expect_repair("{\"a\":[1 2]\n\"b\":1}", "{\"a\":[1 ,2]\n,\"b\":1}");
}

TEST(Repair, MissingValues) {
  for (const char* word :
       {"N/A", "NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"}) {
    const auto repaired =
        repair_element("{\"a\": " + std::string(word) + ", \"b\": 1}");
    EXPECT_EQ(repaired.text, "{\"a\": null, \"b\": 1}");
    EXPECT_EQ(repaired.missing_values, 1);
    EXPECT_EQ(repaired.repairs(), 0);
  }
  expect_repair("{\"a\":}", "{\"a\":null}");
}

TEST(Repair, Brackets) {
  expect_repair("{\"a\":[1,2}", "{\"a\":[1,2]}");
  expect_repair("{\"a\":1], \"b\":2}", "{\"a\":1, \"b\":2}");
  expect_repair("{\"a\":1}} x", "{\"a\":1}");
  expect_repair("{\"a\":{\"b\":[1,", "{\"a\":{\"b\":[1]}}");
}

// Half a number is no number.
TEST(Repair, CutNumber) {
  expect_repair("{\"ts\":12", "{\"ts\":null}");
  expect_repair("{\"ts\"", "{\"ts\":null}");
}

TEST(Repair, CleanTextIsUnchanged) {
  EXPECT_TRUE(rc::check("clean JSON comes back as it is", [] {
    const std::string text = *json_text();
    RC_ASSERT(parses(text));
    const auto repaired = repair_element(text);
    RC_ASSERT(repaired.text == text);
    RC_ASSERT(repaired.repairs() == 0);
    RC_ASSERT(repaired.missing_values == 0);
  }));
}

TEST(Repair, OutputIsBounded) {
  EXPECT_TRUE(rc::check("any bytes give at most six times as many", [] {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::oneOf(rc::gen::arbitrary<char>(),
                       rc::gen::elementOf(std::string("{}[]\",:\\\n 1u"))));
    RC_ASSERT(repair_element(text).text.size() <= 6 * text.size() + 6);
  }));
}

TEST(Repair, OneDamagedByteInAStringIsMended) {
  EXPECT_TRUE(rc::check("a control byte or invalid UTF-8 in a string", [] {
    const std::string text = *json_text();
    const size_t quote = text.find('"');
    RC_PRE(quote != std::string::npos);
    std::string damaged = text;
    damaged.insert(quote + 1, 1, *rc::gen::element('\x01', '\t', '\xff'));
    const auto repaired = repair_element(damaged);
    RC_ASSERT(parses(repaired.text));
    RC_ASSERT(repaired.repairs() == 1);
  }));
}

}  // namespace
}  // namespace gpuledger
