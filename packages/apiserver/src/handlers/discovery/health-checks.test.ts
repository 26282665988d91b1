import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthAnswer } from './health-checks.js';

const bodyOf = (path: string, query = ''): unknown => {
  const answer = healthAnswer(path, new URLSearchParams(query));
  return answer?.kind === 'text' ? answer.text : answer;
};

test('a verbose response lists the executed and the excluded checks', () => {
  const lines = String(bodyOf('/livez', 'verbose')).split('\n');
  assert.deepEqual(lines.slice(0, 2), ['[+]ping ok', '[+]log ok']);
  assert.deepEqual(lines.slice(-2), ['livez check passed', '']);
  const excluding = String(bodyOf('/healthz', 'verbose=false&exclude=etcd&exclude=b&exclude=a'));
  assert.match(excluding, /^\[\+\]etcd excluded: ok$/m);
  assert.ok(
    excluding.endsWith('warn: some health checks cannot be excluded: no matches for "a","b"\nhealthz check passed\n'),
  );
});

test('an individual health check, and a health check without the parameter verbose, return ok', () => {
  assert.equal(bodyOf('/readyz/etcd', 'verbose'), 'ok');
  assert.equal(bodyOf('/readyz', 'exclude=etcd'), 'ok');
  assert.equal(bodyOf('/readyz/'), undefined);
});
