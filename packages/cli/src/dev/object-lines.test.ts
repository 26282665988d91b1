import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { ObjectLines } from './object-lines.js';

const foo = (fields: object = {}, apiVersion = 'example.com/v1'): KubeObject =>
  ({
    apiVersion,
    kind: 'Foo',
    metadata: { name: 'one', namespace: 'default', uid: apiVersion },
    ...fields,
  }) as KubeObject;

/** Returns the definition of Foo with the given print columns. */
function definition(group: string, columns: readonly object[]): CustomResourceDefinition {
  const version = { name: 'v1', served: true, storage: true, additionalPrinterColumns: columns };
  const names = { kind: 'Foo', plural: 'foos' };
  const spec = { group, names, scope: 'Namespaced', versions: [version] };
  return new CustomResourceDefinition({ metadata: { name: `foos.${group}` }, spec } as never);
}
const counted = { name: 'Counted', type: 'integer', jsonPath: '.status.counted' };

describe('the line of an object', () => {
  it('the line of an object contains the print columns except Age, and is returned only if the value of a column has changed', () => {
    const lines = new ObjectLines({ nameWidth: 16 });
    const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
    const more = { name: 'More', type: 'string', jsonPath: '.status.more', priority: 1 };
    lines.show([definition('example.com', [counted, age, more]), definition('example.org', [])]);
    const state = (status: object): string | undefined => lines.of(foo({ status }));
    assert.equal(state({}), 'Foo default/one  added');
    assert.equal(state({ more: 'a' }), undefined);
    assert.equal(state({ counted: 1, more: 'a' }), 'Foo default/one  COUNTED 1');
    assert.equal(state({ counted: 1, more: 'b' }), undefined);
    assert.equal(state({ counted: 0 }), 'Foo default/one  COUNTED 0');
    assert.equal(state({ counted: '' }), 'Foo default/one  changed');
  });

  it('the line of an object without columns contains the Ready condition or the phase, even if another group has the same kind', () => {
    const lines = new ObjectLines({ nameOf: ({ metadata }) => metadata.name, nameWidth: 0 });
    lines.show([definition('example.com', []), definition('example.org', [counted])]);
    const ready = { type: 'Ready', status: 'False', reason: 'Waiting', message: '', lastTransitionTime: '' };
    assert.equal(lines.of(foo({ status: { phase: 'Running', counted: 1 } })), 'one PHASE Running');
    assert.equal(lines.of(foo({ status: { phase: 'Running', conditions: [ready] } })), 'one READY False (Waiting)');
    assert.equal(lines.of(foo({ status: { phase: 'Running', counted: 1 } }, 'example.org/v1')), 'one COUNTED 1');
  });

  it('kubewright dev reports the deletion of an object, and the creation of a new object with the same name', () => {
    const lines = new ObjectLines({ nameWidth: 0 });
    lines.of(foo());
    const metadata = { ...foo().metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    assert.equal(lines.of(foo({ metadata })), 'Foo default/one is being deleted');
    assert.equal(lines.deletedLine(foo()), 'Foo default/one deleted');
    assert.equal(lines.of(foo()), 'Foo default/one added');
  });
});
