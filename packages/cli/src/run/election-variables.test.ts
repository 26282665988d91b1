import assert from 'node:assert/strict';
import { it } from 'node:test';
import { electionVariables, isElecting, leaseOf } from './election-variables.js';

const settings = { namespace: 'foo-system' };
const election = { name: 'foo', lease: true, coordinated: false };

it('leaseOf returns the Lease in the configured namespace, or by default in the namespace of the project', () => {
  assert.deepEqual(leaseOf(election, settings), { name: 'foo', namespace: 'foo-system' });
  assert.deepEqual(leaseOf({ ...election, namespace: 'other' }, settings), { name: 'foo', namespace: 'other' });
  assert.equal(leaseOf({ ...election, lease: false }, settings), undefined);
  assert.equal(leaseOf(undefined, settings), undefined);
});

it('electionVariables returns the namespace of the Lease, and rejects a program without leader election', () => {
  assert.deepEqual(electionVariables(election, settings), {
    KUBEWRIGHT_LEADER_ELECT: 'true',
    KUBEWRIGHT_LEADER_ELECTION_NAMESPACE: 'foo-system',
  });
  assert.deepEqual(electionVariables({ ...election, lease: false }, settings), { KUBEWRIGHT_LEADER_ELECT: 'true' });
  assert.throws(() => electionVariables(undefined, settings), {
    code: 'INVALID_USAGE',
    message: /add leaderElection to/,
  });
});

it('isElecting evaluates the last --leader-elect flag, or otherwise the variable', () => {
  const env = { KUBEWRIGHT_LEADER_ELECT: 'true' };
  assert.deepEqual(
    [[], ['--leader-elect=false'], ['--leader-elect=false', '--leader-elect']].map((flags) => isElecting(env, flags)),
    [true, false, true],
  );
  assert.equal(isElecting({}, ['--leader-election-name=a']), false);
  assert.equal(isElecting({}, ['--leader-elect=true']), true);
});
