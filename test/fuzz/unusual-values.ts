import type { Random } from './random.js';

/** Names that JavaScript objects inherit. */
export const inheritedNames = [
  'constructor',
  '__proto__',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '__defineGetter__',
];

/** Texts that are difficult for parsers, patterns and names. */
export const unusualTexts = [
  '',
  ' ',
  '.',
  '..',
  '/',
  '-',
  '*',
  '$',
  '\u0000',
  '\n',
  '\ud800',
  '\u2028',
  '😀',
  'ä'.repeat(64),
  'a'.repeat(64),
  'a'.repeat(254),
  'A_B',
  'a b',
  'a/b/c',
  'true',
  'null',
  '0',
  '-1',
  '1e3',
  '9007199254740993',
  '1Gi',
  '1e400',
  '0.0000000001n',
  '-5Ei',
  '2026-01-01T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '2026-01-01T00:00:00.123456789+23:59',
  '10s',
  '1.2.3.4',
  '::1',
  '999.1.1.1',
  '10.0.0.0/33',
  'fe80::/10',
  '* * * * *',
  '*/0 * * * *',
  '@every 1h',
  'CRON_TZ=UTC 0 0 * * *',
  '^(a+)+$',
  '(a|a)*b',
  '[',
  '(?=a)',
  'self.x == 1',
  'self.all(x, x.all(y, y == x))',
  '{.spec.replicas}',
  '.spec[',
  'https://[::1',
  'a=b,c in (d,e),!f',
  'metadata.name=a,metadata.namespace!=b',
  '%',
  '%zz',
  '!!binary x',
  '0-0',
  '0-99999999999',
  ...inheritedNames,
];

/** JSON texts of unexpected values. The values are texts, because `JSON.stringify` cannot write some of these numbers. */
export const unusualJson = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e2',
  '1e400',
  '2147483648',
  '9007199254740993',
  '-9223372036854775809',
  '123456789012345678901234567890',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[{}]',
  '{"":null}',
  '{"a":{}}',
  '{"__proto__":{"a":1}}',
  '{"constructor":1}',
  '{"toString":1}',
  '{"valueOf":null}',
  '{"toJSON":{}}',
  '{"name":{"toString":[]}}',
];

/** Returns the JSON text of a large value: long, wide, or deep. */
export function largeJson(random: Random): string {
  const size = random.pick([100, 1000, 5000, 20_000]);
  switch (random.below(6)) {
    case 0:
      return JSON.stringify(random.pick(['a', 'ä', '\n', ' ', '/', '-', 'a.', '=,']).repeat(size));
    case 1:
      return `[${Array.from({ length: size }, (_, at) => `{"name":"n${at}"}`).join(',')}]`;
    case 2:
      return `{${Array.from({ length: size }, (_, at) => `"k${at}":"v"`).join(',')}}`;
    case 3:
      return `[${Array.from({ length: size }, () => '1').join(',')}]`;
    case 4:
      return `${'['.repeat(size)}${']'.repeat(size)}`;
    default:
      return `${'{"a":'.repeat(size)}1${'}'.repeat(size)}`;
  }
}
