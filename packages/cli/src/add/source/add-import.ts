import { type ImportDeclaration, Visitor } from 'oxc-parser';
import { startOfText, statementAfter } from './line-place.js';
import type { SourceModule } from './source-module.js';
import type { TextEdit } from './text-edit.js';

/** A value that is to be imported. */
export interface WantedImport {
  readonly name: string;
  /** The module, as it is written: './controllers/website-controller.js'. */
  readonly from: string;
  /** What it is called where the name is taken. */
  readonly otherName: string;
}

/** How a value is called in a source, and what is to be written for that. */
export interface ImportPlan {
  readonly local: string;
  /** None where it is imported already. */
  readonly edit?: TextEdit;
}

/** Imports a value after those imports that come before it in order; it is called otherwise where its name is taken. */
export function addImport(module: SourceModule, { name, from, otherName }: WantedImport): ImportPlan {
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

/** The import declarations of a source. */
export function importsOf({ program }: SourceModule): readonly ImportDeclaration[] {
  return program.body.filter((node) => node.type === 'ImportDeclaration');
}

/** What a value of a module is called by the imports; undefined where it is not imported. */
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

/** Whether a source does something with a name, beside importing it. */
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

/** Whether an import stands before another one: packages before modules of the project, by name. */
function isBefore(a: string, b: string): boolean {
  const [nearA, nearB] = [a.startsWith('.'), b.startsWith('.')];
  return nearA === nearB ? a < b : nearB;
}

/** Every name that a source uses. */
function namesIn({ program }: SourceModule): ReadonlySet<string> {
  const names = new Set<string>();
  new Visitor({ Identifier: ({ name }) => void names.add(name) }).visit(program);
  return names;
}

function freeName(wanted: readonly string[], taken: ReadonlySet<string>): string {
  const last = wanted.at(-1) ?? '';
  const numbered = Array.from({ length: 100 }, (_, at) => `${last}${at + 2}`);
  return [...wanted, ...numbered].find((each) => !taken.has(each)) ?? last;
}
