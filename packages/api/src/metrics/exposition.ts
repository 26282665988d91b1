import { append } from '../objects/append.js';
import type { Family } from './family.js';
import { Histogram } from './series.js';

/** The content type of the text that `expositionOf` returns. */
export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Returns a metric in the Prometheus text format. Returns '' if the metric has no series.
 * @param mask returns the value of a label without secrets. @default the values contain no secrets
 */
export function expositionOf(family: Family, mask: (text: string) => string = (text) => text): string {
  const { name, type, help, labels } = family.description;
  const lines: string[] = [];
  for (const { values, series } of family.entries()) {
    const pairs = labels.map((label, at) => `${label}="${escaped(mask(values[at] ?? ''))}"`);
    if (series instanceof Histogram) append(lines, histogramLines(name, pairs, series));
    else lines.push(`${name}${braced(pairs)} ${formatNumber(series.value)}`);
  }
  if (lines.length === 0) return '';
  return [`# HELP ${name} ${escapedHelp(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

/** Formats a number in the same way as client_golang. The bounds of buckets are label values, so their text must be the same. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

function histogramLines(name: string, pairs: readonly string[], histogram: Histogram): readonly string[] {
  const { bounds, cumulative, sum } = histogram;
  const count = cumulative.at(-1) ?? 0;
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, at) => {
    const labels = braced([...pairs, `le="${formatNumber(bound)}"`]);
    return `${name}_bucket${labels} ${formatNumber(cumulative[at] ?? count)}`;
  });
  return [
    ...buckets,
    `${name}_sum${braced(pairs)} ${formatNumber(sum)}`,
    `${name}_count${braced(pairs)} ${formatNumber(count)}`,
  ];
}
function braced(pairs: readonly string[]): string {
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
function escapedHelp(help: string): string {
  return help.replace(/[\\\n]/g, (character) => (character === '\n' ? '\\n' : '\\\\'));
}
