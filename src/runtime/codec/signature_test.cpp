// SPDX-License-Identifier: Apache-2.0
// Known answers: RFC 4231 for HMAC, RFC 7515 appendix A for ECDSA; keys of the other kinds are made here.
#include <gtest/gtest.h>

#include "runtime/codec/key_pair_fixture.hpp"
#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl {
namespace {

TEST(Hmac, AgreesWithRfc4231) {
    EXPECT_EQ(to_hex(hmac_sha256("Jefe", "what do ya want for nothing?").view()),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EXPECT_EQ(to_hex(hmac_sha256(std::string(20, '\x0b'), "Hi There").view()),
              "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
}

TEST(EqualInConstantTime, ComparesBytesAndLengths) {
    EXPECT_TRUE(equal_in_constant_time("", ""));
    EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
    EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
    EXPECT_FALSE(equal_in_constant_time("abc", "abcd"));
}

TEST(PublicKey, RsaVerifiesItsOwnSignatureAndNoOther) {
    const KeyPair pair(EVP_RSA_gen(2048));
    const auto key = PublicKey::parse(pair.public_pem());
    ASSERT_TRUE(key);
    EXPECT_EQ(key->kind(), PublicKey::Kind::rsa);
    std::string signature = pair.sign("bytes");
    EXPECT_TRUE(key->verifies("bytes", signature));
    EXPECT_FALSE(key->verifies("bytez", signature));
    EXPECT_FALSE(key->verifies("bytes", ""));
    signature[5] = static_cast<char>(signature[5] ^ 1);
    EXPECT_FALSE(key->verifies("bytes", signature));
}

// RFC 7515, A.3: the key's coordinates, what was signed, and r with s.
TEST(PublicKey, P256AgreesWithRfc7515) {
    const std::string x = *from_base64url("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU");
    const std::string y = *from_base64url("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0");
    // What precedes the point in the encoding of a P-256 key (RFC 5480).
    const std::string der =
        *from_hex("3059301306072a8648ce3d020106082a8648ce3d030107034200") + '\x04' + x + y;
    const auto key = PublicKey::parse("-----BEGIN PUBLIC KEY-----\n" + to_base64(der) +
                                      "\n-----END PUBLIC KEY-----\n");
    ASSERT_TRUE(key);
    EXPECT_EQ(key->kind(), PublicKey::Kind::p256);
    const std::string_view said =
        "eyJhbGciOiJFUzI1NiJ9."
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290"
        "Ijp0cnVlfQ";
    std::string signature = *from_base64url(
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q");
    EXPECT_TRUE(key->verifies(said, signature));
    EXPECT_FALSE(key->verifies(said.substr(1), signature));
    EXPECT_FALSE(key->verifies(said, signature.substr(1)));
    EXPECT_FALSE(key->verifies(said, std::string(64, '\0')));
    EXPECT_FALSE(key->verifies(said, signature + '\0'));
    signature[63] = static_cast<char>(signature[63] ^ 1);
    EXPECT_FALSE(key->verifies(said, signature));
}

TEST(PublicKey, WeakAndForeignKeysAreRefused) {
    const KeyPair weak(EVP_RSA_gen(1024));
    const KeyPair other_curve(EVP_EC_gen("secp384r1"));
    EXPECT_EQ(PublicKey::parse(weak.public_pem()).error().text,
              "its RSA key has fewer than 2048 bits");
    EXPECT_EQ(PublicKey::parse(other_curve.public_pem()).error().text,
              "its key is neither RSA nor of the curve P-256");
    EXPECT_FALSE(PublicKey::parse(""));
    EXPECT_FALSE(PublicKey::parse("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"));
}

}  // namespace
}  // namespace pawl
