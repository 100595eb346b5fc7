// SPDX-License-Identifier: Apache-2.0
#include "runtime/codec/aead.hpp"

#include <gtest/gtest.h>

#include "runtime/codec/text.hpp"

namespace pawl {
namespace {

// Test case 16 of the paper that proposed the mode, "The Galois/Counter Mode of Operation (GCM)".
TEST(Aead, IsAesGcmAsPublished) {
    const std::string key =
        *from_hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308");
    const std::string nonce = *from_hex("cafebabefacedbaddecaf888");
    const std::string bound = *from_hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
    const std::string bytes = *from_hex(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449"
        "a6b5"
        "25b16aedf5aa0de657ba637b39");
    const std::string sealed = aead_seal(key, nonce, bound, bytes);
    EXPECT_EQ(
        to_hex(sealed),
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056"
        "828838c5f61e6393ba7a0abcc9f662"
        "76fc6ece0f4e1768cddf8853bb2d551b");
    EXPECT_EQ(aead_open(key, nonce, bound, sealed), bytes);
}

TEST(Aead, OpensNothingThatWasChangedAnywhere) {
    const std::string key(kAeadKeyBytes, 'k');
    const std::string nonce(kAeadNonceBytes, 'n');
    const std::string sealed = aead_seal(key, nonce, "bound", "some bytes");
    EXPECT_EQ(aead_open(key, nonce, "bound", sealed), "some bytes");
    for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
        std::string changed = sealed;
        changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
        EXPECT_FALSE(aead_open(key, nonce, "bound", changed));
    }
    for (std::size_t size = 0; size < sealed.size(); ++size)
        EXPECT_FALSE(aead_open(key, nonce, "bound", sealed.substr(0, size)));
    EXPECT_FALSE(aead_open(key, nonce, "bounD", sealed));
    EXPECT_FALSE(aead_open(key, nonce, "", sealed));
    EXPECT_FALSE(aead_open(std::string(kAeadKeyBytes, 'K'), nonce, "bound", sealed));
    EXPECT_FALSE(aead_open(key, std::string(kAeadNonceBytes, 'N'), "bound", sealed));
}

TEST(Aead, SealsNothing) {
    const std::string key(kAeadKeyBytes, 'k');
    const std::string nonce(kAeadNonceBytes, 'n');
    EXPECT_EQ(aead_open(key, nonce, "", aead_seal(key, nonce, "", "")), "");
}

}  // namespace
}  // namespace pawl
