import { compileSchema } from './compiled-schema.js';
import { fieldErrors } from './field-errors.js';
import { Findings, fieldAt, invalidAt, type Place } from './findings.js';
import { goQuote } from './go-text.js';
import { childPath, isJsonMap, type JsonMap, ownValue, sameJson } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';
import type { TimeLimit } from './time-limit.js';
import { checkEnum, checkFormat, checkNumber, checkString, checkType, kindOfJson } from './validate-scalar.js';

/** A schema and the context for validating a value. */
interface Task {
  readonly schema: StructuralSchema;
  readonly place: Place;
  readonly limit: TimeLimit | undefined;
}

/** The estimated work to check one value against one schema, in the unit of `TimeLimit`. */
const OWN_WORK = 10;

/** Returns the findings of one schema for one value. Does not check list types and embedded metadata. */
export function findingsOf(value: unknown, { schema, place, limit }: Task): Findings {
  const findings = new Findings();
  check(value, { schema, place, limit, findings });
  return findings;
}

interface Checked extends Task {
  readonly findings: Findings;
}

// Nested values add directly to the findings of the root value, because copying the findings at each level would take longer.
function check(value: unknown, { schema, place, limit, findings }: Checked): void {
  limit?.announce(OWN_WORK);
  const compiled = compileSchema(schema);
  const checked = { schema, compiled, place, limit, findings };
  const kind = kindOfJson(value);
  checkType(kind, checked);
  if (kind === 'null') {
    checkEnum(null, checked);
    return;
  }
  checkAlternatives(value, checked);
  if (typeof value === 'string') {
    checkString(value, checked);
    checkFormat(value, checked);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    checkNumber(value, checked);
  }
  if (Array.isArray(value)) checkList(value, checked);
  checkEnum(value, checked);
  if (isJsonMap(value)) checkMap(value, checked);
  findings.matched += appliedChecks(value, compiled.types.length > 0 || compiled.format !== '');
}

// Returns the number of checks that apply to a value, regardless of their results. The schema itself counts as one check.
function appliedChecks(value: unknown, typed: boolean): number {
  const own = typeof value === 'boolean' ? 0 : 1;
  return 3 + own + (typed ? 1 : 0);
}

function checkList(list: readonly unknown[], { schema, place, limit, findings }: Checked): void {
  const { items, minItems, maxItems } = schema;
  if (items !== undefined) {
    list.forEach((item, index) => {
      check(item, { schema: items, place: within(place, index, `${place.name}[${index}]`), limit, findings });
    });
  }
  if (minItems !== undefined && list.length < minItems) {
    findings.add(invalidAt(place, list.length, `should have at least ${minItems} items`), place);
  }
  if (maxItems !== undefined && list.length > maxItems) {
    findings.add(fieldErrors.tooMany(fieldAt(place), list.length, maxItems), place);
  }
  if (schema.uniqueItems === true && hasDuplicates(list)) {
    findings.add(invalidAt(place, '', "shouldn't contain duplicates"), place);
  }
  findings.matched++;
}

function hasDuplicates(list: readonly unknown[]): boolean {
  return list.some((item, index) => list.slice(0, index).some((other) => sameJson(item, other)));
}

function checkMap(map: JsonMap, { schema, place, limit, findings }: Checked): void {
  const { minProperties, maxProperties, additionalProperties, properties } = schema;
  const keys = Object.keys(map);
  if (minProperties !== undefined && keys.length < minProperties) {
    findings.add(invalidAt(place, keys.length, `should have at least ${minProperties} properties`), place);
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    findings.add(fieldErrors.tooMany(fieldAt(place), keys.length, maxProperties), place);
  }
  for (const key of keys) {
    // The key 'a.b' has the same path as the field 'b' of the field 'a'.
    if (/[.[]/.test(key)) findings.expectRepetitions();
    const property = ownValue(properties, key);
    if (property !== undefined) {
      check(map[key], { schema: property, place: within(place, key, childPath(place.name, key)), limit, findings });
    } else if (typeof additionalProperties === 'object') {
      const inner = within(place, key, `${place.name}.${key}`);
      check(map[key], { schema: additionalProperties, place: inner, limit, findings });
    } else if (additionalProperties === false) {
      const text = `${place.name}.${key} in body is a forbidden property`;
      findings.add(fieldErrors.invalid(fieldAt(place), key, text), place);
    }
  }
  limit?.announce(schema.required?.length ?? 0);
  for (const key of schema.required ?? []) {
    if (Object.hasOwn(map, key) && map[key] !== undefined) continue;
    const missing = within(place, key, `${place.name}.${key}`);
    findings.add(fieldErrors.required(fieldAt(missing)), missing);
  }
}

function within(around: Place, key: string | number, name: string): Place {
  return { root: around.root, name, key, around };
}

function checkAlternatives(value: unknown, checked: Checked): void {
  const { schema, place, limit, findings } = checked;
  if (schema.anyOf !== undefined && schema.anyOf.length > 0) checkAnyOf(value, schema.anyOf, checked);
  if (schema.oneOf !== undefined && schema.oneOf.length > 0) checkOneOf(value, schema.oneOf, checked);
  if (schema.allOf !== undefined && schema.allOf.length > 0) checkAllOf(value, schema.allOf, checked);
  if (schema.allOf !== undefined || schema.not !== undefined) findings.expectRepetitions();
  if (schema.not !== undefined && findingsOf(value, { schema: schema.not, place, limit }).valid) {
    findings.add(composite(place, 'must not validate the schema (not)'), place);
  }
  findings.matched++;
}

function composite(place: Place, says: string) {
  return fieldErrors.invalid(place.root, '', `${goQuote(place.name)} ${says}`);
}

function checkAnyOf(value: unknown, schemas: readonly StructuralSchema[], { place, limit, findings }: Checked): void {
  let best: Findings | undefined;
  for (const schema of schemas) {
    const result = findingsOf(value, { schema, place, limit });
    if (result.valid) {
      findings.merge(result);
      return;
    }
    if (best === undefined || result.matched > best.matched) best = result;
  }
  findings.add(composite(place, 'must validate at least one schema (anyOf)'), place);
  if (best !== undefined) findings.merge(best, place);
}

function checkOneOf(value: unknown, schemas: readonly StructuralSchema[], { place, limit, findings }: Checked): void {
  const results = schemas.map((schema) => findingsOf(value, { schema, place, limit }));
  const fitting = results.filter((result) => result.valid);
  const [only] = fitting;
  if (fitting.length === 1 && only !== undefined) {
    findings.merge(only);
    return;
  }
  const found = fitting.length === 0 ? 'Found none valid' : `Found ${fitting.length} valid alternatives`;
  findings.add(composite(place, `must validate one and only one schema (oneOf). ${found}`), place);
  if (fitting.length > 0) return;
  findings.merge(
    results.reduce((best, result) => (result.matched > best.matched ? result : best)),
    place,
  );
}

function checkAllOf(value: unknown, schemas: readonly StructuralSchema[], { place, limit, findings }: Checked): void {
  const results = schemas.map((schema) => findingsOf(value, { schema, place, limit }));
  for (const result of results) findings.merge(result, place);
  if (results.every((result) => result.valid)) return;
  const none = results.every((result) => !result.valid);
  findings.add(composite(place, `must validate all the schemas (allOf)${none ? '. None validated' : ''}`), place);
}
