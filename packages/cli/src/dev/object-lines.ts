import { findCondition, type KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { compileJsonPath } from '@kubewright/api/json-path';
import { groupOf } from '@kubewright/api/metadata';
import type { StructuralSchema } from '@kubewright/api/schema';
import { maskSecretFields, maskText } from '@kubewright/api/secrets';
import { describeObject } from '../deploy/kube-api.js';
import { storedVersion } from './stored-version.js';

/** A print column of a kind. */
interface Column {
  readonly name: string;
  readonly valuesOf: (object: object) => readonly unknown[];
}
/** The print columns of a kind, and the schema that marks secret fields. */
interface ShownKind {
  readonly columns: readonly Column[];
  readonly schema: StructuralSchema | undefined;
}

/** The options of `ObjectLines`. */
export interface ObjectLinesOptions {
  /** Returns the text at the start of the line of an object. @default the kind, namespace, and name of the object */
  readonly nameOf?: (object: KubeObject) => string;
  /** The minimum width of the text that `nameOf` returns, in characters. @default 32 */
  readonly nameWidth?: number;
}

/** Formats objects as lines with the columns of `kubectl get`. Returns a line only if the line of the object has changed. Masks secrets. */
export class ObjectLines {
  readonly #nameOf: (object: KubeObject) => string;
  readonly #nameWidth: number;
  /** The columns of the kinds, by group and kind. */
  readonly #kinds = new Map<string, ShownKind>();
  readonly #reported = new Map<string, string>();

  constructor({ nameOf = describeObject, nameWidth = 32 }: ObjectLinesOptions = {}) {
    this.#nameOf = nameOf;
    this.#nameWidth = nameWidth;
  }

  /** Sets the kinds whose columns the lines contain. */
  show(definitions: readonly CustomResourceDefinition[]): void {
    this.#kinds.clear();
    for (const { spec } of definitions) {
      const { additionalPrinterColumns = [], schema } = storedVersion(spec) ?? {};
      const columns = additionalPrinterColumns
        .filter(({ type, priority = 0 }) => type !== 'date' && priority === 0)
        .map(({ name, jsonPath }) => ({ name: name.toUpperCase(), valuesOf: compileJsonPath(jsonPath) }));
      this.#kinds.set(`${spec.group}/${spec.names.kind}`, {
        columns,
        schema: schema?.openAPIV3Schema as StructuralSchema | undefined,
      });
    }
  }
  /** Returns the line of an object; undefined if the line has not changed. */
  of(object: KubeObject): string | undefined {
    const { uid } = object.metadata;
    const before = this.#reported.get(uid);
    const state = this.#stateOf(object);
    if (before === state) return undefined;
    this.#reported.set(uid, state);
    const nothing = before === undefined ? 'added' : 'changed';
    return `${this.#name(object)} ${state === '' ? nothing : state}`;
  }
  /** Returns the line of a deleted object. */
  deletedLine(object: KubeObject): string {
    this.#reported.delete(object.metadata.uid);
    return `${this.#name(object)} deleted`;
  }

  #name(object: KubeObject): string {
    return this.#nameOf(object).padEnd(this.#nameWidth);
  }
  /** Returns the text after the name; '' if the object has no column value, no Ready condition, and no phase. */
  #stateOf(object: KubeObject): string {
    if (object.metadata.deletionTimestamp !== undefined) return 'is being deleted';
    const { columns = [], schema } = this.#kinds.get(`${groupOf(object.apiVersion)}/${object.kind}`) ?? {};
    const masked = maskSecretFields(object, { schema }) as KubeObject;
    const cells = columns.flatMap(({ name, valuesOf }) => {
      const [value] = valuesOf(masked);
      return value === undefined || value === '' ? [] : [`${name} ${maskText(String(value))}`];
    });
    if (cells.length > 0) return cells.join('  ');
    return statusText(object);
  }
}

/** Returns the Ready condition of an object, or otherwise the phase; '' if the object has neither. */
function statusText(object: KubeObject): string {
  const ready = findCondition(object as Parameters<typeof findCondition>[0], 'Ready');
  if (ready !== undefined) return `READY ${ready.status}${ready.reason === undefined ? '' : ` (${ready.reason})`}`;
  const { phase } = ((object as { readonly status?: unknown }).status ?? {}) as { readonly phase?: unknown };
  return typeof phase === 'string' ? `PHASE ${phase}` : '';
}
