import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { KubewrightError } from '@kubewright/api/errors';
import { ManualClock } from '../../test-support/manual-clock.js';
import type { Connection } from '../connection/connection.js';
import { loadConnection } from './load-connection.js';
import { TokenSource } from '../credentials/token-source.js';

const PEM = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';

async function inDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kubewright-'));
  try {
    await run(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
  readonly current?: string;
}
function kubeconfig({ cluster, user, context, current = 'dev' }: Parts = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': current,
    clusters: [{ name: 'local', cluster: { server: 'https://127.0.0.1:6443', ...cluster } }],
    users: [{ name: 'jane', user: user ?? {} }],
    contexts: [{ name: 'dev', context: { cluster: 'local', user: 'jane', ...context } }],
  });
}
const tokenOf = async ({ credentials }: Connection) => (await credentials?.get())?.token;
const invalid = (text: RegExp) => (error: unknown) =>
  error instanceof KubewrightError && error.code === 'INVALID_KUBECONFIG' && text.test(error.message);

test('[CW-28] an inline kubeconfig contains the server, CA, token and namespace', async () => {
  const cluster = { 'certificate-authority-data': Buffer.from(PEM).toString('base64'), 'tls-server-name': 'kube' };
  const inline = kubeconfig({ cluster, user: { token: 'abc' }, context: { namespace: 'team' } });
  assert.deepEqual(await loadConnection({ kubeconfig: { inline } }), {
    server: 'https://127.0.0.1:6443',
    ca: PEM,
    token: 'abc',
    tlsServerName: 'kube',
    context: 'dev',
    namespace: 'team',
  });
});

const SECRET = 'token-that-nobody-may-see';
const TEXTS = {
  'one line of JSON': kubeconfig({ user: { token: SECRET } }),
  YAML: [
    'apiVersion: v1',
    'kind: Config',
    'current-context: dev',
    'clusters: [{ name: local, cluster: { server: "https://127.0.0.1:6443" } }]',
    `users: [{ name: jane, user: { token: ${SECRET} } }]`,
    'contexts: [{ name: dev, context: { cluster: local, user: jane } }]',
    '',
  ].join('\n'),
};
for (const [format, text] of Object.entries(TEXTS)) {
  test(`[CW-28] reads a kubeconfig that is passed as a string of ${format}`, async () => {
    const { server, token } = await loadConnection({ kubeconfig: text });
    assert.deepEqual({ server, token }, { server: 'https://127.0.0.1:6443', token: SECRET });
  });
}

test('an error message never contains the content of a kubeconfig', () =>
  inDirectory(async (directory) => {
    const text = TEXTS.YAML;
    const base64 = Buffer.from(text).toString('base64');
    const unusable = {
      'a text with an error': { kubeconfig: text.replace('contexts: [', 'contexts: [[') },
      'a text without the context': { kubeconfig: text, context: 'other' },
      'a text in base64': { kubeconfig: base64 },
      'a text in base64 that is longer than a path': { kubeconfig: base64.repeat(20) },
      'YAML in KUBECONFIG': { env: { KUBECONFIG: text, HOME: directory } },
      'JSON in KUBECONFIG': { env: { KUBECONFIG: TEXTS['one line of JSON'], HOME: directory } },
    };
    for (const [what, options] of Object.entries(unusable)) {
      await assert.rejects(loadConnection(options), (error) => {
        assert.ok(error instanceof KubewrightError && error.code === 'INVALID_KUBECONFIG', what);
        const shown = inspect(error, { depth: 10 });
        assert.ok(!shown.includes(SECRET) && !shown.includes(base64.slice(0, 40)), `${what}: ${shown}`);
        return true;
      });
    }
  }));

test('the connection contains the proxy of the kubeconfig, and printing the connection shows no proxy credentials', async () => {
  const url = 'http://jane:secret@proxy.test:3128';
  const inline = kubeconfig({ cluster: { 'proxy-url': url } });
  const connection = await loadConnection({ kubeconfig: { inline } });
  assert.equal(connection.proxy, url);
  assert.equal((JSON.parse(JSON.stringify(connection)) as Connection).proxy, 'http://proxy.test:3128');
  const unset = kubeconfig({ cluster: { 'proxy-url': '' } });
  assert.equal((await loadConnection({ kubeconfig: { inline: unset } })).proxy, undefined);
  const broken = kubeconfig({ cluster: { 'proxy-url': 'ftp://jane:secret@x' } });
  await assert.rejects(
    loadConnection({ kubeconfig: { inline: broken } }),
    (error) => !String(error).includes('secret'),
  );
});

test('[CG-191] loads impersonation with groups and extra fields', async () => {
  const user = { as: 'joe', 'as-uid': '7', 'as-groups': ['g1', 'g2'], 'as-user-extra': { reason: ['test'] } };
  const { impersonate } = await loadConnection({ kubeconfig: { inline: kubeconfig({ user }) } });
  assert.deepEqual(impersonate, { user: 'joe', uid: '7', groups: ['g1', 'g2'], extra: { reason: ['test'] } });
});

test('resolves the path of a token file relative to the kubeconfig, and reads the file again after 50 s', () =>
  inDirectory(async (directory) => {
    await writeFile(join(directory, 'config'), kubeconfig({ user: { tokenFile: 'token' } }));
    await writeFile(join(directory, 'token'), 'first\n');
    const clock = new ManualClock();
    const connection = await loadConnection({ kubeconfig: join(directory, 'config'), clock });
    assert.equal(await tokenOf(connection), 'first');
    await writeFile(join(directory, 'token'), 'second\n');
    clock.advance(49_999);
    assert.equal(await tokenOf(connection), 'first');
    clock.advance(1);
    assert.equal(await tokenOf(connection), 'second');
    await rm(join(directory, 'token'));
    clock.advance(50_000);
    assert.equal(await tokenOf(connection), 'second', 'the last valid credential is kept');
  }));

test('runs a plugin to get a token', () =>
  inDirectory(async (directory) => {
    const plugin = join(directory, 'plugin');
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'from-plugin' },
    };
    await writeFile(plugin, `#!/bin/sh\necho '${JSON.stringify(credential)}'\n`);
    await chmod(plugin, 0o755);
    const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: plugin } };
    const connection = await loadConnection({ kubeconfig: { inline: kubeconfig({ user }) } });
    assert.equal(await tokenOf(connection), 'from-plugin');
    const broken = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: join(directory, 'none') } };
    await assert.rejects(
      loadConnection({ kubeconfig: { inline: kubeconfig({ user: broken }) } }),
      invalid(/context 'dev': field 'exec'/),
    );
  }));

const BROKEN: readonly (readonly [string, string, RegExp])[] = [
  ['invalid YAML', ': : :\n- {', /kubeconfig \(inline\): /],
  ['an empty current-context', kubeconfig({ current: '' }), /'current-context' is not set/],
  ['an unknown context', kubeconfig({ current: 'prod' }), /context 'prod' is not in 'contexts' \(dev\)/],
  ['an unknown cluster', kubeconfig({ context: { cluster: 'nope' } }), /context 'dev': field 'cluster' is 'nope'/],
  ['an unknown user', kubeconfig({ context: { user: 'nope' } }), /context 'dev': field 'user' is 'nope'/],
  [
    'an invalid server URL',
    kubeconfig({ cluster: { server: 'nowhere' } }),
    /context 'dev': field 'server' is 'nowhere'/,
  ],
  [
    'invalid PEM data',
    kubeconfig({ cluster: { 'certificate-authority-data': 'eA==' } }),
    /field 'certificate-authority-data' is not base64-encoded PEM/,
  ],
  ['an invalid proxy URL', kubeconfig({ cluster: { 'proxy-url': 'ftp://x' } }), /field 'proxy-url' is not a proxy URL/],
  [
    'a missing file',
    kubeconfig({ user: { 'client-certificate': '/nonexistent' } }),
    /field 'client-certificate' cannot be read/,
  ],
];
for (const [what, inline, text] of BROKEN) {
  test(`[CW-28] the error for an invalid kubeconfig names the location: ${what}`, () =>
    assert.rejects(loadConnection({ kubeconfig: { inline } }), invalid(text)));
}

test('[CW-28] KUBECONFIG overrides ~/.kube/config; the first listed file with an entry takes precedence, and missing files are skipped', () =>
  inDirectory(async (directory) => {
    const file = (name: string) => join(directory, name);
    await mkdir(file('.kube'));
    await writeFile(file('.kube/config'), kubeconfig({ user: { token: 'home' } }));
    assert.equal((await loadConnection({ env: { HOME: directory } })).token, 'home');
    await writeFile(file('a'), kubeconfig({ user: { token: 'a' } }));
    await writeFile(file('b'), kubeconfig({ user: { token: 'b' } }));
    const env = { HOME: directory, KUBECONFIG: [file('missing'), file('a'), file('b')].join(':') };
    assert.equal((await loadConnection({ env })).token, 'a');
    await assert.rejects(
      loadConnection({ env: { HOME: directory, KUBECONFIG: file('missing') } }),
      invalid(/does not exist/),
    );
  }));

/**
 * The behavior of kubectl for two files. The second file is valid. Depending on the first file, kubectl uses the first file, ignores the
 * first file, or reports the error of the first file.
 */
const BESIDE: readonly (readonly [what: string, first: string, outcome: string | RegExp])[] = [
  ['no content', '', 'second'],
  ['only comments', '# made by a tool\n\n---\n  # and left\n', 'second'],
  ['an empty map', '{}\n', 'second'],
  ['null', '\uFEFFnull # nothing', 'second'],
  ['lists that are null', 'clusters: null\nusers:\ncontexts:\ncurrent-context: ""\n', 'second'],
  ['only kind and version', 'apiVersion: v1\nkind: Config\n', 'second'],
  ['no kind', kubeconfig({ user: { token: 'first' } }).replace('"kind":"Config",', ''), 'first'],
  ['a duplicate key', 'users: []\nusers: [{ name: jane, user: { token: first } }]\n', 'first'],
  ['a text', 'see the wiki', /file-0: not a kubeconfig: a kubeconfig is a map/],
  ['a list', '[]', /not a kubeconfig: a kubeconfig is a map/],
  [
    'another kind',
    'apiVersion: v1\nkind: Pod\n',
    /kind is 'Pod' and apiVersion is 'v1': a kubeconfig is a map .* of kind Config and version v1/,
  ],
  ['another version', 'apiVersion: v2\nkind: Config\n', /kind is 'Config' and apiVersion is 'v2'/],
  [
    'a duplicate name',
    'contexts: [{ name: a, context: {} }, { name: a, context: {} }]',
    /'contexts' has two entries named 'a'/,
  ],
  ['a map instead of a list', 'clusters: { a: {} }', /'clusters' is not a list/],
];
for (const [what, first, outcome] of BESIDE) {
  test(`[CW-28] handles KUBECONFIG in the same way as kubectl if the first file contains ${what}`, () =>
    inDirectory(async (directory) => {
      const files = [0, 1].map((index) => join(directory, `file-${index}`));
      await writeFile(files[0] ?? '', first);
      await writeFile(files[1] ?? '', kubeconfig({ user: { token: 'second' } }));
      const loading = loadConnection({ env: { HOME: directory, KUBECONFIG: files.join(':') } });
      if (outcome instanceof RegExp) await assert.rejects(loading, invalid(outcome));
      else assert.equal((await loading).token, outcome);
    }));
}

test('[CW-28] rejects an empty kubeconfig, but ignores an empty ~/.kube/config', () =>
  inDirectory(async (directory) => {
    await mkdir(join(directory, '.kube'));
    const file = join(directory, '.kube/config');
    await writeFile(file, '# nothing\n');
    const env = { HOME: directory, KUBECONFIG: [join(directory, 'missing'), file].join(':') };
    await assert.rejects(
      loadConnection({ env }),
      invalid(/^kubeconfig .+\/missing: the file does not exist; .+\/config: the file is empty$/),
    );
    await assert.rejects(loadConnection({ kubeconfig: file, env: {} }), invalid(/the file is empty/));
    await assert.rejects(loadConnection({ kubeconfig: directory, env: {} }), invalid(/cannot read the file: EISDIR/));
    const inPod = { HOME: directory, KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
    await writeFile(join(directory, 'token'), 'pod');
    const { server } = await loadConnection({ env: inPod, serviceAccountDirectory: directory });
    assert.equal(server, 'https://10.0.0.1:443');
  }));

/** Invalid fields of a cluster and of a user, which are in other files than the context. */
const ELSEWHERE: readonly (readonly ['clusters' | 'users', Parts, RegExp])[] = [
  ['clusters', { cluster: { server: 'nowhere' } }, /field 'server'/],
  ['clusters', { cluster: { 'proxy-url': 'ftp://x' } }, /field 'proxy-url'/],
  [
    'clusters',
    { cluster: { 'certificate-authority': '/nonexistent' } },
    /field 'certificate-authority' cannot be read/,
  ],
  ['clusters', { cluster: { 'certificate-authority-data': 'eA==' } }, /field 'certificate-authority-data' is not/],
  ['users', { user: { 'client-key-data': 'eA==' } }, /field 'client-key-data' is not/],
  ['users', { user: { tokenFile: '/nonexistent' } }, /field 'tokenFile' provided no credentials/],
  ['users', { user: { exec: {} } }, /field 'exec' has apiVersion/],
  ['users', { user: { 'auth-provider': { name: 'oidc' } } }, /field 'auth-provider' has no 'idp-issuer-url'/],
];
for (const [name, parts, text] of ELSEWHERE) {
  test(`[CW-28] the error for an invalid entry names the file of the entry, not the file of the context: ${text.source}`, () =>
    inDirectory(async (directory) => {
      const whole = JSON.parse(kubeconfig(parts)) as Readonly<Record<string, unknown>>;
      const files = ['contexts', 'clusters', 'users'].map((each) => join(directory, each));
      const current = { 'current-context': 'dev', contexts: whole['contexts'] };
      await writeFile(files[0] ?? '', JSON.stringify(current));
      for (const each of ['clusters', 'users'])
        await writeFile(join(directory, each), JSON.stringify({ [each]: whole[each] }));
      await assert.rejects(
        loadConnection({ env: { HOME: directory, KUBECONFIG: files.join(':') } }),
        (error) =>
          invalid(text)(error) && String(error).includes(`kubeconfig ${join(directory, name)}: context 'dev': `),
      );
    }));
}

const BASE64_KEY = Buffer.from(`-----BEGIN PRIVATE KEY-----\n${'secret-key'.repeat(40)}`).toString('base64');
const JWT = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"jane"}').toString('base64url')}.c2ln`;
const NOT_PATHS: readonly (readonly [what: string, user: object, secret: string])[] = [
  ['a token in tokenFile', { tokenFile: JWT }, JWT],
  ['a long token in tokenFile', { tokenFile: 'opaque-token'.repeat(30) }, 'opaque-token'],
  [
    'a PEM key in client-key',
    { 'client-key': '-----BEGIN PRIVATE KEY-----\nAAAA\n', 'client-certificate': '/dev/null' },
    'AAAA',
  ],
  ['a key in base64 in client-key', { 'client-key': BASE64_KEY }, BASE64_KEY.slice(0, 40)],
];
for (const [what, user, secret] of NOT_PATHS) {
  test(`[CG-192] the error for a credential that is set instead of its path does not contain the credential: ${what}`, () =>
    assert.rejects(loadConnection({ kubeconfig: { inline: kubeconfig({ user }) } }), (error) => {
      assert.ok(!inspect(error, { depth: 10 }).includes(secret), inspect(error));
      return invalid(/cannot read the file \(\w+\): use a path, not a value of \d+ characters/)(error);
    }));
}

test('[CG-192] the error for a failed auth provider of client-node contains neither the output nor the arguments of the command', async () => {
  for (const args of ['secret-1', 'secret-1; exit 3']) {
    const config = { 'cmd-path': 'echo', 'cmd-args': args, 'token-key': '{.token}', 'expiry-key': '{.expiry}' };
    const inline = kubeconfig({ user: { 'auth-provider': { name: 'gcp', config } } });
    await assert.rejects(loadConnection({ kubeconfig: { inline } }), (error) => {
      assert.doesNotMatch(inspect(error, { depth: 10 }), /secret-1/);
      return invalid(/field 'auth-provider' provided no credentials: provider 'gcp' failed; run 'echo' by hand/)(error);
    });
  }
});

test('the error for an invalid certificate authority of an issuer names the field of the kubeconfig', async () => {
  for (const [field, value, problem] of [
    ['idp-certificate-authority', '/nonexistent', 'cannot be read'],
    ['idp-certificate-authority-data', 'eA==', 'is not base64-encoded PEM'],
  ] as const) {
    const config = { 'idp-issuer-url': 'https://issuer.test', 'client-id': 'kubewright', [field]: value };
    const inline = kubeconfig({ user: { 'auth-provider': { name: 'oidc', config } } });
    await assert.rejects(
      loadConnection({ kubeconfig: { inline } }),
      invalid(new RegExp(`context 'dev': field '${field}' ${problem}`)),
    );
  }
});

test('the error for invalid YAML contains no name of an alias or tag, which may be a secret', async () => {
  for (const value of ['*secret-1', '!secret-1 x', '!a!secret-1 x', '!<secret-1> x', '*']) {
    await assert.rejects(loadConnection({ kubeconfig: { inline: `users:\n  - token: ${value}\n` } }), (error) => {
      assert.match(String(error), /kubeconfig \(inline\): cannot parse YAML: [a-z ]+ in line \d$/);
      return !inspect(error, { depth: 9 }).includes('secret-1');
    });
  }
});

test('the error for invalid YAML contains the line number, but not the content, which may be secret', async () => {
  const inline = 'users:\n  - name: jane\n    user:\n      token: secret-1\n    }\n';
  await assert.rejects(loadConnection({ kubeconfig: { inline } }), (error) => {
    assert.match(String(error), /kubeconfig \(inline\): cannot parse YAML: .* in line 5$/);
    return !inspect(error, { depth: 9 }).includes('secret-1');
  });
});

test('[CW-28] uses the service account of the Pod if there is no kubeconfig, and rejects if there is no service account either', () =>
  inDirectory(async (directory) => {
    const env = { HOME: directory, KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const options = { env, serviceAccountDirectory: directory };
    await assert.rejects(loadConnection(options), (error) => (error as KubewrightError).code === 'NO_CLUSTER');
    for (const [name, text] of [
      ['token', 'pod-token\n'],
      ['ca.crt', PEM],
      ['namespace', 'operators\n'],
    ] as const) {
      await writeFile(join(directory, name), text);
    }
    const connection = await loadConnection(options);
    const { credentials, ...plain } = connection;
    assert.ok(credentials);
    assert.deepEqual(plain, {
      server: 'https://[fd00::1]:443',
      ca: PEM,
      caFile: join(directory, 'ca.crt'),
      namespace: 'operators',
    });
    assert.equal(await tokenOf(connection), 'pod-token');
  }));

test('reads a token once for concurrent requests, and rejects if the first read fails', async () => {
  let reads = 0;
  const source = new TokenSource(async () => {
    if (++reads === 1) throw new Error('not yet');
    return `token-${reads}`;
  }, new ManualClock());
  await assert.rejects(source.get(), /not yet/);
  assert.deepEqual(await Promise.all([source.get(), source.get()]), ['token-2', 'token-2']);
});

test('[CW-28] a given context overrides the current context, and a given kubeconfig and ~/.kube/config override the service account', () =>
  inDirectory(async (directory) => {
    const two = JSON.parse(kubeconfig({ user: { token: 'jane' } })) as Record<'contexts' | 'users', object[]>;
    two.users.push({ name: 'joe', user: { token: 'joe' } });
    two.contexts.push({ name: 'prod', context: { cluster: 'local', user: 'joe', namespace: 'prod' } });
    const inline = JSON.stringify(two);
    assert.equal((await loadConnection({ kubeconfig: { inline } })).token, 'jane');
    const { token, namespace } = await loadConnection({ kubeconfig: { inline }, context: 'prod' });
    assert.deepEqual([token, namespace], ['joe', 'prod']);

    const env = { HOME: directory, KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
    await writeFile(join(directory, 'token'), 'pod');
    const options = { env, serviceAccountDirectory: directory };
    assert.equal((await loadConnection(options)).server, 'https://10.0.0.1:443');
    await writeFile(join(directory, 'named'), inline);
    assert.equal((await loadConnection({ ...options, kubeconfig: join(directory, 'named') })).token, 'jane');
    await mkdir(join(directory, '.kube'));
    await writeFile(join(directory, '.kube/config'), kubeconfig({ user: { token: 'home' } }));
    assert.equal((await loadConnection(options)).token, 'home');
    await assert.rejects(
      loadConnection({ ...options, kubeconfig: join(directory, 'absent') }),
      invalid(/does not exist/),
    );
  }));
