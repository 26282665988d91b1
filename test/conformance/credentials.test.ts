import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ConfigMap, Namespace } from '@kubewright/api/core/v1';
import { ApiError, isConflict, isForbidden, isNotFound, KubewrightError } from '@kubewright/api/errors';
import {
  connect,
  type Connection,
  type ObservedEnd,
  retryOnConflict,
  type TransportObserver,
} from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';

interface SelfSubjectReview {
  readonly status: {
    readonly userInfo: {
      readonly username: string;
      readonly uid?: string;
      readonly groups: readonly string[];
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    };
  };
}

describe('credentials of a connection', () => {
  let env: TestEnvironment;
  let folder: string;
  const whoAmI = async (connection: Connection): Promise<SelfSubjectReview['status']['userInfo']> => {
    await using transport = new Transport(connection);
    const review = await transport.request<SelfSubjectReview>({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    });
    return review.status.userInfo;
  };
  const credentialOf = ({ token, clientCertificate }: Connection): object =>
    clientCertificate === undefined
      ? { token }
      : { clientCertificateData: clientCertificate.cert, clientKeyData: clientCertificate.key };

  before(async () => {
    env = await startEnvironment();
    folder = await mkdtemp(join(tmpdir(), 'kubewright-credentials-'));
  });
  after(async () => {
    await env[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  test('[CG-191] impersonation sends the user, the uid, the groups, and the extra fields', async () => {
    const impersonate = {
      user: 'jane',
      uid: '7',
      groups: ['painters', 'poets'],
      extra: { 'example.com/Scope Ä': ['read', 'write'] },
    };
    const user = await whoAmI({ ...env.connection, impersonate });
    assert.deepEqual([user.username, user.uid], ['jane', '7']);
    assert.deepEqual(user.groups, ['painters', 'poets', 'system:authenticated']);
    assert.deepEqual(user.extra, { 'example.com/scope ä': ['read', 'write'] });
    await using cluster = await connect({ connection: { ...env.connection, impersonate } });
    await assert.rejects(cluster.client.live.list(Namespace), isForbidden);
  });

  test('[CG-193, CG-188] an exec plugin of a kubeconfig provides credentials, and the client replaces a rejected token within the same request', async () => {
    const plugin = join(folder, 'plugin');
    const answer = (status: object): Promise<void> =>
      writeFile(
        `${plugin}.json`,
        JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status }),
      );
    await writeFile(plugin, '#!/bin/sh\ncat "$0.json"\n');
    await chmod(plugin, 0o700);
    await answer({ token: 'nobody-knows-this' });
    const file = join(folder, 'kubeconfig');
    const cluster = {
      server: env.connection.server,
      'certificate-authority-data': Buffer.from(env.connection.ca ?? '').toString('base64'),
    };
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './plugin', interactiveMode: 'Never' };
    await writeFile(
      file,
      JSON.stringify({
        'current-context': 'dev',
        clusters: [{ name: 'local', cluster }],
        users: [{ name: 'jane', user: { exec } }],
        contexts: [{ name: 'dev', context: { cluster: 'local', user: 'jane' } }],
      }),
    );
    await using connected = await connect({ kubeconfig: file });
    await assert.rejects(
      connected.client.live.list(Namespace),
      (error) => error instanceof ApiError && error.status === 401,
    );
    await answer(credentialOf(env.connection));
    assert.ok((await connected.client.live.list(Namespace)).length > 0);
    await assert.rejects(connect({ kubeconfig: file, execPolicy: 'deny-all' }), /policy/);
  });

  test('[CW-28] a client with an inline kubeconfig authenticates as the user of the kubeconfig', async () => {
    const file = join(folder, 'admin');
    await env.writeKubeconfig(file);
    await using cluster = await connect({ kubeconfig: { inline: await readFile(file, 'utf8') } });
    assert.ok((await cluster.client.live.list(Namespace)).length > 0);
  });
});

describe('requests to a server', () => {
  let env: TestEnvironment;
  const ended: ObservedEnd[] = [];
  const paths: string[] = [];
  const observer: TransportObserver = {
    request: ({ path }) => {
      paths.push(path);
      return { ended: (end) => void ended.push(end) };
    },
  };
  before(async () => {
    env = await startEnvironment();
  });
  after(() => env[Symbol.asyncDispose]());

  test('[CG-181] the client rejects names and namespaces that are empty or that would change the path, before it sends a request', async () => {
    await using cluster = await connect({ connection: env.connection, observers: [observer] });
    const { live } = cluster.client;
    paths.length = 0;
    for (const name of ['', '.', '..', 'a/b', 'a%2Fb'])
      await assert.rejects(live.get(ConfigMap, { namespace: 'default', name }), hasCode('INVALID_NAME'));
    for (const namespace of ['..', 'a/b'])
      await assert.rejects(live.get(ConfigMap, { namespace, name: 'a' }), hasCode('INVALID_NAME'));
    await assert.rejects(live.get(ConfigMap, { namespace: '', name: 'a' }), hasCode('NAMESPACE_REQUIRED'));
    const nameless = new ConfigMap({ metadata: { name: '', namespace: 'default' } });
    await assert.rejects(cluster.client.delete(nameless), hasCode('INVALID_NAME'));
    assert.deepEqual(paths, []);
  });

  test('[CG-169] an observer receives the status code, the size, and the duration of each request', async () => {
    await using cluster = await connect({ connection: env.connection, observers: [observer] });
    ended.length = 0;
    await cluster.client.live.get(Namespace, { name: 'default' });
    await assert.rejects(cluster.client.live.get(Namespace, { name: 'absent' }), isNotFound);
    assert.deepEqual(
      ended.map(({ code, retries }) => [code, retries]),
      [
        [200, 0],
        [404, 0],
      ],
    );
    assert.ok(ended.every(({ responseBytes, durationMs }) => responseBytes > 50 && durationMs >= 0));
  });

  test('[CG-202] retryOnConflict makes concurrent read-modify-write operations succeed', async () => {
    const { client } = env;
    const key = { namespace: 'default', name: 'counter' };
    await client.create(new ConfigMap({ metadata: key, data: { count: '0' } }));
    let conflicts = 0;
    let toRead = 8;
    let open: () => void = () => undefined;
    const allHaveRead = new Promise<void>((resolve) => {
      open = resolve;
    });
    const increment = (): Promise<unknown> =>
      retryOnConflict(
        async () => {
          const counter = await client.live.get(ConfigMap, key);
          if (--toRead === 0) open();
          await allHaveRead;
          const count = Number(counter.data?.['count'] ?? 0) + 1;
          return client.update({ ...counter, data: { count: String(count) } }).catch((error: unknown) => {
            if (isConflict(error)) conflicts++;
            throw error;
          });
        },
        { attempts: 50 },
      );
    await Promise.all(Array.from({ length: toRead }, increment));
    assert.equal((await client.live.get(ConfigMap, key)).data?.['count'], '8');
    assert.ok(conflicts >= 7);
    const stale = await client.live.get(ConfigMap, key);
    await client.update({ ...stale, data: { count: '9' } });
    await assert.rejects(
      retryOnConflict(() => client.update({ ...stale, data: { count: '0' } }), { attempts: 3 }),
      isConflict,
    );
  });
});

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof KubewrightError && error.code === code;
}
