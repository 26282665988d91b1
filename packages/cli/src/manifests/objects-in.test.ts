import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectsIn } from './objects-in.js';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n';

describe('objectsIn', () => {
  it('objectsIn reads the same values as kubectl: octal numbers, `on` as true, and all digits of integers', () => {
    const text = `${pod}spec: { defaultMode: 0400, isOn: on, at: 12:30, count: 9007199254740993 }\n`;
    const [object] = objectsIn(text) as readonly { readonly spec?: unknown }[];
    assert.deepEqual(object?.spec, { defaultMode: 256, isOn: true, at: '12:30', count: 9007199254740993n });
  });

  it('objectsIn skips empty YAML documents', () => {
    assert.equal(objectsIn(`---\n# none\n---\n${pod}---\n${pod}`).length, 2);
  });

  it('objectsIn reports the file and the position of a syntax error, and rejects a document without a required field', () => {
    const errorFor = (text: string): RegExp | string => {
      try {
        objectsIn(text, 'pods.yaml');
      } catch (error) {
        return (error as Error).message;
      }
      return 'nothing';
    };
    assert.match(String(errorFor('a: [')), /^cannot read pods\.yaml: .* at line 1, column 5/);
    for (const text of ['kind: Pod', 'a', '[]', 'apiVersion: v1\nkind: Pod\nmetadata: {}']) {
      assert.equal(errorFor(text), 'cannot read pods.yaml: a document lacks apiVersion, kind or metadata.name');
    }
  });
});
