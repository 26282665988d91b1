import type { KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { ObjectLines } from '@kubewright/cli';
import { Logger } from '@kubewright/runtime';

type Fields = Readonly<Record<string, unknown>>;

const OBJECT_WIDTH = 24;
/** The maximum number of changed paths that are printed for a cause. */
const SHOWN_PATHS = 2;

/** Prints each reconcile of an operator with its causes, and each change of an object that changes its print columns. */
export class LiveView {
  readonly #startMs = performance.now();
  readonly #lines = new ObjectLines({ nameOf, nameWidth: OBJECT_WIDTH });
  /** The logger to pass to the manager. Prints reconciles and problems. */
  readonly logger: Logger = new LiveLogger((line) => this.say(line), {}, new Reported());

  readonly #write: (text: string) => void;

  /**
   * @param definitions the definitions with the print columns
   * @param write called with each line; by default, writes to the standard output
   */
  constructor(
    definitions: readonly CustomResourceDefinition[],
    write: (text: string) => void = (text) => void process.stdout.write(text),
  ) {
    this.#lines.show(definitions);
    this.#write = write;
  }

  /** Prints the columns of an object as in `kubectl get`, if they have changed since the last line of the object. */
  object(object: KubeObject): void {
    const line = this.#lines.of(object);
    if (line !== undefined) this.say(line);
  }
  /** Prints that the object was deleted. */
  onDeleted(object: KubeObject): void {
    this.say(this.#lines.deletedLine(object));
  }

  /** Prints a line with the time since the start. */
  say(text: string): void {
    const seconds = ((performance.now() - this.#startMs) / 1000).toFixed(2).padStart(7);
    this.#write(`${seconds}s  ${text}\n`);
  }
}

/** The problems of each object that have been printed since its last successful reconcile, so that each problem is printed once. */
class Reported {
  readonly #ofObjects = new Map<unknown, Set<string>>();

  /** Reports whether a problem has not been printed yet, and adds the problem. */
  isNew(object: unknown, problem: string): boolean {
    const known = this.#ofObjects.get(object) ?? new Set();
    if (known.has(problem)) return false;
    this.#ofObjects.set(object, known.add(problem));
    return true;
  }
  /** Removes the problems of an object after a successful reconcile. */
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

/** Formats the causes of a reconcile as one line. Includes at most two changed paths per cause. */
function becauseOf(causes: unknown): string {
  if (!Array.isArray(causes) || causes.length === 0) return 'requested';
  return causes.map((cause) => shortened(String(cause))).join('; ');
}
function shortened(cause: string): string {
  const parts = cause.split(', ');
  return parts.length <= SHOWN_PATHS ? cause : `${parts.slice(0, SHOWN_PATHS).join(', ')}, …`;
}
/** Returns the namespace and the name of an object, such as 'default/web'. */
export function nameOf({ metadata }: KubeObject): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}
/** Removes the kind from a description such as 'VirtualMachine default/web', and pads the name to the width of the column. */
function column(object: unknown): string {
  return (String(object).split(' ').at(-1) ?? '').padEnd(OBJECT_WIDTH);
}
