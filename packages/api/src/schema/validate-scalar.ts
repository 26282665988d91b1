import type { CompiledSchema } from './compiled-schema.js';
import { fieldErrors } from './field-errors.js';
import { type Findings, fieldAt, invalidAt, type Place, wrongType } from './findings.js';
import { compileGoPattern, matchingWork } from './go-pattern.js';
import { goFloat, goJson } from './go-text.js';
import type { StructuralSchema } from './structural-schema.js';
import { CHECK_INTERVAL, type TimeLimit } from './time-limit.js';

/** The kind of a JSON value, as named in the messages of Kubernetes. */
export type JsonKind = 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object';

const INT64 = 2 ** 63;

/** Returns the kind of a JSON value. Whole numbers within 64 bits are integers. */
export function kindOfJson(value: unknown): JsonKind {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'bigint') return value === BigInt.asIntN(64, value) ? 'integer' : 'number';
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < INT64 ? 'integer' : 'number';
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as 'boolean' | 'string';
  return Array.isArray(value) ? 'array' : 'object';
}

interface Checked {
  readonly schema: StructuralSchema;
  readonly compiled: CompiledSchema;
  readonly place: Place;
  readonly findings: Findings;
  readonly limit: TimeLimit | undefined;
}

/** Checks the type. The result does not affect the other checks. */
export function checkType(kind: JsonKind, { schema, compiled, place, findings }: Checked): void {
  const { types, format } = compiled;
  if (types.length === 0 && format === '') return;
  if (kind === 'null') {
    if (types.length > 0 && schema.nullable !== true) findings.add(wrongType(place, types.join(','), 'null'), place);
    else findings.matched++;
    return;
  }
  const fits = types.includes(kind) || (kind === 'integer' && types.includes('number'));
  const numeric = types.includes('number') || types.includes('integer');
  if (kind === 'string' || kind === 'array') {
    if (format !== '' && !numeric) findings.matched++;
    else if (fits) findings.matched++;
    else findings.add(wrongType(place, types.join(','), kind), place);
    return;
  }
  const inner = kind === 'integer' ? 'int64' : kind === 'number' ? 'float64' : '';
  if (fits) findings.matched++;
  else if (format !== '') findings.add(wrongType(place, format, inner), place);
  else findings.add(wrongType(place, types.join(','), kind), place);
}

/** Checks length and pattern. Reports only the first failure. */
export function checkString(value: string, { schema, place, findings, limit }: Checked): void {
  const { maxLength, minLength } = schema;
  if (maxLength !== undefined && longerThan(value, maxLength)) {
    findings.add(fieldErrors.tooLong(fieldAt(place), maxLength), place);
  } else if (minLength !== undefined && !longerThan(value, minLength - 1)) {
    findings.add(invalidAt(place, value, `should be at least ${minLength} chars long`), place);
  } else if (schema.pattern !== undefined && schema.pattern !== '') {
    checkPattern(value, schema.pattern, { place, findings, limit });
  }
}

function checkPattern(
  value: string,
  pattern: string,
  { place, findings, limit }: Pick<Checked, 'place' | 'findings' | 'limit'>,
): void {
  const { compiled, error } = compileGoPattern(pattern);
  // The work is large enough for a check of the clock, because compiling the pattern can take up to 20 ms.
  limit?.announce(CHECK_INTERVAL + (compiled === undefined ? 0 : matchingWork(value.length, compiled.programSize())));
  if (error !== undefined) {
    findings.add(invalidAt(place, value, `should match '${pattern}, but pattern is invalid: ${error}'`), place);
  } else if (!compiled.test(value)) {
    findings.add(invalidAt(place, value, `should match '${pattern}'`), place);
  }
}

/** Returns the work to compare a value with another value. */
function comparisonWork(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 5;
  let work = 5;
  for (const child of Object.values(value)) work += comparisonWork(child);
  return work;
}

function longerThan(value: string, characters: number): boolean {
  if (value.length <= characters) return false;
  if (value.length > 2 * characters) return true;
  let found = 0;
  for (let at = 0; at < value.length; at += (value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) found++;
  return found > characters;
}

/** The work for one character of a string with a format. */
const FORMAT_WORK = 10;

/** Checks the format of a string. */
export function checkFormat(value: string, { compiled, place, findings, limit }: Checked): void {
  if (compiled.formatTest === undefined) return;
  limit?.announce(FORMAT_WORK * value.length);
  if (compiled.formatTest(value)) return;
  const error = wrongType(place, compiled.format, value);
  findings.add(value === '' ? { ...error, finding: { kind: 'empty-text', format: compiled.format } } : error, place);
}

/** Checks the range of the format, multiple, minimum and maximum. */
export function checkNumber(value: number | bigint, { schema, compiled, place, findings }: Checked): void {
  const { format, types } = compiled;
  const range = outOfRange(value, types.length === 1 ? (types[0] ?? '') : '', format);
  if (range !== undefined) {
    findings.add(fieldErrors.invalid(place.root, '', `Checked value must be of type ${range} in ${place.name}`), place);
  }
  const { multipleOf, minimum, maximum } = schema;
  if (multipleOf !== undefined && multipleOf > 0 && !isMultiple(value, multipleOf)) {
    findings.add(invalidAt(place, value, `should be a multiple of ${shown(multipleOf)}`), place);
  }
  if (minimum !== undefined && (schema.exclusiveMinimum === true ? value <= minimum : value < minimum)) {
    const limit = schema.exclusiveMinimum === true ? 'greater than' : 'greater than or equal to';
    findings.add(invalidAt(place, value, `should be ${limit} ${shown(minimum)}`), place);
  }
  if (maximum !== undefined && (schema.exclusiveMaximum === true ? value >= maximum : value > maximum)) {
    const limit = schema.exclusiveMaximum === true ? 'less than' : 'less than or equal to';
    findings.add(invalidAt(place, value, `should be ${limit} ${shown(maximum)}`), place);
  }
  findings.matched++;
}

function shown(limit: number): string {
  return Number.isInteger(limit) ? goJson(limit) : goFloat(limit);
}

function outOfRange(value: number | bigint, type: string, format: string): string | undefined {
  if (type === 'integer') {
    const [low, high] = format === 'int32' ? [-(2 ** 31), 2 ** 31 - 1] : [-INT64, INT64];
    const whole = typeof value === 'bigint' || Number.isInteger(value);
    const beyond = typeof value === 'bigint' ? value !== BigInt.asIntN(64, value) : Math.abs(value) >= INT64;
    if (whole && !beyond && value >= low && value <= high) return undefined;
    return `integer ${format === '' ? '(default format)' : `with format ${format}`}`;
  }
  const float = type === 'number' && format === 'float';
  return float && !Number.isFinite(Math.fround(Number(value))) ? 'number with format float' : undefined;
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === 'bigint' && Number.isInteger(factor)) return value % BigInt(factor) === 0n;
  if (Number.isInteger(Number(value)) && Number.isInteger(factor)) return Number(value) % factor === 0;
  const quotient = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor;
  const nearest = Math.round(quotient);
  return Math.abs(quotient - nearest) <= 1e-9 * Math.max(1, Math.abs(nearest));
}

/** Checks whether the value is in the enum. */
export function checkEnum(value: unknown, { compiled: { allowed }, place, findings, limit }: Checked): void {
  if (allowed === undefined) return;
  limit?.announce(allowed.comparisons(value) * comparisonWork(value));
  if (value !== null && allowed.has(value)) return;
  findings.add(fieldErrors.notSupported(fieldAt(place), value, allowed.texts), place);
}
