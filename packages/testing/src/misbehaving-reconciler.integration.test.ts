import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Condition,
  CustomResource,
  Field,
  findCondition,
  isConditionTrue,
  Kind,
  setCondition,
} from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { type Client, type Informer, type ReconcileContext, type Reconciler, Result } from '@kubewright/runtime';
import { TestEnvironment } from './test-environment.js';

class DogSpec {
  @Field.string() trick!: string;
}
class DogStatus {
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.conditions() conditions?: Condition[];
}
@Kind({ group: 'example.com', version: 'v1' })
class Dog extends CustomResource(DogSpec, DogStatus) {}

const KENNEL = { namespace: 'default' };
const dog = (name: string, trick = 'sit'): Dog =>
  new Dog({ metadata: { name, ...KENNEL, labels: { animal: 'dog' } }, spec: { trick } });

type Trick = (dog: Dog, context: ReconcileContext) => Promise<Result>;
/** A behavior that never ends, even if the signal is aborted. */
const HANGS = 'hangs for ever';
/** The kinds of errors in the code of a reconciler. */
const MISBEHAVIOUR: Readonly<Record<string, Trick>> = {
  throws: () => {
    throw new Error('thrown at once');
  },
  rejects: () => Promise.reject(new TypeError('rejected later')),
  'throws no error': () => Promise.reject(undefined),
  'hangs until it is aborted': (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  'returns nothing': async () => undefined as never,
  'returns something else': async () => ({ kind: 'done' }) as never,
  'returns no promise': () => undefined as never,
  'writes to a cached object': async (object) => {
    (object.spec as { trick: string }).trick = 'sit';
    return Result.done();
  },
  'writes to the labels of a cached object': async (object) => {
    (object.metadata.labels as Record<string, string>).animal = 'cat';
    return Result.done();
  },
};

/** Executes the behavior in the spec: misbehaves, or sets a condition and applies a ConfigMap. */
class DogReconciler implements Reconciler<Dog> {
  readonly #client: Client;
  constructor(client: Client) {
    this.#client = client;
  }
  reconcile(object: Dog, context: ReconcileContext): Promise<Result> {
    if (object.spec.trick === HANGS) return new Promise(() => undefined);
    return (MISBEHAVIOUR[object.spec.trick] ?? ((given) => this.#sit(given)))(object, context);
  }
  async #sit(object: Dog): Promise<Result> {
    await this.#client.applyOwned(object, [new ConfigMap({ metadata: { name: object.metadata.name }, data: {} })]);
    await this.#client.patchStatus(object, (status) =>
      setCondition(status, { type: 'Sits', status: true, reason: 'Asked' }),
    );
    return Result.done();
  }
}

const waits = (object: Dog | undefined): boolean => object !== undefined && isConditionTrue(object, 'Sits');
const failed = (object: Dog | undefined): string | undefined => {
  const condition = object && findCondition(object, 'Reconciled');
  return condition?.status === 'False' ? condition.message : undefined;
};

/** Resolves when the objects of the informer satisfy the condition. */
async function until(informer: Informer<Dog>, isSo: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  for await (const _change of informer.changes({ signal })) if (isSo()) return;
  assert.ok(isSo(), JSON.stringify(informer.list().map(({ metadata, status }) => [metadata.name, status])));
}

test('a reconciler that throws, hangs, returns nothing or writes to a cached object does not block other objects', async () => {
  await using env = await TestEnvironment.start({ kinds: [Dog] });
  const options = { for: Dog, name: 'dog', owns: [ConfigMap], concurrency: 2, timeout: '500ms' } as const;
  await using manager = env.manager({ gracePeriod: '10ms' }).control(options, new DogReconciler(env.client));
  await using dogs = await env.cluster.cache.informer(Dog);
  const read = (name: string): Dog | undefined => dogs.get({ name, ...KENNEL });
  const tricks = Object.keys(MISBEHAVIOUR);
  const bad = (trick: string): string => `bad-${tricks.indexOf(trick)}`;
  const good = (at: number): string => `good-${at}`;
  await env.client.create(dog('bad', HANGS));
  for (const [at, trick] of tricks.entries()) {
    await env.client.create(dog(bad(trick), trick));
    await env.client.create(dog(good(at)));
  }
  await manager.start();
  await until(dogs, () => tricks.every((_, at) => waits(read(good(at)))));
  await until(dogs, () => tricks.every((trick) => failed(read(bad(trick))) !== undefined));

  const reported = Object.fromEntries(tricks.map((trick) => [trick, failed(read(bad(trick))) ?? '']));
  assert.match(reported.throws ?? '', /thrown at once/);
  assert.match(reported.rejects ?? '', /rejected later/);
  assert.match(reported['throws no error'] ?? '', /threw undefined, which is not an Error/);
  assert.match(reported['hangs until it is aborted'] ?? '', /deadline exceeded/);
  assert.match(reported['returns nothing'] ?? '', /returned nothing: return Result.done\(\)/);
  assert.match(reported['returns no promise'] ?? '', /returned nothing: return Result.done\(\)/);
  assert.match(reported['returns something else'] ?? '', /an object that is not a Result/);
  assert.match(reported['writes to a cached object'] ?? '', /read only property 'trick'/);
  assert.match(reported['writes to the labels of a cached object'] ?? '', /read only property 'animal'/);
  for (const trick of tricks) assert.equal(read(bad(trick))?.spec.trick, trick);

  await env.client.create(dog('late'));
  await until(dogs, () => waits(read('late')));
  const declared = await env.client.patch(await env.read(dog(bad('throws'))), ({ spec }) => void (spec.trick = 'sit'));
  await until(dogs, () => waits(read(declared.metadata.name)) && failed(read(declared.metadata.name)) === undefined);
  const made = (await env.client.list(ConfigMap, { namespace: 'default' })).filter(
    ({ metadata }) => metadata.name !== 'kube-root-ca.crt',
  );
  assert.equal(made.length, tricks.length + 2);
});
