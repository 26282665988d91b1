import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzWebhooks } from './fuzz-webhooks.js';

const seed = 1;
const requests = 1000;

test(`the embedded server answers ${requests} requests without a defect although its webhooks return mutated replies`, async (t) => {
  const { defects, answers } = await fuzzWebhooks({ seed, requests, onLine: (line) => t.diagnostic(line) });
  assert.deepEqual(defects, []);
  const count = (status: number): number => answers.get(status) ?? 0;
  assert.ok(count(200) + count(201) > requests / 10, 'too few mutated replies are valid');
  assert.ok(count(500) > requests / 10, 'too few mutated replies are invalid');
});
