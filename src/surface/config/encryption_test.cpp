// SPDX-License-Identifier: Apache-2.0
// `store: { encryption: … }`: where keys come from, what is no key, and that none is ever shown.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "surface/config/config_fixture.hpp"
#include "surface/config/read_encryption.hpp"

namespace pawl::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kOne(64, '1');
const std::string kTwo(64, '2');

std::string file(std::string_view encryption) {
    return "default_upstream: demo\nstore:\n  encryption: " + std::string(encryption) + "\n";
}

std::vector<std::string> said_of(std::string_view encryption, const Environment& environment = {}) {
    return said(file(encryption), environment);
}

TEST(EncryptionSetting, TakesKeysFromFilesAndTheEnvironmentAndShowsNone) {
    const std::string path = testing::TempDir() + "encryption-key-" + std::to_string(getpid());
    std::ofstream(path) << kTwo << "\n";
    const Environment environment{{"PAWL_STORE_KEY", kOne}};
    auto loaded = load_config(
        file("{ key: { env: PAWL_STORE_KEY }, previous: [{ file: " + path + " }] }"), environment);
    ASSERT_TRUE(loaded) << shown("f", loaded.error().front());
    ASSERT_TRUE(read_secrets(loaded->config));
    const auto keys = sealing_keys_of(loaded->config.store.encryption);
    ASSERT_TRUE(keys);
    EXPECT_EQ(keys->current->id(), store::SealingKey::parse(kOne)->id());
    ASSERT_EQ(keys->previous.size(), 1U);
    EXPECT_EQ(keys->previous[0].id(), store::SealingKey::parse(kTwo)->id());
    const std::string text = describe(loaded->config);
    EXPECT_THAT(text, HasSubstr("key: { env: PAWL_STORE_KEY }"));
    EXPECT_THAT(text, HasSubstr("- { file: "));
    EXPECT_THAT(text, Not(HasSubstr("1111")));
    EXPECT_THAT(text, Not(HasSubstr("2222")));
    EXPECT_TRUE(load_config(text, environment)) << text;
    std::filesystem::remove(path);
}

TEST(EncryptionSetting, IsOffUnlessItIsGiven) {
    const auto loaded = load_config("default_upstream: demo\n", {});
    ASSERT_TRUE(loaded);
    EXPECT_FALSE(sealing_keys_of(loaded->config.store.encryption)->current);
    EXPECT_THAT(describe(loaded->config), Not(HasSubstr("encryption")));
}

TEST(EncryptionSetting, RefusesWhatNamesNoKey) {
    EXPECT_THAT(said_of("{}"), ElementsAre(HasSubstr("`key` is missing")));
    EXPECT_THAT(said_of("{ key: " + kOne + " }"),
                ElementsAre(HasSubstr("`key` stands in the file itself")));
    EXPECT_THAT(said_of("{ key: { env: PAWL_NONE } }"),
                ElementsAre(HasSubstr("the variable PAWL_NONE is not set")));
    const Environment environment{{"PAWL_K", kOne}};
    EXPECT_THAT(said_of("{ key: { env: PAWL_K }, previous: { env: PAWL_K } }", environment),
                ElementsAre(HasSubstr("write `previous: [{ file:")));
    EXPECT_THAT(said_of("{ key: { env: PAWL_K }, previous: [" + kTwo + "] }", environment),
                ElementsAre(HasSubstr("`previous` stands in the file itself")));
    EXPECT_THAT(said_of("{ key: { env: PAWL_K }, previous: [{}] }", environment),
                ElementsAre(HasSubstr("`previous` needs one source")));
}

TEST(EncryptionSetting, SaysWhichKeyIsNone) {
    const Environment environment{{"PAWL_K", kOne}, {"PAWL_SHORT", "abc"}};
    for (const auto& [setting, place] :
         {std::pair<std::string, std::string>{"{ key: { env: PAWL_SHORT } }",
                                              "`store.encryption.key`"},
          {"{ key: { env: PAWL_K }, previous: [{ env: PAWL_K }, { env: PAWL_SHORT }] }",
           "`store.encryption.previous[1]`"}}) {
        auto loaded = load_config(file(setting), environment);
        ASSERT_TRUE(loaded);
        const Status refused = read_secrets(loaded->config);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Code::config_invalid);
        EXPECT_THAT(refused.error().text, HasSubstr(place));
        EXPECT_THAT(refused.error().text, HasSubstr("64 hexadecimal digits"));
        EXPECT_THAT(refused.error().text, Not(HasSubstr("abc")));
    }
}

}  // namespace
}  // namespace pawl::config
