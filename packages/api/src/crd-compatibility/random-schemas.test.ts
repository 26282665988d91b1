import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkExpressions } from '../cel/rules/check-expressions.js';
import { RuleValidator } from '../cel/rules/rule-validator.js';
import type { CustomResourceDefinition } from '../generated/apiextensions/v1.js';
import { applyDefaults } from '../schema/apply-defaults.js';
import { checkStructural } from '../schema/check-structural.js';
import { hasRules } from '../schema/has-rules.js';
import { isJsonMap, sameJson } from '../schema/json-shape.js';
import { prune } from '../schema/prune.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { validate } from '../schema/validate.js';
import { validateUpdate } from '../schema/validate-update.js';
import { compareDefinitions } from './compare-definitions.js';
import { type CompatibilityClass, verdictOf } from './compatibility-finding.js';

type Draft = { -readonly [Key in keyof StructuralSchema]: StructuralSchema[Key] };

const RUNS = Number(process.env['KUBEWRIGHT_PROPERTY_RUNS'] ?? 500);
const TEXTS = ['', 'a', 'ab', 'abc', 'b1', '10.0.0.1', 'x'.repeat(6)];
const NUMBERS = [-3, 0, 1, 2, 4, 6, 9, 2 ** 40];
const NAMES = ['a', 'b', 'c'];

/** Generates random schemas, small changes of the schemas, and matching values. */
class RandomSchemas {
  readonly #random: () => number;

  constructor(seed: number) {
    let state = seed;
    this.#random = () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }
  of<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }
  some<T>(list: readonly T[]): T[] {
    return list.filter(() => this.chance(0.5));
  }

  schema(depth = 3): StructuralSchema {
    const scalar = ['string', 'integer', 'number', 'boolean', 'int-or-string', 'anything'];
    const type = this.of(depth === 0 ? scalar : [...scalar, 'list', 'object', 'object', 'object', 'map']);
    const draft: Draft = this.shape(type, depth);
    for (let count = 0; this.chance(0.5) && count < 3; count += 1) Object.assign(draft, this.restriction(draft));
    return draft;
  }

  shape(type: string, depth: number): Draft {
    switch (type) {
      case 'int-or-string':
        return { 'x-kubernetes-int-or-string': true };
      case 'anything':
        return { 'x-kubernetes-preserve-unknown-fields': true };
      case 'list':
        return { type: 'array', items: this.schema(depth - 1) };
      case 'map':
        return { type: 'object', additionalProperties: this.schema(depth - 1) };
      case 'object':
        return this.object(depth);
      default:
        return { type };
    }
  }

  object(depth: number): Draft {
    const properties = Object.fromEntries(NAMES.map((name) => [name, this.schema(depth - 1)]));
    const required = this.chance(0.4) ? { required: this.some(NAMES) } : {};
    const kept = this.chance(0.1) ? { 'x-kubernetes-preserve-unknown-fields': true } : {};
    return { type: 'object', properties, ...required, ...kept };
  }

  /** Returns a schema with one restriction added, removed or changed. */
  restriction(schema: StructuralSchema): Draft {
    const name = this.of(NAMES);
    const nested = { required: [name] };
    const anyType: (() => Draft)[] = [
      () => ({ nullable: this.chance(0.7) }),
      () => this.defaulted(schema),
      () => ({ 'x-kubernetes-validations': [{ rule: this.rule(schema) }] }),
    ];
    const text: (() => Draft)[] = [
      () => ({ minLength: this.of([0, 1, 2]) }),
      () => ({ maxLength: this.of([1, 2, 3]) }),
      () => ({ pattern: this.of(['^a', 'b', '^[a-z]*$']) }),
      () => ({ format: this.of(['ipv4', 'hostname', 'unknown']) }),
      () => ({ enum: this.some(TEXTS) }),
    ];
    const number: (() => Draft)[] = [
      () => ({ minimum: this.of(NUMBERS), exclusiveMinimum: this.chance(0.3) }),
      () => ({ maximum: this.of(NUMBERS), exclusiveMaximum: this.chance(0.3) }),
      () => ({ multipleOf: this.of([1, 2, 4]) }),
      () => ({ format: this.of(['int32', 'int64', 'float', 'double']) }),
      () => ({ enum: this.some(NUMBERS) }),
    ];
    const list: (() => Draft)[] = [
      () => ({ minItems: this.of([0, 1, 2]) }),
      () => ({ maxItems: this.of([0, 1, 2]) }),
      () => ({ 'x-kubernetes-list-type': this.of(['atomic', 'set']) }),
      () => ({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': this.some(NAMES) }),
    ];
    const object: (() => Draft)[] = [
      () => ({ required: this.some(NAMES) }),
      () => ({ minProperties: this.of([0, 1, 2]) }),
      () => ({ maxProperties: this.of([1, 2, 3]) }),
      () => ({ anyOf: [nested, { required: [this.of(NAMES)] }] }),
      () => ({ oneOf: [nested, { not: nested }] }),
      () => ({ not: { required: [name, this.of(NAMES)] } }),
      () => ({ 'x-kubernetes-map-type': this.of(['atomic', 'granular']) }),
      () => ({ 'x-kubernetes-preserve-unknown-fields': true }),
    ];
    const byType: Readonly<Record<string, readonly (() => Draft)[]>> = {
      string: text,
      integer: number,
      number,
      array: list,
      object,
    };
    return this.of([...anyType, ...(byType[schema.type ?? ''] ?? [])])();
  }

  defaulted(schema: StructuralSchema): Draft {
    const value = this.value(schema);
    return value === undefined || value === null ? {} : { default: value };
  }

  rule({ type }: StructuralSchema): string {
    const name = this.of(NAMES);
    const byType: Readonly<Record<string, readonly string[]>> = {
      string: ['size(self) < 3', "self != 'a'"],
      integer: ['self > 1', 'self < 9', 'self >= oldSelf'],
      array: ['size(self) < 2'],
      object: [`has(self.${name})`, `!has(self.${name})`],
    };
    return this.of([...(byType[type ?? ''] ?? []), 'self == oldSelf', 'true']);
  }

  /** Returns a value with the structure of a schema. The value can violate the size limits of the schema. */
  value(schema: StructuralSchema, depth = 4): unknown {
    if (schema.nullable === true && this.chance(0.1)) return null;
    if (schema.enum !== undefined && schema.enum.length > 0 && this.chance(0.8)) return this.of(schema.enum);
    const { properties = {}, required = [], additionalProperties, items } = schema;
    if (schema.type === 'array') return items === undefined ? [] : this.upTo(2, () => this.value(items, depth - 1));
    if (schema.type === 'object') {
      const share = this.of([0.2, 0.6, 0.9]);
      const named = Object.entries(properties)
        .filter(([name]) => required.includes(name) || this.chance(share))
        .map(([name, property]) => [name, this.value(property, depth - 1)]);
      const unnamed = isJsonMap(additionalProperties)
        ? this.upTo(2, () => [this.of([...NAMES, 'k/1']), this.value(additionalProperties, depth - 1)])
        : schema['x-kubernetes-preserve-unknown-fields'] === true
          ? this.upTo(2, () => [this.of([...NAMES, 'd']), this.anything()])
          : [];
      return Object.fromEntries([...unnamed, ...named]);
    }
    if (schema['x-kubernetes-int-or-string'] === true) return this.of<unknown>([...TEXTS, ...NUMBERS]);
    if (schema.type === undefined) return this.anything();
    if (schema.type === 'string') return this.of(TEXTS);
    if (schema.type === 'boolean') return this.chance(0.5);
    return schema.type === 'number' && this.chance(0.3) ? this.of([0.5, 1.5, 3e39]) : this.of(NUMBERS);
  }

  upTo<T>(most: number, draw: () => T): T[] {
    return Array.from({ length: Math.floor(this.#random() * (most + 1)) }, draw);
  }

  anything(): unknown {
    return this.of<unknown>([null, true, 1, 0.5, 'a', [1], ['a', 'a'], { a: 1 }, { a: { b: 'x' } }, {}]);
  }

  /** Returns the schema with one change at a random position. */
  changed(schema: StructuralSchema, depth = 3): StructuralSchema {
    const { properties, items, additionalProperties } = schema;
    const below = this.chance(0.7);
    if (below && properties !== undefined) {
      const name = this.of(Object.keys(properties));
      const property = properties[name];
      if (property !== undefined) {
        return { ...schema, properties: { ...properties, [name]: this.changed(property, depth - 1) } };
      }
    }
    if (below && items !== undefined) return { ...schema, items: this.changed(items, depth - 1) };
    if (below && isJsonMap(additionalProperties)) {
      return { ...schema, additionalProperties: this.changed(additionalProperties, depth - 1) };
    }
    return this.of([
      () => ({ ...schema, ...this.restriction(schema) }),
      () => ({ ...schema, ...this.restriction(schema) }),
      () => this.without(schema),
      () => this.without(schema),
      () => this.withField(schema),
      () => this.schema(depth),
      () => ({ ...this.shape(schema.type ?? 'anything', depth), ...schema }),
    ])();
  }

  without(schema: StructuralSchema): StructuralSchema {
    const { properties } = schema;
    const shape = ['type', 'properties', 'items', 'additionalProperties'];
    const removed = this.of(['', ...Object.keys(schema).filter((key) => !shape.includes(key))]) as keyof Draft;
    const left: Draft = { ...schema };
    delete left[removed];
    if (properties !== undefined && this.chance(0.3)) {
      const kept = Object.entries(properties).filter(([name]) => name !== 'a');
      left.properties = Object.fromEntries(kept);
    }
    return left;
  }

  withField(schema: StructuralSchema): StructuralSchema {
    if (schema.properties === undefined) return schema;
    return { ...schema, properties: { ...schema.properties, e: this.schema(1) } };
  }
}

function definition(spec: StructuralSchema): CustomResourceDefinition {
  const names = { kind: 'Random', plural: 'randoms' };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: whole(spec) } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'randoms.example.com' },
    spec: { group: 'example.com', names, scope: 'Cluster', versions: [version] },
  } as unknown as CustomResourceDefinition;
}

function whole(spec: StructuralSchema): StructuralSchema {
  return { type: 'object', properties: { spec } };
}

/** Whether the API server accepts the schema. */
function mayStand(schema: StructuralSchema): boolean {
  return (
    checkStructural(schema, 'schema').length === 0 &&
    checkExpressions(schema, 'schema').length === 0 &&
    defaultsKeepRules(schema)
  );
}

/** Whether the defaults satisfy the rules of the schema. The API server rejects a schema whose defaults violate its rules. */
function defaultsKeepRules(schema: StructuralSchema): boolean {
  const { properties = {}, items, additionalProperties } = schema;
  const within = [...Object.values(properties), items, additionalProperties].filter((each) => isJsonMap(each));
  if (!within.every((each) => defaultsKeepRules(each as StructuralSchema))) return false;
  if (schema.default === undefined || !hasRules(schema)) return true;
  const around = { type: 'object', properties: { value: schema } };
  const value = applyDefaults({ value: schema.default }, around);
  return RuleValidator.compile(around)?.validate(value).errors.length === 0;
}

const metadata = { name: 'x' };
const served = (spec: unknown, schema: StructuralSchema): { readonly spec?: unknown } =>
  applyDefaults(prune({ metadata, spec }, schema).value, schema);

const rules = new WeakMap<StructuralSchema, RuleValidator | undefined>();
function rulesOf(schema: StructuralSchema): RuleValidator | undefined {
  if (!rules.has(schema)) rules.set(schema, RuleValidator.compile(schema));
  return rules.get(schema);
}

function createErrors(object: object, schema: StructuralSchema): readonly string[] {
  const found = [...validate(object, schema), ...(rulesOf(schema)?.validate(object).errors ?? [])];
  return found.map(({ field, message }) => `${field}: ${message}`);
}

function updateErrors(object: object, old: object, schema: StructuralSchema): readonly string[] {
  const shape = validateUpdate(object, old, { schema, authored: schema });
  const found = [...shape, ...(rulesOf(schema)?.validate(object, old).errors ?? [])];
  return found.map(({ field, message }) => `${field}: ${message}`);
}

/** Whether a value still has all of its previous content. The value may have additional fields, because defaults can add fields. */
function keepsAll(now: unknown, before: unknown): boolean {
  if (Array.isArray(before)) {
    return Array.isArray(now) && now.length === before.length && before.every((item, at) => keepsAll(now[at], item));
  }
  if (!isJsonMap(before)) return sameJson(now, before);
  return isJsonMap(now) && Object.keys(before).every((key) => keepsAll(now[key], before[key]));
}

/** Returns the object with another label. This change does not affect the rules of the spec. */
function relabelled(object: object): object {
  return { ...object, metadata: { ...metadata, labels: { a: 'b' } } };
}

/**
 * Returns a counterexample to the verdict: an object that the old schema accepts in an update, and that the new schema changes or rejects.
 */
function brokenPromise(
  verdict: CompatibilityClass,
  [before, after]: readonly StructuralSchema[],
  schemas: RandomSchemas,
) {
  const [old, next] = [whole(before ?? {}), whole(after ?? {})];
  for (let count = 0; count < 8; count += 1) {
    const stored = served(schemas.value(before ?? {}), old);
    if (createErrors(stored, old).length > 0) continue;
    // As in kube-apiserver, a string field with a format accepts an array, and a transition rule of the field then rejects every update.
    if (updateErrors(relabelled(stored), stored, old).length > 0) continue;
    const now = served(stored.spec, next);
    if (!keepsAll(now, stored)) return { lost: stored, now };
    const update = updateErrors(relabelled(now), now, next);
    if (update.length > 0) return { stored, update };
    if (verdict !== 'safe') continue;
    const create = createErrors(served(stored.spec, next), next);
    if (create.length > 0) return { stored, create };
  }
  return undefined;
}

/** The test draws schemas until it has more than this number of `safe` verdicts, and of `ratcheted` verdicts. */
const ENOUGH = 50;
const MOST_ROUNDS = 10;

function promisesHold(change: (schemas: RandomSchemas, schema: StructuralSchema) => StructuralSchema): void {
  const seen: Record<CompatibilityClass, number> = { safe: 0, ratcheted: 0, breaking: 0 };
  const isEnough = (): boolean => seen.safe > ENOUGH && seen.ratcheted > ENOUGH;
  const holds = fc.property(fc.integer(), (seed) => {
    const schemas = new RandomSchemas(seed);
    const before = schemas.object(2);
    const after = change(schemas, before);
    const findings = compareDefinitions([definition(before)], [definition(after)]);
    const verdict = verdictOf(findings);
    seen[verdict] += 1;
    if (verdict === 'breaking') return;
    fc.pre(mayStand(whole(before)) && mayStand(whole(after)));
    const broken = brokenPromise(verdict, [before, after], schemas);
    assert.deepEqual(broken, undefined, JSON.stringify({ before, after, findings, broken }, null, 1));
  });
  // Draws until `safe` and `ratcheted` verdicts have occurred often enough, because the number of draws with a verdict is random.
  for (let round = 0; round < MOST_ROUNDS && !isEnough(); round++) {
    fc.assert(holds, { numRuns: RUNS, maxSkipsPerRun: 1000, endOnFailure: true });
  }
  assert.ok(isEnough(), JSON.stringify(seen));
}

test('a change with the verdict safe keeps every object valid, and a change with the verdict ratcheted keeps unrelated updates valid', () => {
  promisesHold((schemas, schema) => schemas.changed(schema));
});

test('two successive changes with the verdict safe or ratcheted give the same guarantees as one such change', () => {
  promisesHold((random, schema) => random.changed(random.changed(schema)));
});

test('compareDefinitions returns no findings for equal random definitions', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const schema = new RandomSchemas(seed).object(3);
      assert.deepEqual(compareDefinitions([definition(schema)], [definition(structuredClone(schema))]), []);
    }),
    { numRuns: 300 },
  );
});
