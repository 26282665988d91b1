import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { PlannedObjects } from './planned-objects.js';
import type { RequestTarget } from './request-target.js';

const target: RequestTarget = { group: '', version: 'v1', plural: 'configmaps', namespace: 'a' };

function configMap(name: string, labels: Readonly<Record<string, string>> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'a', labels } } as unknown as KubeObject;
}
function objectsWith(...names: readonly string[]): PlannedObjects {
  const objects = new PlannedObjects(() => Promise.reject(new Error('no object is read')));
  for (const name of names) plan(objects, name);
  return objects;
}
function plan(objects: PlannedObjects, name: string): void {
  objects.set({ ...target, name }, configMap(name, { planned: 'true' }), undefined, '2026-01-01T00:00:00Z');
}
/** Returns the names on a page. `token` is the token with which the page is requested. */
function page(
  objects: PlannedObjects,
  names: readonly string[],
  { token, next, labelSelector }: { readonly token?: string; readonly next?: string; readonly labelSelector?: string },
): readonly string[] {
  const query = { limit: 2, ...(token !== undefined && { continue: token }), ...(labelSelector && { labelSelector }) };
  const items = names.map((name) => configMap(name));
  return objects.inList(target, items, { query, next }).map(({ metadata }) => metadata.name);
}

test('a paged list returns each planned object once: existing objects on their page, new objects on the last page', () => {
  const objects = objectsWith('one', 'three', 'new');
  assert.deepEqual(page(objects, ['one', 'two'], { next: 'A' }), ['two', 'one']);
  assert.deepEqual(page(objects, ['three', 'four'], { token: 'A', next: 'B' }), ['four', 'three']);
  assert.deepEqual(page(objects, ['five'], { token: 'B' }), ['five', 'new']);
});

test('a repeated page returns the same objects, and a list with another selector and the same token returns all planned objects', () => {
  const objects = objectsWith('one', 'new');
  page(objects, ['one', 'two'], { next: 'A' });
  for (let attempt = 0; attempt < 2; attempt++) {
    assert.deepEqual(page(objects, ['three'], { token: 'A' }), ['three', 'new']);
  }
  const labelSelector = 'planned';
  page(objects, [], { next: 'A', labelSelector });
  assert.deepEqual(page(objects, [], { token: 'A', labelSelector }), ['one', 'new']);
});

test('the last page omits an object that a write changed after an earlier page returned the object', () => {
  const objects = objectsWith();
  assert.deepEqual(page(objects, ['one', 'two'], { next: 'A' }), ['one', 'two']);
  plan(objects, 'one');
  assert.deepEqual(page(objects, ['three'], { token: 'A' }), ['three']);
});
