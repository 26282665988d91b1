import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { CONVERSION_ANNOTATION } from './conversion-annotation.js';
import { convertObject } from './convert-object.js';

type Any = KubeObject & { readonly spec: Readonly<Record<string, unknown>> };
const hub = dynamicKind<Any>('example.com/v1', 'Disk');
const from = dynamicKind<Any>('example.com/v1beta1', 'Disk');

function disk(spec: object, metadata: object = {}): Any {
  return { apiVersion: 'example.com/v1beta1', kind: 'Disk', metadata: { name: 'a', ...metadata }, spec } as Any;
}
/** Converts an object to the hub. */
function convert(object: Any, up: (object: Any) => object, down: (object: Any) => object = (each) => each): Any {
  const converter = { up, down } as never;
  return convertObject(object, [{ by: { name: 'Disk', options: { from, hub }, converter }, direction: 'up' }]) as Any;
}

test('a conversion shares the parts that the converter does not change with its argument', () => {
  const object = disk({ size: 1, parts: [{ name: 'boot' }] }, { annotations: { mine: 'x' } });
  const converted = convert(
    object,
    ({ spec }) => ({ spec: { ...spec, size: 2 } }),
    ({ spec }) => ({ spec }),
  );
  assert.equal(converted.spec['parts'], object.spec['parts']);
  assert.ok(Object.isFrozen(converted.spec['parts']));
  const same = convert(object, (each) => each);
  assert.equal(same.metadata, object.metadata);
  assert.equal(same.spec, object.spec);
});

test('a conversion copies values of the converter, so that the converter can change them later', () => {
  const constants = { parts: [{ name: 'boot' }] };
  const shallow = Object.freeze({ inner: { a: 1 } });
  const converted = convert(disk({}), () => ({ spec: { ...constants, shallow } }));
  assert.ok(
    !Object.isFrozen(constants.parts) && !Object.isFrozen(constants.parts[0]) && !Object.isFrozen(shallow.inner),
  );
  constants.parts.push({ name: 'data' });
  shallow.inner.a = 2;
  assert.deepEqual(JSON.parse(JSON.stringify(converted.spec)), {
    parts: [{ name: 'boot' }],
    shallow: { inner: { a: 1 } },
  });
});

test('a conversion drops undefined properties of arguments and results, and copies objects that are not plain', () => {
  const plain = { a: undefined, b: { c: undefined, d: [1, { e: undefined }] } };
  class Size {
    bytes = 1;
  }
  const converted = convert(disk({ plain }), ({ spec }) => ({ spec: { ...spec, size: new Size(), none: undefined } }));
  const content = JSON.parse(JSON.stringify(converted.spec)) as object;
  assert.deepEqual(content, { plain: { b: { d: [1, {}] } }, size: { bytes: 1 } });
  assert.deepEqual(Object.keys(converted.spec['plain'] as object), ['b']);
  assert.equal(Object.getPrototypeOf(converted.spec['size']) === Size.prototype, false);
});

test('a conversion removes its annotation when no value is lost, and an object without other annotations has none', () => {
  const lost = { v1: [{ path: ['spec', 'x'], is: 1 }] };
  const annotations = { [CONVERSION_ANNOTATION]: JSON.stringify(lost) };
  const same = (each: Any): object => each;
  const withoutX = ({ spec }: Any): object => ({
    spec: Object.fromEntries(Object.entries(spec).filter(([key]) => key !== 'x')),
  });
  const restored = convert(disk({}, { annotations }), same, withoutX);
  assert.deepEqual(restored.metadata, { name: 'a' });
  assert.deepEqual({ ...restored.spec }, { x: 1 });
  const others = convert(disk({}, { annotations: { ...annotations, mine: 'x' } }), same, withoutX);
  assert.deepEqual(others.metadata, { name: 'a', annotations: { mine: 'x' } });
});
