import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCorpus } from './corpus.js';
import { fuzzApiServer } from './fuzz-api-server.js';
import { mutatedRequest } from './mutate-request.js';
import { Random } from './random.js';

const seed = 1;
const requests = 20_000;

test('mutatedRequest derives the same requests from the same seed', () => {
  const corpus = readCorpus();
  const some = (from: number) => Array.from({ length: 200 }, (_, at) => mutatedRequest(corpus, Random.of(from, at)));
  assert.deepEqual(some(1), some(1));
  assert.notDeepEqual(some(1), some(2));
});

test(`the embedded server answers ${requests} mutated requests of seed ${seed} without a defect`, async (t) => {
  const progress: string[] = [];
  const report = await fuzzApiServer({
    seed,
    requests,
    onLine: (line) => t.diagnostic(line),
    onProgress: (line) => void progress.push(line),
  });
  assert.deepEqual(report.defects, []);
  const successes = [200, 201].reduce((sum, status) => sum + (report.answers.get(status) ?? 0), 0);
  assert.ok(successes > requests / 10, 'too few mutated requests are valid');
  const slowest = Math.round(report.slowestMs);
  assert.deepEqual(
    progress.map((line) => line.replace(/slowest answer \d+ ms/, 'slowest')),
    [5000, 10_000, 15_000, 20_000].map((done) => `${done} of 20000 requests, slowest, defects: 0`),
  );
  assert.ok(progress.at(-1)?.includes(`slowest answer ${slowest} ms`));
});
