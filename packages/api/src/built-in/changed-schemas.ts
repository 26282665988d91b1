import { allDefinitions } from '../generated/all-definitions.js';
import { applyMergePatch } from '../patch/apply-merge-patch.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { Definitions } from './definitions.js';
import { modulePath } from './module-path.js';

/** The changes of the modules of built-in kinds between two Kubernetes versions: a merge patch for each path, such as `core/v1`. */
export type ModuleChanges = Readonly<Record<string, object>>;

/** The schemas of the built-in kinds of another Kubernetes version. Each schema is parsed on first use. */
export class ChangedSchemas {
  readonly #modules = new Map<string, Definitions>();

  /** @param changes the merge patches of the schemas by name; a path without a module creates the module */
  constructor(changes: ModuleChanges) {
    const find = (path: string): Definitions | undefined => this.#modules.get(path);
    const base = new Map(allDefinitions.map((definitions) => [modulePath(definitions.apiVersion), definitions]));
    for (const path of new Set([...base.keys(), ...Object.keys(changes)])) {
      const definitions = base.get(path) ?? newModule(path);
      const change = (raw: object): object => applyMergePatch(raw, changes[path] ?? {}) as object;
      this.#modules.set(path, definitions.changedBy(change, find));
    }
  }

  /** Returns the schema of a complete object of a built-in kind, like `builtInSchema`, or undefined. */
  find(apiVersion: string, kind: string): StructuralSchema | undefined {
    return this.#modules.get(modulePath(apiVersion))?.schema(kind);
  }
}

function newModule(path: string): Definitions {
  const [group = '', version = ''] = path.split('/');
  return new Definitions({ group, version, kinds: {}, uses: {}, text: '{}' });
}
