import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keyOf, type KubeObject, mutable } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import {
  type Client,
  type ClientSettings,
  isConflict,
  isInvalid,
  isNotFound,
  Logger,
  type WriteOptions,
} from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import {
  clusterScoped,
  configMap,
  Counter,
  Gadget,
  gadget,
  hasCode,
  kinds,
  namesOf,
  namespace,
  namespaceCalled,
  namespaced,
  Phantom,
  Site,
} from './client-kinds.js';

/** A logger that keeps the warnings of the server. */
class WarningLines extends Logger {
  readonly #lines: string[];
  constructor(lines: string[]) {
    super();
    this.#lines = lines;
  }
  override debug(): void {}
  override info(): void {}
  override error(): void {}
  override with(): Logger {
    return this;
  }
  override warn(_message: string, fields?: Readonly<Record<string, unknown>>): void {
    if (typeof fields?.['warning'] === 'string') this.#lines.push(fields['warning']);
  }
}

/** Returns a Gadget with the field `spec.sise`, which is not in the schema. */
function misspelt(name: string): Gadget {
  return { ...gadget(name), spec: { size: 1, sise: 2 } } as Gadget;
}
function managersOf(object: KubeObject): string[] {
  const { managedFields = [] } = object.metadata as {
    readonly managedFields?: readonly { readonly manager: string }[];
  };
  return [...new Set(managedFields.map(({ manager }) => manager))].toSorted();
}

describe('a client with settings', () => {
  let env: TestEnvironment;
  let client: Client;
  before(async () => {
    env = await startEnvironment({ kinds });
    client = env.client;
  });
  after(() => env[Symbol.asyncDispose]());

  describe('a client for dry runs', () => {
    let trial: Client;
    let made: Gadget;
    before(async () => {
      trial = client.with({ dryRun: true });
      made = await client.create(gadget('trial', { color: 'red' }, { trial: 'yes' }));
    });

    test('[CW-01] a dry-run client reads existing objects', async () => {
      assert.deepEqual(await trial.get(Gadget, keyOf(made)), made);
      assert.deepEqual(namesOf(await trial.list(Gadget, { labels: { trial: 'yes' } })), ['trial']);
    });

    for (const more of [{}, { fieldManager: 'somebody', dryRun: false }] satisfies readonly WriteOptions[]) {
      test(`[CW-02] a dry-run client writes nothing if the calls have the options ${JSON.stringify(more)}`, async () => {
        const { dryRun, fieldManager } = more as WriteOptions;
        const next = mutable(made);
        next.spec.color = 'blue';
        const status = trial.subresource(made, 'status');
        await trial.create(gadget('new'), more);
        assert.equal((await trial.update(next as Gadget, more)).spec.color, 'blue');
        assert.equal((await trial.patch(made, (draft) => void (draft.spec.color = 'green'), more)).spec.color, 'green');
        await trial.patch(made, { merge: { spec: { color: null } } }, more);
        await trial.apply(gadget('trial', { size: 7 }), { ...more, force: true });
        await trial.applyOwned(made, [gadget('child')]);
        await trial.patchStatus(made, { phase: 'x' }, more);
        await status.update({ ...made, status: { phase: 'x' } }, more);
        await status.patch({ merge: { status: { phase: 'x' } } }, more);
        await status.apply({ status: { phase: 'x' } }, { ...more, force: true });
        await trial.subresource(made, 'scale').patch({ merge: { spec: { replicas: 9 } } }, more);
        await trial.delete(made, { mustExist: true, ...(dryRun !== undefined && { dryRun }) });
        await trial.deleteAll(Gadget, { namespace, labels: { trial: 'yes' } });
        await trial.deleteAll(Gadget, { labels: { trial: 'yes' } });
        assert.deepEqual(await client.get(Gadget, keyOf(made)), made);
        assert.deepEqual(namesOf(await client.list(Gadget)), ['trial']);
        assert.ok(
          fieldManager === undefined || !managersOf(await client.get(Gadget, keyOf(made))).includes(fieldManager),
        );
      });
    }

    test('[CW-03] a dry-run client returns validation errors of the server', async () => {
      await assert.rejects(trial.create(gadget('invalid', { size: -1 })), isInvalid);
      await assert.rejects(trial.update({ ...made, spec: { size: -1 } }), isInvalid);
    });

    test('a dry-run client does not change later cached reads', async () => {
      const cached = env.cluster.client;
      await cached.list(Gadget);
      await cached.with({ dryRun: true }).patch(made, (draft) => void (draft.spec.color = 'green'));
      await cached.with({ dryRun: true }).delete(made);
      assert.equal((await cached.get(Gadget, keyOf(made))).spec.color, 'red');
    });
  });

  describe('a client with a field manager', () => {
    const writes: Readonly<
      Record<string, (by: Client, object: Gadget, options?: WriteOptions) => Promise<KubeObject>>
    > = {
      create: (by, { metadata }, options) => by.create(gadget(`${metadata.name}-made`), options),
      update: (by, object, options) => by.update({ ...object, spec: { ...object.spec, size: 2 } }, options),
      'a draft': (by, object, options) => by.patch(object, (draft) => void (draft.spec.size = 3), options),
      'a merge patch': (by, object, options) => by.patch(object, { merge: { spec: { size: 4 } } }, options),
      apply: (by, { metadata }, options) =>
        by.apply(gadget(metadata.name, { color: 'red' }), { ...options, force: true }),
      patchStatus: (by, object, options) => by.patchStatus(object, { phase: 'a' }, options),
      'update of the status': (by, object, options) =>
        by.subresource(object, 'status').update({ ...object, status: { phase: 'b' } }, options),
      'apply of the status': (by, object, options) =>
        by.subresource(object, 'status').apply({ status: { size: 1 } }, { ...options, force: true }),
    };
    for (const [at, [what, write]] of Object.entries(writes).entries()) {
      test(`[CL-07, CW-04, CW-05] the write '${what}' uses the field manager of the client unless the call sets another field manager`, async () => {
        const owned = client.with({ fieldManager: 'of-the-client' });
        const object = await client.create(gadget(`manager-${at}`));
        assert.ok(managersOf(await write(owned, object)).includes('of-the-client'));
        const other = await client.create(gadget(`manager-${at}-call`));
        const managers = managersOf(await write(owned, other, { fieldManager: 'of-the-call' }));
        assert.ok(managers.includes('of-the-call') && !managers.includes('of-the-client'), managers.join());
      });
    }
  });

  describe('a client with field validation', () => {
    test('[CL-08, CL-09] a client passes each server warning to its handler; without a handler, the client logs each warning once', async () => {
      const warningsReceived: string[] = [];
      const warned = client.with({ fieldValidation: 'Warn', warnings: (warning) => warningsReceived.push(warning) });
      await warned.create(misspelt('warned'));
      await warned.update({
        ...(await client.get(Gadget, { namespace, name: 'warned' })),
        spec: { size: 2, sise: 1 } as never,
      });
      assert.deepEqual(warningsReceived, ['unknown field "spec.sise"', 'unknown field "spec.sise"']);
      await client
        .with({ fieldValidation: 'Ignore', warnings: (warning) => warningsReceived.push(warning) })
        .create(misspelt('ignored'));
      assert.equal(warningsReceived.length, 2);
      const lines: string[] = [];
      const manager = env.manager({ logger: new WarningLines(lines) });
      await manager.client.create(misspelt('logged-a'));
      await manager.client.create(misspelt('logged-b'));
      assert.deepEqual(lines, ['unknown field "spec.sise"']);
      await manager.stop();
    });

    test('[CL-10, CW-06] a strict client rejects unknown fields in every write unless the call sets another fieldValidation', async () => {
      const strict = client.with({ fieldValidation: 'Strict' });
      const made = await client.create(gadget('strict'));
      const wrong = { ...made, spec: { size: 2, sise: 2 } } as Gadget;
      const status = { ...made, status: { phase: 'x', phrase: 'y' } } as Gadget;
      const merge = { merge: { spec: { sise: 2 } } as object };
      await assert.rejects(strict.create(misspelt('strict-new')), /spec\.sise/);
      await assert.rejects(strict.update(wrong), /spec\.sise/);
      await assert.rejects(strict.patch(made, merge), /spec\.sise/);
      await assert.rejects(strict.apply(misspelt('strict')), /sise/);
      await assert.rejects(strict.subresource(made, 'status').update(status), /status\.phrase/);
      await assert.rejects(
        strict.subresource(made, 'status').patch({ merge: { status: { phrase: 'y' } } as object }),
        /status\.phrase/,
      );
      const ignore: WriteOptions = { fieldValidation: 'Ignore' };
      await strict.create(misspelt('strict-new'), ignore);
      await strict.patch(made, merge, ignore);
      assert.equal((await strict.update({ ...wrong, metadata: { ...made.metadata } }, ignore)).spec.size, 2);
    });
  });

  describe('a client in a namespace', () => {
    const own = 'team-a';
    let within: Client;
    before(async () => {
      await client.create(namespaceCalled(own));
      within = client.with({ namespace: own });
    });
    const bare = <T extends KubeObject>(object: T): T => {
      const { namespace: _, ...metadata } = object.metadata;
      return { ...object, metadata };
    };

    for (const { how, kind, object } of namespaced) {
      test(`[CW-07, CW-08] a client in a namespace reads and writes objects of ${how} (${kind.name}) in its namespace, and rejects other namespaces`, async () => {
        const name = `own-${how.replaceAll(' ', '-')}`;
        const made = await within.create(bare(object(name)));
        assert.equal(made.metadata.namespace, own);
        for (const reader of [within, within.live, env.cluster.client.with({ namespace: own })]) {
          assert.equal((await reader.get(kind, { name })).metadata.uid, made.metadata.uid);
          assert.deepEqual(
            namesOf(
              await reader.list(kind, { fields: { 'metadata.name': name } }).catch(() => reader.list(kind)),
            ).filter((one) => one === name),
            [name],
          );
          await assert.rejects(reader.get(kind, { name, namespace }), hasCode('NAMESPACE_MISMATCH'));
          await assert.rejects(reader.list(kind, { namespace }), hasCode('NAMESPACE_MISMATCH'));
        }
        const next = mutable(bare(made));
        next.metadata.annotations.color = 'blue';
        const updated = await within.update<KubeObject>(next);
        const patched = await within.patch(bare(updated), (draft) => void (draft.metadata.annotations.size = 's'));
        assert.deepEqual(patched.metadata.annotations, { color: 'blue', size: 's' });
        const applied = await within.apply(bare(object(`${name}-applied`)));
        assert.equal(applied.metadata.namespace, own);
        const elsewhere = await client.create(object(`${name}-elsewhere`));
        await assert.rejects(within.create(object(`${name}-other`)), hasCode('NAMESPACE_MISMATCH'));
        await assert.rejects(within.update(elsewhere), hasCode('NAMESPACE_MISMATCH'));
        await assert.rejects(within.patch(elsewhere, { merge: {} }), hasCode('NAMESPACE_MISMATCH'));
        await assert.rejects(within.apply(elsewhere), hasCode('NAMESPACE_MISMATCH'));
        await assert.rejects(within.delete(elsewhere), hasCode('NAMESPACE_MISMATCH'));
        await assert.rejects(within.deleteAll(kind, { namespace }), hasCode('NAMESPACE_MISMATCH'));
        await within.delete(bare(patched), { mustExist: true });
      });
    }

    for (const { how, kind, object } of clusterScoped) {
      test(`[CW-09] a client in a namespace leaves cluster-scoped objects of ${how} (${kind.name}) without a namespace`, async () => {
        const made = await within.create(object(`cluster-${how.replaceAll(' ', '-')}`));
        assert.equal(made.metadata.namespace, undefined);
        assert.ok(namesOf(await within.list(kind)).includes(made.metadata.name));
        const next = mutable(await within.get(kind, keyOf(made)));
        next.metadata.annotations.color = 'blue';
        const updated = await within.update<KubeObject>(next);
        await within.patch(updated, (draft) => void (draft.metadata.annotations.size = 's'));
        const applied = await within.apply(object(made.metadata.name), { force: true });
        assert.deepEqual([applied.metadata.uid, applied.metadata.namespace], [made.metadata.uid, undefined]);
        await within.delete(applied, { mustExist: true });
      });
    }

    test('[CW-10] deleteAll of a client in a namespace does not delete objects in other namespaces', async () => {
      const labels = { doomed: 'yes' };
      await client.create(configMap('doomed', {}, labels));
      await within.create(new ConfigMap({ metadata: { name: 'doomed', labels } }));
      await within.deleteAll(ConfigMap, { labels });
      const left = await client.list(ConfigMap, { labels });
      assert.deepEqual(
        left.map(({ metadata }) => metadata.namespace),
        [namespace],
      );
    });

    test('[CW-11, CW-12] a client in a namespace writes the status and other subresources only in its namespace', async () => {
      const made = await within.create(bare(gadget('status')));
      const elsewhere = await client.create(gadget('status'));
      const status = within.subresource(bare(made), 'status');
      const first = await within.patchStatus(bare(made), { phase: 'a' });
      assert.equal(first.metadata.namespace, own);
      const updated = await status.update({ ...bare(first), status: { phase: 'b' } });
      assert.deepEqual([updated.metadata.namespace, updated.status?.phase], [own, 'b']);
      assert.equal((await status.patch({ merge: { status: { phase: 'c' } } })).status?.phase, 'c');
      const applied = await status.apply({ status: { size: 5 } }, { force: true });
      assert.deepEqual([applied.metadata.namespace, applied.status?.size], [own, 5]);
      assert.equal((await status.get()).metadata.uid, made.metadata.uid);
      const other = within.subresource(elsewhere, 'status');
      await assert.rejects(within.patchStatus(elsewhere, { phase: 'x' }), hasCode('NAMESPACE_MISMATCH'));
      await assert.rejects(other.get(), hasCode('NAMESPACE_MISMATCH'));
      await assert.rejects(other.update(elsewhere), hasCode('NAMESPACE_MISMATCH'));
      await assert.rejects(other.patch({ merge: {} }), hasCode('NAMESPACE_MISMATCH'));
      await assert.rejects(other.apply({}), hasCode('NAMESPACE_MISMATCH'));
      assert.equal((await client.get(Gadget, keyOf(elsewhere))).status, undefined);
    });

    test('[CW-13] a client in a namespace rejects an object of a kind that is not served', async () => {
      const phantom = new Phantom({ metadata: { name: 'a' } });
      await assert.rejects(within.create(phantom), hasCode('KIND_NOT_SERVED'));
      await assert.rejects(within.get(Phantom, { name: 'a' }), hasCode('KIND_NOT_SERVED'));
      await assert.rejects(within.deleteAll(Phantom), hasCode('KIND_NOT_SERVED'));
    });

    test('a client in a namespace cannot be changed to a client of another namespace', () => {
      assert.throws(() => within.with({ namespace }), hasCode('NAMESPACE_MISMATCH'));
      assert.throws(() => client.with({ namespace: '' }), hasCode('INVALID_OPTION'));
      assert.throws(() => client.with({ fieldManager: 'x'.repeat(129) }), hasCode('INVALID_OPTION'));
      assert.throws(
        () => client.with({ fieldValidation: 'strict' } as unknown as ClientSettings),
        hasCode('INVALID_OPTION'),
      );
      assert.ok(within.with({ namespace: own }));
    });
  });

  test('a client rejects new calls after its signal is aborted', async () => {
    const stop = new AbortController();
    const ending = client.with({ signal: stop.signal });
    assert.equal(await ending.find(Site, { name: 'absent' }), undefined);
    stop.abort(new Error('enough'));
    await assert.rejects(ending.get(Counter, { namespace, name: 'a' }), /enough/);
    await assert.rejects(ending.create(gadget('late')), /enough/);
    await assert.rejects(client.get(Gadget, { namespace, name: 'late' }), isNotFound);
    await assert.rejects(env.cluster.client.with({ signal: stop.signal }).list(Gadget), /enough/);
    assert.ok(!isConflict(stop.signal.reason));
  });
});
