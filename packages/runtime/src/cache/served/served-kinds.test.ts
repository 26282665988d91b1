import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamicKind } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { Discovery } from '../../transport/discovery/discovery.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { ServedKinds } from './served-kinds.js';

const Probe = dynamicKind('example.com/v1', 'Probe');
const notServed = { code: 'KIND_NOT_SERVED' };

/** A server that serves the kind, does not serve the kind, or does not respond. */
class Bench {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly reported: boolean[] = [];
  answer: boolean | 'none' = false;
  questions = 0;
  readonly served = new ServedKinds({
    clock: this.clock,
    logger: this.logger,
    discovery: {
      isServed: async () => {
        this.questions++;
        if (this.answer === 'none') throw new KubewrightError('REQUEST_FAILED', 'no answer');
        return this.answer;
      },
    } as unknown as Discovery,
  });

  async follow(): ReturnType<ServedKinds['follow']> {
    const follower = await this.served.follow(Probe, () => this.reported.push(follower.isServed));
    return follower;
  }
  get lines(): readonly string[] {
    return this.logger.lines.filter(({ level }) => level === 'info').map(({ message }) => message);
  }
  /** Runs the next scheduled request. Returns the delay before this request in milliseconds. */
  async next(): Promise<number> {
    const [delayMs = Number.NaN] = this.clock.pendingMs;
    this.clock.advance(delayMs);
    await settled();
    return delayMs;
  }
}
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('polls with back-off whether a followed kind is served, and reports each change once', async () => {
  const bench = new Bench();
  const follower = await bench.follow();
  assert.equal(follower.isServed, false);
  const delays: number[] = [];
  for (let turn = 0; turn < 8; turn++) delays.push(await bench.next());
  assert.equal(bench.questions, 9);
  assert.ok(delays[0]! >= 800 && delays[0]! < 1600, `first after ${delays[0]} ms`);
  assert.ok(
    delays.slice(4).every((delay) => delay >= 10_000 && delay < 20_000),
    delays.join(),
  );
  assert.deepEqual(bench.reported, []);
  bench.answer = true;
  await bench.next();
  assert.deepEqual(bench.reported, [true]);
  assert.deepEqual(bench.clock.pendingMs, [], 'a served kind is not requested again');
  bench.answer = false;
  follower.doubt();
  await settled();
  assert.deepEqual(bench.reported, [true, false]);
  assert.ok((await bench.next()) < 1600, 'the back-off begins again');
  assert.equal(bench.lines.length, 3);
  assert.match(bench.lines[0]!, /^Probe of example\.com\/v1 is optional and not served/);
  assert.match(bench.lines[1]!, /^Probe of example\.com\/v1 is now served/);
});

test('keeps the last response while the API server does not respond, and repeats the request', async () => {
  const bench = new Bench();
  bench.answer = true;
  const follower = await bench.follow();
  bench.answer = 'none';
  follower.doubt();
  await settled();
  assert.equal(follower.isServed, true);
  await bench.served.assertServed(Probe);

  bench.answer = false;
  follower.doubt();
  await settled();
  bench.answer = 'none';
  await bench.next();
  assert.equal(follower.isServed, false);
  assert.equal(bench.clock.pendingMs.length, 1, 'the next request is scheduled');
  await assert.rejects(bench.served.isServed(Probe), { code: 'REQUEST_FAILED' });
});

test('does not follow a kind if the first request for this kind fails', async () => {
  const bench = new Bench();
  bench.answer = 'none';
  await assert.rejects(bench.follow(), { code: 'REQUEST_FAILED' });
  assert.equal(bench.served.follows(Probe), false);
  assert.deepEqual(bench.clock.pendingMs, []);
});

test('before a read or write of a dormant kind, checks whether the kind is served; concurrent checks share one request', async () => {
  const bench = new Bench();
  await bench.follow();
  assert.equal(bench.served.isDormant(Probe), true);
  await Promise.all([
    assert.rejects(bench.served.assertServed(Probe), notServed),
    assert.rejects(bench.served.assertServed(Probe), notServed),
  ]);
  assert.equal(bench.questions, 2);
  bench.answer = true;
  await bench.served.assertServed(Probe);
  assert.deepEqual(bench.reported, [true], 'followers receive the response');
  await bench.served.assertServed(Probe);
  assert.equal(bench.questions, 3, 'a kind that was served is not requested');
  bench.answer = false;
  await assert.rejects(bench.served.assertStillServed(Probe, { isSubresource: true }), notServed);
  assert.deepEqual(
    [...bench.served.readings()],
    [{ group: 'example.com', version: 'v1', kind: 'Probe', isServed: false }],
  );
});

for (const [title, answer] of [
  ['does not answer whether the kind is served', 'none'],
  ['lists the kind in its discovery', true],
] as const) {
  test(`replaces the error of a failed request with KIND_NOT_SERVED, except for a subresource, if the API server ${title}`, async () => {
    const bench = new Bench();
    bench.answer = true;
    await bench.follow();
    bench.answer = answer;
    await bench.served.assertStillServed(Probe, { isSubresource: true });
    await assert.rejects(bench.served.assertStillServed(Probe, { isSubresource: false }), notServed);
    assert.equal(bench.questions, 3);
    assert.equal(bench.served.isDormant(Probe), false, 'the declarations stay active');
  });
}

test('stops polling when the last follower is disposed of', async () => {
  const bench = new Bench();
  const [first, second] = [await bench.follow(), await bench.follow()];
  assert.equal(bench.questions, 1);
  first[Symbol.dispose]();
  assert.equal(bench.clock.pendingMs.length, 1);
  second[Symbol.dispose]();
  assert.deepEqual(bench.clock.pendingMs, []);
  assert.equal(bench.served.follows(Probe), false);
  await bench.served.assertServed(Probe);
  assert.equal(bench.questions, 1);
});
