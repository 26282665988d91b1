import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { KubewrightError } from '@kubewright/api/errors';
import { selfSignedCertificate } from '../../serving/self-signed-certificate.js';
import { ForwardProxy } from '../../test-support/forward-proxy.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { type Exchange, ScriptedServer } from '../../test-support/scripted-server.js';
import { loadConnection } from '../kubeconfig/load-connection.js';
import { OidcCredentials, type OidcCredentialsOptions, type OidcTokens } from './oidc-credentials.js';

const pair = selfSignedCertificate(['127.0.0.1', 'issuer.test']);

/** A token issuer on HTTPS. As strict issuers do, it accepts each refresh token only once. */
class Issuer implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly posts: Exchange[] = [];
  readonly server: ScriptedServer;
  refreshToken = 'refresh-0';
  methods: readonly string[] | undefined;
  /** The URL that precedes the path of the token endpoint in the metadata of the issuer. */
  url: string;
  /** The response to return instead of tokens. */
  answer: { readonly code: number; readonly body: object | string } | undefined;
  #given = 0;

  private constructor(server: ScriptedServer) {
    this.server = server;
    this.url = server.url;
    void this.#serve();
  }
  static async start(): Promise<Issuer> {
    return new Issuer(await ScriptedServer.start((listener: RequestListener) => createServer(pair, listener), 'https'));
  }
  /** Returns a JWT that is valid for the given number of seconds. The signature is not valid. */
  token(seconds: number, more: object = {}): string {
    const claims = { exp: Math.floor(this.clock.now().getTime() / 1000) + seconds, n: this.#given++, ...more };
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'none' })}.${part(claims)}.c2ln`;
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.server.close();
  }
  async #serve(): Promise<void> {
    for (;;) {
      const exchange = await this.server.next();
      if (exchange.path === '/.well-known/openid-configuration') {
        const token_endpoint = `${this.url}/token`;
        exchange.json(200, {
          token_endpoint,
          ...(this.methods && { token_endpoint_auth_methods_supported: this.methods }),
        });
        continue;
      }
      this.posts.push(exchange);
      const form = new URLSearchParams(exchange.body);
      if (this.answer !== undefined) exchange.text(this.answer.code, textOf(this.answer.body));
      else if (form.get('grant_type') !== 'refresh_token' || form.get('refresh_token') !== this.refreshToken)
        exchange.json(400, { error: 'invalid_grant', error_description: 'the refresh token was used' });
      else {
        this.refreshToken = `refresh-${this.posts.length}`;
        exchange.json(200, { id_token: this.token(3600), access_token: 'other', refresh_token: this.refreshToken });
      }
    }
  }
}

function textOf(body: object | string): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

interface Made {
  readonly source: OidcCredentials;
  readonly kept: OidcTokens[];
}
function made(issuer: Issuer, more: Partial<OidcCredentialsOptions> = {}): Made {
  const kept: OidcTokens[] = [];
  const source = new OidcCredentials({
    issuer: issuer.url,
    clientId: 'kubewright',
    clientSecret: undefined,
    idToken: undefined,
    refreshToken: 'refresh-0',
    ca: pair.cert,
    clock: issuer.clock,
    env: {},
    keep: async (tokens) => void kept.push(tokens),
    ...more,
  });
  return { source, kept };
}
const failing = (text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof KubewrightError, String(error));
  assert.equal(error.code, 'OIDC_FAILED');
  assert.match(error.message, text);
  return true;
};

test('[CG-197] uses a token until 10 s before it expires, and then requests a new token once for concurrent requests', async () => {
  await using issuer = await Issuer.start();
  const idToken = issuer.token(60);
  const { source, kept } = made(issuer, { idToken });
  issuer.clock.advance(49_999);
  assert.equal((await source.get()).token, idToken);
  assert.equal(issuer.server.requests, 0);
  issuer.clock.advance(1);
  const [first, same] = await Promise.all([source.get(), source.get()]);
  assert.equal(first, same);
  assert.notEqual(first?.token, idToken);
  assert.equal(issuer.posts.length, 1);
  assert.deepEqual(kept, [{ idToken: first?.token, refreshToken: 'refresh-1' }]);
  issuer.clock.advance(3_589_000);
  assert.equal(await source.get(), first, 'the token is cached while it is valid');
  issuer.clock.advance(1_000);
  await source.get();
  assert.equal(issuer.posts.length, 2, 'the refresh token of the first renewal was used');
});

test('[CG-197] renews a token that the server has rejected, although the token has not expired', async () => {
  await using issuer = await Issuer.start();
  const { source } = made(issuer, { idToken: issuer.token(3600) });
  const first = await source.get();
  source.refused(first);
  const second = await source.get();
  assert.notEqual(second.token, first.token);
  source.refused(first);
  assert.equal(await source.get(), second, 'the rejected token was already replaced');
});

const METHODS: readonly (readonly [
  what: string,
  secret: string | undefined,
  methods: readonly string[] | undefined,
])[] = [
  ['without a secret', undefined, undefined],
  ['with a secret in a header', 's:1', undefined],
  ['with a secret in the form', 's:1', ['client_secret_post']],
];
for (const [what, clientSecret, methods] of METHODS) {
  test(`[CG-197] authenticates to the issuer with a method that the issuer supports: ${what}`, async () => {
    await using issuer = await Issuer.start();
    issuer.methods = methods;
    await made(issuer, { clientSecret }).source.get();
    const [post] = issuer.posts;
    const form = Object.fromEntries(new URLSearchParams(post?.body));
    const basic = clientSecret !== undefined && methods === undefined;
    const expected = Buffer.from('kubewright:s%3A1').toString('base64');
    assert.equal(post?.headers.authorization, basic ? `Basic ${expected}` : undefined);
    assert.equal(form['client_id'], basic ? undefined : 'kubewright');
    assert.equal(form['client_secret'], methods === undefined ? undefined : clientSecret);
  });
}

test('[CG-192, CG-197] an error contains the issuer and the fix, but never a token', async () => {
  await using issuer = await Issuer.start();
  const expired = issuer.token(-1);
  await assert.rejects(
    made(issuer, { idToken: expired, refreshToken: undefined }).source.get(),
    failing(/127\.0\.0\.1:\d+: the id-token is missing or has expired, and refresh-token is not set: log in again/),
  );
  for (const idToken of ['a.b', 'a.e30.c', 'a.!.c'])
    await assert.rejects(made(issuer, { idToken }).source.get(), failing(/not a JWT with an expiry/));
  await assert.rejects(
    made(issuer, { refreshToken: 'used-secret' }).source.get(),
    (error) =>
      failing(/HTTP 400: invalid_grant: the refresh token was used/)(error) && !String(error).includes('used-secret'),
  );
  issuer.answer = { code: 200, body: { access_token: 'other-secret' } };
  await assert.rejects(
    made(issuer).source.get(),
    (error) => failing(/no id_token: .*'openid'/)(error) && !String(error).includes('other-secret'),
  );
  await assert.rejects(made(issuer, { ca: undefined }).source.get(), failing(/cannot request https:/));
  const { source } = made(issuer);
  await assert.rejects(source.get());
  issuer.answer = undefined;
  assert.ok((await source.get()).token, 'a failure is not cached');
});

const TOKEN = 'issued-secret';
const long = 'x'.repeat(300);
const REFUSALS: readonly (readonly [what: string, code: number, body: object | string, text: RegExp])[] = [
  [
    'a long JSON error with tokens',
    400,
    { error: 'invalid_grant', refresh_token: TOKEN, trace: long },
    /token: HTTP 400: invalid_grant$/,
  ],
  [
    'a long description',
    400,
    { error: 'invalid_grant', error_description: long },
    /: invalid_grant: x{185}… \(115 more bytes\)$/,
  ],
  [
    'a description with the refresh token of the request',
    400,
    { error: 'invalid_grant', error_description: 'unknown token used-secret, or "used-secret"' },
    /: invalid_grant: unknown token \*\*\*, or "\*\*\*"$/,
  ],
  [
    'a form with tokens',
    400,
    `error=invalid_grant&refresh_token=${TOKEN}`,
    /: error=invalid_grant&refresh_token=\*\*\*$/,
  ],
  ['a text with the secret of the client', 500, 'no client has the-client-secret', /: no client has \*\*\*$/],
  ['a text with the token at the limit', 500, `${'a '.repeat(95)}id_token=${TOKEN}`, /: [a ]+id_token=\*/],
  ['incomplete JSON', 502, `{"refresh_token":"${TOKEN}"`, /HTTP 502: JSON of 32 bytes \(not shown\)$/],
  ['JSON without an error', 400, { token: TOKEN }, /HTTP 400: JSON of 25 bytes \(not shown\)$/],
  ['null', 400, 'null', /HTTP 400: null$/],
  ['a successful response that is not JSON', 200, TOKEN, /the response is not a JSON object$/],
  ['a successful response that contains null', 200, 'null', /the response is not a JSON object$/],
  ['a response above the size limit', 400, JSON.stringify({ error: TOKEN, trace: 'x'.repeat(2 ** 20) }), /size/],
];
for (const [what, code, body, text] of REFUSALS) {
  test(`[CG-192, CG-197] the error for a response of the issuer contains no token: ${what}`, async () => {
    await using issuer = await Issuer.start();
    issuer.answer = { code, body };
    const { source } = made(issuer, { refreshToken: 'used-secret', clientSecret: 'the-client-secret' });
    await assert.rejects(source.get(), (error) => {
      assert.doesNotMatch(inspect(error, { depth: 10 }), /issued|used-secret|the-client-secret/);
      return failing(text)(error);
    });
  });
}

test('requests tokens through the proxy in HTTPS_PROXY, except for a host in NO_PROXY', async () => {
  await using issuer = await Issuer.start();
  await using proxy = await ForwardProxy.start({ scheme: 'http', to: issuer.server.port });
  issuer.url = 'https://issuer.test';
  const env = { HTTPS_PROXY: proxy.url };
  assert.ok((await made(issuer, { env }).source.get()).token);
  assert.deepEqual([...new Set(proxy.requested)], ['CONNECT issuer.test:443']);
  proxy.refusal = 403;
  await assert.rejects(
    made(issuer, { env }).source.get(),
    failing(/cannot request \S+: proxy \S+ did not open a tunnel/),
  );
  await assert.rejects(
    made(issuer, { env: { HTTPS_PROXY: 'ftp://x' } }).source.get(),
    failing(/HTTPS_PROXY is not a proxy URL/),
  );
  const requested = proxy.requested.length;
  await assert.rejects(made(issuer, { env: { ...env, NO_PROXY: '.test' } }).source.get());
  assert.equal(proxy.requested.length, requested);
});

interface Written {
  readonly users: readonly {
    readonly user: { readonly 'auth-provider': { readonly config: Readonly<Record<string, string>> } };
  }[];
}

test('[CG-197] writes renewed tokens to the kubeconfig without changing its file mode, and logs a failed write', async () => {
  await using issuer = await Issuer.start();
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-oidc-'));
  try {
    const file = join(folder, 'config');
    await writeFile(join(folder, 'issuer.crt'), pair.cert);
    const config = {
      'idp-issuer-url': issuer.server.url,
      'client-id': 'kubewright',
      'refresh-token': 'refresh-0',
      'idp-certificate-authority': 'issuer.crt',
      'extra-scopes': 'groups',
    };
    const kubeconfig = {
      'current-context': 'dev',
      clusters: [{ name: 'local', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'jane', user: { 'auth-provider': { name: 'oidc', config } } }],
      contexts: [{ name: 'dev', context: { cluster: 'local', user: 'jane' } }],
    };
    await writeFile(file, JSON.stringify(kubeconfig), { mode: 0o600 });
    const logger = new RecordingLogger();
    const { clock } = issuer;
    const connection = await loadConnection({ kubeconfig: file, clock, logger });
    const token = (await connection.credentials?.get())?.token;
    const { loadYaml } = await import('@kubernetes/client-node');
    const written = loadYaml<Written>(await readFile(file, 'utf8'));
    assert.deepEqual(written.users[0]?.user['auth-provider'].config, {
      ...config,
      'id-token': token,
      'refresh-token': 'refresh-1',
    });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const again = await loadConnection({ kubeconfig: file, clock });
    assert.equal((await again.credentials?.get())?.token, token);
    assert.equal(issuer.posts.length, 1, 'the next program needs no renewal');

    await writeFile(file, `users:\n  - token: other-secret\n    }\n`);
    clock.advance(3_600_000);
    await connection.credentials?.get();
    assert.match(inspect(logger.lines[0]), /cannot write the renewed tokens[^]*cannot parse YAML: .* in line 3'/);
    assert.doesNotMatch(
      inspect(logger.lines[0]),
      /other-secret/,
      'the log does not contain the lines of the kubeconfig',
    );

    await rm(file);
    clock.advance(3_600_000);
    await connection.credentials?.get();
    assert.match(logger.lines[1]?.message ?? '', /cannot write the renewed tokens/);
    await chmod(folder, 0o700);

    for (const missing of ['idp-issuer-url', 'client-id']) {
      const broken = structuredClone(kubeconfig);
      Reflect.deleteProperty(broken.users[0]?.user['auth-provider'].config ?? {}, missing);
      await assert.rejects(loadConnection({ kubeconfig: { inline: JSON.stringify(broken) }, clock }), (error) =>
        String(error).includes(`field 'auth-provider' has no '${missing}'`),
      );
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
