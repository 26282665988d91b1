import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../test-support/manual-clock.js';
import { refusal } from '../test-support/object-table.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import type { RequestOptions } from '../transport/request/request-options.js';
import { LeaseCandidate } from './lease-candidate.js';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Candidate {
  readonly metadata?: object;
  readonly spec: Readonly<Record<string, string>>;
}

function setUp({ versions = ['v1', 'v1beta1'], clock = new ManualClock() } = {}) {
  const logger = new RecordingLogger();
  const requests: string[] = [];
  const server: { candidate: Candidate | undefined; fails: boolean } = { candidate: undefined, fails: false };
  const transport = {
    request: async <T>({ method, path, body }: RequestOptions): Promise<T> => {
      requests.push(`${method} ${path}`);
      if (server.fails) throw new Error('no network');
      if (path === '/apis/coordination.k8s.io') return { versions: versions.map((version) => ({ version })) } as T;
      if (method === 'POST' || method === 'PUT') server.candidate = body as Candidate;
      if (server.candidate === undefined) throw refusal(404, 'NotFound');
      const { candidate } = server;
      if (method === 'DELETE') server.candidate = undefined;
      return structuredClone(candidate) as T;
    },
  };
  const options = {
    name: 'us',
    namespace: 'apps',
    leaseName: 'leader',
    binaryVersion: '1.30.0',
    emulationVersion: '1.29.0',
    strategy: 'OldestEmulationVersion',
    pollMs: 2000,
  };
  const ending = new AbortController();
  const running = new LeaseCandidate(options, { transport, clock, logger }).run(ending.signal);
  const end = async (): Promise<void> => {
    ending.abort(new Error('stopped'));
    await running;
  };
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 1000) {
      clock.advance(1000);
      await settle();
    }
  };
  const writes = () => requests.filter((request) => !request.startsWith('GET'));
  return { clock, logger, requests, writes, server, end, pass };
}

test('[CG-164] creates a missing LeaseCandidate, with the name of the Lease and the versions of the program', async () => {
  const { server, requests, end } = setUp();
  await settle();
  assert.deepEqual(server.candidate, {
    apiVersion: 'coordination.k8s.io/v1beta1',
    kind: 'LeaseCandidate',
    metadata: { name: 'us', namespace: 'apps' },
    spec: {
      leaseName: 'leader',
      binaryVersion: '1.30.0',
      emulationVersion: '1.29.0',
      strategy: 'OldestEmulationVersion',
      renewTime: '2030-01-01T00:00:00.000000Z',
    },
  });
  assert.equal(requests.at(-1), 'POST /apis/coordination.k8s.io/v1beta1/namespaces/apps/leasecandidates');
  await end();
});

test('[CG-164] a candidate responds to a ping within the poll interval, even if its clock is behind the server clock', async () => {
  for (const pingTime of ['2030-01-01T00:00:01.000000Z', '2040-01-01T00:00:00.000000Z']) {
    const { server, writes, pass, end } = setUp();
    await settle();
    assert.ok(server.candidate);
    server.candidate = { ...server.candidate, spec: { ...server.candidate.spec, pingTime } };
    await pass(2000);
    const { renewTime = '' } = server.candidate.spec;
    assert.ok(renewTime >= pingTime);
    assert.equal(server.candidate.spec['pingTime'], pingTime);
    await pass(20_000);
    assert.equal(writes().length, 2, 'a request is answered once');
    await end();
  }
});

test('[CG-164] renews the LeaseCandidate every 5 min, and recreates it after a deletion', async () => {
  const { server, writes, pass, end } = setUp();
  await settle();
  await pass(299_000);
  assert.equal(writes().length, 1);
  await pass(3000);
  assert.equal(writes().length, 2);
  assert.equal(server.candidate?.spec['renewTime'], '2030-01-01T00:05:00.000000Z');
  server.candidate = undefined;
  await pass(2000);
  assert.ok(server.candidate);
  await end();
});

test('a candidate deletes its LeaseCandidate when it stops, and retries failed requests', async () => {
  const { server, writes, logger, pass, end } = setUp();
  server.fails = true;
  await settle();
  await pass(4000);
  assert.match(logger.lines[0]?.message ?? '', /cannot write the LeaseCandidate/);
  server.fails = false;
  await pass(2000);
  assert.ok(server.candidate);
  await end();
  assert.equal(server.candidate, undefined);
  assert.match(writes().at(-1) ?? '', /^DELETE .*\/leasecandidates\/us$/);
});

test('uses the older API version if the newer version is not served, and reports an error if neither is served', async () => {
  const older = setUp({ versions: ['v1', 'v1alpha2'] });
  await settle();
  assert.match(older.requests.at(-1) ?? '', /\/v1alpha2\//);
  await older.end();
  const none = setUp({ versions: ['v1'] });
  await settle();
  const { error } = none.logger.lines[0]?.fields ?? {};
  assert.equal((error as { code?: string } | undefined)?.code, 'COORDINATION_NOT_SUPPORTED');
  await none.end();
});
