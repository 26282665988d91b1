import { builtInKinds } from '@kubewright/api/built-in';

/** An export of a module. */
export interface ImportedName {
  readonly name: string;
  /** The specifier of the module, such as './api/v1/website.js'. */
  readonly from: string;
}

/** The imports of a generated test file. */
export class TestImports {
  readonly #names = new Map<string, Set<string>>();
  readonly #kinds: ReadonlyMap<string, ImportedName>;

  /** @param kinds the classes of the kinds of the operator, by the names of the kinds */
  constructor(kinds: ReadonlyMap<string, ImportedName>) {
    this.#kinds = kinds;
  }

  /** Imports a name, and returns it. */
  use({ name, from }: ImportedName): string {
    this.#names.set(from, (this.#names.get(from) ?? new Set()).add(name));
    return name;
  }
  /** Imports the class of a kind of the operator or of Kubernetes. Returns undefined if no class is known. */
  kind(kind: string): string | undefined {
    const found = this.#kinds.get(kind) ?? builtInClass(kind);
    return found && this.use(found);
  }

  /** Returns the import statements: packages before modules of the project. */
  get text(): string {
    const modules = [...this.#names].toSorted(([a], [b]) => orderOf(a) - orderOf(b) || (a < b ? -1 : 1));
    const statements = modules.map(
      ([from, names]) => `import { ${[...names].toSorted().join(', ')} } from '${from}';\n`,
    );
    return `import assert from 'node:assert/strict';\n${statements.join('')}`;
  }
}

function orderOf(specifier: string): number {
  if (specifier.startsWith('node:')) return 0;
  return specifier.startsWith('.') ? 2 : 1;
}

/** Returns the class of a built-in kind, of the stable version if the kind has one. */
function builtInClass(kind: string): ImportedName | undefined {
  const found = builtInKinds().filter((each) => each.kind === kind);
  const chosen = found.find(({ version }) => /^v\d+$/.test(version)) ?? found[0];
  if (chosen === undefined) return undefined;
  const folder = chosen.group === '' ? 'core' : chosen.group.split('.')[0];
  return { name: kind, from: `@kubewright/api/${folder}/${chosen.version}` };
}
