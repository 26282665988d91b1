import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostAndPort, listenAddress, parseWebhookAddress } from './webhook-address.js';

for (const [text, address, shown] of [
  ['192.168.1.5', { host: '192.168.1.5' }, '192.168.1.5:9443'],
  ['192.168.1.5:1', { host: '192.168.1.5', port: 1 }, '192.168.1.5:1'],
  ['fd00::5', { host: 'fd00::5' }, '[fd00::5]:9443'],
  ['[fd00::5]', { host: 'fd00::5' }, '[fd00::5]:9443'],
  ['[::1]:65535', { host: '::1', port: 65_535 }, '[::1]:65535'],
  ['host.docker.internal', { host: 'host.docker.internal' }, 'host.docker.internal:9443'],
  ['Laptop.Example.com:9443', { host: 'laptop.example.com', port: 9443 }, 'laptop.example.com:9443'],
] as const) {
  test(`parseWebhookAddress parses ${text}`, () => {
    assert.deepEqual(parseWebhookAddress(text), address);
    assert.equal(hostAndPort({ port: 9443, ...parseWebhookAddress(text) }), shown);
  });
}

for (const text of [
  '',
  ':9443',
  '1.2.3',
  '1.2.3.4.5',
  'a_b',
  'https://a',
  'a/b',
  'a:0',
  'a:65536',
  'a:b',
  '[1.2.3.4]',
  '[a]:1',
  'fe80::1%eth0',
  '[fe80::1%eth0]:1',
  'fd00::5:99999',
]) {
  test(`parseWebhookAddress rejects '${text}'`, () => {
    assert.throws(() => parseWebhookAddress(text), { code: 'INVALID_USAGE', message: /^invalid --webhook-address / });
  });
}

test('listenAddress returns an address of this machine, and undefined for the address of another machine', async () => {
  assert.equal(await listenAddress('127.0.0.1'), '127.0.0.1');
  // An address for documentation, which no machine has.
  assert.equal(await listenAddress('192.0.2.1'), undefined);
});
