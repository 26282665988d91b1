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
/** How many changed paths of a cause are shown. */
const SHOWN_PATHS = 2;

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
    const path = namespace === undefined ? name : `${namespace}/${name}`;
    const key = `${object.kind} ${path}`;
    if ((this.#shown.get(key) ?? '') === cells) return;
    this.#shown.set(key, cells);
    this.say(`${path.padEnd(OBJECT_WIDTH)} ${cells}`);
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
    if (message !== 'reconciled') return;
    const all = { ...this.#fields, ...fields };
    this.#say(`${column(all.object)} reconciled, because ${becauseOf(all.causes)}`);
  }
  override info(): void {}
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
    const why = error instanceof Error ? error.message : error === undefined ? '' : JSON.stringify(error);
    const detail = message.includes(why) ? '' : `: ${why}`;
    this.#say(`${object === undefined ? '' : `${column(object)} `}${level}: ${message}${detail}`);
  }
}

/** The causes in one line; of changed paths the first are enough. */
function becauseOf(causes: unknown): string {
  if (!Array.isArray(causes) || causes.length === 0) return 'it was asked for';
  return causes.map((cause) => shortened(String(cause))).join('; ');
}
function shortened(cause: string): string {
  const parts = cause.split(', ');
  return parts.length <= SHOWN_PATHS ? cause : `${parts.slice(0, SHOWN_PATHS).join(', ')}, …`;
}
/** 'VirtualMachine default/web' in the width of its column, without the kind. */
function column(object: unknown): string {
  return (String(object).split(' ').at(-1) ?? '').padEnd(OBJECT_WIDTH);
}
