import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgetKey, type Occurrence, occurrenceKey, similarityKey } from './occurrence.js';
import { SimilarEvents } from './similar-events.js';

const occurrence: Occurrence = {
  type: 'Normal',
  reason: 'Synced',
  action: 'Syncing',
  note: 'synced',
  regarding: { apiVersion: 'v1', kind: 'Pod', name: 'a', namespace: 'apps', uid: '1', fieldPath: 'spec.containers{a}' },
  related: undefined,
  annotations: undefined,
  reportingController: 'machine',
  reportingInstance: 'machine-host',
  at: new Date(0),
};
const { regarding } = occurrence;
const variations: Readonly<Record<string, Partial<Occurrence>>> = {
  type: { type: 'Warning' },
  reason: { reason: 'Other' },
  text: { note: 'other' },
  kind: { regarding: { ...regarding, kind: 'Node' } },
  version: { regarding: { ...regarding, apiVersion: 'v2' } },
  name: { regarding: { ...regarding, name: 'b' } },
  namespace: { regarding: { ...regarding, namespace: 'other' } },
  uid: { regarding: { ...regarding, uid: '2' } },
  part: { regarding: { ...regarding, fieldPath: 'spec.containers{b}' } },
  controller: { reportingController: 'other' },
  process: { reportingInstance: 'machine-other' },
  time: { at: new Date(1) },
};
function distinguishingFields(key: (one: Occurrence) => string): readonly string[] {
  return Object.keys(variations).filter((name) => key({ ...occurrence, ...variations[name] }) !== key(occurrence));
}

test('[CG-149] events are similar if they differ only in text, action, related object and field path', () => {
  const apart = ['type', 'reason', 'kind', 'version', 'name', 'namespace', 'uid', 'controller', 'process'];
  assert.deepEqual(distinguishingFields(similarityKey), apart);
});

test('[CG-149] events are equal if they differ only in time', () => {
  const apart = Object.keys(variations).filter((name) => name !== 'time');
  assert.deepEqual(distinguishingFields(occurrenceKey), apart);
});

test('[CG-148] all events with the same source, type and object use the same budget', () => {
  const apart = ['type', 'kind', 'version', 'name', 'namespace', 'uid', 'controller', 'process'];
  assert.deepEqual(distinguishingFields(budgetKey), apart);
});

test('[CG-149] a combined event contains the latest text after a prefix', () => {
  const similar = new SimilarEvents();
  const grouped = Array.from({ length: 10 }, (_, at) => similar.group({ ...occurrence, note: `text ${at}` }, 0));
  assert.deepEqual(
    grouped.map(({ combined }) => combined),
    [...Array.from({ length: 9 }, () => false), true],
  );
  assert.equal(grouped.at(-1)?.occurrence.note, '(combined from similar events): text 9');
  assert.equal(grouped.at(-1)?.key, similarityKey(occurrence));
});

test('shortens the text of a combined event to the limit of the server', () => {
  const similar = new SimilarEvents();
  const grouped = Array.from({ length: 10 }, (_, at) =>
    similar.group({ ...occurrence, note: `${at}${'ä'.repeat(511)}` }, 0),
  );
  const { note = '' } = grouped.at(-1)?.occurrence ?? {};
  assert.match(note, /^\(combined from similar events\): 9ä+$/);
  assert.ok(Buffer.byteLength(note) <= 1024);
});
