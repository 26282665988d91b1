import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ContainerScanner } from './container-scanner.js';
import { maskContainers } from './mask-containers.js';
import { maskText } from './mask-text.js';

const canary = 'c4nary"v\\4lue';
const plain = 'c4nary-v4lue';

const texts: Readonly<Record<string, string>> = {
  'the password of a URL': `postgres://app:${plain}@db:5432/app?sslmode=off`,
  'a password with an at sign in a URL': `postgres://app:${plain}@x/${plain}@db/app`,
  'an encoded URL': encodeURIComponent(`postgres://app:${plain}@db/app`),
  'a token as the user of a URL': `https://${plain}-${plain}@host/path`,
  'password=': `host=db password=${plain} sslmode=off`,
  'an assignment with spaces around the equals sign': `password = ${plain}`,
  'password%3D': `q=password%3D${plain}&x=1`,
  'a quoted assignment': `rootPass="${plain} with blanks" x`,
  'a quoted assignment within JSON': JSON.stringify({ text: `rootPass="${canary}" x` }),
  JSON: JSON.stringify({ spec: { rootPass: canary } }),
  'JSON within JSON': JSON.stringify(JSON.stringify({ connectionString: canary })),
  'JSON within JSON within JSON': JSON.stringify(JSON.stringify(JSON.stringify({ dbPassword: canary }))),
  'a list in JSON': JSON.stringify({ tokens: [canary, plain], after: 1 }),
  'JSON that is truncated': JSON.stringify({ password: canary }).slice(0, -4),
  'an environment variable of a container': JSON.stringify({ env: [{ name: 'DB_PASSWORD', value: canary }] }),
  'the output format of util.inspect': `{ rootPass: '${plain}', data: 1 }`,
  'a line of YAML': `spec:\n  password: correct-horse-c4nary\n  size: 1`,
  'a word after password:': `login failed, password: ${plain}`,
  'an Authorization header': `Authorization: Bearer ${plain}`,
  'an Authorization header with a custom scheme': `authorization: Token ${plain}`,
  'an Authorization header within JSON': JSON.stringify({ headers: { authorization: `Basic ${plain}` } }),
  'a URL-encoded Authorization header': `Authorization=Bearer%20${plain}`,
  'a JSON Web Token': `got eyJhbGciOiJ.eyJzdWIiOiIc4nary.c4nary-v4lue`,
  'a private key': `-----BEGIN RSA PRIVATE KEY-----\n${plain}\n-----END RSA PRIVATE KEY-----`,
  'a Secret in JSON': JSON.stringify({ kind: 'Secret', data: { a: plain }, stringData: { b: `{${canary}}` } }),
  'a Secret within a JSON string': JSON.stringify(JSON.stringify({ data: { a: `}${canary}` }, kind: 'Secret' })),
  'a Secret in YAML': `apiVersion: v1\nkind: Secret\ndata:\n  dsn: ${plain}\n  other: ${plain}\ntype: Opaque\n`,
  'a Secret in YAML with an empty line in a value': `kind: Secret\nstringData:\n  a: |\n    b\n\n    ${plain}\ntype: Opaque\n`,
  'a Secret in YAML that begins with its data': `items:\n- data:\n    dsn: ${plain}\n  kind: Secret\n`,
  'a list of Secrets without kinds': JSON.stringify({ kind: 'SecretList', items: [{ data: { a: plain } }] }),
  'a Secret in the output format of util.inspect': `{ kind: 'Secret', stringData: { dsn: '${plain}' } }`,
  'an error about a field': `Db "a" is invalid: spec.rootPass: Invalid value: ${JSON.stringify(canary)}: too short`,
  'an error about a key of a Secret': `data[api-token]: Duplicate value: "${plain}"`,
};

const patch = (path: string, value: unknown): object => ({ op: 'add', path, value });
const containers: Readonly<Record<string, string>> = {
  'a JSON patch': JSON.stringify([patch('/spec/rootPass', canary)]),
  'a JSON patch of data': JSON.stringify([patch('/data/dsn', plain), patch('/stringData/dsn', canary)]),
  'a JSON patch of the whole data': JSON.stringify([patch('/data', { name: plain })]),
  'a JSON patch of the last applied configuration': JSON.stringify([
    patch('/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration', `{"a":${JSON.stringify(canary)}}`),
  ]),
  'a JSON patch below a secret name': JSON.stringify([patch('/spec/credentials/pin', canary)]),
  'a JSON patch with an object': JSON.stringify([patch('/spec/credentials', { user: plain })]),
  'a JSON patch whose value precedes its path': JSON.stringify({ value: { a: canary }, op: 'add', path: '/data/a' }),
  'a JSON patch with whitespace': `[ {"op" : "add" ,\n "value" : "${plain}",\n\t"path"\r\n: "/spec/rootPass" } ]`,
  'a JSON patch within JSON': JSON.stringify({ body: JSON.stringify([patch('/data/dsn', canary)], null, 2) }),
  'a JSON patch within JSON within JSON': JSON.stringify(JSON.stringify(JSON.stringify(patch('/spec/token', canary)))),
  'a JSON patch with escaped slashes': `{"value":"${plain}","path":"\\/spec\\/rootPass"}`,
  'a JSON patch that is truncated at its end': JSON.stringify([patch('/spec/token', canary)]).slice(0, -6),
  'a JSON patch that is truncated at its start': JSON.stringify([patch('/spec/rootPass', canary)]).slice(10),
  'a JSON patch in flow style of YAML': `[{op: add, path: /data/dsn, value: ${plain} and ${plain}}]`,
  'a JSON patch in the output format of util.inspect': inspect([
    patch('/spec/rootPass', canary),
    patch('/data', { plain }),
  ]),
  'an environment variable whose value precedes its name': JSON.stringify({ value: canary, name: 'DB_PASSWORD' }),
  'an environment variable in flow style of YAML': `env: [{name: DB_PASSWORD, value: ${plain}}]`,
  'an object below a secret name': JSON.stringify({ credentials: { user: plain, pin: canary } }),
  'a deeply nested value below a secret name': JSON.stringify({
    a: { password: { b: { c: [{ value: canary }] } } },
    d: 1,
  }),
  'a list of objects below a secret name': JSON.stringify({ tokens: [{ name: 'a' }, { name: 'b', value: canary }] }),
  'an object below a secret name in a schema': JSON.stringify({
    secret: { type: 'a', properties: { token: { a: canary } } },
  }),
  'an object below a secret name within JSON': JSON.stringify(
    JSON.stringify({ credentials: { user: canary } }, null, 2),
  ),
  'an object below a secret name within JSON within JSON': JSON.stringify(
    JSON.stringify(JSON.stringify({ credentials: [{ user: canary }] })),
  ),
  'JSON in the name of a reference': JSON.stringify({
    secret: { name: JSON.stringify({ token: { a: canary } }) },
  }),
  'a reference with an additional value': JSON.stringify({ secret: { name: 'a', value: plain } }),
  'an object that is truncated within a string': JSON.stringify({ credentials: { user: 'a', pin: canary } }).slice(
    0,
    -5,
  ),
  'an object that is truncated after a string': JSON.stringify({ credentials: { name: 'a', pin: canary } }).slice(
    0,
    -2,
  ),
  'a list that is truncated': JSON.stringify({ a: { tokens: [plain, { name: 'a' }] } }).slice(0, -8),
  'an object after a truncated string': `{"name":"a (cut) then {"credentials":{"user":"${plain}"}}`,
  'a flow mapping of YAML': `credentials: {user: ${plain}, pins: [1, ${plain}]}`,
  'a flow mapping of YAML in several lines': `a:\n  tokens: [\n    ${plain},\n    ${plain}\n  ]`,
  'an object in the output format of util.inspect': inspect({
    credentials: { user: plain, pin: canary },
    tokens: [plain, canary],
  }),
  'a map below a secret name in YAML': `a:\n  credentials:\n    user: ${plain}\n    pin: ${plain}\n  size: 1\n`,
  'a nested map below a secret name in YAML': `a:\n  password: # of a\n    value:\n      b:\n      - ${plain}\n`,
  'a list below a secret name in YAML': `a:\n  tokens:\n  - ${plain}\n  - name: b\n    value: ${plain}\n  size: 1\n`,
  'an item of a list with a map in YAML': `a:\n- password:\n    value: ${plain}\n  size: 1\n`,
  'a text of several lines in YAML': `a:\n  password: |-\n    ${plain} and\n\n    ${plain}\n  size: 1\n`,
  'a folded text in YAML': `a:\r\n  'rootPass': !!str >2\r\n    these are words\r\n    c4nary\r\n`,
  'a text on the next line in YAML': `a:\n  password:\n    ${plain}\n`,
  'a map with quoted names in YAML': `a:\n  "tokens":\n    "b c": ${plain}\n    ? d\n`,
  'an environment variable in YAML': `env:\n- name: DB_PASSWORD\n  value: ${plain} and ${plain} # of db\n- name: HOST\n  value: a\n`,
  'an environment variable whose value precedes its name in YAML': `env:\n  - value: |\n      ${plain}\n    name: DB_PASSWORD\n`,
  'a JSON patch in YAML': `- op: add\n  path: /data/dsn\n  value: ${plain}\n- op: add\n  value:\n    a: ${plain}\n  path: /spec/token\n`,
  'YAML within JSON': JSON.stringify({ 'a.yaml': `a:\n  password:\n    value: ${plain}\n`, b: 1 }),
  'YAML within JSON that is truncated': JSON.stringify({ a: `a:\n  password:\n    b: ${plain}` }).slice(0, -2),
  'a Secret as YAML within JSON': JSON.stringify({ a: `kind: Secret\ndata:\n  dsn: ${plain}\n`, b: 1 }),
  'YAML within JSON within JSON': JSON.stringify(JSON.stringify({ a: `a:\n  tokens:\n  - ${plain}\n  b: 1` })),
  'the field client-key-data': JSON.stringify({ 'client-key-data': canary }),
  'an error about a field below a secret name': `spec.credentials.pin: Invalid value: ${JSON.stringify(canary)}: too short`,
};

const scalars: Readonly<Record<string, string>> = {
  'a number in JSON': JSON.stringify({ password: 4711.5, after: 'a' }),
  'a negative number in JSON': '{"apiToken" : -4711e+5}',
  'a number in JSON within JSON': JSON.stringify(JSON.stringify({ spec: { rootPass: 4711 } })),
  'a number in JSON that is truncated': '{"rootPass":47',
  'a number as the value of an environment variable': '{"name":"DB_PASSWORD","value":4711}',
  'a boolean in JSON': JSON.stringify({ password: 'x', token: true }),
  'numbers on lines of YAML': `spec:\n  rootPass: 4711\n  - apiToken: 4711 # pin\n  "secret": 4711\r\n  size: 1`,
  'a hexadecimal number in YAML': `spec:\n  accessKey: 0x4711\n`,
  'a boolean on a line of YAML': `spec:\n  password: true\n  size: 1`,
  'numbers in flow style of YAML': '{db: {apiToken: 4711}, secret: +4711, size: 1}',
  'a bigint in the output format of util.inspect': '{ apiKey: 4711n }',
};

for (const [name, text] of Object.entries(scalars)) {
  test(`maskText masks ${name}`, () => {
    const masked = maskText(`before ${text} after`);
    assert.doesNotMatch(masked, /47|true/, masked);
    assert.match(masked, /^before .*\*\*\*/s);
    assert.equal(maskText(masked), masked, 'the second masking changed the text');
  });
}

for (const [name, text] of Object.entries({ ...texts, ...containers })) {
  test(`maskText masks ${name}`, () => {
    const masked = maskText(`before ${text} after`);
    assert.doesNotMatch(masked, /c4nary|v[\\]*4lue/, masked);
    assert.match(masked, /^before .*\*\*\*/s);
    assert.equal(maskText(masked), masked, 'the second masking changed the text');
  });
}

test('maskText does not change the text around a secret', () => {
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
    ['{"credentials":{"user":{"a":1}},"x":1}', '{"credentials":{***},"x":1}'],
    [
      '[{"op":"add","path":"/data/a","value":"b"},{"path":"/spec/a","value":"b"}]',
      '[{"op":"add","path":"/data/a","value":"***"},{"path":"/spec/a","value":"b"}]',
    ],
    ['{"value":1,"name":"DB_PASSWORD"}', '{"value":***,"name":"DB_PASSWORD"}'],
    ['"credentials":{"user":"a"} was refused, "a"', '"credentials":{***} was refused, "a"'],
    ['"path":"/data/a","value":"b" was refused', '"path":"/data/a","value":"***" was refused'],
    ['{"secret":{"name":"a"},"token":{"a":"b"}}', '{"secret":{"name":"a"},"token":{***}}'],
    ['a:\n  tokens:\n  - b\n  size: 1\n', 'a:\n  tokens: ***\n  size: 1\n'],
    ['{"a":"token:\\n  b: c\\nd: e","f":"g"}', '{"a":"token: ***\\nd: e","f":"g"}'],
    ['- name: A_TOKEN\n  value: a b\n- name: b\n', '- name: A_TOKEN\n  value: ***\n- name: b\n'],
    ['{ tokens: [ 1 ], x: 1 }', '{ tokens: [***], x: 1 }'],
    ['{"password":1234,"size":1}', '{"password":***,"size":1}'],
    ['{"token":true}', '{"token":***}'],
    ['a:\n  secret: 12 # pin\n  size: 1', 'a:\n  secret: *** # pin\n  size: 1'],
    ['db:\n  password: letters\n  - rootPass: other # a\n', 'db:\n  password: ***\n  - rootPass: *** # a\n'],
    ['- data:\n    a: b\n  kind: Secret\n', '- data: ***\n  kind: Secret\n'],
    ['kind: Secret\ndata:\n  a: b\n\n  c: d\ntype: t', 'kind: Secret\ndata: ***\ntype: t'],
  ] as const)
    assert.equal(maskText(text), masked);
});

test('maskText does not change a text without credentials', () => {
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
    '{"secret":{"name":"db","key":"dsn","optional":true},"secrets":[],"credentials":{}}',
    '{"imagePullSecrets":[{"name":"a"},{"name":"b"}],"tlsSecret":{"name":"a","namespace":"b"}}',
    '{"password":{"valueFrom":{"secretKeyRef":{"name":"a","key":"b"}}}}',
    '{"secret":{"secretName":"a","items":[{"key":"a","path":"b","mode":256}],"defaultMode":420}}',
    '{"serviceAccountToken":{"audience":"a","expirationSeconds":600,"path":"token"}}',
    '{"properties":{"credentials":{"type":"object","properties":{"size":{"type":"string"}}}}}',
    'imagePullSecrets: [{name: a}, {name: b}]',
    'spec:\n  imagePullSecrets:\n  - name: a\n  - name: b\n    namespace: c\n  volumes: []\n',
    'secret:\n  secretName: a\n  items:\n  - key: a\n    path: b\n  optional: true\n',
    'password:\n  valueFrom:\n    secretKeyRef:\n      name: a\n      key: b\n',
    'properties:\n  password:\n    type: string\n    description: of a user\n  size:\n    type: integer\n',
    'cannot read the secrets:\n  - secrets "db" not found\n  - no permission\n',
    'token:\n    at read (file:///a.js:1:2)\n    at main (file:///b.js:3:4)',
    '- name: A_TOKEN\n  valueFrom:\n    secretKeyRef:\n      name: a\n',
    'secrets:\nname: a\nvalue: b\n',
    'token:\n',
    '- path: /spec/a\n  value: b\n- path: /etc/passwd\n  mode: 1\n',
    `{ secret: { secretName: 'a', optional: false }, imagePullSecrets: [ { name: 'a' } ] }`,
    '{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"name":"a"}}}',
    '[{"op":"add","path":"/spec/imagePullSecrets/0","value":{"name":"a"}}]',
    '[{"op":"remove","path":"/data/a"},{"op":"add","path":"/spec/secretName","value":"a"}]',
    '[{"op":"replace","path":"/spec/secret/name","value":"a"},{"path":"/spec/token","value":null}]',
    'spec.volumes[0].secret.items[0].path: Invalid value: "..": must not contain ".."',
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

test('maskText takes time proportional to the length of a text', () => {
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
    '"secret":{',
    '{"secret":',
    '"secret":{"type":"a","properties":{',
    '"token":{"name":"\\"',
    '{"value":{"path":"/data","value":',
    '"name":\'',
    `{'value':"{"name":`,
    '\\n',
    '\\\\',
    'secret: [',
    'token:\n',
    '- token:\n',
    'token:\n- a b\n',
    '- name: A_TOKEN\n  value: a\n',
    'token:\n\n\n\n',
    '\\n"',
    '\n- - - - ',
    'token:\n        ',
    'name: a value: path: /data ',
    'kind: Secret\n- data:\n    a: b\n',
    'kind: Secret\ndata:\n\n \n',
  ]) {
    const started = process.cpuUsage();
    maskText(`secret ${unit.repeat(200_000 / unit.length)}`);
    const { user } = process.cpuUsage(started);
    assert.ok(user < 5_000_000, `${unit}: ${user} µs`);
  }
});

test('maskText takes time proportional to the depth of YAML', () => {
  const names = ['token', 'type', 'properties'];
  const lines = Array.from({ length: 600 }, (_, depth) => {
    const inner = names[depth % 2 === 0 ? 0 : 2] ?? '';
    return `${' '.repeat(depth)}${inner}:\n${depth % 2 === 0 ? `${' '.repeat(depth + 1)}type: object\n` : ''}`;
  });
  const started = process.cpuUsage();
  maskText(lines.join(''));
  assert.ok(process.cpuUsage(started).user < 5_000_000);
});

test('maskContainers reads each character a bounded number of times', () => {
  const end = { path: '/data/a', value: 'x' };
  for (const unit of [
    '"secret":{',
    '{"secret":{"a":1}}',
    '"secret":{"type":"a","properties":{',
    '"secret":{"name":"a","items":[{',
    `"token":{"name":'`,
    '"token":{"name":"\\"',
    '\\"token\\":{\\"name\\":"',
    `{'value':"{"name":\``,
    '{"value":{"path":"/data","value":',
    '[{"name":[',
    'token: {name: {',
  ]) {
    const [one = 0, other = 0] = [50_000, 100_000].map((length) => {
      const text = unit.repeat(length / unit.length) + JSON.stringify(end);
      const scanner = new ContainerScanner(text);
      maskContainers(text, scanner);
      return scanner.readCharacters / text.length;
    });
    assert.ok(other > 0 && other <= 17 && other < one * 1.1 + 0.1, `${unit}: ${one} ${other}`);
  }
});

test('maskContainers masks the remaining text if it would read the same characters too often', () => {
  const quotes = ["'", '"', '`'];
  const levels = [31, 15, 7, 3, 1, 0].map((level) => '\\'.repeat(level));
  const opened = levels.flatMap((escape) => quotes.map((quote) => `"token":{"name":${escape}${quote}`)).join('');
  const text = `${opened}${'a'.repeat(10_000)} "token":{"a":"c4nary"}`;
  assert.doesNotMatch(maskContainers(text), /c4nary/);
});
