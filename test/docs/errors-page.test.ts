import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const [page = '', ofScaffold = ''] = readFileSync(join(root, 'docs', 'reference', 'errors.md'), 'utf8').split(/^## /m);
/** Matches a row of the page, of the form: - `CODE`: When. What to do. */
const row = /^- `([A-Z_]+)`: [A-Z`].+\. .+\.$/gm;

/** Matches the creation of a KubewrightError. The code is a literal, or a variable named `code`. */
const made = /(?:new KubewrightError|super)\(\s*(?:'([A-Z_]+)'|(code)\b)/g;
/** Matches the possible values of a variable named `code`. */
const possible = /\bcode(?::| =) [^;]*?'([A-Z_]+)'(?:[^;]*? : '([A-Z_]+)')?/g;

const sources = ['api', 'runtime', 'apiserver', 'testing', 'cli'].flatMap((name) => {
  const folder = join(root, 'packages', name, 'src');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|test-support|generated/.test(path))
    .map((path) => ({ path: join(name, path), text: readFileSync(join(folder, path), 'utf8') }));
});

function codesOf({ text }: { readonly text: string }): readonly string[] {
  const found = [...text.matchAll(made)];
  const literals = found.flatMap(([, literal]) => literal ?? []);
  const isVariable = found.some(([, , variable]) => variable !== undefined) && !text.includes('class KubewrightError');
  const others = isVariable ? [...text.matchAll(possible)].flatMap(([, one, other]) => [one, other]) : [];
  return [...literals, ...others.filter((code) => code !== undefined)];
}

test('the page about errors lists the code of every error of the packages, sorted, and no other code', () => {
  const thrown = new Set(sources.flatMap(codesOf));
  const reported = [...page.matchAll(row)].map(([, code = '']) => code);
  assert.deepEqual(reported, [...thrown].toSorted());
  assert.equal(
    reported.length,
    [...page.matchAll(/^- /gm)].length,
    'a line of the page does not have the format of a row',
  );
});

test('the page about errors lists the code of every error of npm create operator, sorted, and no other code', () => {
  const source = readFileSync(join(root, 'create-operator', 'src', 'scaffold-error.ts'), 'utf8');
  const [, declared = ''] = /type ScaffoldErrorCode =([^]+?)\n\n/.exec(source) ?? [];
  const codes = [...declared.matchAll(/\| '([A-Z_]+)'/g)].map(([, code = '']) => code);
  assert.ok(codes.length > 5);
  const reported = [...ofScaffold.matchAll(row)].map(([, code = '']) => code);
  assert.deepEqual(reported, codes.toSorted());
  assert.equal(
    reported.length,
    [...ofScaffold.matchAll(/^- /gm)].length,
    'a line of the page does not have the format of a row',
  );
});

test('every call of the constructor of KubewrightError has a code as its first argument', () => {
  const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;
  const unclear = sources.filter(
    ({ text }) =>
      count(text, /new KubewrightError\(/g) !== count(text, /new KubewrightError\(\s*(?:'[A-Z_]+'|code\b)/g),
  );
  assert.deepEqual(
    unclear.map(({ path }) => path),
    [],
  );
});

test('every code in a @throws tag is the code of an error', () => {
  const known = new Set(sources.flatMap(codesOf));
  const mentions = sources.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /\b(?:[Tt]hrows|[Rr]ejects with)((?:[\s*]|and|with|,|or| )*[A-Z]{2,}(?:_[A-Z]+)+(?:(?:,| and| or)\s+(?:\*\s+)?[A-Z]{2,}(?:_[A-Z]+)*)*)/g,
      ),
    ].flatMap(([, codes = '']) => [...codes.matchAll(/[A-Z]{2,}(?:_[A-Z]+)+/g)].map(([code]) => ({ path, code }))),
  );
  assert.ok(mentions.length > 100);
  assert.deepEqual(
    mentions.filter(({ code }) => !known.has(code)),
    [],
  );
});
