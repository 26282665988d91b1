import { type ImportDeclaration, Visitor } from 'oxc-parser';
import { startOfText, statementAfter } from './line-place.js';
import type { SourceModule } from './source-module.js';
import type { TextEdit } from './text-edit.js';

/** A value to import. */
export interface DesiredImport {
  readonly name: string;
  /** The specifier of the module: './controllers/website-controller.js'. */
  readonly from: string;
  /** The local name of the value if the source already uses `name` for another value. */
  readonly otherName: string;
}

/** The import of a value into a source. `local` is the name of the value in the source. */
export interface ImportPlan {
  readonly local: string;
  /** The edit that adds the import; undefined if the source already imports the value. */
  readonly edit?: TextEdit;
}

/**
 * Plans the import of a value, at its sorted position among the imports. Adds nothing if the source already imports the value. If the name
 * of the value is already used, imports the value as `otherName`, or as `otherName` with a number if that name is also used.
 */
export function addImport(module: SourceModule, { name, from, otherName }: DesiredImport): ImportPlan {
  const imports = importsOf(module);
  const known = importedAs(imports, name, from);
  if (known !== undefined) return { local: known };
  const taken = namesIn(module);
  const local = freeName([name, otherName], taken);
  const quote = module.text[imports[0]?.source.start ?? -1] === '"' ? '"' : "'";
  const binding = local === name ? name : `${name} as ${local}`;
  const statement = `import { ${binding} } from ${quote}${from}${quote}`;
  const before = imports.filter(({ source }) => !isBefore(from, source.value)).at(-1);
  const place = before ?? imports[0];
  const edit =
    place === undefined
      ? { start: startOfText(module.text), text: `${statement};\n` }
      : statementAfter(module, place, statement);
  return { local, edit };
}

/** Returns the import declarations of a source. */
export function importsOf({ program }: SourceModule): readonly ImportDeclaration[] {
  return program.body.filter((node) => node.type === 'ImportDeclaration');
}

/** Returns the local name of an imported value; undefined if the value is not imported. */
export function importedAs(imports: readonly ImportDeclaration[], name: string, from: string): string | undefined {
  for (const { source, specifiers, importKind } of imports) {
    if (source.value !== from || importKind === 'type') continue;
    for (const specifier of specifiers) {
      if (specifier.type !== 'ImportSpecifier' || specifier.importKind === 'type') continue;
      const { imported } = specifier;
      if ((imported.type === 'Identifier' ? imported.name : imported.value) === name) return specifier.local.name;
    }
  }
  return undefined;
}

/** Reports whether a source uses a name outside of its imports. */
export function isUsed(module: SourceModule, local: string): boolean {
  const imports = importsOf(module);
  let used = false;
  new Visitor({
    Identifier: ({ name, start }) => {
      used ||= name === local && !imports.some((each) => each.start < start && start < each.end);
    },
  }).visit(module.program);
  return used;
}

/** Reports whether import a precedes import b: packages precede modules of the project, and both are sorted by name. */
function isBefore(a: string, b: string): boolean {
  const [nearA, nearB] = [a.startsWith('.'), b.startsWith('.')];
  return nearA === nearB ? a < b : nearB;
}

/** Returns every name that a source uses. */
function namesIn({ program }: SourceModule): ReadonlySet<string> {
  const names = new Set<string>();
  new Visitor({ Identifier: ({ name }) => void names.add(name) }).visit(program);
  return names;
}

function freeName(preferred: readonly string[], taken: ReadonlySet<string>): string {
  const last = preferred.at(-1) ?? '';
  const numbered = Array.from({ length: 100 }, (_, at) => `${last}${at + 2}`);
  return [...preferred, ...numbered].find((each) => !taken.has(each)) ?? last;
}
