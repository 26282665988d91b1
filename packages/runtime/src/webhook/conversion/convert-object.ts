import type { KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { isJsonObject, type JsonObject, setField } from '@kubewright/api/json';
import { kindOf, objectSchemaOf } from '@kubewright/api/metadata';
import { deepEqual } from '@kubewright/api/patch';
import { applyDefaults } from '@kubewright/api/schema';
import { readKept, withKept } from './conversion-annotation.js';
import type { ConversionStep } from './conversion-graph.js';
import { keptFields, restoreFields } from './kept-fields.js';

/**
 * Converts an object by the given steps. Keeps the metadata. If the converter is lossless (default), also keeps the values that a version
 * cannot represent. Returns a new object.
 *
 * Throws CONVERSION_FAILED if a converter throws an error, changes metadata, or returns anything other than the content of the object.
 * The message names the converter and the object.
 */
export function convertObject(object: KubeObject, steps: readonly ConversionStep[]): KubeObject {
  const shared: Shared = new Set();
  let current = object;
  for (const step of steps) current = convertStep(current, step, shared);
  return current;
}

/**
 * The values of arguments of converters that are frozen at every depth and contain only JSON. Results share these values with the
 * arguments, so that a conversion neither copies nor compares the parts of an object that a converter does not change.
 */
type Shared = Set<unknown>;

function convertStep(object: KubeObject, step: ConversionStep, shared: Shared): KubeObject {
  const { by, direction } = step;
  const { from, hub, lossless = true } = by.options;
  const [source, target] = direction === 'up' ? [from, hub] : [hub, from];
  const plain = call(object, step, shared);
  if (!lossless) return assembled(target, object.metadata, plain);
  const [sourceVersion, targetVersion] = [kindOf(source).version, kindOf(target).version];
  const { [targetVersion]: earlier = [], ...others } = readKept(object.metadata);
  const converted = earlier.length === 0 ? plain : restoreFields(plain, earlier);
  // Converting back shows which values the target version cannot represent.
  const other = assembled(target, object.metadata, converted);
  const back = call(other, { by, direction: direction === 'up' ? 'down' : 'up' }, shared);
  const kept = { ...others, [sourceVersion]: keptFields(back, contentOf(object)) };
  return assembled(target, withKept(object.metadata, kept), converted);
}

/** Calls one method of a converter with a frozen object. Returns the content with the defaults of the schema. */
function call(input: KubeObject, { by, direction }: ConversionStep, shared: Shared): JsonObject {
  const { options, converter, name } = by;
  const target = direction === 'up' ? options.hub : options.from;
  freeze(input, shared);
  const fail = (problem: string, cause?: unknown): never => {
    throw failed(`${direction} of ${name} ${problem}`, input, target, cause);
  };
  let result: unknown;
  try {
    result = direction === 'up' ? converter.up(input) : converter.down(input);
  } catch (error) {
    fail(`failed: ${messageOf(error)}`, error);
  }
  if (!isJsonObject(result) || result instanceof Promise) {
    return fail('did not return an object; return the fields of the object without apiVersion, kind and metadata');
  }
  const { apiVersion, kind, metadata, ...rest } = result;
  if (kind !== undefined && kind !== input.kind) fail(`returned the kind '${String(kind)}'; return only the content`);
  if (apiVersion !== undefined && apiVersion !== input.apiVersion && apiVersion !== kindOf(target).apiVersion) {
    fail(`returned the version '${String(apiVersion)}'; return only the content`);
  }
  if (metadata !== undefined && !deepEqual(metadata, input.metadata)) {
    fail('changed the metadata; return only the content, because the metadata is kept');
  }
  return withDefaults(settled(rest, shared) as JsonObject, target);
}

/** Freezes a value at every depth, and adds the parts that contain only JSON to `shared`. Returns whether the whole value is JSON. */
function freeze(value: unknown, shared: Shared): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  if (shared.has(value)) return true;
  let isJson = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  for (const key in value) if (!freeze((value as JsonObject)[key], shared)) isJson = false;
  Object.freeze(value);
  if (isJson) shared.add(value);
  return isJson;
}

/** Returns a value without undefined properties. Copies all parts that are not shared, because the converter can change them later. */
function settled(value: unknown, shared: Shared): unknown {
  if (typeof value !== 'object' || value === null || shared.has(value)) return value;
  if (Array.isArray(value)) return value.map((item) => settled(item, shared));
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (field !== undefined) setField(copy, key, settled(field, shared));
  }
  return copy;
}
function withDefaults(content: JsonObject, target: KindRef): JsonObject {
  const schema = objectSchemaOf(target);
  return schema === undefined ? content : applyDefaults(content, schema);
}
function contentOf(object: KubeObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...content } = object as unknown as JsonObject;
  return content;
}
function assembled(target: KindRef, metadata: unknown, content: JsonObject): KubeObject {
  const { apiVersion, kind } = kindOf(target);
  return { apiVersion, kind, metadata, ...content } as unknown as KubeObject;
}
function failed(
  problem: string,
  { metadata, apiVersion, kind }: KubeObject,
  target: KindRef,
  cause: unknown,
): KubewrightError {
  const { namespace, name } = metadata ?? {};
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  return new KubewrightError(
    'CONVERSION_FAILED',
    `cannot convert ${kind} ${key} from ${apiVersion} to ${kindOf(target).apiVersion}: ${problem}`,
    { cause },
  );
}
