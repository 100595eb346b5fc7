// SPDX-License-Identifier: Apache-2.0
// `flows:` and `services:` as they are meant, and what is told of them where they are not.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "surface/config/broken_fixture.hpp"
#include "surface/config/config_fixture.hpp"

namespace pawl::config {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kServices =
    "services: { pay: \"http://127.0.0.1:9000\", stock: demo, courier: demo, billing: demo, "
    "coupons: demo }\n";

// Flows that are open on purpose, with services for all of them.
std::string flows(std::string_view section) {
    return std::string(kServices).append("flows:\n  caller: public\n").append(section);
}

std::vector<std::string> names_of(const Config& config) {
    std::vector<std::string> names;
    for (const flow::Machine& machine : config.flows.machines)
        names.push_back(machine.definition().name);
    return names;
}

const flow::Names& allowed(const Config& config, std::size_t flow, std::string_view event) {
    return config.flows.machines.at(flow).event(event)->allow;
}

TEST(Flows, WhereNothingIsSaidTheBuiltInOnesAreServed) {
    for (const std::string_view text : {"", "~", "listen: 127.0.0.1:1\n"}) {
        const Config config = load(text).config;
        EXPECT_THAT(names_of(config), ElementsAre("order", "payment", "booking", "packing"));
        EXPECT_TRUE(config.services.at("pay").demo);
        EXPECT_THAT(said(text), IsEmpty());
        expect_stable(config);
    }
    EXPECT_THAT(names_of(load(kSmall).config), IsEmpty()) << "a gateway is a gateway";
    EXPECT_THAT(names_of(load("default_upstream: demo").config), IsEmpty());
    EXPECT_THAT(names_of(default_config()), testing::SizeIs(4));
}

TEST(Flows, AreNamedInAListOrOneAlone) {
    EXPECT_THAT(names_of(load(std::string(kServices) + "flows: [packing, order]").config),
                ElementsAre("packing", "order"));
    EXPECT_THAT(names_of(load("flows: packing").config), ElementsAre("packing"));
    EXPECT_THAT(said("flows: packing"),
                ElementsAre(HasSubstr("warning: everybody who reaches `listen` may create "
                                      "entities and send events")));
    EXPECT_THAT(said("flows: { use: packing, caller: public }"), IsEmpty());
}

TEST(Flows, RolesAreNamesOrAMemberOfAToken) {
    const Loaded loaded =
        load(std::string(kServices) +
             "callers: { main: { jwt: { algorithm: RS256, key: { file: a } } } }\n"
             "flows:\n"
             "  use: [order, payment]\n"
             "  caller: { jwt: main }\n"
             "  roles:\n"
             "    support: [ann, bob]\n"
             "    warehouse: { claim: roles, has: packer }\n"
             "    clerks: { callers: cleo, jwt: main, claim: groups }\n"
             "  allow:\n"
             "    order: { ship: [role warehouse, role clerks], create: anyone }\n"
             "  retention: { result: 1h, key: forever, finished: 90d }\n");
    EXPECT_THAT(loaded.warnings, IsEmpty());
    const FlowSettings& made = loaded.config.flows;
    ASSERT_EQ(made.roles.size(), 3U);
    EXPECT_EQ(made.roles[0].name, "clerks");
    EXPECT_EQ(made.roles[0].has, "clerks");
    EXPECT_THAT(made.roles[1].callers, ElementsAre("ann", "bob"));
    EXPECT_EQ(made.roles[2].jwt, "main") << "whose tokens name the callers";
    EXPECT_EQ(made.roles[2].has, "packer");
    EXPECT_THAT(allowed(loaded.config, 0, "ship"), ElementsAre("role warehouse", "role clerks"));
    EXPECT_THAT(allowed(loaded.config, 0, "create"), ElementsAre("anyone"));
    EXPECT_THAT(allowed(loaded.config, 0, "refund"), ElementsAre("role support"))
        << "as the file says";
    EXPECT_EQ(made.retention.result, 1h);
    EXPECT_EQ(made.retention.key, std::nullopt);
    EXPECT_EQ(made.finished, 90 * 24h);
    expect_stable(loaded.config);
}

TEST(Flows, ServicesMayHaveTheirOwnTrust) {
    const Config config = load(std::string(kSmall) +
                               "upstream_tls: { ca: all.pem }\n"
                               "services:\n"
                               "  pay: https://pay.internal\n"
                               "  stock: { upstream: https://stock.internal, upstream_tls: { ca: "
                               "own.pem } }\n"
                               "  plain: http://plain.internal:81\n")
                              .config;
    EXPECT_EQ(config.services.at("pay").trust->ca.file, "all.pem");
    EXPECT_EQ(config.services.at("stock").trust->ca.file, "own.pem");
    EXPECT_EQ(config.services.at("stock").host, "stock.internal");
    EXPECT_EQ(config.services.at("plain").trust, nullptr);
    EXPECT_EQ(config.services.at("plain").port, 81);
    expect_stable(config);
}

class FlowsOnDisk : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = testing::TempDir() + "pawl_flows_" + std::to_string(::getpid());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    void write(const std::string& name, std::string_view text) {
        std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
    }
    std::vector<std::string> found() {
        const auto loaded = load_config_file(folder_ + "/pawl.yaml", {});
        std::vector<std::string> lines;
        for (const policy::Finding& one : loaded ? loaded->warnings : loaded.error())
            lines.push_back(shown("f", one));
        return lines;
    }
    std::string folder_;
};

constexpr std::string_view kCoupon = R"(flow: coupon
initial: open
states: { open: {}, used: { final: true } }
events: { use: { from: open, to: used } }
)";

TEST_F(FlowsOnDisk, AFileLiesBesideTheConfiguration) {
    write("coupon.yaml", kCoupon);
    write("pawl.yaml", "flows: { use: [packing, ./coupon.yaml], caller: public }\n");
    const auto loaded = load_config_file(folder_ + "/pawl.yaml", {});
    ASSERT_TRUE(loaded) << shown("f", loaded.error().front());
    EXPECT_THAT(names_of(loaded->config), ElementsAre("packing", "coupon"));
    expect_stable(loaded->config);
    write("pawl.yaml", "flows: { use: " + folder_ + "/coupon.yaml, caller: public }\n");
    EXPECT_THAT(found(), IsEmpty()) << "or anywhere";
}

TEST_F(FlowsOnDisk, WhatIsFoundInOneIsSaidWithBothPlaces) {
    write("coupon.yaml", "flow: coupon\ninitial: opne\nstates: { open: {} }\n");
    write("pawl.yaml", "flows: [packing, coupon.yaml]\n");
    EXPECT_THAT(found(), testing::Contains(testing::AllOf(
                             testing::StartsWith("f:1:18: error: "),
                             HasSubstr("/coupon.yaml:2:1: `opne` is not a state of this flow"))));
    write("pawl.yaml", "flows: [nowhere.yaml]\n");
    EXPECT_THAT(found(), ElementsAre(testing::AllOf(testing::StartsWith("f:1:9: error: "),
                                                    HasSubstr("/nowhere.yaml: the file "))));
    write("coupon.yaml", kCoupon);
    write("pawl.yaml", "flows: [coupon.yaml, ./coupon.yaml]\n");
    EXPECT_THAT(found(), ElementsAre("f:1:22: error: there is a flow `coupon` already; remove one "
                                     "of them, or give its file another `flow: NAME`"));
}

// With services and open callers, so that only what is meant is found.
std::vector<BrokenFile> flow_rows() {
    return {
        {"none",
         "flows: []",
         {"f:1:8: error: no flow is named; write `flows: [order, ./coupon.yaml]`"}},
        {"no_use",
         "flows: { caller: public }",
         {"f:1:8: error: `flows` names none; write `use: [order, ./coupon.yaml]` below it"}},
        {"typo",
         "flows: [odrer]",
         {"f:1:9: error: `odrer` is no flow that comes with Pawl; did you mean `order`?"}},
        {"stranger",
         "flows: [coupon]",
         {"f:1:9: error: `coupon` is no flow that comes with Pawl; write the path of its file, as "
          "in `./coupon.yaml`"}},
        {"twice",
         "flows: [packing, packing]",
         {"f:1:18: error: there is a flow `packing` already; remove one of them, or give its file "
          "another `flow: NAME`"}},
        {"list_in_list",
         "flows: [[packing]]",
         {"f:1:9: error: a flow is a list; write `flows: [order, ./coupon.yaml]`"}},
        {"unknown_setting",
         flows("  use: packing\n  rolls: {}\n"),
         {"f:5:3: error: `rolls` is not known in `flows`; did you mean `roles`?"}},
    };
}

std::vector<BrokenFile> use_rows() {
    return {
        {"unknown_service",
         "services: { pya: demo }\nflows: { use: [order], caller: public, roles: { support: { "
         "jwt: a, claim: c } } }\ncallers: { a: { jwt: { algorithm: RS256, key: { file: k } } } }",
         {"f:2:16: error: `probe_payment` of `order` calls `pay`, and `services` says not where "
          "that is; did you mean `pya`?"}},
        {"no_services",
         "flows: { use: [booking], caller: public }",
         {"f:1:16: error: `probe_payment` of `booking` calls `pay`, and `services` says not where "
          "that is; write `services: { pay: \"http://127.0.0.1:9000\" }`"}},
        {"nobody_supports",
         flows("  use: order\n  allow: { order: { ship: [role suport] } }\n"),
         {"f:4:8: warning: nobody has the role `support`, which `refund` of `order` asks for; "
          "write `flows: { use: […], roles: { support: [NAME] } }`",
          "f:5:27: error: nobody has the role `suport`, which `ship` of `order` asks for; write "
          "`flows: { use: […], roles: { suport: [NAME] } }`"}},
        {"allow_no_flow",
         flows("  use: packing\n  allow: { order: { ship: [anyone] } }\n"),
         {"f:5:19: error: `order` is no flow that is served; write a name of `use`"}},
        {"allow_no_event",
         flows("  use: packing\n  allow: { packing: { pakc: [anyone] } }\n"),
         {"f:5:29: error: `pakc` is no event of `packing`; did you mean `pack`?"}},
        {"allow_nobody",
         flows("  use: packing\n  allow: { packing: { pack: [somebody] } }\n"),
         {"f:4:8: error: packing: events.pack.allow: `somebody` is nobody; write `callback`, "
          "`anyone` or `role NAME`"}},
    };
}

std::vector<BrokenFile> caller_rows() {
    return {
        {"allow_empty",
         flows("  use: packing\n  allow: { packing: { pack: [] } }\n"),
         {"f:5:29: error: `pack` names nobody; write `[role NAME]`, or leave it out: the flow's "
          "file says "
          "who may"}},
        {"role_empty",
         flows("  use: packing\n  roles: { support: [] }\n"),
         {"f:5:21: error: nobody has the role `support`; write `[ann]`, or `{ claim: roles }`"}},
        {"caller_header",
         "flows: { use: packing, caller: { header: Idempotency-Key } }",
         {"f:1:32: error: `Idempotency-Key` carries the key already; write the header that names "
          "the "
          "caller"}},
        {"caller_certificate",
         "tls: { certificate: a, key: a, client_ca: a }\nflows: { use: packing, caller: { mtls: "
         "issuer } }",
         {"f:2:32: error: `issuer` is nothing of a certificate that names a caller; write `caller: "
          "{ "
          "mtls: subject }`"}},
        {"allow_list",
         flows("  use: packing\n  allow: [packing]\n"),
         {"f:5:10: error: `allow` is a list; write `allow: { order: { ship: [role warehouse] } "
          "}`"}},
        {"caller_unknown",
         "flows: { use: packing, caller: { jwt: main } }",
         {"f:1:32: error: `callers` has no `main` with `jwt`; add `callers: { main: { jwt: … } "
          "}`"}},
        {"roles_of_nobody_known",
         flows("  use: packing\n  roles: { support: [ann] }\n"),
         {"f:5:21: error: `support` names callers, and `caller: public` knows none; write "
          "`caller: { jwt: SET }`, or another way of knowing them"}},
        {"role_without_claim",
         flows("  use: packing\n  roles: { support: { has: x } }\n"),
         {"f:5:21: error: nobody has the role `support`; write `callers: [ann]` or `claim: roles`",
          "f:5:21: error: which member of the token says the role is not said; write `claim: "
          "roles`"}},
        {"role_of_no_token",
         flows("  use: packing\n  roles: { support: { claim: roles } }\n"),
         {"f:5:21: error: whose tokens say the role is not said; write `jwt: SET`, one of "
          "`callers`"}},
        {"retention",
         flows("  use: packing\n  retention: { result: 59s, key: 58s, finished: 47h }\n"),
         {"f:5:14: error: `finished` would drop orders that facts may still come for; write at "
          "least 2d, or `forever`",
          "f:5:14: error: `key` is shorter than `result`; write it as long, or leave it out",
          "f:5:14: error: `result` is too short for a repeat to find it; write at least 1m"}},
    };
}

std::vector<BrokenFile> service_rows() {
    return {
        {"list",
         top("services: [pay]"),
         {"f:1:11: error: `services` is a list; write `services: { pay: \"http://127.0.0.1:9000\" "
          "}`"}},
        {"name",
         top("services: { Pay: demo }"),
         {"f:1:18: error: `Pay` is no host in a call; write small letters, digits, `-`, `_` and "
          "`.`"}},
        {"path",
         top("services: { pay: \"http://a/b\" }"),
         {"f:1:18: error: `pay`: `http://a/b` has a path, but requests keep their own; write "
          "`http://a`"}},
        {"nowhere",
         top("services: { pay: {} }"),
         {"f:1:18: error: `pay` says not where it is; write `upstream: http://127.0.0.1:9000` "
          "below "
          "it"}},
        {"trust",
         top("services: { pay: { upstream: \"http://a\", upstream_tls: { ca: a } } }"),
         {"f:1:18: error: `upstream_tls` speaks of an upstream without TLS; write `upstream: "
          "https://…`, or remove `upstream_tls`"}},
    };
}

INSTANTIATE_TEST_SUITE_P(Flows, Broken, testing::ValuesIn(flow_rows()), name_of_broken);
INSTANTIATE_TEST_SUITE_P(FlowsCallers, Broken, testing::ValuesIn(caller_rows()), name_of_broken);
INSTANTIATE_TEST_SUITE_P(FlowsUse, Broken, testing::ValuesIn(use_rows()), name_of_broken);
INSTANTIATE_TEST_SUITE_P(Services, Broken, testing::ValuesIn(service_rows()), name_of_broken);

}  // namespace
}  // namespace pawl::config
