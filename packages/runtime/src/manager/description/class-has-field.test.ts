import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classHasField } from './class-has-field.js';

const define = (field: object, name: string, value: unknown): void => void Object.assign(field, { [name]: value });

class AsField {
  readonly finalizers = new Set<string>();
}
class InConstructor {
  declare finalizers: ReadonlySet<string>;
  constructor() {
    this.finalizers = new Set();
  }
}
/** As a bundler writes it for engines without fields. */
class Defined {
  constructor() {
    define(this, 'finalizers', new Set());
  }
}
class Heir extends AsField {}
class Other {
  seen = 0;
  look(object: { metadata: { finalizers: string[] } }): boolean {
    object.metadata.finalizers = object.metadata.finalizers.slice(this.seen);
    return object.metadata.finalizers === undefined;
  }
}

test('a field is found in the source of a class, whichever way it is made, and no object is', () => {
  for (const target of [AsField, InConstructor, Defined, Heir]) {
    assert.equal(classHasField(target, 'finalizers'), true, target.name);
  }
});

test('the field of another object, and a comparison, are none', () => {
  assert.equal(classHasField(Other, 'finalizers'), false);
  assert.equal(classHasField(Other, 'seen'), true);
});
