import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import type { KubewrightError } from '@kubewright/api/errors';
import { type LeaderElectionOptions, resolveLeaderElection } from './leader-election-options.js';

const name = 'operator';
const namespace = 'apps';

test('in a Pod, requires only a name and defaults to the durations of client-go and an identity of host and UUID', () => {
  const { identity, ...rest } = resolveLeaderElection(name, { podNamespace: namespace });
  assert.deepEqual(rest, {
    name,
    namespace,
    leaseDurationMs: 15_000,
    renewDeadlineMs: 10_000,
    retryPeriodMs: 2000,
    healthToleranceMs: 20_000,
    releaseOnStop: true,
    labels: undefined,
    lock: undefined,
    coordinated: undefined,
  });
  assert.ok(identity.startsWith(`${hostname()}_`));
  assert.notEqual(identity, resolveLeaderElection(name, { podNamespace: namespace }).identity);
});

const refused: readonly (readonly [string, Partial<LeaderElectionOptions>, RegExp])[] = [
  ['a lease that is as long as the renew deadline', { duration: '10s' }, /make duration the longer one/],
  ['a renew deadline of 1.2 retry periods', { renewDeadline: '2400ms' }, /longer than 1.2 × retryPeriod/],
  ['no lease', { duration: '0s' }, /duration is '0s'/],
  ['a lease of half seconds', { duration: '15500ms' }, /whole seconds/],
  ['no renew deadline', { renewDeadline: '0s' }, /renewDeadline is '0s'/],
  ['no retry period', { retryPeriod: '0s' }, /retryPeriod is '0s'/],
  ['an empty identity', { identity: '' }, /identity is empty/],
  ['no name', { name: '' }, /name is not that of a Lease/],
  ['a namespace that is none', { namespace: 'My Apps' }, /namespace 'My Apps'/],
  ['a label that is none', { labels: { team: 'a b' } }, /label 'team=a b'/],
  [
    'an identity that cannot be the name of a candidate',
    { coordinated: { binaryVersion: '1.0.0' }, identity: 'a b' },
    /identity 'a b' cannot be the name/,
  ],
  ['a version that is none', { coordinated: { binaryVersion: 'v1' } }, /coordinated.binaryVersion is 'v1'/],
];
for (const [what, options, message] of refused) {
  test(`[CG-157] rejects ${what} before any request`, () => {
    assert.throws(
      () => resolveLeaderElection({ name, namespace, ...options }),
      (error: KubewrightError) => {
        assert.equal(error.code, 'INVALID_LEADER_ELECTION');
        assert.match(error.message, message);
        return true;
      },
    );
  });
}

test('[CG-157] requires a namespace outside of a Pod unless the lock is not a Lease', () => {
  assert.throws(() => resolveLeaderElection(name), { code: 'INVALID_LEADER_ELECTION', message: /not in a Pod/ });
  const lock = {
    name: 'elsewhere',
    get: () => Promise.resolve(undefined),
    create: () => Promise.resolve(),
    update: () => Promise.resolve(),
  };
  assert.equal(resolveLeaderElection({ name, lock }).lock, lock);
});
