// SPDX-License-Identifier: Apache-2.0
// Signs notifications with the libraries that merchants verify them with, and says what these libraries make of given
// ones. One JSON document in, one out:
//   {"provider": "stripe" | "standard", "secret", "at_s", "id", "body"}                    -> {"headers", "body"}
//   {"provider": "wechat", "private_key", "serial", "api_key", "at_s", "envelope", "news"} -> {"headers", "body"}
//   {"provider": "alipay", "private_key", "parameters"}                                    -> {"headers", "body"}
//   {"provider": "alipay", "app_id", "public_key", "verify": BODY}                         -> {"good"}
import { createRequire } from 'node:module';
import { createSign, generateKeyPairSync } from 'node:crypto';

const require = createRequire(process.env.PAWL_CLIENTS + '/');

const makers = {
  stripe({ secret, at_s, body }) {
    const Stripe = require('stripe');
    const { webhooks } = new Stripe('sk_test_pawl');
    const header = webhooks.generateTestHeaderString({ payload: body, secret, timestamp: at_s });
    return { headers: [['Stripe-Signature', header]], body };
  },

  standard({ secret, at_s, id, body }) {
    const { Webhook } = require('standardwebhooks');
    const signature = new Webhook(secret).sign(id, new Date(at_s * 1000), body);
    const headers = [['webhook-id', id], ['webhook-timestamp', String(at_s)], ['webhook-signature', signature]];
    return { headers, body };
  },

  wechat({ private_key, serial, api_key, at_s, envelope, news }) {
    const { Rsa, Aes, Formatter } = require('wechatpay-axios-plugin');
    const nonce = Formatter.nonce(12);
    const ciphertext = Aes.AesGcm.encrypt(JSON.stringify(news), api_key, nonce, 'transaction');
    const body = JSON.stringify({ ...envelope, resource: {
      original_type: 'transaction', algorithm: 'AEAD_AES_256_GCM', ciphertext, associated_data: 'transaction', nonce,
    } });
    const said = Formatter.nonce();
    const signature = Rsa.sign(Formatter.response(String(at_s), said, body), private_key);
    return { headers: [['Wechatpay-Timestamp', String(at_s)], ['Wechatpay-Nonce', said], ['Wechatpay-Serial', serial],
      ['Wechatpay-Signature', signature]], body };
  },

  alipay({ private_key, parameters, app_id, public_key, verify }) {
    if (verify === undefined) {
      const bytes = Object.keys(parameters).sort().map((name) => `${name}=${parameters[name]}`).join('&');
      const sign = createSign('RSA-SHA256').update(bytes, 'utf8').sign(private_key, 'base64');
      return { headers: [], body: new URLSearchParams({ ...parameters, sign, sign_type: 'RSA2' }).toString() };
    }
    const { AlipaySdk } = require('alipay-sdk');
    const own = generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' } });
    const strip = (pem) => pem.replace(/-----[^-]+-----|\n/g, '');
    const sdk = new AlipaySdk({ appId: app_id, privateKey: strip(own.privateKey), alipayPublicKey: strip(public_key) });
    return { good: sdk.checkNotifySignV2(Object.fromEntries(new URLSearchParams(verify))) };
  },
};

let text = '';
for await (const chunk of process.stdin) text += chunk;
const wanted = JSON.parse(text);
process.stdout.write(JSON.stringify(makers[wanted.provider](wanted)));
