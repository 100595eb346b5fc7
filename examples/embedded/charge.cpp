// SPDX-License-Identifier: Apache-2.0
// A program that charges a card once, however often it is told to. Run it several times with the same
// arguments; kill it in between with --crash-after-effect. The "card" is a file that each charge is
// appended to, so that anybody can count.
//
//     charge STORE LEDGER ORDER AMOUNT [--crash-after-effect]
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "pawl/engine.hpp"

int main(int argc, char** argv) {
    if (argc < 5) {
        std::fputs("usage: charge STORE LEDGER ORDER AMOUNT [--crash-after-effect]\n", stderr);
        return 2;
    }
    const std::string store = argv[1];
    const std::string ledger = argv[2];
    const std::string order = argv[3];
    const std::string amount = argv[4];
    const bool crash = argc > 5 && std::string(argv[5]) == "--crash-after-effect";

    auto engine = pawl::Engine::open({.path = store});
    if (!engine) {
        std::fprintf(stderr, "%s: %s\n", engine.error().code.c_str(), engine.error().text.c_str());
        return 5;
    }
    const auto charge = [&](const pawl::Attempt& attempt) -> pawl::Effected {
        std::ofstream card(ledger, std::ios::app);
        card << order << ' ' << amount << ' ' << attempt.operation_key << std::endl;
        if (!card) return {pawl::Effected::Word::unknown, {}};
        if (crash) std::_Exit(137);
        return {pawl::Effected::Word::applied, "charged " + amount + " for " + order};
    };
    const pawl::Ran ran =
        (*engine)->run({.operation = "charge",
                        .key = order,
                        .payload = R"({"order":")" + order + R"(","amount":)" + amount + "}"},
                       charge);
    std::printf("%s: %s\n", std::string(pawl::name_of(ran.outcome)).c_str(),
                ran.result.empty() ? ran.detail.c_str() : ran.result.c_str());
    return 0;
}
