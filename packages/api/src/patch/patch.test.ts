import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { applyMergePatch } from './apply-merge-patch.js';
import { deepEqual } from './deep-equal.js';
import { applyJsonPatch } from './json-patch.js';
import { mergePatch } from './merge-patch.js';
import { PatchError } from './patch-error.js';

const json = (withNull: boolean) =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      fc.constantFrom<unknown>(...(withNull ? [null, 0, 'x'] : [0, 'x', true])),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', ''), tie('value'), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
    ),
  })).value;
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), json(false), { noNullPrototype: true });

describe('merge patch', () => {
  // The examples of RFC 7386, appendix A.
  const examples: readonly (readonly [unknown, unknown, unknown])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    // Cases in which Kubernetes differs from the RFC.
    [{}, { a: [null, { b: null }] }, { a: [null, {}] }],
    [{ a: [] }, { a: [[{ b: null }]] }, { a: [[{}]] }],
    [{ a: {} }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ];
  for (const [document, patch, expected] of examples) {
    test(`${JSON.stringify(patch)} turns ${JSON.stringify(document)} into ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(applyMergePatch(document, patch), expected);
    });
  }

  test('a computed patch converts the first document to the second if neither document contains null', () => {
    fc.assert(
      fc.property(object, object, (from, to) => {
        const patch = mergePatch(from, to);
        assert.equal(patch === undefined, deepEqual(from, to));
        const result = patch === undefined ? from : applyMergePatch(from, patch);
        assert.deepEqual(JSON.parse(JSON.stringify(result)), JSON.parse(JSON.stringify(to)));
      }),
    );
  });

  test('a computed patch contains only the changes', () => {
    const from = { a: 1, b: { c: [1], d: 2, e: { f: 1 } }, gone: 1 };
    assert.deepEqual(mergePatch(from, { a: 1, b: { c: [1, 2], d: 2, e: { f: 1 } } }), { b: { c: [1, 2] }, gone: null });
    assert.equal(mergePatch(from, structuredClone(from)), undefined);
    assert.equal(mergePatch({ a: undefined }, {}), undefined);
    assert.deepEqual(mergePatch({ a: 1 }, { a: undefined }), { a: null });
  });

  test('a merge patch does not modify the document, and the result shares unchanged values with the document', () => {
    const from = Object.freeze({ a: Object.freeze({ x: 1 }), b: Object.freeze({ y: 1 }) });
    const result = applyMergePatch(from, { b: { y: 2 } }) as typeof from;
    assert.equal(result.a, from.a);
    assert.equal(applyMergePatch(from, { b: { y: 1 }, c: null }), from);
  });
});

describe('deepEqual', () => {
  test('returns whether the JSON texts with sorted keys are equal', () => {
    assert.ok(deepEqual({ a: 1, b: undefined }, { a: 1 }));
    assert.ok(!deepEqual({ a: undefined }, { b: undefined, a: 1 }));
    assert.ok(!deepEqual([], {}));
    assert.ok(!deepEqual(null, {}));
    assert.ok(!deepEqual({ constructor: 1 }, {}));
    fc.assert(fc.property(json(true), json(true), (a, b) => assert.equal(deepEqual(a, b), sorted(a) === sorted(b))));
  });
});

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted((value as Record<string, unknown>)[key])}`).join(',')}}`;
}

describe('JSON patch', () => {
  const applied: readonly (readonly [string, unknown, unknown, unknown])[] = [
    ['adds a field', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['inserts before an element', [1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
    ['appends to a list with the index -', { l: [1] }, [{ op: 'add', path: '/l/-', value: 2 }], { l: [1, 2] }],
    ['removes a field', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['removes an element', { l: [1, 2] }, [{ op: 'remove', path: '/l/0' }], { l: [2] }],
    ['counts a negative index from the end of the list', { l: [1, 2] }, [{ op: 'remove', path: '/l/-1' }], { l: [1] }],
    ['replaces a nested value', { a: [{ b: 1 }] }, [{ op: 'replace', path: '/a/0/b', value: 2 }], { a: [{ b: 2 }] }],
    ['adds an absent field with replace', {}, [{ op: 'replace', path: '/a', value: 2 }], { a: 2 }],
    ['replaces the whole document', { a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
    ['moves a field', { a: 1 }, [{ op: 'move', from: '/a', path: '/b' }], { b: 1 }],
    ['copies a field', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
    [
      'compares a value regardless of the key order',
      { a: { x: 1, y: 2 } },
      [{ op: 'test', path: '/a', value: { y: 2, x: 1 } }],
      { a: { x: 1, y: 2 } },
    ],
    ['treats an absent field as null in a test', {}, [{ op: 'test', path: '/a', value: null }], {}],
    ['decodes ~1 and ~0 in a path', { 'a/b~c': 1 }, [{ op: 'replace', path: '/a~1b~0c', value: 2 }], { 'a/b~c': 2 }],
    ['decodes ~01 as ~1', { '~1': 1 }, [{ op: 'remove', path: '/~01' }], {}],
  ];
  for (const [what, document, patch, expected] of applied) {
    test(what, () => {
      const before = structuredClone(document);
      assert.deepEqual(applyJsonPatch(document, patch), expected);
      assert.deepEqual(document, before);
    });
  }

  const refused: readonly (readonly [unknown, unknown, number, string])[] = [
    [
      {},
      [{ op: 'remove', path: '/a' }],
      422,
      "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value",
    ],
    [
      {},
      [{ op: 'add', path: '/a/b', value: 1 }],
      422,
      'add operation does not apply: doc is missing path: "/a/b": missing value',
    ],
    [{ a: 1 }, [{ op: 'test', path: '/a', value: 2 }], 422, 'testing value /a failed: test failed'],
    [
      { a: [] },
      [{ op: 'replace', path: '/a/0', value: 2 }],
      422,
      'replace operation does not apply: doc is missing key: /a/0: missing value',
    ],
    [
      { a: [] },
      [{ op: 'add', path: '/a/2', value: 2 }],
      422,
      "error in add for path: '/a/2': Unable to access invalid index: 2: invalid index referenced",
    ],
    [{}, [{ op: 'nope', path: '/a' }], 422, 'Unexpected kind: nope'],
    [
      {},
      { op: 'add' },
      400,
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    [{}, ['x'], 400, 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp'],
    [
      {},
      Array.from({ length: 10_001 }, () => ({ op: 'test', path: '', value: {} })),
      413,
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ],
  ];
  for (const [document, patch, status, message] of refused) {
    test(`fails with ${status}: ${message}`, () => {
      assert.throws(
        () => applyJsonPatch(document, patch),
        (error) => {
          assert.ok(error instanceof PatchError);
          assert.equal(error.message, message);
          assert.equal(error.status, status);
          const generic = 'the server rejected our request due to an error in our request';
          assert.equal(error.answer, status === 422 ? generic : message);
          return true;
        },
      );
    });
  }

  test('rejects copies with a total size of more than 3 MiB', () => {
    const double = { op: 'copy', from: '/list', path: '/list/-' };
    const copies = (length: number): unknown =>
      applyJsonPatch(
        { list: ['x'.repeat(1000)] },
        Array.from({ length }, () => double),
      );
    assert.ok(JSON.stringify(copies(11)).length < 4 * 1024 * 1024);
    const size = 'the accumulated size increase of copy is 4115463, exceeding the limit 3145728';
    assert.throws(() => copies(12), { kind: 'doesNotApply', message: `Unable to copy, ${size}` });
  });

  test('a copy operation does not share the copied value with its source', () => {
    const patch = [
      { op: 'add', path: '/a/x', value: 1 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/x', value: 2 },
    ];
    assert.deepEqual(applyJsonPatch({ a: {} }, patch), { a: { x: 1 }, b: { x: 2 } });
  });

  // If each operation copied the map, the patch would take minutes.
  test('applies 10,000 operations to a map of 200,000 keys', () => {
    const map = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`key${at}`, at]));
    const patch = Array.from({ length: 10_000 }, (_, at) => ({ op: 'replace', path: `/map/key${at}`, value: 'new' }));
    const { map: patched } = applyJsonPatch({ map }, patch) as { map: typeof map };
    assert.deepEqual([patched['key9999'], patched['key10000'], map['key0']], ['new', 10_000, 0]);
  });

  test('adding and then removing a field restores the document, and unchanged values are shared', () => {
    fc.assert(
      fc.property(object, json(true), (document, value) => {
        const added = applyJsonPatch({ ...document, deep: { document } }, [
          { op: 'add', path: '/deep/new', value },
        ]) as { deep: unknown };
        const back = applyJsonPatch(added, [
          { op: 'test', path: '/deep/new', value },
          { op: 'remove', path: '/deep/new' },
        ]);
        assert.deepEqual(back, { ...document, deep: { document } });
        assert.equal((back as { deep: { document: unknown } }).deep.document, document);
      }),
    );
  });
});
