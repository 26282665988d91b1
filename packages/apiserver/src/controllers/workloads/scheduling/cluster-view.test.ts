import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { ClusterView } from './cluster-view.js';
import { needsOf } from './pod-needs.js';

const node = (name: string): ApiObject => ({ metadata: { name } }) as unknown as ApiObject;
const pod = (uid: string, nodeName: string, fields: object = {}): ApiObject =>
  ({ metadata: { name: uid, uid }, spec: { nodeName, ...fields } }) as unknown as ApiObject;
const using = (requests: object): object => ({ containers: [{ name: 'c', resources: { requests } }] });

test('a ClusterView forgets deleted nodes without Pods, and resources that no Pod requests', () => {
  const view = new ClusterView();
  view.observePod(pod('stray', 'a'), false);
  view.observePod(pod('stray', 'a'), true);
  for (const name of ['b', 'a']) view.observeNode(node(name), false);
  const names = view.viewsFor(needsOf(pod('new', ''))).map((each) => each.node.metadata.name);
  assert.deepEqual(names, ['b', 'a'], 'the deleted Pod does not determine the order of the nodes');
  const rare = pod('rare', 'a', using({ 'example.com/gpu': '1' }));
  view.observePod(rare, false);
  assert.deepEqual([...(view.view('a')?.used.keys() ?? [])], ['pods', 'example.com/gpu']);
  view.observePod(rare, true);
  assert.deepEqual([...(view.view('a')?.used.keys() ?? [])], []);
});

test('a nominated Pod counts on its node for Pods of the same or a lower priority', () => {
  const view = new ClusterView();
  for (const name of ['a', 'b']) view.observeNode(node(name), false);
  const nominated = { ...pod('n', '', { priority: 5 }), status: { nominatedNodeName: 'b' } };
  view.observePod(nominated, false);
  const counts = (priority: number): readonly number[] =>
    view.viewsFor(needsOf(pod('p', '', { priority }))).map(({ pods }) => pods.size);
  assert.deepEqual(
    [counts(5), counts(6)],
    [
      [0, 1],
      [0, 0],
    ],
  );
});
