import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type ArgumentModel,
  CommandContext,
  type CommandModel,
  commandModel,
  ExitCode,
  PROJECT_SETTINGS,
  programOf,
} from '@kubewright/cli';

const page = readFileSync(new URL('../../../docs/reference/commands.md', import.meta.url), 'utf8');
const stream = { write: () => true };
const context = new CommandContext({ cwd: '/', env: {}, stdout: stream, stderr: stream });
const program = commandModel(programOf(context));

/** A section of the page, with its rows. A row has the form: - `what`: Text. */
interface Section {
  readonly heading: string;
  readonly rows: readonly (readonly [what: string, text: string])[];
  readonly text: string;
}
const sections = page
  .split(/^#+ /m)
  .slice(1)
  .map((text): Section => {
    const rows = [...text.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, what = '', row = '']) => [what, row] as const);
    return { heading: (text.split('\n')[0] ?? '').trim(), rows, text };
  });
const sectionOf = (heading: string): Section => {
  const found = sections.find((section) => section.heading === heading);
  assert.ok(found, `docs/reference/commands.md has no heading '${heading}'`);
  return found;
};

/** Returns every executable command with its call, such as 'kubewright add controller'. */
function calls(command: CommandModel, before: string): readonly (readonly [call: string, command: CommandModel])[] {
  const commands = command.commands.filter(({ name }) => name !== 'help');
  const name = `${before}${command.name}`;
  if (commands.length > 0) return commands.flatMap((child) => calls(child, `${name} `));
  return [[[name, ...command.arguments.map(argumentText)].join(' '), command]];
}
function argumentText({ name, required, variadic }: ArgumentModel): string {
  const text = `${name}${variadic ? '...' : ''}`;
  return required ? `<${text}>` : `[${text}]`;
}
const commands = calls(program, '');

test('the page about commands lists every command, and no other command', () => {
  const reported = sections.map(({ heading }) => heading).filter((heading) => heading.startsWith('kubewright '));
  assert.deepEqual(
    reported,
    commands.map(([call]) => call),
  );
});

test('the page about commands has the groups of `kubewright --help`, each with the same commands', () => {
  const groups: Record<string, string[]> = {};
  for (const command of programOf(context).commands.filter((each) => each.name() !== 'help')) {
    const group = command.helpGroup().replace(/:$/, '');
    groups[group] = [...(groups[group] ?? []), ...calls(commandModel(command), 'kubewright ').map(([call]) => call)];
  }
  const headings = page.split(/^## /m).flatMap((section) => {
    const [heading = ''] = section.split('\n');
    const own = [...section.matchAll(/^### (kubewright .*)$/gm)].map(([, call = '']) => call);
    return own.length === 0 ? [] : [[heading, own] as const];
  });
  assert.deepEqual(headings, Object.entries(groups));
});

test('the page about commands lists every option with its values and default, and no other option', () => {
  for (const [call, { options }] of commands) {
    const own = options.filter(({ long }) => long !== '--help');
    const { rows } = sectionOf(call);
    assert.deepEqual(
      rows.map(([what]) => what),
      own.map(({ flags }) => flags),
      call,
    );
    for (const { flags, choices = [], byDefault } of own) {
      const [, text = ''] = rows.find(([what]) => what === flags) ?? [];
      for (const value of [...choices, ...(byDefault === undefined ? [] : [String(byDefault)])]) {
        assert.ok(text.includes(`\`${value}\``), `${call}: the row of ${flags} does not contain \`${value}\``);
      }
    }
  }
});

test('the page about commands lists the options that all commands have, and no other options in that section', () => {
  assert.deepEqual(
    sectionOf('Options of every command').rows.map(([what]) => what),
    program.options.map(({ flags }) => flags),
  );
});

test('the page about commands lists every exit code, and no other exit code', () => {
  assert.deepEqual(
    sectionOf('Exit codes').rows.map(([what]) => Number(what)),
    Object.values(ExitCode).toSorted((a, b) => a - b),
  );
});

test('the page about commands lists every setting of a project, and no other setting', () => {
  assert.deepEqual(
    sectionOf('Settings of a project').rows.map(([what]) => what),
    PROJECT_SETTINGS,
  );
});

test('every row of the page about commands is a sentence', () => {
  const rows = sections.flatMap((section) => section.rows);
  assert.deepEqual(
    rows.filter(([, text]) => !/^[A-Z`].*\.$/.test(text)),
    [],
  );
  assert.equal(
    rows.length,
    [...page.matchAll(/^- `/gm)].length,
    'a list item of the page does not have the format of an option',
  );
});
