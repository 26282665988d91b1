import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayHaveField } from './may-have-field.js';

const define = (object: object, name: string, value: unknown): void => void Object.assign(object, { [name]: value });
const finalizers = new Set<string>();

class AsField {
  readonly finalizers = new Set<string>();
}
class InConstructor {
  declare finalizers: ReadonlySet<string>;
  constructor() {
    this.finalizers = new Set();
  }
}
class WhenNeeded {
  declare finalizers: ReadonlySet<string> | undefined;
  constructor() {
    this.finalizers ??= new Set();
  }
}
/** A class as a bundler emits it for engines without class fields. */
class Defined {
  constructor() {
    define(this, 'finalizers', new Set());
  }
}
class InShort {
  constructor() {
    define(this, 'all', { seen: 0, finalizers });
  }
}
class TakenOver {
  constructor(of: object) {
    Object.assign(this, of);
  }
}
class Heir extends AsField {}
const Unseen = new Proxy(AsField, {});
const computed = (name: string) =>
  class {
    readonly [name] = 0;
  };

class Other {
  seen = 0;
  /**
   * Reads the finalizers:
   * finalizers = all.
   */
  look(object: { metadata: { finalizers: string[] } }): boolean {
    // finalizers: the remaining ones
    const finalizers = object.metadata.finalizers.slice(this.seen);
    object.metadata.finalizers = finalizers;
    return finalizers.length === 0 || object.metadata.finalizers === undefined;
  }
}

test('finds a field in every form in which a class can define it, without constructing an instance', () => {
  for (const target of [AsField, InConstructor, WhenNeeded, Defined, InShort, TakenOver, Heir]) {
    assert.equal(mayHaveField(target, 'finalizers'), true, target.name);
  }
});

test('returns true for a class whose source code cannot be read', () => {
  assert.equal(mayHaveField(Unseen, 'finalizers'), true);
  assert.equal(mayHaveField(Other.bind(undefined), 'finalizers'), true);
});

test('ignores variables, fields of other objects, comparisons and comments', () => {
  assert.equal(mayHaveField(Other, 'finalizers'), false);
  assert.equal(mayHaveField(Other, 'seen'), true);
  assert.equal(mayHaveField(computed('finalizers'), 'finalizers'), false);
});
