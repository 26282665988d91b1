import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtInSchema } from '@kubewright/api/built-in';
import { fieldChanges } from './field-changes.js';

const schema = builtInSchema('v1', 'Pod');

function object(fields: object, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', ...metadata }, ...fields };
}

describe('fieldChanges', () => {
  it('returns only the values that differ', () => {
    const before = object({ spec: { hostname: 'h', nodeName: 'n' } });
    const after = object({ spec: { hostname: 'h', nodeName: 'm', priority: 0 } });
    assert.deepEqual(fieldChanges(before, after, schema), [
      { field: 'spec.nodeName', from: 'n', to: 'm' },
      { field: 'spec.priority', to: 0 },
    ]);
    assert.deepEqual(fieldChanges(before, before, schema), []);
  });
  it('compares the elements of a list by their keys, regardless of order', () => {
    const containers = (...images: string[]) => images.map((image) => ({ name: image.split(':')[0], image }));
    const before = object({ spec: { containers: containers('web:1', 'log:1') } });
    const after = object({ spec: { containers: containers('log:1', 'web:2', 'new:1') } });
    assert.deepEqual(fieldChanges(before, after, schema), [
      { field: 'spec.containers[name=web].image', from: 'web:1', to: 'web:2' },
      { field: 'spec.containers[name=new].image', to: 'new:1' },
      { field: 'spec.containers[name=new].name', to: 'new' },
    ]);
  });
  it('compares lists of different lengths as a whole if their elements have no unique keys', () => {
    const changes = fieldChanges(object({ spec: { args: ['a'] } }), object({ spec: { args: ['a', 'b'] } }), undefined);
    assert.deepEqual(changes, [{ field: 'spec.args', from: ['a'], to: ['a', 'b'] }]);
    const twice = [{ name: 'x' }, { name: 'x' }];
    assert.deepEqual(fieldChanges(object({ list: twice }), object({ list: [] }), undefined), [
      { field: 'list', from: twice, to: [] },
    ]);
  });
  it('compares lists of the same length by index if their elements have no keys', () => {
    const claim = (storage: string) => ({ metadata: { name: 'data' }, spec: { resources: { requests: { storage } } } });
    const set = (storage: string) => object({ spec: { volumeClaimTemplates: [claim('1Gi'), claim(storage)] } });
    assert.deepEqual(fieldChanges(set('1Gi'), set('2Gi'), builtInSchema('apps/v1', 'StatefulSet')), [
      { field: 'spec.volumeClaimTemplates[1].spec.resources.requests.storage', from: '1Gi', to: '2Gi' },
    ]);
  });
  it('omits fields that only the server writes, and annotations with digests of applied objects', () => {
    const annotations = { 'applied.kubewright.dev/x': '1', 'example.com/note': 'n' };
    const after = object({}, { uid: 'u', resourceVersion: '2', generation: 2, managedFields: [], annotations });
    assert.deepEqual(fieldChanges(object({}, { uid: 'u', resourceVersion: '1' }), after, schema), [
      { field: 'metadata.annotations["example.com/note"]', to: 'n' },
    ]);
  });
  it('never returns the content of a Secret', () => {
    const secret = (data: object, text = '{}') => ({
      ...object({ data }, { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': text } }),
      kind: 'Secret',
    });
    const changes = fieldChanges(secret({ a: 'b2xk', gone: 'eA==' }), secret({ a: 'bmV3' }, '{"data":1}'), undefined);
    assert.deepEqual(changes, [
      { field: 'data.a', secret: true },
      { field: 'data.gone', secret: true },
      { field: 'metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]', secret: true },
    ]);
  });
  it('returns the fields of a new object, including empty maps', () => {
    const made = object({ spec: { emptyDir: {} } });
    assert.deepEqual(fieldChanges(undefined, made, undefined), [
      { field: 'metadata.name', to: 'a' },
      { field: 'spec.emptyDir', to: {} },
    ]);
  });
});
