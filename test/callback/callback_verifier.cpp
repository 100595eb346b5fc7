// SPDX-License-Identifier: Apache-2.0
// Reads one notification that somebody else signed, as an account would, and prints what it is told: for
// test/service/provider_signatures_test.py.
//   callback_verifier stripe NOW_S SECRET | standard NOW_S SECRET | alipay NOW_S APP_ID KEY_PEM
//                     | wechat NOW_S MCHID KEY_PEM SERIAL API_KEY
// Standard input: header lines, an empty line, the body.
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "core/callback/webhook_fixture.hpp"

namespace {

using namespace pawl::callback;

pawl::PublicKey key_in(const std::string& file) {
    std::ifstream in(file);
    return *pawl::PublicKey::parse(std::string(std::istreambuf_iterator<char>(in), {}));
}

Account account_of(const std::vector<std::string>& words) {
    if (words[0] == "stripe") return {"test", StripeAccount{.secrets = {words[2]}, .live = false}};
    if (words[0] == "standard")
        return {"test", StandardWebhooksAccount{{*standard_secret(words[2])}, plain_mapping()}};
    if (words[0] == "alipay")
        return {"test", AlipayAccount{.app_id = words[2], .keys = {key_in(words[3])}}};
    return {"test", WechatAccount{words[2], {}, {{words[4], key_in(words[3])}}, {words[5]}}};
}

Notification notification_in(std::istream& in) {
    Notification notification;
    for (std::string line; std::getline(in, line) && !line.empty();) {
        const std::size_t colon = line.find(": ");
        notification.headers.push_back({line.substr(0, colon), line.substr(colon + 2)});
    }
    notification.body.assign(std::istreambuf_iterator<char>(in), {});
    return notification;
}

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> given(words + 1, words + count);
    const Account account = account_of(given);
    if (const auto checked = check(account); !checked) {
        std::cerr << checked.error().text << "\n";
        return 2;
    }
    const std::int64_t now_ms = std::stoll(given[1]) * 1'000;
    std::cout << told(verify_and_read(account, notification_in(std::cin), now_ms)) << "\n";
    return 0;
}
