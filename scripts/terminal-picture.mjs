// node scripts/terminal-picture.mjs: runs `npm start -- --once`, and generates docs/start.svg from the output.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

const ROW = 20;
const LEFT = 20;
const TOP = 56;

setUp();
const output = execFileSync(process.execPath, [join(root, 'scripts', 'start.mjs'), '--once'], { encoding: 'utf8' });
writeFileSync(
  join(root, 'docs', 'start.svg'),
  picture(output.split('\n').filter((line) => /^\s+\d+\.\d+s /.test(line))),
);

function picture(lines) {
  const longest = Math.max(...lines.map((line) => line.length));
  const [width, height] = [Math.ceil(longest * 7.9) + 2 * LEFT, TOP + (lines.length + 1) * ROW];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">`,
    '<title>The output of npm start: two virtual machines become complete</title>',
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (colour, at) => `<circle cx="${LEFT + at * 18}" cy="20" r="5.5" fill="${colour}"/>`,
    ),
    text('$ npm start', TOP - 4, '#7ee787'),
    ...lines.map((line, at) => text(line, TOP + (at + 1) * ROW - 4, colourOf(line))),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

function text(line, y, fill) {
  const escaped = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${LEFT}" y="${y}" fill="${fill}" xml:space="preserve">${escaped}</text>`;
}

/** Returns the color of a line: gray for a reconcile, green for a complete machine, and white for other changes. */
function colourOf(line) {
  if (line.includes('reconciled')) return '#8b949e';
  return /Complete|ready/.test(line) ? '#7ee787' : '#e6edf3';
}
