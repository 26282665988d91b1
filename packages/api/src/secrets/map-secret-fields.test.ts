import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { maskSecretFields } from './map-secret-fields.js';
import { hasSecretFields, isSecretPath } from './secret-path.js';
import { maskerOf, secretValuesIn } from './secret-values.js';

const pin: StructuralSchema = { type: 'string', format: 'password' };
const schema: StructuralSchema = {
  properties: {
    spec: {
      properties: {
        pin,
        users: { items: { properties: { name: {}, code: pin } } },
        byName: { additionalProperties: pin },
        size: { type: 'integer' },
      },
    },
  },
};

test('maskSecretFields masks the data of Secrets, fields with format password, and fields and variables with secret names', () => {
  assert.deepEqual(
    maskSecretFields({ apiVersion: 'v1', kind: 'Secret', type: 't', data: { a: 'x' }, stringData: { b: 'y' } }),
    { apiVersion: 'v1', kind: 'Secret', type: 't', data: { a: '***' }, stringData: { b: '***' } },
  );
  const spec = { pin: 'x', users: [{ name: 'n', code: 'x' }], byName: { a: 'x' }, size: 1, rootPass: 'x', free: 'f' };
  assert.deepEqual(maskSecretFields({ kind: 'Door', spec }, { schema }), {
    kind: 'Door',
    spec: {
      pin: '***',
      users: [{ name: 'n', code: '***' }],
      byName: { a: '***' },
      size: 1,
      rootPass: '***',
      free: 'f',
    },
  });
  const env = [
    { name: 'DB_PASSWORD', value: 'x' },
    { name: 'HOST', value: 'h' },
    { name: 'API_TOKEN', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
  ];
  assert.deepEqual(maskSecretFields({ env }), { env: [{ name: 'DB_PASSWORD', value: '***' }, ...env.slice(1)] });
});

test('maskSecretFields does not mask the data of a kind Secret in another group or of other kinds', () => {
  for (const object of [
    { apiVersion: 'example.com/v1', kind: 'Secret', data: { a: 'x' } },
    { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'x' } },
  ])
    assert.deepEqual(maskSecretFields(object), object);
});

test('maskSecretFields masks JSON patches, Secrets in lists, and the last applied configuration', () => {
  const patch = [
    { op: 'replace', path: '/spec/pin', value: 'x' },
    { op: 'add', path: '/spec/users/0', value: { name: 'n', code: 'x' } },
    { op: 'add', path: '/spec/size', value: 1 },
  ];
  assert.deepEqual(maskSecretFields(patch, { schema }), [
    { ...patch[0], value: '***' },
    { ...patch[1], value: { name: 'n', code: '***' } },
    patch[2],
  ]);
  assert.deepEqual(maskSecretFields([{ op: 'add', path: '/data/a', value: 'x' }], { isSecret: true }), [
    { op: 'add', path: '/data/a', value: '***' },
  ]);
  assert.deepEqual(maskSecretFields({ items: [{ kind: 'Secret', data: { a: 'x' } }] }), {
    items: [{ kind: 'Secret', data: { a: '***' } }],
  });
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"spec":{"pin":"x"}}', other: 'o' };
  assert.deepEqual(maskSecretFields({ metadata: { annotations }, spec: { pin: 'x' } }, { schema }), {
    metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '***', other: 'o' } },
    spec: { pin: '***' },
  });
});

test('maskSecretFields masks each Secret of a list, and a JSON patch of a whole Secret', () => {
  const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
  const secret = (text: string): object => ({ metadata: { annotations: { [lastApplied]: text } }, data: { a: text } });
  const lists = (item: object): readonly object[] => [
    { kind: 'SecretList', apiVersion: 'v1', items: [item] },
    { kind: 'List', items: [{ kind: 'Secret', ...item }] },
  ];
  for (const [at, list] of lists(secret('x')).entries()) {
    assert.deepEqual(maskSecretFields(list), lists(secret('***'))[at]);
  }
  const patch = (text: string): readonly object[] => [{ op: 'replace', path: '', value: secret(text) }];
  assert.deepEqual(maskSecretFields(patch('x'), { isSecret: true }), patch('***'));
});

test('maskSecretFields masks numbers and booleans of secret fields', () => {
  const spec = { pin: 1234, users: [{ name: 'n', code: true }], rootPass: 5678, tokens: [1, 2n], size: 1 };
  assert.deepEqual(maskSecretFields({ kind: 'Door', spec }, { schema }), {
    kind: 'Door',
    spec: { pin: '***', users: [{ name: 'n', code: '***' }], rootPass: '***', tokens: '***', size: 1 },
  });
  assert.deepEqual(maskSecretFields({ kind: 'Secret', stringData: { pin: 1234, open: false } }), {
    kind: 'Secret',
    stringData: { pin: '***', open: '***' },
  });
  assert.deepEqual(maskSecretFields([{ op: 'add', path: '/spec/password', value: 1234 }]), [
    { op: 'add', path: '/spec/password', value: '***' },
  ]);
  assert.deepEqual(maskSecretFields({ env: [{ name: 'DB_PASSWORD', value: 1234 }] }), {
    env: [{ name: 'DB_PASSWORD', value: '***' }],
  });
  const flags = { automountServiceAccountToken: false, serviceAccountTokenInSecrets: true, password: null };
  assert.deepEqual(maskSecretFields(flags), flags);
});

test('maskSecretFields masks the last applied configuration in every patch and list', () => {
  const name = 'kubectl.kubernetes.io/last-applied-configuration';
  const path = '/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration';
  const ofSecret = (text: string): readonly unknown[] => [
    [{ op: 'replace', path, value: text }],
    [{ op: 'add', path: '/metadata/annotations', value: { [name]: text, other: 'o' } }],
    [{ op: 'add', path: '/metadata', value: { annotations: { [name]: text } } }],
    { metadata: { annotations: { [name]: text } } },
  ];
  for (const [at, patch] of ofSecret('{"type":"Opaque"}').entries()) {
    assert.deepEqual(maskSecretFields(patch, { isSecret: true }), ofSecret('***')[at]);
    assert.deepEqual(maskSecretFields(patch, { schema }), patch);
  }
  const deep = `${'['.repeat(150)}"x"${']'.repeat(150)}`;
  for (const text of [
    '{"spec":{"pin":"x"}}',
    '{"spec":{"rootPass":5678}}',
    '{"kind":"Secret","data":{"a":"x"}}',
    '{"spec":{',
    deep,
  ]) {
    for (const [at, patch] of ofSecret(text).entries())
      assert.deepEqual(maskSecretFields(patch, { schema }), ofSecret('***')[at], text);
  }
  const list = (text: string, pin: string): object => ({
    items: [{ metadata: { annotations: { [name]: text } }, spec: { password: pin } }],
  });
  assert.deepEqual(maskSecretFields(list('{"spec":{"old":"x"}}', 'x')), list('***', '***'));
});

test('maskSecretFields masks objects and lists that are nested deeper than 100 levels', () => {
  const nested = (levels: number): object => {
    let value: object = { free: 'f', list: ['x'] };
    for (let level = 0; level < levels; level++) value = { inner: value };
    return value;
  };
  assert.deepEqual(maskSecretFields(nested(99)), nested(99));
  const masked = JSON.stringify(maskSecretFields(nested(150)));
  assert.doesNotMatch(masked, /free|x/);
  assert.match(masked, /"inner":"\*\*\*"/);
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  assert.match(JSON.stringify(maskSecretFields(loop)), /"self":"\*\*\*"/);
});

test('maskSecretFields masks entire objects and lists below secret names, and keeps references and schemas', () => {
  const password = { name: 'a', secretKeyRef: { name: 'a', key: 'b' } };
  const shown = {
    password,
    token: { valueFrom: password },
    imagePullSecrets: [{ name: 'a' }, { name: 'b' }],
    secret: { secretName: 'a', items: [{ key: 'a', path: 'b', mode: 256 }], defaultMode: 256, optional: true },
    serviceAccountToken: { audience: 'a', expirationSeconds: 600, path: 'token' },
    secrets: [],
    credentials: {},
    properties: { credentials: { type: 'object', properties: { size: { type: 'string', default: 'a' } } } },
  };
  assert.deepEqual(maskSecretFields(shown), shown);
  const masked = {
    credentials: { user: 'x', pin: 'x' },
    password: { value: 'x' },
    secret: { name: 'a', value: 'x' },
    tokens: [{ name: 'a' }, { key: 'x' }],
    apiTokens: { x: { name: 'a' } },
    secrets: [{ name: 'a' }, 'x'],
    rootPass: { key: 'x' },
    apiKey: { type: 'string', default: 'x' },
  };
  const masks = Object.fromEntries(Object.keys(masked).map((name) => [name, '***']));
  assert.deepEqual(maskSecretFields({ spec: masked, list: [masked] }), { spec: masks, list: [masks] });
  assert.deepEqual(maskSecretFields({ spec: { pin: { name: 'x' } } }, { schema }), { spec: { pin: '***' } });
  for (const [name, value] of Object.entries(masked))
    assert.deepEqual(maskSecretFields([{ op: 'add', path: `/spec/${name}`, value }]), [
      { op: 'add', path: `/spec/${name}`, value: '***' },
    ]);
});

test('maskSecretFields masks JSON patches of fields below a secret name', () => {
  const patch = (path: string, value: unknown): object => [{ op: 'add', path, value }];
  for (const path of ['/spec/credentials/pin', '/spec/tokens/0/value', '/spec/password/-'])
    assert.deepEqual(maskSecretFields(patch(path, 'x')), patch(path, '***'));
  for (const path of ['/spec/secret/secretName', '/spec/imagePullSecrets/0/name', '/spec/properties/password/type'])
    assert.deepEqual(maskSecretFields(patch(path, 'x')), patch(path, 'x'));
});

test('secretValuesIn returns the values within an object below a secret name', () => {
  const credentials = { username: 'somebody', pins: ['c4nary', { code: 123456 }], secretRef: { name: 'secret-of-a' } };
  assert.deepEqual(secretValuesIn({ spec: { credentials } }), ['c4nary', '123456', 'secret-of-a']);
});

test('isSecretPath finds secret fields by schema and by name, also below the path', () => {
  for (const path of [
    'spec.pin',
    'spec.users[0].code',
    'spec.users[0]',
    'spec',
    'spec.byName[a]',
    'spec.rootPass',
    'spec.credentials.user',
  ])
    assert.equal(isSecretPath(path, { schema }), true, path);
  for (const path of ['spec.size', 'spec.users[0].name', 'data.a', 'metadata.name', 'spec.secret.items[0].key'])
    assert.equal(isSecretPath(path, { schema }), false, path);
  assert.equal(isSecretPath('data[a.b]', { isSecret: true }), true);
});

test('hasSecretFields terminates for a schema that contains itself', () => {
  const one: { properties: Record<string, StructuralSchema> } = { properties: {} };
  const other: StructuralSchema = { properties: { one } };
  one.properties['other'] = other;
  assert.equal(hasSecretFields(other), false);
  const third: { properties: Record<string, StructuralSchema> } = { properties: {} };
  third.properties['inner'] = { properties: { back: third } };
  third.properties['pin'] = pin;
  assert.equal(hasSecretFields(third.properties['inner']), true);
});

test('maskerOf masks every encoding of the values of an object, but not parts of longer words', () => {
  const value = 'p&ss"w0rd ä';
  const data = { dsn: Buffer.from(value).toString('base64'), username: Buffer.from('postgres').toString('base64') };
  const values = secretValuesIn({ apiVersion: 'v1', kind: 'Secret', data, stringData: { short: 'abc' } });
  assert.deepEqual(values, [value]);
  const mask = maskerOf(values);
  for (const form of [
    value,
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('base64url'),
  ])
    assert.equal(mask(`a ${form} b ${form}`), 'a *** b ***');
  assert.equal(maskerOf(['manager'])('the managers of manager-1'), 'the managers of ***-1');
});

test('secretValuesIn returns the lines of a value with several lines', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END PRIVATE KEY-----';
  const values = secretValuesIn({ kind: 'Secret', stringData: { key } });
  assert.deepEqual(values, [key, 'MIIEvQIBADANBgkqhkiG9w0BAQ']);
});
