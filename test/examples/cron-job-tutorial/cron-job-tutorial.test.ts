import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { CronJob, CronJobV2, kinds, webhooks } from '@kubewright/example-cron-job';
import { ApiError, isInvalid } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../../server/start-environment.js';
import { type GeneratedCronJob, generatedObjects, generatedUpdates } from './generated-objects.js';

/** What the Go code of the tutorial does with one request. The README in this folder describes the fields. */
interface Verdict {
  readonly invalid: readonly string[];
  readonly defaulted: Spec;
  readonly converted?: Spec;
}
interface Recorded extends Verdict {
  readonly name: string;
  readonly update: Verdict;
}
type Spec = Readonly<Record<string, unknown>>;
interface Compared {
  readonly object: GeneratedCronJob;
  readonly update: GeneratedCronJob;
  readonly recorded: Recorded;
}

const COUNT = 200;
const data = new URL('../../../examples/cron-job-tutorial/verdicts.jsonl', import.meta.url);
const lines = readFileSync(data, 'utf8').trim().split('\n');
const recorded = lines.map((line) => JSON.parse(line) as Recorded);
const updates = generatedUpdates(COUNT);
const compared: readonly Compared[] = generatedObjects(COUNT).map((object, at) => {
  const found = recorded[at];
  const update = updates[at];
  assert.equal(found?.name, object.metadata.name, 'the generated objects changed; record the verdicts again');
  assert.ok(update !== undefined);
  return { object, update, recorded: found };
});

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment({ kinds });
  await env.run(...webhooks);
});
after(() => env[Symbol.asyncDispose]());

test('the recorded verdicts contain accepted and rejected CronJobs of both versions, with each invalid field', () => {
  for (const version of ['v1', 'v2']) {
    const own = compared.filter(({ object }) => object.apiVersion.endsWith(version));
    const kindsOfVerdict = new Set(own.map(({ recorded: { invalid } }) => invalid.join()));
    const all = ['', 'metadata.name', 'metadata.name,spec.schedule', 'spec.schedule'];
    assert.deepEqual([...kindsOfVerdict].toSorted(), all, version);
  }
});

test('the API server with the webhooks of the example accepts and rejects the same CronJobs as with the webhooks of the tutorial', async () => {
  const differences: unknown[] = [];
  for (const { object, recorded: theirs } of compared) {
    const invalid = await create(object);
    const { schedule } = object.spec;
    if (invalid.join() !== theirs.invalid.join()) differences.push({ schedule, invalid, theirs: theirs.invalid });
  }
  assert.deepEqual(differences, []);
});

test('the API server returns accepted CronJobs with the same defaults as in the tutorial, in their own version', async () => {
  for (const { object, recorded: theirs } of compared.filter(isAccepted)) {
    assert.deepEqual(specOf(await read(object, isV1(object))), theirs.defaulted, object.metadata.name);
  }
});

test('the API server converts accepted CronJobs to the same objects as in the tutorial', async () => {
  const converted = compared.filter(isAccepted).filter(({ recorded: theirs }) => theirs.converted !== undefined);
  assert.ok(converted.length > COUNT / 4, `${converted.length} objects`);
  for (const { object, recorded: theirs } of converted) {
    assert.deepEqual(specOf(await read(object, !isV1(object))), theirs.converted, object.metadata.name);
  }
});

test('the API server converts accepted CronJobs that the tutorial cannot convert, and loses no field', async () => {
  const others = compared.filter(isAccepted).filter(({ recorded: theirs }) => theirs.converted === undefined);
  assert.ok(others.length > 0);
  for (const { object } of others) {
    const { metadata, spec } = await env.client.live.get(CronJobV2, object.metadata);
    const schedule = object.spec['schedule'] as string;
    if (schedule.startsWith('@')) assert.deepEqual(spec.schedule, { descriptor: schedule });
    await env.client.patch(new CronJobV2({ metadata, spec }), { merge: { spec: { suspend: true } } });
    assert.equal((await env.client.live.get(CronJob, object.metadata)).spec.schedule, schedule);
  }
});

test('the API server accepts and rejects the same updates as with the webhooks of the tutorial, with the same results', async () => {
  const differences: unknown[] = [];
  const verdicts = { accepted: 0, rejected: 0, converted: 0 };
  for (const { object, update, recorded: theirs } of compared.filter(isAccepted)) {
    const { resourceVersion } = (await read(object, isV1(object))).metadata;
    const metadata = { ...update.metadata, resourceVersion };
    const invalid = await invalidFields(env.client.update({ ...update, metadata } as unknown as CronJob));
    verdicts[invalid.length === 0 ? 'accepted' : 'rejected'] += 1;
    const { defaulted, converted } = theirs.update;
    if (invalid.join() !== theirs.update.invalid.join()) {
      differences.push({ schedule: update.spec['schedule'], invalid, theirs: theirs.update.invalid });
    } else if (invalid.length === 0) {
      assert.deepEqual(specOf(await read(object, isV1(object))), defaulted, object.metadata.name);
      if (converted === undefined) continue;
      verdicts.converted += 1;
      assert.deepEqual(specOf(await read(object, !isV1(object))), converted, object.metadata.name);
    }
  }
  assert.deepEqual(differences, []);
  assert.ok(Math.min(...Object.values(verdicts)) > COUNT / 20, JSON.stringify(verdicts));
});

/** Creates a CronJob, and returns the invalid fields. Returns an empty list if the API server accepts the CronJob. */
function create(object: GeneratedCronJob): Promise<readonly string[]> {
  return invalidFields(env.client.create(object as unknown as CronJob));
}

/** Returns the invalid fields that the API server reports for a write. Returns an empty list if the API server accepts the write. */
async function invalidFields(writing: Promise<unknown>): Promise<readonly string[]> {
  try {
    await writing;
    return [];
  } catch (error) {
    assert.ok(error instanceof ApiError && isInvalid(error), String(error));
    return (error.body.details?.causes ?? []).map(({ field }) => field ?? '');
  }
}
function isAccepted({ recorded: { invalid } }: Compared): boolean {
  return invalid.length === 0;
}
function isV1({ apiVersion }: GeneratedCronJob): boolean {
  return apiVersion.endsWith('/v1');
}
function read({ metadata }: GeneratedCronJob, inV1: boolean): Promise<CronJob | CronJobV2> {
  return inV1 ? env.client.live.get(CronJob, metadata) : env.client.live.get(CronJobV2, metadata);
}
function specOf({ spec }: CronJob | CronJobV2): unknown {
  const { jobTemplate: _, ...others } = spec;
  return others;
}
