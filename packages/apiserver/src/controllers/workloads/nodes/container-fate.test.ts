import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { fateOf } from './container-fate.js';

const pod = (restartPolicy: string, commands: readonly string[], owner?: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'p',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...(owner === undefined ? {} : { ownerReferences: [{ apiVersion: 'batch/v1', kind: owner, name: 'o', uid: 'o' }] }),
  },
  spec: {
    restartPolicy,
    containers: commands.map((command, at) => ({ name: `c${at}`, image: 'busybox', command: ['sh', '-c', command] })),
  },
});

test('the restart policy and the commands of a Pod determine its result', () => {
  const table: readonly (readonly [string, readonly string[], string])[] = [
    ['Always', ['exit 0'], 'runs'],
    ['Never', ['exit 0'], 'succeeds'],
    ['OnFailure', ['/bin/true'], 'succeeds'],
    ['Never', ['exit 3'], 'fails'],
    ['Never', ['/bin/false'], 'fails'],
    ['OnFailure', ['exit 3'], 'runs'],
    ['Never', ['sleep 5'], 'runs'],
    ['Never', ['while true; do date; done'], 'runs'],
    ['Never', ['exit 0', 'sleep 5'], 'runs'],
    ['Never', ['exit 0', 'exit 1'], 'fails'],
    ['Never', ['echo hello'], 'runs'],
  ];
  for (const [policy, commands, kind] of table) {
    assert.equal(fateOf(pod(policy, commands)).kind, kind, `${policy} ${commands.join(' and ')}`);
  }
});

test('a Pod of a Job succeeds after an unknown command, and keeps running with sleep', () => {
  assert.equal(fateOf(pod('Never', ['echo hello'], 'Job')).kind, 'succeeds');
  assert.equal(fateOf(pod('Never', ['sleep 5'], 'Job')).kind, 'runs');
});

test('the result of a failed Pod contains the exit codes of its commands', () => {
  const fate = fateOf(pod('Never', ['exit 42', 'false']));
  assert.deepEqual(fate.kind === 'fails' && [...fate.exitCodes], [
    ['c0', 42],
    ['c1', 1],
  ]);
});
