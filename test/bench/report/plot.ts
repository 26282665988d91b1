import { goalText, type MeasuredRow, measuredValues, type Program } from './report.js';
import { rounded, summary } from './statistics.js';

const NAMES: Readonly<Record<Program, string>> = { kubewright: 'Kubewright', before: 'before', go: 'Go' };
const [WIDTH, LEFT, RIGHT, TOP, STEP] = [720, 110, 200, 56, 36];

/** Draws a row as an SVG picture: a bar per program from zero to its median, the value of each run, and the goal. */
export function plot(row: MeasuredRow): string {
  const bars = (Object.keys(NAMES) as Program[]).flatMap((program) => {
    const values = measuredValues(row, program);
    const figures = summary(values);
    return figures === undefined ? [] : [{ program, values, figures }];
  });
  const bound = boundOf(row);
  const most = Math.max(...bars.map(({ figures }) => figures.high), bound ?? 0) || 1;
  const x = (value: number): string => (LEFT + (value / most) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const height = TOP + bars.length * STEP + 12;
  const drawn = bars.map(({ program, values, figures }, at) => {
    const y = TOP + at * STEP;
    const dots = values.map((value) => `<circle class="run" cx="${x(value)}" cy="${y + 11}" r="3"/>`);
    const width = (Number(x(figures.median)) - LEFT).toFixed(1);
    return [
      `<text x="${LEFT - 8}" y="${y + 16}" text-anchor="end">${NAMES[program]}</text>`,
      `<rect class="${program}" x="${LEFT}" y="${y}" width="${width}" height="22" rx="3"/>${dots.join('')}`,
      `<text x="${Number(x(figures.high)) + 10}" y="${y + 16}">${rounded(figures.median)} ${escaped(row.unit)}</text>`,
    ].join('');
  });
  const goal =
    bound === undefined
      ? ''
      : `<line class="goal" x1="${x(bound)}" y1="${TOP - 6}" x2="${x(bound)}" y2="${height - 8}"/>` +
        `<text class="small" x="${x(bound)}" y="${TOP - 10}" text-anchor="middle">goal ${escaped(goalText(row))}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">
<title>${escaped(`${row.title} (${row.name})`)}</title>
<style>
  .card { fill: #ffffff; stroke: #d0d7de } .kubewright { fill: #54aeff } .before { fill: #c297ff } .go { fill: #afb8c1 }
  .run { fill: #1f2328; fill-opacity: 0.55 } .goal { stroke: #bc4c00; stroke-dasharray: 4 3 } text { fill: #1f2328 } .small { fill: #57606a; font-size: 11px }
  @media (prefers-color-scheme: dark) {
    .card { fill: #0d1117; stroke: #30363d } .kubewright { fill: #1f6feb } .before { fill: #8957e5 } .go { fill: #6e7681 }
    .run { fill: #e6edf3 } .goal { stroke: #f0883e } text { fill: #e6edf3 } .small { fill: #9ea7b3 }
  }
</style>
<rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
<text x="16" y="24" font-weight="600">${escaped(row.title)}</text>
${[...drawn, goal].filter((line) => line !== '').join('\n')}
</svg>
`;
}

/** Returns the value that meets the goal exactly. For a ratio, this is the ratio times the median of Go. */
function boundOf(row: MeasuredRow): number | undefined {
  const { goal } = row;
  if (goal === undefined) return undefined;
  if ('limit' in goal) return goal.limit;
  const go = summary(measuredValues(row, 'go'));
  return go === undefined ? undefined : goal.ratio * go.median;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
