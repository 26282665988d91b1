import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { Change } from '../../cache/store/change.js';
import { machine } from '../../test-support/controller-bench.js';
import { WatchBench } from '../../test-support/watch-bench.js';
import {
  all,
  annotationsChanged,
  any,
  byChange,
  changed,
  labelsChanged,
  matching,
  matchingLabels,
  not,
  type Predicate,
} from './predicates.js';

type Metadata = Partial<KubeObject['metadata']>;

function added(metadata: Metadata = {}): Change<KubeObject> {
  return { type: 'added', object: machine('a', {}, metadata), initial: false };
}
function modified(old: Metadata, now: Metadata): Change<KubeObject> {
  return { type: 'modified', old: machine('a', {}, old), object: machine('a', {}, now) };
}
function deleted(metadata: Metadata = {}): Change<KubeObject> {
  return { type: 'deleted', object: machine('a', {}, metadata), stale: false };
}
const yes: Predicate<KubeObject> = () => true;
const no: Predicate<KubeObject> = () => false;

test('[PR-01] `byChange` calls the function for the type of the change, and accepts changes without a function', () => {
  const none = byChange<KubeObject>({});
  const strict = byChange<KubeObject>({ added: () => false, modified: () => false, deleted: () => false });
  for (const change of [added(), modified({}, {}), deleted()]) {
    assert.equal(none(change), true);
    assert.equal(strict(change), false);
  }
  const growing = byChange<KubeObject>({
    modified: (now, old) => (now.metadata.generation ?? 0) > (old.metadata.generation ?? 0),
    added: (_, initial) => !initial,
  });
  assert.deepEqual(
    [modified({ generation: 1 }, { generation: 2 }), modified({ generation: 2 }, { generation: 1 })].map(growing),
    [true, false],
  );
  assert.deepEqual([growing(added()), growing(deleted())], [true, true]);
  assert.equal(growing({ type: 'added', object: machine('a'), initial: true }), false);
});

test('[PR-02] `changed` accepts a new version of an object and rejects a repeated version', () => {
  const predicate = changed<KubeObject>(({ metadata }) => metadata.resourceVersion);
  assert.equal(predicate(modified({ resourceVersion: '1' }, { resourceVersion: '1' })), false);
  assert.equal(predicate(modified({ resourceVersion: '1' }, { resourceVersion: '2' })), true);
  assert.ok(predicate(added()) && predicate(deleted()));
});

test('[PR-04] `changed` accepts a modification of the generation, and rejects a new version with the same generation', () => {
  const predicate = changed<KubeObject>(({ metadata }) => metadata.generation);
  assert.equal(
    predicate(modified({ generation: 1, resourceVersion: '1' }, { generation: 1, resourceVersion: '2' })),
    false,
  );
  assert.equal(predicate(modified({ generation: 1 }, { generation: 2 })), true);
});

test('[PR-03, PR-05, PR-06, PR-08] ignores and logs a change that lacks the old object, the new object or metadata', async () => {
  for (const when of [
    changed<KubeObject>(({ metadata }) => metadata.resourceVersion),
    changed<KubeObject>(({ metadata }) => metadata.generation),
    annotationsChanged(),
    labelsChanged(),
  ]) {
    const bench = await WatchBench.open({ when });
    const object = machine('a');
    bench.machines.emit({ type: 'modified', object, old: undefined } as never);
    bench.machines.emit({ type: 'modified', object: undefined, old: object } as never);
    bench.machines.emit({ type: 'modified', object: { ...object, metadata: undefined }, old: object } as never);
    bench.machines.emit({ type: 'modified', object, old: { ...object, metadata: undefined } } as never);
    assert.deepEqual(bench.ready, {});
    assert.equal(bench.runner.stats().triggerErrors.change, 4);
    assert.match(bench.errors[0] ?? '', /ignored a change of type '\w+' because it has no object/);
  }
});

for (const [id, name, predicate, field] of [
  ['PR-07', 'n annotation', annotationsChanged<KubeObject>(), 'annotations'],
  ['PR-09', ' label', labelsChanged<KubeObject>(), 'labels'],
] as const) {
  const same = id === 'PR-07' ? 'PR-06' : 'PR-08';
  test(`[${same}, ${id}] accepts a change in which a${name} was changed, added or removed, and treats undefined and empty maps as equal`, () => {
    const states = [undefined, {}, { a: '1' }, { a: '2' }, { a: '1', b: '1' }];
    const verdicts = states.map((old) =>
      states.map((now) =>
        predicate(modified(old === undefined ? {} : { [field]: old }, now === undefined ? {} : { [field]: now })),
      ),
    );
    assert.deepEqual(verdicts, [
      [false, false, true, true, true],
      [false, false, true, true, true],
      [true, true, false, true, true],
      [true, true, true, false, true],
      [true, true, true, true, false],
    ]);
  });
}

test('[PR-10] `all` accepts a change if all predicates accept the change', () => {
  const verdicts = [all(yes, yes), all(yes, no), all(no, yes), all(no, no)].map((predicate) => predicate(added()));
  assert.deepEqual(verdicts, [true, false, false, false]);
});

test('[PR-11] `any` accepts a change if at least one predicate accepts the change', () => {
  const verdicts = [any(yes, yes), any(yes, no), any(no, yes), any(no, no)].map((predicate) => predicate(added()));
  assert.deepEqual(verdicts, [true, true, true, false]);
});

test('[PR-12] `not` inverts a predicate', () => {
  assert.deepEqual([not(yes)(added()), not(no)(added())], [false, true]);
});

test('[PR-13, PR-14] `matching` applies to every type of change, and accepts the modification with which an object stops matching', () => {
  const predicate = matching<KubeObject>(({ metadata }) => metadata.namespace === 'biz');
  const [inside, outside] = [{ namespace: 'biz' }, { namespace: 'foo' }];
  assert.deepEqual([added(inside), modified(inside, inside), deleted(inside)].map(predicate), [true, true, true]);
  assert.deepEqual([added(outside), modified(outside, outside), deleted(outside)].map(predicate), [
    false,
    false,
    false,
  ]);
  const ready = matching<KubeObject>(({ metadata }) => metadata.labels?.['ready'] === 'yes');
  assert.equal(
    ready(modified({ labels: { ready: 'yes' } }, {})),
    true,
    'so that an object that stops matching the filter is seen',
  );
});

test('[PR-15] `matchingLabels` accepts a modification if the old or the new object matches', () => {
  for (const predicate of [
    matchingLabels<KubeObject>({ tier: 'web' }),
    matchingLabels<KubeObject>('tier in (web, api)'),
  ]) {
    const [web, db] = [{ labels: { tier: 'web' } }, { labels: { tier: 'db' } }];
    assert.deepEqual([added(web), modified(web, web), deleted(web)].map(predicate), [true, true, true]);
    assert.deepEqual([added(db), modified(db, db), deleted(db), added()].map(predicate), [false, false, false, false]);
    assert.equal(predicate(modified(web, db)), true);
  }
  assert.throws(
    () => matchingLabels('tier in'),
    (error) =>
      error instanceof KubewrightError &&
      error.code === 'INVALID_SELECTOR' &&
      /^cannot read the label selector 'tier in': .*; for example, use 'tier in \(web, db\)'/.test(error.message),
  );
});

test('[CG-234] `changed` rejects a modification that keeps the selected value, and accepts a later modification of this value', async () => {
  const bench = await WatchBench.open({ when: changed(({ metadata }) => metadata.generation) });
  await bench.start();
  const a = bench.machines.put(machine('a', {}, { generation: 1 }));
  assert.deepEqual(await bench.reconciled(), ['a']);
  for (const image of ['x', 'y']) bench.machines.put({ ...a, spec: { image } } as never);
  assert.deepEqual(await bench.reconciled(), []);
  bench.machines.put(machine('a', {}, { generation: 2 }));
  assert.deepEqual(await bench.reconciled(), ['a']);
});

test('[CG-235] `changed` accepts a recreated object with an equal generation, even without a deletion event', async () => {
  const when = changed<KubeObject>(({ metadata }) => metadata.generation);
  assert.equal(when(modified({ uid: '1', generation: 1 }, { uid: '2', generation: 1 })), true);
  const bench = await WatchBench.open({ when });
  await bench.start();
  bench.machines.put(machine('a', {}, { uid: 'first', generation: 1 }));
  await bench.reconciled();
  bench.machines.remove({ namespace: 'default', name: 'a' });
  assert.deepEqual(await bench.reconciled(), [], 'no key is queued');
  bench.machines.put(machine('a', {}, { uid: 'second', generation: 1 }));
  assert.deepEqual(await bench.reconciled(), ['a']);
});

test('[CG-236] `every` reconciles an object even if a predicate rejects its changes', async () => {
  const bench = await WatchBench.open({ when: changed(({ metadata }) => metadata.generation), every: '1h' });
  await bench.start();
  bench.machines.put(machine('a', {}, { generation: 1 }));
  assert.deepEqual(await bench.reconciled(), ['a']);
  bench.machines.put(machine('a', { image: 'same generation' }, { generation: 1 }));
  await bench.advance(3_599_999);
  assert.deepEqual(await bench.reconciled(), []);
  await bench.advance(1);
  assert.deepEqual(await bench.reconciled(), ['a']);
});

test('a predicate that throws or returns a promise is logged and counted, and the change triggers a reconcile', async () => {
  for (const when of [
    () => {
      throw new Error('broken predicate');
    },
    (async () => false) as never,
  ]) {
    const bench = await WatchBench.open({ when });
    await bench.start();
    bench.machines.put(machine('a'));
    bench.machines.put(machine('a', { image: 'x' }));
    assert.deepEqual(await bench.reconciled(), ['a', 'a']);
    assert.equal(bench.runner.stats().triggerErrors.predicate, 2);
    assert.match(
      bench.errors[0] ?? '',
      /^the 'when' predicate of the controller threw an error; the change is processed: /,
    );
    assert.deepEqual(bench.runner.pending(), []);
  }
});
