// SPDX-License-Identifier: Apache-2.0
// The files of a configuration: itself, and those that it names.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "surface/config/config_fixture.hpp"

namespace pawl::config {
namespace {

class FileOnDisk : public testing::Test {
  protected:
    void SetUp() override {
        path_ = testing::TempDir() + "pawl_secret_" + std::to_string(::getpid());
    }
    void TearDown() override { std::filesystem::remove(path_); }
    void write(std::string_view text) { std::ofstream(path_, std::ios::binary) << text; }
    std::string path_;
};

TEST_F(FileOnDisk, ItsFirstLineIsTheSecret) {
    write("abc\r\nmore\n");
    Config config;
    config.admin_token.file = path_;
    ASSERT_TRUE(read_secrets(config));
    EXPECT_EQ(config.admin_token.value, "abc");
    write("other");
    ASSERT_TRUE(read_secrets(config));
    EXPECT_EQ(config.admin_token.value, "abc") << "what the environment gave stays";
}

TEST_F(FileOnDisk, AMissingOrEmptyOneIsAnError) {
    Config config;
    EXPECT_TRUE(read_secrets(config)) << "none is configured";
    config.admin_token.file = path_;
    EXPECT_FALSE(read_secrets(config));
    write("");
    EXPECT_FALSE(read_secrets(config));
    write(std::string(4096, 'x'));
    EXPECT_TRUE(read_secrets(config));
    config.admin_token.value.clear();
    write(std::string(4097, 'x'));
    EXPECT_FALSE(read_secrets(config));
}

TEST_F(FileOnDisk, APipeThatIsNamedMakesNobodyWait) {
    ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
    const std::string fault = " is a pipe, a folder or a device; name a regular file";
    Config config;
    config.admin_token.file = path_;
    EXPECT_EQ(read_secrets(config).error().text,
              "the file `" + path_ + "` of `admin_token`" + fault);
    for (const std::string name : {"ca", "certificate", "key"}) {
        config = Config{};
        policy::UpstreamTrust trust;
        (name == "ca" ? trust.ca : name == "key" ? trust.key : trust.certificate).file = path_;
        config.upstream_tls = std::make_shared<const policy::UpstreamTrust>(trust);
        const Status read = read_secrets(config);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().text,
                  "the file `" + path_ + "` of `upstream_tls." + name + "`" + fault);
        EXPECT_EQ(read.error().place, "upstream_tls." + name);
    }
}

TEST_F(FileOnDisk, AConfigurationFileIsReadWhole) {
    write(kSmall);
    const auto loaded = load_config_file(path_, {});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->config.routes.size(), 1U);
    const auto missing = load_config_file(path_ + ".none", {});
    ASSERT_FALSE(missing);
    EXPECT_EQ(shown("x", missing.error().at(0)),
              "x: error: the file cannot be read; look at its name and rights");
    EXPECT_FALSE(load_config_file(testing::TempDir(), {})) << "a folder";
    const std::string pipe = path_ + ".pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const auto waiting = load_config_file(pipe, {});
    std::filesystem::remove(pipe);
    ASSERT_FALSE(waiting);
    EXPECT_EQ(waiting.error().front().what, "the file is a pipe, a folder or a device");
}

}  // namespace
}  // namespace pawl::config
