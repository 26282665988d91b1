import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './markdown-pages.js';

/** An option in a page or in the code. */
export interface Reported {
  readonly name: string;
  readonly required: boolean;
  readonly byDefault: string | undefined;
}

/** Matches a row of the page, such as: - `name` (required): What. The parentheses may contain a default, or be absent. */
const row = /^- `(?<name>[\w.-]+)`(?: \((?:(?<required>required)|default (?<byDefault>.+?))\))?: \S.*\.$/gm;

/** A reference page whose sections list options, one row each. */
export class OptionsPage {
  readonly #path: string;
  readonly #text: string;
  readonly #sections: ReadonlyMap<string, string>;

  /** @param path relative to the repository */
  constructor(path: string) {
    this.#path = path;
    this.#text = readFileSync(join(root, path), 'utf8');
    const sections = this.#text.split(/^##+ /m).slice(1);
    this.#sections = new Map(sections.map((text) => [text.split('\n')[0] ?? '', text]));
  }

  get headings(): readonly string[] {
    return [...this.#sections.keys()];
  }

  rowsOf(heading: string): readonly Reported[] {
    const text = this.#sections.get(heading);
    assert.ok(text !== undefined, `${this.#path} has no heading '${heading}'`);
    return [...text.matchAll(row)].map(({ groups = {} }) => ({
      name: groups['name'] ?? '',
      required: groups['required'] !== undefined,
      byDefault: groups['byDefault']?.replaceAll('`', ''),
    }));
  }

  /** Asserts that the rows of each section match the options. Does not check the sections in `apart`, which other tests check. */
  assertDescribes(options: Readonly<Record<string, readonly Reported[]>>, apart: readonly string[] = []): void {
    for (const [heading, known] of Object.entries(options)) assert.deepEqual(this.rowsOf(heading), known, heading);
    const rows = this.headings.flatMap((heading) => this.rowsOf(heading));
    assert.equal(
      rows.length,
      this.#text.match(/^- /gm)?.length,
      'a list item of the page does not have the format of an option',
    );
    const others = this.headings.filter((heading) => options[heading] === undefined && !apart.includes(heading));
    assert.deepEqual(
      others.flatMap((heading) => this.rowsOf(heading)),
      [],
    );
  }
}

/** Returns the members that an interface itself declares, in order. The default is the first sentence after `@default`. */
export function membersOf(path: string, name: string): readonly Reported[] {
  return membersIn(path, new RegExp(`^(?:export )?interface ${name}\\b[^]*?\\{\\n([^]*?)^\\}`, 'm'));
}
/** Returns the members of the type that the pattern matches. The first group of the pattern is the body of the type. */
export function membersIn(path: string, pattern: RegExp): readonly Reported[] {
  const [, body] = pattern.exec(source(path)) ?? [];
  assert.ok(body !== undefined, `${path} has no ${pattern}`);
  const member = /(?:^ +\/\*\*(?<doc>(?:(?!\*\/)[^])*)\*\/\n)?^(?: {2}| {4})readonly (?<name>\w+)(?<optional>\??):/gm;
  return [...body.matchAll(member)].map(({ groups = {} }) => {
    const doc = (groups['doc'] ?? '')
      .replaceAll(/\n\s*\*/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const [, byDefault] = /@default (.+?)(?:\. | @|$)/.exec(doc) ?? [];
    return {
      name: groups['name'] ?? '',
      required: groups['optional'] === '',
      byDefault: byDefault?.replaceAll('`', ''),
    };
  });
}
/** Returns the members that a type takes from another type. The first group of the pattern contains the names of the members. */
export function pickedIn(path: string, pattern: RegExp): readonly Reported[] {
  const [, names = ''] = pattern.exec(source(path)) ?? [];
  return [...names.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => ({ name, required: false, byDefault: undefined }));
}
function source(path: string): string {
  return readFileSync(join(root, 'packages', path), 'utf8');
}
