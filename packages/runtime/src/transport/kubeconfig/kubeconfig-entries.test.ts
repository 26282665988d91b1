import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clustersOf, contextsOf, usersOf } from './kubeconfig-entries.js';
import type { RawKubeconfig } from './parsed-kubeconfig.js';

test('returns clusters with absolute paths, and servers without a trailing slash', () => {
  const cluster = { server: 'https://a:6443/', 'certificate-authority': 'ca.pem', 'insecure-skip-tls-verify': true };
  const server = 'https://b/base';
  const raw: RawKubeconfig = {
    clusters: [
      { name: 'a', cluster },
      { name: 'b', cluster: { server, 'certificate-authority': '/ca.pem', 'certificate-authority-data': 'eA==' } },
      { name: 'c', cluster: { server, 'tls-server-name': 'kube', 'proxy-url': 'http://proxy' } },
    ],
  };
  const none = { caData: undefined, caFile: undefined, tlsServerName: undefined, proxyUrl: undefined };
  const rest = { ...none, skipTLSVerify: false };
  assert.deepEqual(clustersOf(raw, '/folder'), [
    { ...none, name: 'a', server: 'https://a:6443', caFile: '/folder/ca.pem', skipTLSVerify: true },
    { ...rest, name: 'b', server, caFile: '/ca.pem', caData: 'eA==' },
    { ...rest, name: 'c', server, tlsServerName: 'kube', proxyUrl: 'http://proxy' },
  ]);
});

test('returns users with absolute paths, and users without credentials', () => {
  const user = {
    'client-certificate': 'cert.pem',
    'client-certificate-data': 'Yw==',
    'client-key': '/key.pem',
    'client-key-data': 'aw==',
    token: 't',
    username: 'jane',
    password: 'p',
  };
  const users = usersOf({ users: [{ name: 'jane', user }, { name: 'joe' }] }, '/folder');
  assert.deepEqual(users[0], {
    name: 'jane',
    certData: 'Yw==',
    certFile: '/folder/cert.pem',
    keyData: 'aw==',
    keyFile: '/key.pem',
    token: 't',
    username: 'jane',
    password: 'p',
  });
  const given = Object.entries(users[1] ?? {}).filter(([, value]) => value !== undefined);
  assert.deepEqual(given, [['name', 'joe']]);
});

test('treats an empty user or namespace of a context as missing', () => {
  const contexts = [
    { name: 'a', context: { cluster: 'c', user: '', namespace: '' } },
    { name: 'b', context: { cluster: 'c', user: 'u', namespace: 'n' } },
  ];
  assert.deepEqual(contextsOf({ contexts }), [
    { name: 'a', cluster: 'c', user: undefined, namespace: undefined },
    { name: 'b', cluster: 'c', user: 'u', namespace: 'n' },
  ]);
});

const INCOMPLETE: readonly (readonly [string, RawKubeconfig])[] = [
  ['clusters[0].name', { clusters: [{ cluster: { server: 'https://a' } }] }],
  [
    'clusters[1].cluster',
    {
      clusters: [
        { name: 'a', cluster: { server: 'https://a' } },
        { name: 'b', cluster: null },
      ],
    },
  ],
  ['clusters[0].cluster.server', { clusters: [{ name: 'a', cluster: {} }] }],
  ['users[0].name', { users: [{ user: {} }] }],
  ['contexts[0].name', { contexts: [null] }],
  ['contexts[0].context', { contexts: [{ name: 'a' }] }],
  ['contexts[0].context.cluster', { contexts: [{ name: 'a', context: { user: 'u' } }] }],
];
for (const [path, raw] of INCOMPLETE) {
  test(`the error for a missing field names the field ${path}`, () => {
    const read = () => [clustersOf(raw, '/'), usersOf(raw, '/'), contextsOf(raw)];
    assert.throws(read, { message: `${path} is missing` });
  });
}
