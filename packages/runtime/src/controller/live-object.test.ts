import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectKey } from '@kubewright/api';
import { done, machine, setUp } from '../test-support/controller-bench.js';
import { ObjectTable } from '../test-support/object-table.js';
import type { Result } from './reconciler/result.js';

/**
 * A store that never catches up with the last event of an object. After `wrote`, the store returns the live object in its cached form, but
 * only if the store selects the object.
 */
class OutdatedTable extends ObjectTable {
  readonly #isSelected: boolean;
  #live: KubeObject | undefined;

  constructor(isSelected: boolean) {
    super();
    this.#isSelected = isSelected;
  }
  override caughtUp(): Promise<boolean> {
    return Promise.resolve(false);
  }
  override get(key: ObjectKey): KubeObject | undefined {
    if (this.#live === undefined) return super.get(key);
    if (!this.#isSelected) return undefined;
    return { ...this.#live, metadata: { ...this.#live.metadata, labels: { form: 'cached' } } };
  }
  override wrote(object?: KubeObject): void {
    this.#live = object;
  }
}

/** Returns the value of the label `form` of each reconciled object. */
async function reconciledForms(isSelected: boolean): Promise<readonly string[]> {
  const table = new OutdatedTable(isSelected);
  const live = machine('a', {}, { labels: { form: 'live' } });
  const forms: string[] = [];
  const reconcile = async ({ metadata }: KubeObject): Promise<Result> => {
    forms.push(metadata.labels?.['form'] ?? 'none');
    return done();
  };
  const overrides = {
    informers: { acquire: async () => table as never },
    live: { get: async () => assert.fail(), find: async () => live as never, list: async () => [] },
  };
  const { runner, settle } = await setUp(reconcile, {}, overrides);
  table.put(machine('a', {}));
  await settle();
  await runner.stop();
  return forms;
}

test('before a reconcile, applies the transform of the cache to an object that was read from the API server', async () => {
  assert.deepEqual(await reconciledForms(true), ['cached']);
});

test('does not reconcile an object that was read from the API server if the cache does not select it', async () => {
  assert.deepEqual(await reconciledForms(false), []);
});
