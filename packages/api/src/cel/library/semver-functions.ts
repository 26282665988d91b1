import { goQuote } from '../../schema/go-text.js';
import { CelError, NO_OVERLOAD } from '../values/cel-error.js';
import { celTypes } from '../values/cel-type.js';
import type { CelValue, OpaqueValue } from '../values/cel-value.js';
import { func, method, type Overload, takes } from '../check/overload.js';
import { compareText } from '../values/value-order.js';

/** A semantic version. */
class Semver implements OpaqueValue {
  readonly opaqueType = celTypes.semver;
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  equals(other: CelValue): CelValue {
    return other instanceof Semver ? this.compareTo(other) === 0 : NO_OVERLOAD;
  }

  compareTo(other: Semver): number {
    for (const [index, number] of this.numbers.entries()) {
      const others = other.numbers[index] ?? 0n;
      if (number !== others) return number < others ? -1 : 1;
    }
    return comparePrereleases(this.prerelease, other.prerelease);
  }
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const order = compareIdentifiers(left, right);
    if (order !== 0) return order;
  }
  return a.length < b.length ? -1 : 0;
}

function compareIdentifiers(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left !== right) return left ? -1 : 1;
  if (!left) return Math.sign(compareText(a, b));
  const difference = BigInt(a) - BigInt(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const LARGEST = 2n ** 64n - 1n;
/**
 * The number of digits of the largest unsigned 64-bit number. A longer number is out of range, and is not parsed, because parsing takes
 * more than linear time.
 */
const MOST_DIGITS = 20;

/** Parses a semantic version. Returns an error in the wording of the Go package if the version is not valid. */
function parseSemver(text: string): Semver | CelError {
  if (text === '') return new CelError('Version string empty');
  const [major = '', minor, ...rest] = text.split('.');
  if (minor === undefined || rest.length === 0) return new CelError('No Major.Minor.Patch elements found');
  const [patchAndPre, build] = cut(rest.join('.'), '+');
  const [patch, pre] = cut(patchAndPre, '-');
  const numbers: bigint[] = [];
  for (const [name, digits] of [
    ['major', major],
    ['minor', minor],
    ['patch', patch],
  ] as const) {
    const problem = numberProblem(name, digits);
    if (problem !== undefined) return new CelError(problem);
    numbers.push(BigInt(digits));
  }
  const prerelease = pre?.split('.') ?? [];
  const problem = prerelease.map(prereleaseProblem).find(isText) ?? build?.split('.').map(buildProblem).find(isText);
  return problem === undefined ? new Semver(numbers, prerelease) : new CelError(problem);
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}

function cut(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function numberProblem(name: string, digits: string): string | undefined {
  if (!/^[0-9]*$/.test(digits)) return `Invalid character(s) found in ${name} number ${goQuote(digits)}`;
  if (/^0./.test(digits)) {
    return `${name.charAt(0).toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${goQuote(digits)}`;
  }
  if (digits === '') return 'strconv.ParseUint: parsing "": invalid syntax';
  return rangeProblem(digits);
}

function rangeProblem(digits: string): string | undefined {
  const isLarge = digits.length > MOST_DIGITS || BigInt(digits) > LARGEST;
  return isLarge ? `strconv.ParseUint: parsing ${goQuote(digits)}: value out of range` : undefined;
}

function prereleaseProblem(part: string): string | undefined {
  if (part === '') return 'Prerelease is empty';
  if (/^0\d+$/.test(part)) return `Numeric PreRelease version must not contain leading zeroes ${goQuote(part)}`;
  if (/^\d+$/.test(part)) return rangeProblem(part);
  return /^[0-9A-Za-z-]+$/.test(part) ? undefined : `Invalid character(s) found in prerelease ${goQuote(part)}`;
}

function buildProblem(part: string): string | undefined {
  if (part === '') return 'Build meta data is empty';
  return /^[0-9A-Za-z-]+$/.test(part) ? undefined : `Invalid character(s) found in build meta data ${goQuote(part)}`;
}

/** Parses a version that can begin with `v`, have leading zeros, or omit the minor and the patch number. */
function parseLoose(text: string): Semver | CelError {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])];
  const trimmed = parts.map((part) => {
    if (part.length <= 1) return part;
    const digits = part.replace(/^0+/, '');
    return /^\d/.test(digits) ? digits : `0${digits}`;
  });
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1) ?? '')) {
    return new CelError('short version cannot contain PreRelease/Build meta data');
  }
  while (trimmed.length < 3) trimmed.push('0');
  return parseSemver(trimmed.join('.'));
}

/** Returns the Kubernetes functions for semantic versions. */
export function semverOverloads(): readonly Overload[] {
  const { string, bool, int, semver } = celTypes;
  const read = (text: string, loose: boolean): Semver | CelError => (loose ? parseLoose(text) : parseSemver(text));
  const part = (name: string, index: number): Overload =>
    method([`semver_${name}`, name], takes(semver, int), ({ numbers }: Semver) => numbers[index] ?? 0n);
  return [
    func(['string_to_semver', 'semver'], takes(string, semver), parseSemver),
    func(['string_bool_to_semver', 'semver'], takes(string, bool, semver), read),
    func(
      ['is_semver_string', 'isSemver'],
      takes(string, bool),
      (text: string) => !(parseSemver(text) instanceof CelError),
    ),
    func(
      ['is_semver_string_bool', 'isSemver'],
      takes(string, bool, bool),
      (text: string, loose: boolean) => !(read(text, loose) instanceof CelError),
    ),
    method(
      ['semver_is_greater_than', 'isGreaterThan'],
      takes(semver, semver, bool),
      (a: Semver, b: Semver) => a.compareTo(b) > 0,
    ),
    method(
      ['semver_is_less_than', 'isLessThan'],
      takes(semver, semver, bool),
      (a: Semver, b: Semver) => a.compareTo(b) < 0,
    ),
    method(['semver_compare_to', 'compareTo'], takes(semver, semver, int), (a: Semver, b: Semver) =>
      BigInt(a.compareTo(b)),
    ),
    part('major', 0),
    part('minor', 1),
    part('patch', 2),
  ];
}
