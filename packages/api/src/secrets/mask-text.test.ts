import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskText } from './mask-text.js';

const canary = 'c4nary"v\\4lue';
const plain = 'c4nary-v4lue';

const texts: Readonly<Record<string, string>> = {
  'the password of a URL': `postgres://app:${plain}@db:5432/app?sslmode=off`,
  'a password with an at sign in a URL': `postgres://app:${plain}@x/${plain}@db/app`,
  'an encoded URL': encodeURIComponent(`postgres://app:${plain}@db/app`),
  'a token as the user of a URL': `https://${plain}-${plain}@host/path`,
  'password=': `host=db password=${plain} sslmode=off`,
  'password = with blanks': `password = ${plain}`,
  'password%3D': `q=password%3D${plain}&x=1`,
  'a quoted assignment': `rootPass="${plain} with blanks" x`,
  'a quoted assignment within JSON': JSON.stringify({ text: `rootPass="${canary}" x` }),
  JSON: JSON.stringify({ spec: { rootPass: canary } }),
  'JSON within JSON': JSON.stringify(JSON.stringify({ connectionString: canary })),
  'JSON within JSON within JSON': JSON.stringify(JSON.stringify(JSON.stringify({ dbPassword: canary }))),
  'a list in JSON': JSON.stringify({ tokens: [canary, plain], after: 1 }),
  'JSON that is cut': JSON.stringify({ password: canary }).slice(0, -4),
  'a variable of a container': JSON.stringify({ env: [{ name: 'DB_PASSWORD', value: canary }] }),
  'the form of util.inspect': `{ rootPass: '${plain}', data: 1 }`,
  'a line of YAML': `spec:\n  password: correct-horse-c4nary\n  size: 1`,
  'a word after password:': `login failed, password: ${plain}`,
  'a header': `Authorization: Bearer ${plain}`,
  'a header with another scheme': `authorization: Token ${plain}`,
  'a header within JSON': JSON.stringify({ headers: { authorization: `Basic ${plain}` } }),
  'an encoded header': `Authorization=Bearer%20${plain}`,
  'a web token': `got eyJhbGciOiJ.eyJzdWIiOiIc4nary.c4nary-v4lue`,
  'a private key': `-----BEGIN RSA PRIVATE KEY-----\n${plain}\n-----END RSA PRIVATE KEY-----`,
  'a Secret in JSON': JSON.stringify({ kind: 'Secret', data: { a: plain }, stringData: { b: `{${canary}}` } }),
  'a Secret within a JSON string': JSON.stringify(JSON.stringify({ data: { a: `}${canary}` }, kind: 'Secret' })),
  'a Secret in YAML': `apiVersion: v1\nkind: Secret\ndata:\n  dsn: ${plain}\n  other: ${plain}\ntype: Opaque\n`,
  'a Secret in YAML with an empty line in a value': `kind: Secret\nstringData:\n  a: |\n    b\n\n    ${plain}\ntype: Opaque\n`,
  'a Secret in YAML that begins with its data': `items:\n- data:\n    dsn: ${plain}\n  kind: Secret\n`,
  'a list of Secrets without kinds': JSON.stringify({ kind: 'SecretList', items: [{ data: { a: plain } }] }),
  'a Secret in the form of util.inspect': `{ kind: 'Secret', stringData: { dsn: '${plain}' } }`,
  'an error about a field': `Db "a" is invalid: spec.rootPass: Invalid value: ${JSON.stringify(canary)}: too short`,
  'an error about a key': `data[api-token]: Duplicate value: "${plain}"`,
};

const scalars: Readonly<Record<string, string>> = {
  'a number in JSON': JSON.stringify({ password: 4711.5, after: 'a' }),
  'a negative number in JSON': '{"apiToken" : -4711e+5}',
  'a number in JSON within JSON': JSON.stringify(JSON.stringify({ spec: { rootPass: 4711 } })),
  'a number in JSON that is cut': '{"rootPass":47',
  'a number of a variable of a container': '{"name":"DB_PASSWORD","value":4711}',
  'a boolean in JSON': JSON.stringify({ password: 'x', token: true }),
  'numbers on lines of YAML': `spec:\n  rootPass: 4711\n  - apiToken: 4711 # pin\n  "secret": 4711\r\n  size: 1`,
  'a hexadecimal number in YAML': `spec:\n  accessKey: 0x4711\n`,
  'a boolean on a line of YAML': `spec:\n  password: true\n  size: 1`,
  'numbers in flow style of YAML': '{db: {apiToken: 4711}, secret: +4711, size: 1}',
  'a bigint in the form of util.inspect': '{ apiKey: 4711n }',
};

for (const [name, text] of Object.entries(scalars)) {
  test(`maskText masks ${name}`, () => {
    const masked = maskText(`before ${text} after`);
    assert.doesNotMatch(masked, /47|true/, masked);
    assert.match(masked, /^before .*\*\*\*/s);
    assert.equal(maskText(masked), masked, 'masking twice changes nothing');
  });
}

for (const [name, text] of Object.entries(texts)) {
  test(`maskText masks ${name}`, () => {
    const masked = maskText(`before ${text} after`);
    assert.doesNotMatch(masked, /c4nary|v[\\]*4lue/, masked);
    assert.match(masked, /^before .*\*\*\*/s);
    assert.equal(maskText(masked), masked, 'masking twice changes nothing');
  });
}

test('maskText keeps what surrounds a secret', () => {
  for (const [text, masked] of [
    ['postgres://app:secret1@db:5432/app', 'postgres://app:***@db:5432/app'],
    ['{"password":"a\\"b","user":"c"}', '{"password":"***","user":"c"}'],
    ['{"kind":"Secret","data":{"a":"}"},"type":"t"}', '{"kind":"Secret","data":{***},"type":"t"}'],
    ['spec.password: Invalid value: "a": must be longer', 'spec.password: Invalid value: "***": must be longer'],
    [
      '[spec.pass: Invalid value: 12: no, spec.a: Invalid value: 3: b]',
      '[spec.pass: Invalid value: ***: no, spec.a: Invalid value: 3: b]',
    ],
    ['{"tokens":["a","b"],"x":1}', '{"tokens":[***],"x":1}'],
    ['{"password":1234,"size":1}', '{"password":***,"size":1}'],
    ['{"token":true}', '{"token":***}'],
    ['a:\n  secret: 12 # pin\n  size: 1', 'a:\n  secret: *** # pin\n  size: 1'],
    ['db:\n  password: letters\n  - rootPass: other # a\n', 'db:\n  password: ***\n  - rootPass: *** # a\n'],
    ['- data:\n    a: b\n  kind: Secret\n', '- data: ***\n  kind: Secret\n'],
    ['kind: Secret\ndata:\n  a: b\n\n  c: d\ntype: t', 'kind: Secret\ndata: ***\ntype: t'],
  ] as const)
    assert.equal(maskText(text), masked);
});

test('maskText keeps texts without credentials', () => {
  for (const text of [
    'secrets "db" not found',
    'cannot list secrets: forbidden',
    'GET https://10.0.0.1:443/api/v1/secrets?limit=1&continue=abc',
    'http://host:8080/path?email=a@b',
    'token: expired',
    'password: must be at least 8 characters',
    'spec.password: Required value',
    'authorization: forbidden for the service account "system:serviceaccount:a:b"',
    'the key "spec.secretName" has no value',
    '{"secretName":"db","secretKeyRef":{"name":"db","key":"dsn"}}',
    '{"kind":"ConfigMap","data":{"a":"b"}}',
    '{"password":null,"token":truest}',
    '{"automountServiceAccountToken":false,"serviceAccountTokenInSecrets":true}',
    'spec:\n  automountServiceAccountToken: false\n  serviceAccountTokenInSecrets: true\n',
    'cached pods: 3, secrets: 4, tokens: 5',
    'invalid:\n  password: must be longer\n- password: must be longer\n',
    'token: 3 of 5 tokens are valid',
  ])
    assert.equal(maskText(text), text);
});

test('maskText takes time in proportion to the length of a text', () => {
  for (const unit of [
    '"password":"',
    'password=',
    '"password":1',
    'token: 1',
    'token: 1 ',
    'token: 1\n',
    '\n  - password: a ',
    'token:          ',
    'http://a:',
    '\\"',
    'a.b.secret',
    '{"kind":"Secret","data":{',
    'x: Invalid value: {',
    'kind: Secret\n- data:\n    a: b\n',
    'kind: Secret\ndata:\n\n \n',
  ]) {
    const started = process.cpuUsage();
    maskText(`secret ${unit.repeat(200_000 / unit.length)}`);
    const { user } = process.cpuUsage(started);
    assert.ok(user < 5_000_000, `${unit}: ${user} µs`);
  }
});
