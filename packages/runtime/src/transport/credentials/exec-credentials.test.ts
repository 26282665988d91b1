import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttps } from 'node:https';
import { createSecureServer } from 'node:http2';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { selfSignedCertificate } from '../../serving/self-signed-certificate.js';
import { CredentialPlugin } from '../../test-support/credential-plugin.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import type { ExecConfig } from './exec-config.js';
import { ExecCredentials, type ExecCredentialsOptions } from './exec-credentials.js';
import type { ExecPolicy } from './exec-policy.js';
import { loadConnection } from '../kubeconfig/load-connection.js';
import type { PluginRun } from '../request/transport-observer.js';
import { Transport } from '../sending/transport.js';

const V1 = 'client.authentication.k8s.io/v1';
const V1BETA1 = 'client.authentication.k8s.io/v1beta1';
const pairs = [selfSignedCertificate(['127.0.0.1']), selfSignedCertificate(['127.0.0.1'])] as const;
const dataOf = ({ cert, key }: { readonly cert: string; readonly key: string }) => ({
  clientCertificateData: cert,
  clientKeyData: key,
});

interface Made {
  readonly source: ExecCredentials;
  readonly clock: ManualClock;
  readonly reported: PluginRun[];
}
function made(config: ExecConfig, more: Partial<ExecCredentialsOptions> = {}): Made {
  const clock = new ManualClock();
  const reported: PluginRun[] = [];
  const source = new ExecCredentials({
    config: { apiVersion: V1, ...config },
    cluster: { server: 'https://cluster.example.com', config: { audience: 'us' } },
    policy: 'allow-all',
    clock,
    env: { PATH: process.env['PATH'] },
    observers: [{ pluginRan: (run) => void reported.push(run) }],
    terminal: false,
    ...more,
  });
  return { source, clock, reported };
}
const failing = (text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof KubewrightError, String(error));
  assert.equal(error.code, 'CREDENTIAL_PLUGIN_FAILED');
  assert.match(error.message, text);
  return true;
};
const at = (clock: ManualClock, ms: number): string => new Date(clock.now().getTime() + ms).toISOString();

test('[CG-193] runs a plugin once for concurrent requests, and again 10 s before the token expires', async () => {
  await using plugin = await CredentialPlugin.start();
  const { source, clock, reported } = made({ command: plugin.command });
  const expirationTimestamp = at(clock, 60_000);
  await plugin.gives({ token: 'one', expirationTimestamp });
  const [first, same] = await Promise.all([source.get(), source.get()]);
  assert.equal(first, same);
  assert.equal(first?.token, 'one');
  clock.advance(49_999);
  assert.equal(await source.get(), first);
  await plugin.gives({ token: 'two' });
  clock.advance(1);
  assert.equal((await source.get()).token, 'two');
  clock.advance(1_000_000_000);
  assert.equal(
    (await source.get()).token,
    'two',
    'without an expiry the credential is valid until the server rejects it',
  );
  assert.equal((await plugin.runs()).length, 2);
  assert.deepEqual(
    reported.map(({ outcome, expiresAt }) => [outcome, expiresAt?.toISOString()]),
    [
      ['success', expirationTimestamp],
      ['success', undefined],
    ],
  );
});

test('[CG-193] keeps a valid credential if the renewal fails, and reports the error when the credential has expired', async () => {
  await using plugin = await CredentialPlugin.start();
  const { source, clock, reported } = made({ command: plugin.command });
  await plugin.gives({ token: 'one', expirationTimestamp: at(clock, 60_000) });
  await source.get();
  await plugin.endsWith(3);
  clock.advance(55_000);
  assert.equal((await source.get()).token, 'one');
  clock.advance(5_000);
  await assert.rejects(source.get(), failing(/exited with code 3/));
  assert.deepEqual(reported.at(-1)?.exitCode, 3);
});

test('[CG-193] waits for at most 1 s for child processes that keep the output of a plugin open', async () => {
  await using plugin = await CredentialPlugin.start();
  await plugin.gives({ token: 'one' });
  const left = join(plugin.folder, 'left');
  await writeFile(plugin.command, '#!/bin/sh\ncd "${0%/*}"\nsleep 1000 &\necho $! > left\ncat answer\n');
  const { source, clock } = made({ command: plugin.command });
  const got = source.get();
  await clock.scheduled(1000);
  clock.advance(1000);
  assert.equal((await got).token, 'one');
  process.kill(Number(await readFile(left, 'utf8')));
  assert.deepEqual(clock.pendingMs, []);
});

test('[CG-193] stops a non-interactive plugin after 1 min, even if the plugin ignores SIGTERM', async () => {
  await using plugin = await CredentialPlugin.start();
  await writeFile(plugin.command, "#!/bin/sh\ntrap '' TERM\nexec sleep 1000\n");
  const { source, clock, reported } = made({ command: plugin.command });
  const rejected = assert.rejects(source.get(), failing(/did not exit within 60 s: run it by hand/));
  await clock.scheduled(60_000);
  clock.advance(60_000);
  await rejected;
  assert.equal(reported.at(-1)?.outcome, 'failed');
  clock.advance(5_000);
  assert.deepEqual(clock.pendingMs, []);
});

for (const apiVersion of [V1, V1BETA1]) {
  test(`[CG-193] ${apiVersion}: passes arguments, variables and, if provideClusterInfo is set, the cluster to a plugin`, async () => {
    await using plugin = await CredentialPlugin.start();
    await plugin.gives({ token: 'one' }, apiVersion);
    const config = {
      apiVersion,
      command: plugin.command,
      args: ['get', 'a token'],
      env: [{ name: 'FLAVOUR', value: 'sour' }],
      provideClusterInfo: true,
    };
    const env = { HOME: '/home/me', PATH: process.env['PATH'], FLAVOUR: 'sweet' };
    await made(config, { env }).source.get();
    await made({ ...config, provideClusterInfo: false }, { env }).source.get();
    const [reported, unreported] = await plugin.runs();
    assert.deepEqual(reported, {
      args: ['get', 'a token'],
      flavour: 'sour',
      home: '/home/me',
      info: {
        kind: 'ExecCredential',
        apiVersion,
        spec: { interactive: false, cluster: { server: 'https://cluster.example.com', config: { audience: 'us' } } },
      },
    });
    assert.deepEqual(unreported?.info.spec, { interactive: false });
  });
}

const NONSENSE: readonly (readonly [what: string, text: string, problem: RegExp])[] = [
  ['a text that is not JSON', 'token: secret-1', /not a JSON object$/],
  ['another kind', JSON.stringify({ apiVersion: V1, kind: 'Secret', status: { token: 'secret-1' } }), /kind 'Secret'/],
  [
    'another version',
    JSON.stringify({ apiVersion: V1BETA1, kind: 'ExecCredential', status: {} }),
    /the output has apiVersion .*v1beta1', but the kubeconfig has .*v1':/,
  ],
  ['no status', JSON.stringify({ apiVersion: V1, kind: 'ExecCredential' }), /no 'status'/],
  ['an empty status', JSON.stringify({ apiVersion: V1, kind: 'ExecCredential', status: {} }), /neither a token nor/],
  [
    'a key without a certificate',
    JSON.stringify({ apiVersion: V1, kind: 'ExecCredential', status: { clientKeyData: 'secret-1' } }),
    /key without its certificate/,
  ],
  [
    'an invalid certificate',
    JSON.stringify({
      apiVersion: V1,
      kind: 'ExecCredential',
      status: { clientKeyData: 'secret-1', clientCertificateData: 'x' },
    }),
    /cannot be read/,
  ],
  [
    'a key that does not match',
    JSON.stringify({
      apiVersion: V1,
      kind: 'ExecCredential',
      status: dataOf({ cert: pairs[0].cert, key: pairs[1].key }),
    }),
    /do not match/,
  ],
  [
    'an invalid time',
    JSON.stringify({
      apiVersion: V1,
      kind: 'ExecCredential',
      status: { token: 'secret-1', expirationTimestamp: 'soon' },
    }),
    /is not a valid time/,
  ],
];
for (const [what, text, problem] of NONSENSE) {
  test(`[CG-192, CG-193] rejects invalid output of a plugin with an error that does not contain the output: ${what}`, async () => {
    await using plugin = await CredentialPlugin.start();
    await plugin.writes(text);
    const { source, reported } = made({ command: plugin.command });
    await assert.rejects(source.get(), (error) => failing(problem)(error) && !String(error).includes('secret-1'));
    assert.equal(reported[0]?.outcome, 'unreadable');
  });
}

test('[CG-193] the error for a missing plugin contains the fix and the install hint', async () => {
  const { source, reported } = made({ command: 'kubewright-no-such-plugin', installHint: 'Get it at the counter.' });
  await assert.rejects(source.get(), failing(/'kubewright-no-such-plugin': it was not found .*PATH.*counter\.$/));
  await assert.rejects(made({ command: '/nonexistent/plugin' }).source.get(), failing(/not found/));
  assert.equal(reported[0]?.outcome, 'not-found');
});

test('[CG-193] skips a directory in PATH that has the name of the plugin', async () => {
  await using plugin = await CredentialPlugin.start();
  await using other = await CredentialPlugin.start();
  await plugin.gives({ token: 'one' });
  await rm(other.command);
  await mkdir(other.command);
  const env = { PATH: `${other.folder}:${plugin.folder}:/usr/bin` };
  const { source } = made({ command: 'plugin' }, { env, policy: { allow: ['plugin'] } });
  assert.equal((await source.get()).token, 'one');
  const { source: directory, reported } = made({ command: other.command }, { env });
  await assert.rejects(directory.get(), failing(/was not found or is not executable/));
  assert.equal(reported[0]?.outcome, 'not-found');
});

for (const [what, config] of [
  ['an argument', { args: ['--token=secret-1\0'] }],
  ['a variable', { env: [{ name: 'PASSWORD', value: 'secret-1\0' }] }],
] as const) {
  test(`[CG-192] the error for a plugin that cannot be started does not contain the configuration of the plugin: ${what}`, async () => {
    await using plugin = await CredentialPlugin.start();
    const { source, reported } = made({ command: plugin.command, ...config });
    await assert.rejects(source.get(), (error) => {
      assert.doesNotMatch(inspect(error, { depth: 10 }), /secret-1/);
      return failing(/it cannot be started \(ERR_INVALID_ARG_VALUE\): check 'command', 'args' and 'env'/)(error);
    });
    assert.equal(reported[0]?.outcome, 'failed');
  });
}

test('[CG-193] without a terminal, a plugin that requires interaction fails, and a plugin with optional interaction runs', async () => {
  await using plugin = await CredentialPlugin.start();
  await plugin.gives({ token: 'one' });
  const { command } = plugin;
  await assert.rejects(
    made({ command, interactiveMode: 'Always' }).source.get(),
    failing(/standard input is not a terminal/),
  );
  await made({ command, interactiveMode: 'IfAvailable' }).source.get();
  await made({ command, interactiveMode: 'Never' }, { terminal: true }).source.get();
  await made({ command, interactiveMode: 'Always' }, { terminal: true }).source.get();
  assert.deepEqual(
    (await plugin.runs()).map(({ info }) => info.spec['interactive']),
    [false, false, true],
  );
});

test('[CG-196] a policy allows all plugins, no plugins, or plugins by name or path', async () => {
  await using plugin = await CredentialPlugin.start();
  await using other = await CredentialPlugin.start();
  await plugin.gives({ token: 'one' });
  const env = { PATH: `${plugin.folder}:/usr/bin` };
  const tries: readonly (readonly [ExecPolicy, string, boolean])[] = [
    ['allow-all', plugin.command, true],
    ['deny-all', plugin.command, false],
    [{ allow: [plugin.command] }, plugin.command, true],
    [{ allow: [plugin.command] }, 'plugin', true],
    [{ allow: ['plugin'] }, plugin.command, true],
    [{ allow: ['plugin'] }, join(plugin.folder, '.', 'plugin'), true],
    [{ allow: ['plugin'] }, other.command, false],
    [{ allow: ['other', join(plugin.folder, 'other')] }, plugin.command, false],
  ];
  for (const [policy, command, allowed] of tries) {
    const { source, reported } = made({ command }, { policy, env });
    if (allowed) assert.equal((await source.get()).token, 'one');
    else await assert.rejects(source.get(), failing(/policy/));
    assert.equal(reported[0]?.outcome, allowed ? 'success' : 'refused-by-policy');
  }
  assert.equal((await other.runs()).length, 0);
  for (const execPolicy of ['some', { allow: [] }, { allow: [''] }] as never[]) {
    await assert.rejects(
      loadConnection({ execPolicy }),
      (error) => (error as KubewrightError).code === 'INVALID_OPTION',
    );
  }
});

function kubeconfig(server: string, user: object): string {
  return JSON.stringify({
    'current-context': 'dev',
    clusters: [
      {
        name: 'local',
        cluster: {
          server,
          'proxy-url': 'http://jane:secret@proxy.test:3128',
          'certificate-authority-data': Buffer.from(pairs[0].cert).toString('base64'),
          extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'them' } }],
        },
      },
    ],
    users: [{ name: 'jane', user }],
    contexts: [{ name: 'dev', context: { cluster: 'local', user: 'jane' } }],
  });
}

test('[CG-193] passes the cluster of the kubeconfig to the plugin, and rejects an invalid field exec', async () => {
  await using plugin = await CredentialPlugin.start();
  await plugin.gives({ token: 'one' });
  const exec = { apiVersion: V1, command: plugin.command, provideClusterInfo: true };
  const connection = await loadConnection({ kubeconfig: { inline: kubeconfig('https://127.0.0.1:1', { exec }) } });
  assert.equal((await connection.credentials?.get())?.token, 'one');
  const [run] = await plugin.runs();
  assert.deepEqual(run?.info.spec['cluster'], {
    server: 'https://127.0.0.1:1',
    'proxy-url': 'http://jane:secret@proxy.test:3128',
    'certificate-authority-data': Buffer.from(pairs[0].cert).toString('base64'),
    config: { audience: 'them' },
  });
  for (const [wrong, problem] of [
    [{ ...exec, apiVersion: 'client.authentication.k8s.io/v1alpha1' }, /apiVersion .*v1alpha1/],
    [{ apiVersion: V1 }, /no 'command'/],
    [{ ...exec, interactiveMode: 'Maybe' }, /interactiveMode 'Maybe'/],
  ] as const) {
    await assert.rejects(
      loadConnection({ kubeconfig: { inline: kubeconfig('https://127.0.0.1:1', { exec: wrong }) } }),
      (error) => (error as KubewrightError).code === 'INVALID_KUBECONFIG' && problem.test(String(error)),
    );
  }
  const denied = {
    kubeconfig: { inline: kubeconfig('https://127.0.0.1:1', { exec }) },
    execPolicy: 'deny-all' as const,
  };
  await assert.rejects(loadConnection(denied), /context 'dev': field 'exec' provided no credentials: .*policy/);
});

test('[CG-194] a token, password or certificate in the kubeconfig and a header of the request take precedence over the plugin', async () => {
  await using plugin = await CredentialPlugin.start();
  await plugin.gives({ token: 'of the plugin' });
  const exec = { apiVersion: V1, command: plugin.command };
  const certificate = {
    'client-certificate-data': Buffer.from(pairs[0].cert).toString('base64'),
    'client-key-data': Buffer.from(pairs[0].key).toString('base64'),
  };
  for (const own of [{ token: 'mine' }, { username: 'me', password: 'secret' }, certificate]) {
    await loadConnection({ kubeconfig: { inline: kubeconfig('https://127.0.0.1:1', { exec, ...own }) } });
  }
  await using server = await ScriptedServer.start();
  const { source: credentials } = made({ command: plugin.command });
  await using transport = new Transport({ server: server.url, credentials });
  const answered = transport.request({ method: 'GET', path: '/', headers: { Authorization: 'Bearer mine' } });
  const exchange = await server.next();
  assert.equal(exchange.headers.authorization, 'Bearer mine');
  exchange.json(200, {});
  await answered;
  assert.deepEqual(await plugin.runs(), []);
});

test('[CG-188, CG-193] runs the plugin again after a 401, and retries the request once with the new credential', async () => {
  await using plugin = await CredentialPlugin.start();
  await using server = await ScriptedServer.start();
  await plugin.gives({ token: 'old' });
  const { source: credentials } = made({ command: plugin.command });
  await using transport = new Transport({ server: server.url, credentials });
  const answered = transport.request({ method: 'POST', path: '/', body: { a: 1 } });
  const refused = await server.next();
  assert.equal(refused.headers.authorization, 'Bearer old');
  await plugin.gives({ token: 'new' });
  refused.status(401, 'Unauthorized');
  const again = await server.next();
  assert.deepEqual([again.headers.authorization, again.body], ['Bearer new', '{"a":1}']);
  again.json(201, { ok: true });
  assert.deepEqual(await answered, { ok: true });

  const refusedTwice = assert.rejects(
    transport.request({ method: 'GET', path: '/' }),
    (error) => error instanceof ApiError && error.status === 401,
  );
  (await server.next()).status(401, 'Unauthorized');
  (await server.next()).status(401, 'Unauthorized');
  await refusedTwice;
  assert.equal(server.unconsumed, 0, 'the plugin does not run repeatedly');
  assert.equal((await plugin.runs()).length, 3);
});

const servers: Readonly<Record<string, (listener: never) => Server>> = {
  'HTTP/1.1': (listener) => createHttps({ ...pairs[0], requestCert: true, rejectUnauthorized: false }, listener),
  'HTTP/2': (listener) =>
    createSecureServer(
      { ...pairs[0], requestCert: true, rejectUnauthorized: false, allowHTTP1: true },
      listener,
    ) as unknown as Server,
};
for (const [name, make] of Object.entries(servers)) {
  test(`[CG-195] over ${name}: a new certificate of the plugin is used by new connections and ends streams on old connections`, async () => {
    await using plugin = await CredentialPlugin.start();
    const shown: (string | undefined)[] = [];
    const noting = (listener: never): Server =>
      make(listener).on('secureConnection', (socket: TLSSocket) => {
        shown.push(socket.getPeerX509Certificate()?.fingerprint256);
      });
    await using server = await ScriptedServer.start(noting as never, 'https');
    const { source: credentials, clock } = made({ command: plugin.command });
    await plugin.gives({ ...dataOf(pairs[0]), expirationTimestamp: at(clock, 60_000) });
    await using transport = new Transport({ server: server.url, ca: pairs[0].cert, credentials });
    const opening = transport.stream({ path: '/watch' });
    (await server.next()).send('x');
    const bytes = (await opening)[Symbol.asyncIterator]();
    await bytes.next();
    const request = async (): Promise<void> => {
      const answered = transport.request({ method: 'GET', path: '/' });
      (await server.next()).json(200, {});
      await answered;
    };
    await request();
    await request();
    assert.equal(new Set(shown).size, 1);
    await plugin.gives(dataOf(pairs[1]));
    clock.advance(50_000);
    const ended = assert.rejects(bytes.next());
    await request();
    await ended;
    assert.equal(new Set(shown).size, 2);
    await request();
    assert.equal(new Set(shown).size, 2);
  });
}
