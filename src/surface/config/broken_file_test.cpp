// SPDX-License-Identifier: Apache-2.0
// The file itself, and its shape.
#include "surface/config/broken_fixture.hpp"

namespace pawl::config {
namespace {

std::vector<BrokenFile> file_rows() {
    return {
        {"no_routes",
         "routes: []",
         {"f:1:9: error: there is nothing to serve: no routes, no flows and no "
          "`default_upstream`; write `routes:` with one `- match: POST /orders`, or `flows: "
          "[order]`"}},
        {"scalar_file",
         "hello",
         {"f:1:1: error: the file is a single value; write `name: value` lines, `routes:` among "
          "them"}},
        {"list_file",
         "- a",
         {"f:1:1: error: the file is a list; write `name: value` lines, `routes:` among them"}},
        {"bracket",
         "routes: [",
         {"f:1:1: error: this is not YAML: end of sequence flow not found; look at the "
          "indentation, the quotes and the brackets up to here"}},
        {"indentation",
         "listen: 127.0.0.1:1\n  admin: x",
         {"f:2:8: error: this is not YAML: illegal map value; look at the indentation, the quotes "
          "and the brackets up to here"}},
        {"tab",
         "routes:\n\t- match: x",
         {"f:2:1: error: this line is indented with a tab; indent with spaces"}},
        {"control",
         "listen: x\nadmin: \x7f",
         {"f:2:8: error: here is a control character; write the file as UTF-8 text"}},
    };
}

std::vector<BrokenFile> shape_rows() {
    return {
        {"two_documents",
         top("loops: 1\n---"),
         {"f:2:1: error: a second document begins; write one document; remove the `---`"}},
        {"alias",
         top("listen: &a 127.0.0.1:1\nadmin: *a"),
         {"f:2:8: error: aliases are not read; write the value out where it is used"}},
        {"merge",
         plus("<<: { wait: 1s }"),
         {"f:7:5: error: `<<` is not known here; known are match, host, host_rewrite, name, was, "
          "upstream, protect, key, version, caller, authorize, tenant, cors, upstream_tls, "
          "fingerprint, "
          "profile, strategy, tier, "
          "on_repeat, "
          "uncertain, retention, wait, lease, hold_max, rerunnable, upstream_remembers, "
          "transactional, declares_outcome, keep_encodings, in_progress_status, "
          "replay_header, replay_headers, body_bytes_max, answer_bytes_max"}},
        {"list_as_name",
         top("[a]: b"),
         {"f:1:1: error: a name is a list or a map; write plain text before the `:`"}},
        {"repeated",
         top("listen: 127.0.0.1:1\nlisten: 127.0.0.1:2"),
         {"f:2:1: error: `listen` stands twice here; remove one of them"}},
        {"typo",
         top("lisen: 127.0.0.1:1"),
         {"f:1:1: error: `lisen` is not known here; did you mean `listen`?"}},
        {"unknown",
         top("colour: red"),
         {"f:1:1: error: `colour` is not known here; known are listen, admin, tls, admin_token, "
          "store, body_folder, loops, node, tenant, drain, dev, log, limits, default_upstream, "
          "callers, cors, upstream_tls, routes, flows, services, stations, callbacks, sinks"}},
        {"later",
         top("outbox: { sink: x }\nkafka: { brokers: x }"),
         {"f:1:1: error: `outbox` comes with a later version; remove `outbox`",
          "f:2:1: error: `kafka` comes with a later version; remove `kafka`"}},
    };
}

INSTANTIATE_TEST_SUITE_P(Files, Broken, testing::ValuesIn(file_rows()), name_of_broken);
INSTANTIATE_TEST_SUITE_P(Shapes, Broken, testing::ValuesIn(shape_rows()), name_of_broken);

TEST(GoodFile, HasNoFinding) { EXPECT_THAT(said(kGood), testing::IsEmpty()); }

TEST_P(Broken, IsToldWithItsPlaceAndWhatToWrite) {
    EXPECT_FALSE(load_config(GetParam().text, {}));
    EXPECT_THAT(said(GetParam().text), testing::ElementsAreArray(GetParam().said));
}

TEST(BrokenFile, AFindingIsOneLineWhateverStandsInTheFile) {
    const auto loaded = load_config("routes: [{ \"a\\nb\\x1b[2J\": 1 }]\n\"c\\rd\": 2\n", {});
    ASSERT_FALSE(loaded);
    std::string all;
    for (const policy::Finding& finding : loaded.error()) {
        const std::string line = shown("f", finding);
        EXPECT_EQ(line.find_first_of("\n\r\x1b"), std::string::npos) << line;
        all += line;
    }
    EXPECT_THAT(all, testing::HasSubstr("a\\x0ab\\x1b[2J"));
}

}  // namespace
}  // namespace pawl::config
