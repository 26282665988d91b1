import { KubewrightError } from '@kubewright/api/errors';

/** A line with a value in the Prometheus text format. */
export interface Sample {
  /** The name of the sample. For a histogram, the name ends in _bucket, _sum or _count. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
/** A metric with its type, its help text and its samples. */
export interface ParsedFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([^\s]+)(?: (-?\d+))?$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/;
const NUMBER = /^[+-]?(?:inf|nan|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

type Growing = { -readonly [K in keyof ParsedFamily]: K extends 'samples' ? Sample[] : ParsedFamily[K] };

/**
 * Parses and validates the Prometheus text format (version 0.0.4). Before the samples of a metric, TYPE must occur once, and HELP at most
 * once. The samples of a metric must be contiguous, and series must be unique. The buckets of a histogram must increase up to +Inf and
 * match its count, and a histogram must have a sum. Throws INVALID_METRICS; the message contains the line or the metric.
 */
export function parseMetrics(text: string): ReadonlyMap<string, ParsedFamily> {
  const families = new Map<string, Growing>();
  if (text !== '' && !text.endsWith('\n')) throw invalid('the last line of the metrics does not end with a line feed');
  const seen = new Set<string>();
  let current: Growing | undefined;
  for (const [at, line] of text.split('\n').slice(0, -1).entries()) {
    const fail = (why: string): never => {
      throw invalid(`line ${at + 1} of the metrics, '${line}': ${why}`);
    };
    if (line === '' || (line.startsWith('#') && !/^#\s+(HELP|TYPE)\b/.test(line))) continue;
    if (line.startsWith('#')) {
      current = describe(line, { families, current, fail });
      continue;
    }
    const sample = sampleOf(line, fail);
    if (current === undefined || !belongs(sample.name, current))
      fail('the sample is separated from the TYPE of its metric');
    const series = JSON.stringify([
      sample.name,
      Object.entries(sample.labels).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ]);
    if (seen.has(series)) fail('duplicate series');
    seen.add(series);
    current?.samples.push(sample);
  }
  for (const family of families.values()) checkFamily(family);
  return families;
}

type Fail = (why: string) => never;

function describe(
  line: string,
  { families, current, fail }: { families: Map<string, Growing>; current: Growing | undefined; fail: Fail },
): Growing {
  const [, what = '', name = '', rest = ''] = COMMENT.exec(line) ?? fail('it is neither HELP nor TYPE');
  const known = families.get(name);
  if (known !== undefined && known !== current) fail('the lines of this metric are not contiguous');
  const family = known ?? { name, type: '', help: '', samples: [] };
  families.set(name, family);
  if (family.samples.length > 0) fail('the line follows samples of its metric');
  if (what === 'TYPE') {
    if (family.type !== '') fail('duplicate TYPE');
    if (!TYPES.includes(rest)) fail('unknown type');
    family.type = rest;
  } else {
    if (family.help !== '') fail('duplicate HELP');
    if (!/^(?:[^\\]|\\[\\n])*$/.test(rest)) fail('invalid escape sequence');
    family.help = rest.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
  }
  return family;
}

function sampleOf(line: string, fail: Fail): Sample {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? fail('it is not a sample');
  if (!NUMBER.test(value)) fail(`'${value}' is not a number`);
  return { name, labels: labelsOf(labels, fail), value: numberOf(value) };
}
function labelsOf(text: string, fail: Fail): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ''; ) {
    const [whole = '', name = '', value = ''] = LABEL.exec(rest) ?? fail(`'${rest}' are not valid labels`);
    if (Object.hasOwn(labels, name)) fail(`duplicate label ${name}`);
    labels[name] = value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
    rest = rest.slice(whole.length);
  }
  return labels;
}
function numberOf(text: string): number {
  if (/nan$/i.test(text)) return Number.NaN;
  if (/inf$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

function belongs(name: string, family: ParsedFamily): boolean {
  return (SUFFIXES[family.type] ?? ['']).some((suffix) => name === `${family.name}${suffix}`);
}

function checkFamily({ name, type, samples }: ParsedFamily): void {
  if (type === '') throw invalid(`the metrics contain no TYPE of ${name}`);
  if (type === 'counter' && samples.some(({ value }) => value < 0)) throw invalid(`${name} is negative`);
  if (type !== 'histogram') return;
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [labels, group] of groups) checkHistogram(`${name}${labels}`, group);
}
function checkHistogram(what: string, samples: readonly Sample[]): void {
  const buckets = samples.filter(({ name }) => name.endsWith('_bucket'));
  const bounds = buckets.map(({ labels }) => numberOf(labels.le ?? 'nan'));
  const counts = buckets.map(({ value }) => value);
  const rises = (values: readonly number[], strictly: boolean): boolean =>
    values.every((value, at) => at === 0 || value > (values[at - 1] ?? 0) || (!strictly && value === values[at - 1]));
  if (!rises(bounds, true) || bounds.at(-1) !== Number.POSITIVE_INFINITY || !rises(counts, false)) {
    throw invalid(`the buckets of ${what} do not increase up to +Inf`);
  }
  const count = samples.find(({ name }) => name.endsWith('_count'));
  const hasSum = samples.some(({ name }) => name.endsWith('_sum'));
  if (!hasSum || count?.value !== counts.at(-1))
    throw invalid(`${what} has no sum, or a count that differs from its buckets`);
}

function invalid(message: string): KubewrightError {
  return new KubewrightError('INVALID_METRICS', message);
}
