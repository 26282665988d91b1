import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/**
 * Returns a pattern for the output that the README of an example shows for a program: the text block after the paragraph that starts with
 * the program's name. The line '…' matches any number of lines.
 */
export function shownOutput(example: string, program: string): RegExp {
  const readme = readFileSync(new URL(`../../../examples/${example}/README.md`, import.meta.url), 'utf8');
  const [, block] = new RegExp(`^\`${program}\`[^]*?^\`\`\`text\\n([^]*?)^\`\`\`$`, 'm').exec(readme) ?? [];
  assert.ok(block !== undefined, `the README of ${example} shows no output of ${program}`);
  const lines = block.trimEnd().split('\n');
  const patterns = lines.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${escaped(line)}\\n`));
  return new RegExp(`^${patterns.join('')}`, 'm');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
