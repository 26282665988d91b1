import type { KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { ObjectLines } from '@kubewright/cli';
import { Logger } from '@kubewright/runtime';

type Fields = Readonly<Record<string, unknown>>;

const OBJECT_WIDTH = 24;
/** How many changed paths of a cause are shown. */
const SHOWN_PATHS = 2;

/** Shows on a terminal what an operator does: each reconcile with its causes, each change of an object in its print columns. */
export class LiveView {
  readonly #startMs = performance.now();
  readonly #lines = new ObjectLines({ nameOf, nameWidth: OBJECT_WIDTH });

  /** Objects are shown in the print columns of these definitions. */
  constructor(definitions: readonly CustomResourceDefinition[]) {
    this.#lines.show(definitions);
  }

  /** The logger to give to the manager. */
  get logger(): Logger {
    return new LiveLogger((line) => this.say(line), {});
  }

  /** What `kubectl get` would show of the object, unless it was shown last. */
  object(object: KubeObject): void {
    const line = this.#lines.of(object);
    if (line !== undefined) this.say(line);
  }
  /** The object is gone. */
  gone(object: KubeObject): void {
    this.say(this.#lines.gone(object));
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
/** 'default/web'. */
export function nameOf({ metadata }: KubeObject): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}
/** 'VirtualMachine default/web' in the width of its column, without the kind. */
function column(object: unknown): string {
  return (String(object).split(' ').at(-1) ?? '').padEnd(OBJECT_WIDTH);
}
