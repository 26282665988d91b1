import type { MarkdownPage } from './markdown-pages.js';

/** A TypeScript block of a page, as a module that compiles separately. */
export interface Snippet {
  /** The name of the module, without '.ts'. */
  readonly module: string;
  readonly page: string;
  /** The line of the page before the first line of the block. */
  readonly line: number;
  /** One line of imports, followed by the block. */
  readonly code: string;
}

/** Matches visible blocks and hidden blocks (<!-- ts … -->). A hidden block contains code that other blocks need and readers do not. */
const block = /^```ts\n(?<shown>[^]*?)^```$|^<!-- ts\n(?<hidden>[^]*?)^-->$/gm;
const statementOf = /^import\s+(?<type>type\s+)?\{(?<names>[^}]*)\}\s+from\s+(?<from>'[^']+');/gm;
/** An import from another file of the reader's project. */
const projectImport = /^import [^;]+ from '\.[^']*';$/gm;
const declaration =
  /^(?:export )?(?:declare |abstract |async )*(?<what>class|function\*?|const|let|interface|type) (?<name>\w+|\{[^}]*\}|\[[^\]]*\])/gm;

/**
 * Returns the blocks of a page, in order. Each block can use the top-level declarations of earlier blocks of the page, and the imports of
 * earlier visible blocks. Only hidden blocks can use the imports of hidden blocks, because readers do not see these imports. A block that
 * imports a name from another file of the reader's project uses an earlier declaration of that name on the page instead.
 */
export function snippetsOf({ path, text }: MarkdownPage): readonly Snippet[] {
  const shownNames = new Map<string, string>();
  const allNames = new Map<string, string>();
  return [...text.matchAll(block)].map(({ index, groups = {} }, at) => {
    const { shown, hidden = '' }: { readonly shown?: string; readonly hidden?: string } = groups;
    const body = (shown ?? hidden).replaceAll(projectImport, '');
    const module = `${path.replaceAll(/[^\w]/g, '-')}-${at + 1}`;
    const imported = importsOf(body);
    const declared = declarationsOf(body, module);
    const known = shown === undefined ? allNames : shownNames;
    const needed = [...known].filter(
      ([name]) => !imported.has(name) && !declared.has(name) && new RegExp(`\\b${name}\\b`).test(body),
    );
    for (const [name, statement] of [...imported, ...declared]) allNames.set(name, statement);
    for (const [name, statement] of shown === undefined ? declared : [...imported, ...declared])
      shownNames.set(name, statement);
    return {
      module,
      page: path,
      line: text.slice(0, index).split('\n').length,
      code: `${needed.map(([, statement]) => statement).join(' ')} export {};\n${exported(body)}`,
    };
  });
}

/** Returns the names that a block imports, each with the import statement for other blocks. */
function importsOf(body: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { groups = {} } of body.matchAll(statementOf)) {
    for (const specifier of listed(groups['names'] ?? '')) {
      const whole = groups['type'] === undefined ? specifier : `type ${specifier}`;
      names.set(specifier.split(/\s+/).at(-1) ?? '', `import { ${whole} } from ${groups['from']};`);
    }
  }
  for (const [, name = '', from = ''] of body.matchAll(/^import (\w+) from ('[^']+');/gm)) {
    names.set(name, `import ${name} from ${from};`);
  }
  return names;
}
/** Returns the names that a block declares at the top level, each with the import statement for other blocks. */
function declarationsOf(body: string, module: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { groups: { what = '', name: declared = '' } = {} } of body.matchAll(declaration)) {
    const type = what === 'interface' || what === 'type' ? 'type ' : '';
    for (const name of listed(declared.replaceAll(/[{}[\]]/g, ''))) {
      const local = name.split(/:\s*/).at(-1) ?? name;
      names.set(local, `import { ${type}${local} } from './${module}.js';`);
    }
  }
  return names;
}
function listed(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
/** Exports top-level declarations, so that later blocks can import them. */
function exported(body: string): string {
  return body.replaceAll(
    /^(?=(?:declare |abstract |async )*(?:class|function\*?|const|let|interface|type) )/gm,
    'export ',
  );
}
