import { findCondition, type KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { compileJsonPath } from '@kubewright/api/json-path';

/** One column of `kubectl get`. */
interface Column {
  readonly name: string;
  readonly valuesOf: (object: object) => readonly unknown[];
}

const NAME_WIDTH = 32;

/** Says of an object what `kubectl get` would, in one line, and only when that has changed. */
export class ObjectLines {
  readonly #columns = new Map<string, readonly Column[]>();
  readonly #told = new Map<string, string>();

  /** The columns of these kinds, in place of those of before. */
  show(definitions: readonly CustomResourceDefinition[]): void {
    this.#columns.clear();
    for (const { spec } of definitions) {
      const { additionalPrinterColumns = [] } = spec.versions.find(({ storage }) => storage) ?? spec.versions[0] ?? {};
      const columns = additionalPrinterColumns
        .filter(({ type, priority = 0 }) => type !== 'date' && priority === 0)
        .map(({ name, jsonPath }) => ({ name: name.toUpperCase(), valuesOf: compileJsonPath(jsonPath) }));
      this.#columns.set(spec.names.kind, columns);
    }
  }
  /** The line of an object as it is now; undefined where it was told already. */
  of(object: KubeObject): string | undefined {
    const line = `${describe(object).padEnd(NAME_WIDTH)} ${this.#cells(object)}`.trimEnd();
    const { uid } = object.metadata;
    if (this.#told.get(uid) === line) return undefined;
    this.#told.set(uid, line);
    return line;
  }
  /** The line of an object that is gone. */
  gone(object: KubeObject): string {
    this.#told.delete(object.metadata.uid);
    return `${describe(object).padEnd(NAME_WIDTH)} deleted`;
  }

  #cells(object: KubeObject): string {
    if (object.metadata.deletionTimestamp !== undefined) return 'is being deleted';
    const columns = this.#columns.get(object.kind) ?? [];
    const cells = columns.flatMap(({ name, valuesOf }) => {
      const [value] = valuesOf(object);
      return value === undefined ? [] : [`${name} ${String(value)}`];
    });
    if (cells.length > 0) return cells.join('  ');
    return statusText(object);
  }
}

/** Of a kind without columns: its condition Ready, or its phase. */
function statusText(object: KubeObject): string {
  const ready = findCondition(object as Parameters<typeof findCondition>[0], 'Ready');
  if (ready !== undefined) return `READY ${ready.status}${ready.reason === undefined ? '' : ` (${ready.reason})`}`;
  const { phase } = ((object as { readonly status?: unknown }).status ?? {}) as { readonly phase?: unknown };
  return typeof phase === 'string' ? `PHASE ${phase}` : 'changed';
}
function describe({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
