import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { type ListedResource, listAnswerOf } from './list-answer.js';

const configMaps: ListedResource = {
  resource: { group: '', version: 'v1', apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true },
  metadataOnly: false,
  attempted: 'list configmaps',
};
const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '7' }, items: [] };
const partial = { ...list, kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' };
const custom: ListedResource = {
  ...configMaps,
  resource: { ...configMaps.resource, group: 'example.com', apiVersion: 'example.com/v1', kind: 'Widget' },
};
const { items: _, ...withoutItems } = list;

const refused: readonly (readonly [title: string, answer: unknown, message: RegExp, listed?: ListedResource])[] = [
  ['null', null, /not a list but null/],
  ['an array', [], /not a list but an array/],
  ['a string', 'list', /not a list but a string/],
  ['an object without a kind', { items: [] }, /an object without a kind instead of ConfigMapList/],
  ['a list of another kind', { ...list, kind: 'SecretList' }, /SecretList of v1 instead of ConfigMapList of v1/],
  ['a list of another version', { ...list, apiVersion: 'v2' }, /ConfigMapList of v2 instead of/],
  ['a Status', { ...list, kind: 'Status' }, /Status of v1 instead of/],
  ['a Table', { ...list, kind: 'Table', rows: [] }, /Table/],
  ['items that are null', { ...list, items: null }, /'items' of the list is null instead of an array/],
  ['items that are missing', withoutItems, /'items' of the list is missing/],
  ['items that are an object', { ...list, items: {} }, /'items' of the list is an object/],
  ['metadata that is a string', { ...list, metadata: 'x' }, /'metadata' of the list is a string/],
  [
    'a resourceVersion that is an object',
    { ...list, metadata: { resourceVersion: {} } },
    /resourceVersion' .* an object/,
  ],
  ['a resourceVersion that is a number', { ...list, metadata: { resourceVersion: 7 } }, /resourceVersion' .* a number/],
  ['a continue token that is a number', { ...list, metadata: { continue: 7 } }, /continue' .* a number/],
  ['a metadata list that was not requested', partial, /PartialObjectMetadataList of meta.k8s.io\/v1 instead of/],
  ['a custom list of another group', { ...list, kind: 'WidgetList' }, /WidgetList of v1 instead of/, custom],
  ['one custom object', { ...list, kind: 'Widget', apiVersion: 'example.com/v1' }, /Widget of example.com/, custom],
];

for (const [title, answer, message, listed = configMaps] of refused) {
  test(`rejects a list response: ${title}`, () => {
    assert.throws(
      () => listAnswerOf(answer, listed),
      (error) => error instanceof KubewrightError && error.code === 'INVALID_RESPONSE' && message.test(error.message),
    );
  });
}

test('accepts null as the items of a metadata list, which a kube-apiserver sends for an empty list', () => {
  const answer = listAnswerOf({ ...partial, items: null }, { ...configMaps, metadataOnly: true });
  assert.deepEqual([answer.items, answer.resourceVersion], [[], '7']);
});

test('accepts any name of the list kind for a custom resource', () => {
  const answer = { ...list, kind: 'Widgetry', apiVersion: 'example.com/v1' };
  assert.equal(listAnswerOf(answer, custom).isExpectedKind, false);
  assert.equal(listAnswerOf({ ...answer, kind: 'WidgetList' }, custom).isExpectedKind, true);
});

test('an error about a list response contains no value of the response except the kind and the apiVersion', () => {
  for (const [, answer, , listed = configMaps] of refused) {
    const secret = 'c2VjcmV0LXZhbHVl';
    const poisoned = typeof answer === 'object' && answer !== null ? { ...answer, data: secret } : secret;
    assert.throws(
      () => listAnswerOf(Array.isArray(answer) ? [secret] : poisoned, listed),
      (error) => error instanceof KubewrightError && !error.message.includes(secret),
    );
  }
});
