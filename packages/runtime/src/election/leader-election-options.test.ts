import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import type { KubewrightError } from '@kubewright/api/errors';
import { type LeaderElectionOptions, resolveLeaderElection } from './leader-election-options.js';

const name = 'operator';
const namespace = 'apps';

test('in a Pod, only the name is required; durations have the defaults of client-go, and the identity starts with the host name', () => {
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
  ['a lease duration equal to the renew deadline', { duration: '10s' }, /make duration longer than renewDeadline/],
  ['a renew deadline of 1.2 retry periods', { renewDeadline: '2400ms' }, /longer than 1.2 × retryPeriod/],
  ['a lease duration of zero', { duration: '0s' }, /duration is '0s'/],
  ['a lease duration that is not a whole number of seconds', { duration: '15500ms' }, /a whole number of seconds/],
  ['a renew deadline of zero', { renewDeadline: '0s' }, /renewDeadline is '0s'/],
  ['a retry period of zero', { retryPeriod: '0s' }, /retryPeriod is '0s'/],
  ['an empty identity', { identity: '' }, /identity is empty/],
  ['an empty name', { name: '' }, /name is not a valid Lease name/],
  ['an invalid namespace', { namespace: 'My Apps' }, /namespace 'My Apps'/],
  ['an invalid label', { labels: { team: 'a b' } }, /label 'team=a b'/],
  [
    'an identity that is not a valid candidate name',
    { coordinated: { binaryVersion: '1.0.0' }, identity: 'a b' },
    /identity 'a b' is not a valid LeaseCandidate name/,
  ],
  ['an invalid version', { coordinated: { binaryVersion: 'v1' } }, /coordinated.binaryVersion is 'v1'/],
];
for (const [what, options, message] of refused) {
  test(`[CG-157] rejects ${what} before sending a request`, () => {
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

test('[CG-157] requires a namespace outside of a Pod, except for a custom lock', () => {
  assert.throws(() => resolveLeaderElection(name), {
    code: 'INVALID_LEADER_ELECTION',
    message: /does not run in a Pod/,
  });
  const lock = {
    name: 'elsewhere',
    get: () => Promise.resolve(undefined),
    create: () => Promise.resolve(),
    update: () => Promise.resolve(),
  };
  assert.equal(resolveLeaderElection({ name, lock }).lock, lock);
});
