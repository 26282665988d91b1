import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Entry {
  readonly wrong: string;
  readonly right: readonly string[];
}
interface Text {
  readonly path: string;
  readonly kind: string;
  readonly text: string;
}
interface Finding {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}
interface Exception {
  readonly path: string;
  readonly rule: string;
  readonly text: string;
}

async function load<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(join(root, 'scripts', 'prose', name)).href)) as T;
}

const { textsOf, pathsIn } = await load<{
  readonly textsOf: (path: string, source: string) => readonly Text[];
  readonly pathsIn: (root: string) => readonly string[];
}>('files.mjs');
const { checkTexts } = await load<{ readonly checkTexts: (texts: readonly Text[]) => Promise<readonly Finding[]> }>(
  'check-texts.mjs',
);
const { GLOSSARY, SPELLING, REFERENCE } =
  await load<Record<'GLOSSARY' | 'SPELLING' | 'REFERENCE', readonly Entry[]>>('glossary.mjs');
const { GRAMMAR } = await load<{ readonly GRAMMAR: readonly Entry[] }>('grammar.mjs');
const { withoutExceptions } = await load<{
  readonly withoutExceptions: (
    findings: readonly Finding[],
    paths: readonly string[],
    exceptions: readonly Exception[],
  ) => readonly Finding[];
}>('exceptions.mjs');

/** Sentences with errors that the plugins of retext report, and sentences that the plugins allow. */
const ENGLISH: readonly Entry[] = [
  { wrong: 'Returns a object of the cache.', right: ['Returns an object with a uid over an HTTP connection.'] },
  { wrong: 'Reads the the object.', right: ['The Pod that had had no node is deleted.'] },
  { wrong: 'The informers dont stop.', right: ["The informer doesn't stop. It's the informer's turn."] },
];
/** Sentences with misspelled words, and sentences with similar words that are allowed. */
const TYPO: readonly Entry[] = [
  { wrong: 'Returns the recieved object.', right: ['Returns the received object, and recieve_all.'] },
];
const RULES = { glossary: GLOSSARY, spelling: SPELLING, grammar: GRAMMAR, english: ENGLISH, typo: TYPO };

interface Kind {
  readonly path: string;
  /** Returns a source with one sentence on every third line. */
  readonly source: (sentences: readonly string[]) => string;
}
const each = (sentences: readonly string[], format: (sentence: string) => string): string =>
  sentences.map((sentence) => `${format(sentence)}\n`).join('\n\n');
const KINDS: Readonly<Record<string, Kind>> = {
  'a page of Markdown': { path: 'docs/guides/a.md', source: (sentences) => each(sentences, (text) => text) },
  'a doc comment': { path: 'packages/a/src/a.ts', source: (sentences) => each(sentences, (text) => `/** ${text} */`) },
  'a line comment': { path: 'scripts/a.mjs', source: (sentences) => each(sentences, (text) => `// ${text}`) },
  'the title of a test': {
    path: 'packages/a/src/a.test.ts',
    source: (sentences) => each(sentences, (text) => `test(${JSON.stringify(text)}, () => {});`),
  },
  'a message': {
    path: 'packages/a/src/a.ts',
    source: (sentences) => each(sentences, (text) => `throw new Error(${JSON.stringify(text)});`),
  },
};

async function check(path: string, source: string): Promise<readonly Finding[]> {
  return await checkTexts(textsOf(path, source));
}

/** Returns the lines of the findings, with their rules. */
async function linesOf(path: string, source: string): Promise<readonly string[]> {
  return (await check(path, source)).map(({ line, rule }) => `${line} ${rule}`);
}

for (const [kind, { path, source }] of Object.entries(KINDS)) {
  for (const [rule, entries] of Object.entries(RULES)) {
    test(`the rule ${rule} reports each of its errors in ${kind}`, async () => {
      const wrong = entries.map((entry) => entry.wrong);
      assert.deepEqual(
        await linesOf(path, source(wrong)),
        wrong.map((_, at) => `${at * 3 + 1} ${rule}`),
      );
    });
  }

  test(`npm run prose allows correct sentences in ${kind}`, async () => {
    const right = Object.values(RULES).flatMap((entries) => entries.flatMap((entry) => entry.right));
    const findings = await check(path, source(right));
    assert.deepEqual(
      findings.map(({ line, message }) => `${right[(line - 1) / 3]}: ${message}`),
      [],
    );
  });
}

test('npm run prose reports contractions in pages of the reference only', async () => {
  for (const { wrong, right } of REFERENCE) {
    assert.deepEqual(await linesOf('docs/reference/a.md', wrong), ['1 glossary']);
    assert.deepEqual(await linesOf('docs/guides/a.md', wrong), []);
    assert.deepEqual(await linesOf('docs/reference/a.md', right.join('\n\n')), []);
  }
});

test('npm run prose reports the line of an error in a paragraph, a list, a table and a comment with several lines', async () => {
  const page = 'The manager\nreports it\nand is told.\n\n- The pod\n  is told.\n\n| a |\n| - |\n| It is told. |\n';
  assert.deepEqual(await linesOf('README.md', page), ['3 glossary', '6 glossary', '10 glossary']);
  const source = '/**\n * Returns the key.\n * The caller is told.\n */\n\n// The manager\n// is told.\n';
  assert.deepEqual(await linesOf('scripts/a.mjs', source), ['3 glossary', '7 glossary']);
});

test('npm run prose reports an error that a line break divides', async () => {
  assert.deepEqual(await linesOf('README.md', 'Uses a list in\nplace of a watch.\n'), ['1 glossary']);
  assert.deepEqual(await linesOf('a/src/a.ts', '// Uses a list in\n// place of a watch.\n'), ['1 glossary']);
});

test('npm run prose prints the error and the advice in the message of a finding', async () => {
  const [finding] = await check('README.md', 'Uses a list in place of a watch.\n');
  assert.equal(finding?.message, '"in place of": write "instead of"');
});

test('npm run prose does not check code in Markdown, comments, titles and messages', async () => {
  const page =
    '`told` <told> [link](told.md)\n\n```ts\n// is told\n```\n\n    is told\n\n<!-- is told -->\nRun "told" in told.ts.\n';
  assert.deepEqual(await linesOf('README.md', page), []);
  const comment = '/**\n * Returns {@link told}.\n * @param told the `told` value\n * @example\n * // is told\n */\n';
  assert.deepEqual(await linesOf('a/src/a.ts', comment), []);
  assert.deepEqual(await linesOf('a/src/a.test.ts', 'test(`reads ${told} and --told FILE`, () => {});'), []);
  assert.deepEqual(await linesOf('a/src/a.ts', "throw new Error(`cannot read ${told} with 'kubectl told x'`);"), []);
});

test('npm run prose checks the description of a tag, and not its name', async () => {
  const comment = '/**\n * Returns the key.\n * @param told the key that is told\n */\n';
  assert.deepEqual(await linesOf('a/src/a.ts', comment), ['3 glossary']);
});

test('npm run prose does not check directives, imports, keys, single words and lines of code in templates', async () => {
  const source = [
    '// @ts-expect-error is told',
    "import { a } from 'is told';",
    "export const words = 'is told'.split(' ');",
    "export const word = 'told';",
    'export const file = `',
    'export const a = { told: b };',
    'return told in place of;',
    '`;',
  ].join('\n');
  assert.deepEqual(await linesOf('a/src/a.ts', source), []);
});

test('npm run prose checks each line of a template, and literals in types', async () => {
  const source = "export const help = `\nReads a file.\n  The user is told.\n`;\nexport type A = 'the user is told';\n";
  assert.deepEqual(await linesOf('a/src/a.ts', source), ['3 glossary', '5 glossary']);
});

test('npm run prose checks the titles of suites, subtests, skipped tests and contract cases', async () => {
  const source = [
    "describe('is told once', () => {",
    "  it('is told twice', () => {});",
    "  test.skip('is told', () => {});",
    "  await t.test('is told', () => {});",
    '});',
    "contract('verbs', {}, {",
    "  'is told of': async () => {},",
    '});',
  ].join('\n');
  assert.deepEqual(
    await linesOf('test/contract/a.test.ts', source),
    [1, 2, 3, 4, 7].map((line) => `${line} glossary`),
  );
});

test('npm run prose does not check strings in sources of tests', async () => {
  const source = "assert.equal(message, 'the user is told');\n";
  for (const path of ['a/src/a.test.ts', 'a/src/a.test.support.ts', 'a/src/test-support/a.ts', 'test/a/a.ts']) {
    assert.deepEqual(await linesOf(path, source), []);
  }
});

test('npm run prose does not check messages that repeat the messages of Kubernetes', async () => {
  const source = "/** The user is told. */\nthrow new Error('the user is told');\n";
  for (const path of ['packages/apiserver/src/registry/a.ts', 'packages/api/src/schema/a.ts']) {
    assert.deepEqual(await linesOf(path, source), ['1 glossary']);
  }
  for (const path of ['packages/apiserver/src/command/a.ts', 'packages/api/src/kinds/a.ts']) {
    assert.deepEqual(await linesOf(path, source), ['1 glossary', '2 glossary']);
  }
});

test('npm run prose checks the unreleased changes in the changelog, and not its history', async () => {
  const text = '# Changelog\n\n## Unreleased\n\n- It is told.\n\n## 0.1.0\n\n- It is told.\n';
  assert.deepEqual(await linesOf('CHANGELOG.md', text), ['5 glossary']);
});

test('withoutExceptions removes the finding that an exception allows, and reports an unused exception', async () => {
  const path = 'README.md';
  const findings = await check(path, 'The user is told.\n\nThe reader is told.\n');
  const exception = { path, rule: 'glossary', text: 'The user is told' };
  const unused = { path, rule: 'glossary', text: 'nothing' };
  const left = withoutExceptions(findings, [path], [exception, unused, { ...unused, path: 'other.md' }]);
  assert.deepEqual(
    left.map(({ line, message }) => `${line} ${message}`),
    ['3 "told": write "report", "log" or "notify"', '1 remove the unused exception "nothing"'],
  );
});

test('npm run prose checks the files of the repository, and no generated, recorded or installed files', () => {
  const paths = pathsIn(root);
  for (const path of ['README.md', 'CONTRIBUTING.md', 'scripts/prose.mjs', 'test/gate/prose.test.ts']) {
    assert.ok(paths.includes(path), path);
  }
  const folders = /(^|\/)(node_modules|dist|generated|goldens|answers)\//;
  assert.deepEqual(
    paths.filter((path) => folders.test(path)),
    [],
  );
});

test('npm run prose prints the findings of a folder and exits with 1, or with 0 without findings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-prose-'));
  try {
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'README.md'), 'The user is told.\n');
    await writeFile(join(folder, 'src', 'a.ts'), '// Returns a object.\n');
    assert.deepEqual(await run('--root', folder), {
      exitCode: 1,
      lines: [
        'README.md:1: "told": write "report", "log" or "notify" (glossary)',
        'src/a.ts:1: Unexpected article `a` before `object`, expected `an` (english)',
        '2 texts in 2 files, 2 findings',
      ],
    });
    await writeFile(join(folder, 'README.md'), 'The manager reports the change.\n');
    assert.deepEqual(await run('--root', folder, 'README'), { exitCode: 0, lines: ['1 texts in 1 files, 0 findings'] });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('npm run prose checks many files in two threads, and prints the findings in the order of the files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-prose-'));
  try {
    const names = Array.from({ length: 200 }, (_, at) => `${1000 + at}.md`);
    await Promise.all(names.map((name) => writeFile(join(folder, name), 'The caller waits.\n\nThe user is told.\n')));
    const { exitCode, lines } = await run('--root', folder);
    assert.equal(exitCode, 1);
    assert.deepEqual(lines, [
      ...names.map((name) => `${name}:3: "told": write "report", "log" or "notify" (glossary)`),
      '400 texts in 200 files, 200 findings',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('npm run prose -- --sample prints random texts of each kind, and the same texts for the same seed', async () => {
  const first = await run('--sample', '3', 'packages/api/src/apply');
  const { lines } = first;
  const kinds = lines.slice(0, -1).map((line) => /^packages\/api\/src\/apply\S*:\d+: (\w+): \S/.exec(line)?.[1]);
  assert.deepEqual(kinds, ['comment', 'comment', 'comment', 'title', 'title', 'title']);
  const [, seed = ''] = /^6 texts, seed (\d+)$/.exec(lines.at(-1) ?? '') ?? [];
  assert.deepEqual(await run('--sample', '3', '--seed', seed, 'packages/api/src/apply'), first);
  const other = await run('--sample', '3', '--seed', `${seed}1`, 'packages/api/src/apply');
  assert.notDeepEqual(other.lines.slice(0, -1), lines.slice(0, -1));
  const { exitCode, lines: reported } = await run('--sample', 'many');
  assert.deepEqual([exitCode, reported], [2, ["--sample is 'many'; use a positive integer"]]);
});

function run(...args: readonly string[]) {
  return new Promise<{ readonly lines: readonly string[]; readonly exitCode: number | string | null }>((resolve) => {
    execFile(process.execPath, [join(root, 'scripts', 'prose.mjs'), ...args], (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : (error.code ?? null);
      resolve({ lines: `${stdout}${stderr}`.trimEnd().split('\n'), exitCode });
    });
  });
}
