import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Condition,
  controllerOf,
  CustomResource,
  type Draft,
  Field,
  isControlledBy,
  keyOf,
  Kind,
  setCondition,
  setControllerReference,
} from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { type Client, isConflict, isInvalid, isStaleChild } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { configMap, hasCode, namespace, namespaceCalled } from './client-kinds.js';

class KettleSpec {
  @Field.int32({ minimum: 0 }) liters!: number;
  @Field.string({ optional: true }) color?: string;
}
class KettleStatus {
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.string({ optional: true }) phase?: string;
  @Field.int32({ optional: true }) degrees?: number;
  @Field.conditions() conditions?: Condition[];
}
@Kind({ group: 'kettle.example.com', version: 'v1' })
class Kettle extends CustomResource(KettleSpec, KettleStatus) {}

const kettle = (name: string): Kettle => new Kettle({ metadata: { name, namespace }, spec: { liters: 1 } });
const untouched = (): void => undefined;

describe('createOrPatch', () => {
  let env: TestEnvironment;
  let client: Client;
  before(async () => {
    env = await startEnvironment({ kinds: [Kettle] });
    client = env.client;
  });
  after(() => env[Symbol.asyncDispose]());

  /** Returns a client that records its calls. */
  function noting(): { readonly client: Client; readonly calls: string[] } {
    const calls: string[] = [];
    const noted = client.with({
      intercept: (call, next) => {
        calls.push(call.subresource === undefined ? call.verb : `${call.verb} ${call.subresource}`);
        return next();
      },
    });
    return { client: noted, calls };
  }

  test('[CU-17, CU-24] createOrPatch creates an absent object with the edits', async () => {
    const noted = noting();
    const { object, outcome } = await noted.client.createOrPatch(kettle('new'), (draft) => {
      draft.spec.color = 'red';
      draft.metadata.labels.tier = 'tea';
    });
    assert.equal(outcome, 'created');
    assert.deepEqual([object.spec, object.metadata.labels], [{ liters: 1, color: 'red' }, { tier: 'tea' }]);
    assert.deepEqual(await client.get(Kettle, keyOf(object)), object);
    assert.deepEqual(noted.calls, ['get', 'create']);
  });

  test('createOrPatch also writes the status of a new object', async () => {
    const { object, outcome } = await client.createOrPatch(kettle('new-status'), (draft) => {
      draft.status = { phase: 'Cold' };
      setCondition(draft.status, { type: 'Boiling', status: false, reason: 'Off' });
    });
    assert.equal(outcome, 'created');
    const { status } = await client.get(Kettle, keyOf(object));
    assert.deepEqual(
      [status?.phase, status?.observedGeneration, status?.conditions?.[0]?.status],
      ['Cold', 1, 'False'],
    );
    const trial = await client.createOrPatch(kettle('trial'), (draft) => void (draft.status = { phase: 'Cold' }), {
      dryRun: true,
    });
    assert.equal(trial.outcome, 'created');
    assert.equal(await client.find(Kettle, { namespace, name: 'trial' }), undefined);
  });

  test('[CU-18, CU-25] createOrPatch patches an existing object with the edits, and ignores the other fields of the given object', async () => {
    const made = await client.create(kettle('present'));
    await client.patch(made, (draft) => void (draft.metadata.labels.by = 'another'));
    const desired = new Kettle({ metadata: { name: 'present', namespace }, spec: { liters: 9 } });
    const { object, outcome } = await client.createOrPatch(desired, (draft) => void (draft.spec.color = 'blue'));
    assert.equal(outcome, 'updated');
    assert.deepEqual([object.spec, object.metadata.labels], [{ liters: 1, color: 'blue' }, { by: 'another' }]);
  });

  test('[CU-18] with optimistic: true, createOrPatch fails with a conflict if the object changed after it was read', async () => {
    const made = await client.create(kettle('contended'));
    const contending = client.with({
      intercept: async (call, next) => {
        const answer = await next();
        if (call.verb === 'get') await client.patch(made, (draft) => void (draft.spec.color = 'green'));
        return answer;
      },
    });
    const edit = (draft: { spec: { liters: number } }): void => void (draft.spec.liters = 2);
    await assert.rejects(contending.createOrPatch(kettle('contended'), edit, { optimistic: true }), isConflict);
    const { object } = await client.createOrPatch(kettle('contended'), edit, { optimistic: true });
    assert.deepEqual(object.spec, { liters: 2, color: 'green' });
  });

  test('[CU-19, CU-26] createOrPatch writes nothing if the edits change nothing', async () => {
    const made = await client.create(kettle('same'));
    await client.patchStatus(made, { phase: 'Cold' });
    const before = await client.get(Kettle, keyOf(made));
    const noted = noting();
    const { object, outcome } = await noted.client.createOrPatch(kettle('same'), (draft) => {
      draft.spec.liters = 1;
      draft.spec.color = undefined;
      draft.status = { ...draft.status, phase: 'Cold' };
    });
    assert.equal(outcome, 'unchanged');
    assert.deepEqual(object, before);
    assert.deepEqual(await client.get(Kettle, keyOf(made)), before);
    assert.ok(!noted.calls.includes('patch status'));
    assert.equal((await client.createOrPatch(kettle('same'), untouched)).outcome, 'unchanged');
  });

  test('[CU-20, CU-21, CU-22, CU-30] createOrPatch rejects an edit that changes the kind, the name, or the namespace, for an existing and for an absent object', async () => {
    await client.create(namespaceCalled('elsewhere'));
    const edits = [
      (draft: { metadata: { name: string } }): void => void (draft.metadata.name = 'renamed'),
      (draft: { metadata: { namespace?: string | undefined } }): void => void (draft.metadata.namespace = 'elsewhere'),
      (draft: { kind: string }): void => void (draft.kind = 'Pot'),
    ];
    for (const edit of edits) {
      await assert.rejects(client.createOrPatch(kettle('keyed'), edit), hasCode('KEY_CHANGED'));
    }
    assert.equal(await client.find(Kettle, { namespace, name: 'keyed' }), undefined);
    const made = await client.create(kettle('keyed'));
    for (const edit of edits) {
      await assert.rejects(client.createOrPatch(kettle('keyed'), edit), hasCode('KEY_CHANGED'));
    }
    assert.deepEqual(await client.get(Kettle, keyOf(made)), made);
  });

  test('[CU-23, CU-30] if the read fails, createOrPatch rejects with the error of the read, does not call the edit, and does not write', async () => {
    const verbs: string[] = [];
    const blind = client.with({
      intercept: (call, next) => {
        verbs.push(call.verb);
        if (call.verb === 'get') throw new Error('no eyes');
        return next();
      },
    });
    const edit = (): void => assert.fail('the edit was called');
    await assert.rejects(blind.createOrPatch(kettle('unread'), edit), /no eyes/);
    assert.deepEqual(verbs, ['get']);
  });

  test('[CU-27] createOrPatch writes only the status if only the status changes', async () => {
    const made = await client.create(kettle('status-only'));
    const noted = noting();
    const { object, outcome } = await noted.client.createOrPatch(kettle('status-only'), (draft) => {
      draft.status = { phase: 'Hot', degrees: 99 };
    });
    assert.equal(outcome, 'updatedStatusOnly');
    assert.deepEqual(object.status, { phase: 'Hot', degrees: 99, observedGeneration: 1 });
    assert.deepEqual([object.spec, object.metadata.generation], [made.spec, 1]);
  });

  test('[CU-28] createOrPatch writes spec and status if both change, and the status has the new observed generation', async () => {
    await client.create(kettle('both'));
    const { object, outcome } = await client.createOrPatch(kettle('both'), (draft) => {
      draft.spec.liters = 2;
      draft.status = { phase: 'Hot' };
      setCondition(draft.status, { type: 'Boiling', status: true, reason: 'On' });
    });
    assert.equal(outcome, 'updatedStatus');
    const now = await client.get(Kettle, keyOf(object));
    assert.deepEqual(now, object);
    assert.deepEqual([now.spec.liters, now.status?.phase, now.status?.observedGeneration], [2, 'Hot', 2]);
    assert.ok(now.status?.conditions?.[0]?.lastTransitionTime);
  });

  test('[CU-29] createOrPatch keeps fields of an existing status that are not edited, and removes fields that the edit removes', async () => {
    const made = await client.create(kettle('status-before'));
    await client.patchStatus(made, { phase: 'Cold', degrees: 20 });
    const first = await client.createOrPatch(kettle('status-before'), (draft) => {
      draft.spec.liters = 3;
      if (draft.status) draft.status.phase = 'Warm';
    });
    assert.equal(first.outcome, 'updatedStatus');
    assert.deepEqual(first.object.status, { phase: 'Warm', degrees: 20, observedGeneration: 2 });
    const second = await client.createOrPatch(kettle('status-before'), (draft) => {
      draft.spec.color = 'red';
      if (draft.status) draft.status.degrees = undefined;
    });
    assert.deepEqual(
      [second.object.spec, second.object.status],
      [
        { liters: 3, color: 'red' },
        { phase: 'Warm', observedGeneration: 3 },
      ],
    );
  });

  test('an unchanged condition causes no write, and its observedGeneration follows a new generation', async () => {
    const boiling = (liters: number) => (draft: Draft<Kettle>) => {
      draft.spec.liters = liters;
      draft.status ??= {};
      setCondition(draft.status, { type: 'Boiling', status: true, reason: 'On' });
    };
    await client.createOrPatch(kettle('judged'), boiling(1));
    const same = await client.createOrPatch(kettle('judged'), boiling(1));
    assert.equal(same.outcome, 'unchanged');
    const more = await client.createOrPatch(kettle('judged'), boiling(2));
    assert.equal(more.outcome, 'updatedStatus');
    const [before, after] = [same, more].map(({ object }) => object.status?.conditions?.[0]);
    assert.deepEqual([before?.observedGeneration, after], [1, { ...before, observedGeneration: 2 }]);
  });

  test('createOrPatch fails with a conflict if another client writes a condition between the read and the patch, and keeps that condition', async () => {
    const made = await client.create(kettle('raced'));
    const condition = (type: string) => ({ type, status: true, reason: 'Reported' });
    const raced = client.with({
      intercept: async (call, next) => {
        const answer = await next();
        if (call.verb === 'get') await client.patchStatus(made, (status) => setCondition(status, condition('Theirs')));
        return answer;
      },
    });
    const edit = (draft: {
      spec: { liters: number };
      status?: { conditions?: Condition[] | undefined } | undefined;
    }) => {
      draft.spec.liters += 1;
      draft.status ??= {};
      setCondition(draft.status, condition('Ours'));
    };
    await assert.rejects(raced.createOrPatch(kettle('raced'), edit), isConflict);
    const { object } = await client.createOrPatch(kettle('raced'), edit);
    assert.deepEqual(
      object.status?.conditions?.map(({ type }) => type),
      ['Theirs', 'Ours'],
    );
  });

  test('createOrPatch sets the owner as the controller, uses the namespace of the owner, and rejects an object that another owner controls', async () => {
    const owner = await client.create(kettle('owner'));
    const other = await client.create(kettle('other-owner'));
    const map = (name: string): ConfigMap => new ConfigMap({ metadata: { name } });
    const made = await client.createOrPatch(map('owned'), untouched, { owner });
    assert.deepEqual([made.outcome, made.object.metadata.namespace], ['created', namespace]);
    assert.ok(isControlledBy(made.object, owner));
    assert.equal((await client.createOrPatch(map('owned'), untouched, { owner })).outcome, 'unchanged');
    await assert.rejects(client.createOrPatch(map('owned'), untouched, { owner: other }), hasCode('ALREADY_OWNED'));
    await client.create(configMap('adopted', { a: '1' }));
    const adopted = await client.createOrPatch(map('adopted'), untouched, { owner });
    assert.deepEqual([adopted.outcome, adopted.object.data], ['updated', { a: '1' }]);
    const byHand = await client.createOrPatch(configMap('by-hand'), (draft) => setControllerReference(draft, owner));
    assert.equal(controllerOf(byHand.object)?.uid, owner.metadata.uid);
  });

  test('createOrPatch takes a child from an earlier owner of the same name, but not from a later one', async () => {
    const earlier = await client.create(kettle('recreated'));
    await client.delete(earlier);
    const later = await client.create(kettle('recreated'));
    const current = configMap('of-later');
    await client.createOrPatch(current, untouched, { owner: later });
    await assert.rejects(client.createOrPatch(current, untouched, { owner: earlier }), isStaleChild);
    assert.ok(isControlledBy(await client.live.get(ConfigMap, keyOf(current)), later));
    const left = configMap('of-earlier');
    const { apiVersion, kind, metadata } = earlier;
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }];
    // The finalizer keeps the child from being removed by the garbage collector.
    const finalizers = ['example.com/wait'];
    await client.create(new ConfigMap({ metadata: { ...left.metadata, ownerReferences, finalizers } }));
    const { object: taken } = await client.createOrPatch(left, untouched, { owner: later });
    assert.ok(isControlledBy(taken, later));
    await client.patch(taken, { merge: { metadata: { finalizers: null } } });
  });

  test('createOrPatch patches an object that was read from the cache, and returns validation errors of the server', async () => {
    const cached = env.cluster.client;
    const key = { namespace, name: 'cached' };
    assert.equal(await cached.find(Kettle, key), undefined);
    assert.equal((await cached.createOrPatch(kettle('cached'), untouched)).outcome, 'created');
    const edit = (draft: { spec: { liters: number } }): void => void (draft.spec.liters = 5);
    assert.equal((await cached.createOrPatch(kettle('cached'), edit)).outcome, 'updated');
    assert.equal((await cached.createOrPatch(kettle('cached'), edit)).outcome, 'unchanged');
    assert.equal((await cached.get(Kettle, key)).spec.liters, 5);
    const wrong = (draft: { spec: { liters: number } }): void => void (draft.spec.liters = -1);
    await assert.rejects(cached.createOrPatch(kettle('cached'), wrong), isInvalid);
  });
});
