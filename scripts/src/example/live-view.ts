import type { KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { ObjectLines } from '@kubewright/cli';
import { Logger } from '@kubewright/runtime';

type Fields = Readonly<Record<string, unknown>>;

const OBJECT_WIDTH = 24;
/** Maximum number of changed paths that are shown for a cause. */
const SHOWN_PATHS = 2;

/** Shows the actions of an operator on a terminal: each reconcile with its causes, and each change of an object in its print columns. */
export class LiveView {
  readonly #startMs = performance.now();
  readonly #lines = new ObjectLines({ nameOf, nameWidth: OBJECT_WIDTH });
  /** The logger for the manager. */
  readonly logger: Logger = new LiveLogger((line) => this.say(line), {}, new Reported());

  readonly #write: (text: string) => void;

  /** Shows objects in the print columns of these definitions. @param write gets each line @default the standard output */
  constructor(
    definitions: readonly CustomResourceDefinition[],
    write: (text: string) => void = (text) => void process.stdout.write(text),
  ) {
    this.#lines.show(definitions);
    this.#write = write;
  }

  /** Shows what `kubectl get` would print for the object, unless it is the same as the last line of the object. */
  object(object: KubeObject): void {
    const line = this.#lines.of(object);
    if (line !== undefined) this.say(line);
  }
  /** Shows that the object was deleted. */
  gone(object: KubeObject): void {
    this.say(this.#lines.gone(object));
  }

  /** Writes one line with the time since the start. */
  say(text: string): void {
    const seconds = ((performance.now() - this.#startMs) / 1000).toFixed(2).padStart(7);
    this.#write(`${seconds}s  ${text}\n`);
  }
}

/** Problems that were shown and are not resolved. Each problem is shown once. */
class Reported {
  readonly #ofObjects = new Map<unknown, Set<string>>();

  /** Whether a problem was not shown before. */
  isNew(object: unknown, problem: string): boolean {
    const known = this.#ofObjects.get(object) ?? new Set();
    if (known.has(problem)) return false;
    this.#ofObjects.set(object, known.add(problem));
    return true;
  }
  /** Removes the problems of an object that was reconciled. */
  over(object: unknown): void {
    this.#ofObjects.delete(object);
  }
}

class LiveLogger extends Logger {
  readonly #say: (line: string) => void;
  readonly #fields: Fields;
  readonly #reported: Reported;
  constructor(say: (line: string) => void, fields: Fields, reported: Reported) {
    super();
    this.#say = say;
    this.#fields = fields;
    this.#reported = reported;
  }
  override debug(message: string, fields: Fields = {}): void {
    const { object, causes, result } = { ...this.#fields, ...fields };
    if (result === undefined) return;
    this.#reported.over(object);
    this.#say(`${column(object)} ${message}; cause: ${becauseOf(causes)}`);
  }
  override info(_message: string, fields: Fields = {}): void {
    if (fields['outage'] === 'end') this.#say('the operator is connected to the API server again');
  }
  override warn(message: string, fields: Fields = {}): void {
    this.#problem('warning', message, fields);
  }
  override error(message: string, fields: Fields = {}): void {
    if (fields['outage'] === 'begin') this.#say('warning: the operator cannot watch: the API server is not responding');
    else this.#problem('error', message, fields);
  }
  override with(fields: Fields): Logger {
    return new LiveLogger(this.#say, { ...this.#fields, ...fields }, this.#reported);
  }
  #problem(level: string, message: string, fields: Fields): void {
    const { object, error } = { ...this.#fields, ...fields };
    const why = error instanceof Error ? error.message : error === undefined ? '' : JSON.stringify(error);
    const detail = message.includes(why) ? '' : `: ${why}`;
    const problem = `${level}: ${message}${detail}`;
    if (!this.#reported.isNew(object, problem)) return;
    this.#say(`${object === undefined ? '' : `${column(object)} `}${problem}`);
  }
}

/** Formats the causes as one line; shows only the first changed paths. */
function becauseOf(causes: unknown): string {
  if (!Array.isArray(causes) || causes.length === 0) return 'requested';
  return causes.map((cause) => shortened(String(cause))).join('; ');
}
function shortened(cause: string): string {
  const parts = cause.split(', ');
  return parts.length <= SHOWN_PATHS ? cause : `${parts.slice(0, SHOWN_PATHS).join(', ')}, …`;
}
/** Returns a name such as 'default/web'. */
export function nameOf({ metadata }: KubeObject): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}
/** Pads 'VirtualMachine default/web' to the width of its column, without the kind. */
function column(object: unknown): string {
  return (String(object).split(' ').at(-1) ?? '').padEnd(OBJECT_WIDTH);
}
