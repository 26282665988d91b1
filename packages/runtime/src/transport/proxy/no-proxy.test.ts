import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionProxy, environmentProxy } from './connection-proxy.js';
import { isRequestedDirectly } from './no-proxy.js';
import { describeProxy, proxyAddressOf } from './proxy-address.js';

/** Values of NO_PROXY, with servers that they match and do not match. The results are the same as in Go. */
const lists: Readonly<Record<string, { readonly direct: readonly string[]; readonly proxied: readonly string[] }>> = {
  '': {
    direct: ['localhost:1', '127.0.0.1:1', '127.9.9.9:1', '::1:1', '::ffff:127.0.0.1:1'],
    proxied: ['example.com:443', '10.0.0.1:443'],
  },
  '*': { direct: ['example.com:443', '10.0.0.1:443'], proxied: [] },
  ' , *': { direct: ['example.com:443'], proxied: [] },
  'example.com': {
    direct: ['example.com:443', 'a.b.example.com:1', 'EXAMPLE.com:1'],
    proxied: ['example.org:443', 'notexample.com:1', 'com:1'],
  },
  '.example.com': { direct: ['a.example.com:443'], proxied: ['example.com:443'] },
  '*.example.com': { direct: ['a.example.com:443'], proxied: ['example.com:443'] },
  'example.com:6443, other.test': {
    direct: ['example.com:6443', 'a.example.com:6443', 'other.test:1'],
    proxied: ['example.com:443'],
  },
  'Bücher.example': { direct: ['xn--bcher-kva.example:443'], proxied: [] },
  '10.0.0.0/8,2001:db8::/32': {
    direct: ['10.1.2.3:443', '2001:db8::1:443'],
    proxied: ['11.0.0.1:443', '2001:db9::1:443', 'ten.test:443'],
  },
  '::/0': { direct: ['2001:db8::1:443'], proxied: ['10.0.0.1:443', '::ffff:10.0.0.1:443'] },
  '10.9.9.9/8': { direct: ['10.1.2.3:443'], proxied: [] },
  '10.0.0.1,[2001:db8::1]:443': {
    direct: ['10.0.0.1:6443', '::ffff:10.0.0.1:1', '2001:db8::1:443'],
    proxied: ['10.0.0.2:1', '2001:db8::1:6443'],
  },
  '10.0.0.1:443': { direct: ['10.0.0.1:443'], proxied: ['10.0.0.1:6443'] },
  '0.0.1,10.0.0.0/99,:443,[]:443,.': { direct: [], proxied: ['10.0.0.1:443', 'example.com:443'] },
};
for (const [list, { direct, proxied }] of Object.entries(lists)) {
  test(`NO_PROXY '${list}' excludes the same servers from the proxy as in Go`, () => {
    const isDirect = (address: string): boolean => {
      const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? [];
      return isRequestedDirectly({ host, port: Number(port) }, list);
    };
    assert.deepEqual(
      direct.filter((address) => !isDirect(address)),
      [],
    );
    assert.deepEqual(proxied.filter(isDirect), []);
  });
}

test('uses HTTPS_PROXY for https and HTTP_PROXY for http; uppercase variables take precedence over lowercase variables', () => {
  const found = (url: string, env: Readonly<Record<string, string>>): string | undefined => {
    const proxy = environmentProxy(new URL(url), env);
    return proxy && describeProxy(proxy);
  };
  const env = { HTTPS_PROXY: 'secure:1', https_proxy: 'http://small:1', http_proxy: 'socks5h://plain', NO_PROXY: '' };
  assert.equal(found('https://kubernetes.test', env), 'http://secure:1');
  assert.equal(found('http://kubernetes.test', env), 'socks5://plain:1080');
  assert.equal(
    found('https://kubernetes.test', { HTTPS_PROXY: '', https_proxy: 'https://jane@[fd00::1]' }),
    'https://[fd00::1]:443',
  );
  assert.equal(found('https://kubernetes.test', { HTTP_PROXY: 'plain:1' }), undefined);
  assert.equal(found('https://kubernetes.test:6443', { ...env, no_proxy: 'kubernetes.test:6443' }), undefined);
  assert.equal(found('https://[fd00::1]:6443', { ...env, no_proxy: 'fd00::/8' }), undefined);
  assert.equal(found('https://kubernetes.test', { ...env, no_proxy: 'kubernetes.test:443' }), undefined);
});

test('the option proxy overrides the environment variables, and the value false disables proxies', () => {
  const env = { HTTPS_PROXY: 'http://proxy.test:3128' };
  const server = 'https://kubernetes.test';
  assert.deepEqual(connectionProxy({ server }, env), { scheme: 'http', host: 'proxy.test', port: 3128 });
  assert.equal(connectionProxy({ server, proxy: 'socks5://other' }, env)?.host, 'other');
  assert.equal(connectionProxy({ server, proxy: false }, env), undefined);
});

test('decodes the user and the password in a proxy URL', () => {
  const { credentials } = proxyAddressOf('http://jane%20doe:p%40ss%3A@proxy') ?? {};
  assert.deepEqual(credentials, { username: 'jane doe', password: 'p@ss:' });
  assert.equal(proxyAddressOf('http://proxy')?.credentials, undefined);
});
