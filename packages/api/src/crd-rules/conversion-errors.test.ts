import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversionErrors } from './conversion-errors.js';

const client = 'spec.conversion.webhookClientConfig';
const versions = 'spec.conversion.conversionReviewVersions';

function errorsOf(clientConfig: object | undefined, conversionReviewVersions: readonly string[] = ['v1'], old = {}) {
  const webhook = { ...(clientConfig === undefined ? {} : { clientConfig }), conversionReviewVersions };
  const errors = conversionErrors({ strategy: 'Webhook', webhook }, old);
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

test('conversionErrors accepts a webhook with a URL or a Service', () => {
  assert.deepEqual(errorsOf({ url: 'https://example.com/convert' }), []);
  assert.deepEqual(errorsOf({ service: { namespace: 'a', name: 'b', port: 443, path: '/convert' } }), []);
});

test('conversionErrors rejects a webhook without an address and a webhook with an invalid address', () => {
  const form = '; desired format: https://host[/path]';
  assert.deepEqual(errorsOf(undefined), [`${client}: Required value: required when strategy is set to Webhook`]);
  assert.deepEqual(errorsOf({}), [`${client}: Required value: exactly one of url or service is required`]);
  assert.deepEqual(errorsOf({ url: 'http://a?b#c' }), [
    `${client}.url: Invalid value: "http": 'https' is the only allowed URL scheme${form}`,
    `${client}.url: Invalid value: "c": fragments are not permitted in the URL`,
    `${client}.url: Invalid value: "b": query parameters are not permitted in the URL`,
  ]);
  assert.deepEqual(errorsOf({ service: { namespace: 'a', name: 'b', port: 0 } }), [
    `${client}.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive`,
  ]);
});

test('conversionErrors rejects a URL that Go cannot parse, with the error text of Go', () => {
  const faults: Readonly<Record<string, string>> = {
    'https://a b/': 'invalid character " " in host name',
    'https://a/%zz': 'invalid URL escape "%zz"',
    'https://a:b/': 'invalid port ":b" after host',
    'https://[::1/': "missing ']' in host",
    '://a': 'missing protocol scheme',
    'a:b/c': '',
    '1a:b/c': 'first path segment in URL cannot contain colon',
    'https://a/\n': 'net/url: invalid control character in URL',
  };
  for (const [url, fault] of Object.entries(faults)) {
    const why = `url must be a valid URL: parse ${JSON.stringify(url)}: ${fault}`;
    const [first] = errorsOf({ url });
    if (fault === '') assert.match(first ?? '', /'https' is the only allowed URL scheme/);
    else assert.equal(first, `${client}.url: Required value: ${why}; desired format: https://host[/path]`);
  }
});

test('conversionErrors requires a known review version, unless the stored definition has only unknown review versions', () => {
  const url = { url: 'https://example.com' };
  const unknown = `${versions}: Invalid value: ["v9"]: must include at least one of v1, v1beta1`;
  assert.deepEqual(errorsOf(url, ['v9']), [unknown]);
  assert.deepEqual(errorsOf(url, ['v9'], { webhook: { conversionReviewVersions: ['v1'] } }), [unknown]);
  assert.deepEqual(errorsOf(url, ['v9'], { webhook: { conversionReviewVersions: ['v8'] } }), []);
  assert.deepEqual(errorsOf(url, ['v1', 'v1']), [`${versions}[1]: Invalid value: "v1": duplicate version`]);
});
