import type { KubeObject } from '@kubewright/api';
import { compileJsonPath } from '@kubewright/api/json-path';
import { Logger } from '@kubewright/runtime';

/** A print column as it stands in a CRD. */
export interface Column {
  readonly name: string;
  readonly jsonPath: string;
  readonly type: string;
  readonly priority?: number | undefined;
}
type Fields = Readonly<Record<string, unknown>>;

const OBJECT_WIDTH = 24;

/** Shows on a terminal what an operator does: each reconcile with its causes, each change of an object in its print columns. */
export class LiveView {
  readonly #startMs = performance.now();
  readonly #columns: ReadonlyMap<string, readonly Column[]>;
  readonly #shown = new Map<string, string>();

  /** `columns` are the print columns by kind. */
  constructor(columns: ReadonlyMap<string, readonly Column[]>) {
    this.#columns = columns;
  }

  /** The logger to give to the manager. */
  get logger(): Logger {
    return new LiveLogger((line) => this.say(line), {});
  }

  /** The columns of the object, unless they are what was shown last. */
  object(object: KubeObject): void {
    const { namespace, name } = object.metadata;
    const cells = (this.#columns.get(object.kind) ?? [])
      .filter(({ type }) => type !== 'date')
      .flatMap(({ name: column, jsonPath }) => {
        const [value] = compileJsonPath(jsonPath)(object);
        return value === undefined ? [] : [`${column.toUpperCase()} ${String(value)}`];
      })
      .join('  ');
    const key = `${object.kind} ${namespace}/${name}`;
    if (this.#shown.get(key) === cells) return;
    this.#shown.set(key, cells);
    this.say(`${`${namespace}/${name}`.padEnd(OBJECT_WIDTH)} ${cells}`);
  }

  /** One line with the time since the start. */
  say(text: string): void {
    const seconds = ((performance.now() - this.#startMs) / 1000).toFixed(2).padStart(7);
    process.stdout.write(`${seconds}s  ${text}\n`);
  }
}

class LiveLogger extends Logger {
  readonly #say: (line: string) => void;
  readonly #fields: Fields;
  constructor(say: (line: string) => void, fields: Fields) {
    super();
    this.#say = say;
    this.#fields = fields;
  }
  override debug(message: string, fields: Fields = {}): void {
    const all = { ...this.#fields, ...fields };
    if (message !== 'reconciled') return;
    this.#say(`${String(all.object).padEnd(OBJECT_WIDTH)} reconciled, because ${becauseOf(all.causes)}`);
  }
  override info(message: string, fields: Fields = {}): void {
    if (message === 'reconciled') this.debug(message, fields);
  }
  override warn(message: string, fields: Fields = {}): void {
    this.#problem('warning', message, fields);
  }
  override error(message: string, fields: Fields = {}): void {
    this.#problem('error', message, fields);
  }
  override with(fields: Fields): Logger {
    return new LiveLogger(this.#say, { ...this.#fields, ...fields });
  }
  #problem(level: string, message: string, fields: Fields): void {
    const { object, error } = { ...this.#fields, ...fields };
    const detail =
      error instanceof Error ? `: ${error.message}` : error === undefined ? '' : `: ${JSON.stringify(error)}`;
    this.#say(`${object === undefined ? '' : `${String(object).padEnd(OBJECT_WIDTH)} `}${level}: ${message}${detail}`);
  }
}

/** Causes as people say them: 'Pod was modified (.status)'. */
function becauseOf(causes: unknown): string {
  if (!Array.isArray(causes) || causes.length === 0) return 'it was asked for';
  return causes.map((cause) => (typeof cause === 'string' ? cause : causeText(cause))).join('; ');
}
function causeText(cause: { kind: string; source?: string; changedPaths?: readonly string[] }): string {
  const paths = cause.changedPaths?.length ? ` (${cause.changedPaths.join(', ')})` : '';
  return `${cause.kind}${cause.source === undefined ? '' : ` ${cause.source}`}${paths}`;
}
