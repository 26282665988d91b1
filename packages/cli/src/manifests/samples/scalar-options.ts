import { type StructuralSchema, validate } from '@kubewright/api/schema';
import { patternTexts } from './pattern-texts.js';
import type { RuleLiterals } from './rule-literals.js';

/** The maximum number of values that `scalarOptions` returns. */
const MOST = 16;

/** The position of a scalar value in a list, and the literals in the rules of the schema. */
export interface ScalarPlace {
  /** The index of the list item, starting from 0. The first value depends on this index, so that the items of a list are different. */
  readonly ordinal: number;
  readonly literals: RuleLiterals;
}

/** Valid values of each format. The items of a list use consecutive values. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ['507f1f77bcf86cd799439011'],
  byte: ['ZXhhbXBsZQ==', 'YW5vdGhlcg=='],
  cidr: ['10.0.0.0/24', '10.0.1.0/24', '10.0.2.0/24'],
  creditcard: ['4111111111111111'],
  date: ['2026-01-01', '2026-01-02', '2026-01-03'],
  datetime: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'],
  duration: ['30s', '1m', '5m'],
  email: ['user@example.com', 'second@example.com'],
  hexcolor: ['#336699', '#663399'],
  hostname: ['example.com', 'second.example.com'],
  ipv4: ['10.0.0.1', '10.0.0.2', '10.0.0.3'],
  ipv6: ['2001:db8::1', '2001:db8::2', '2001:db8::3'],
  isbn: ['9780306406157'],
  isbn10: ['0306406152'],
  isbn13: ['9780306406157'],
  mac: ['02:00:00:00:00:01', '02:00:00:00:00:02'],
  rgbcolor: ['rgb(51,102,153)'],
  ssn: ['123-45-6789'],
  uri: ['https://example.com', 'https://second.example.com'],
  uuid: ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'],
  uuid3: ['00000000-0000-3000-8000-000000000001'],
  uuid4: ['00000000-0000-4000-8000-000000000001'],
  uuid5: ['00000000-0000-5000-8000-000000000001'],
};

/** Readable values that match many patterns. They are tried before generated texts. */
const WORDS = [
  'example',
  'Example',
  'v1',
  '30s',
  '1',
  '100m',
  '1Gi',
  '0 * * * *',
  'example.com',
  'https://example.com',
  '10.0.0.1',
  'user@example.com',
  '/example',
  'example:latest',
  'true',
];

/**
 * Returns valid values for the schema of a scalar, in order of preference. Returns an empty list if no valid value is found.
 */
export function scalarOptions(schema: StructuralSchema, place: ScalarPlace): readonly unknown[] {
  const options = [...new Set(proposals(schema, place))].filter((value) => validate(value, schema).length === 0);
  return options.slice(0, MOST);
}

function proposals(schema: StructuralSchema, place: ScalarPlace): readonly unknown[] {
  const { enum: values } = schema;
  if (values !== undefined) return rotated(values, place.ordinal);
  const example = schema.example === undefined || place.ordinal > 0 ? [] : [schema.example];
  const nothing = schema.nullable === true ? [null] : [];
  return [...example, ...typed(schema, place), ...nothing];
}

function typed(schema: StructuralSchema, place: ScalarPlace): readonly unknown[] {
  if (schema['x-kubernetes-int-or-string'] === true) return [...numbers(schema, place, 1), ...texts(schema, place)];
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'integer') return numbers(schema, place, 1);
  if (schema.type === 'number') return [...numbers(schema, place, 1), ...numbers(schema, place, 0.5)];
  return texts(schema, place);
}

function numbers(schema: StructuralSchema, { ordinal, literals }: ScalarPlace, grain: number): readonly number[] {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, multipleOf = grain } = schema;
  const step = multipleOf > 0 ? multipleOf : grain;
  const up = Math.ceil(minimum / step) * step;
  const least = schema.exclusiveMinimum === true && up === minimum ? up + step : up;
  const first =
    least >= 0 && Number.isFinite(least) ? least : maximum >= step ? step : Math.floor(maximum / step) * step;
  const near = literals.numbers.flatMap((number) => [number, number + step, number - step]);
  const round = [first, first + step, 0, 1, least, Math.floor(maximum / step) * step, maximum - step, ...near];
  return [first + ordinal * step, ...round].filter(Number.isFinite);
}

function texts(schema: StructuralSchema, { ordinal, literals }: ScalarPlace): readonly string[] {
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const plain = ordinal === 0 ? 'example' : `example-${ordinal + 1}`;
  const letter = CHARACTERS.charAt(ordinal % CHARACTERS.length);
  const generated =
    pattern === undefined ? [] : patternTexts(pattern, { variant: ordinal, longest: Math.max(minLength, 8) });
  const numbered = WORDS.map((word) => (ordinal === 0 ? word : `${word}${ordinal + 1}`));
  return [
    ...rotated(FORMATS[(schema.format ?? '').replaceAll('-', '')] ?? [], ordinal),
    plain,
    ...(pattern === undefined ? [] : [...numbered, ...rotated(WORDS, ordinal)]),
    ...generated,
    plain
      .repeat(Math.ceil(minLength / plain.length) || 1)
      .slice(0, Math.max(minLength, Math.min(maxLength, plain.length))),
    // Each list item repeats a different character.
    letter.repeat(Math.max(minLength, 1)),
    ...literals.texts.flatMap((text) => [text, `${text}${plain}`, `${plain}${text}`]),
    '',
  ].filter((text) => [...text].length <= maxLength);
}

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

function rotated<T>(values: readonly T[], by: number): readonly T[] {
  const start = values.length === 0 ? 0 : by % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}
