import { createRequire } from 'node:module';
import type { ApiObject } from '../../registry/objects/api-object.js';
import type { AnnotatedBehaviour } from './behaviour-annotations.js';
import type { ContainerBehaviour, PodBehaviour, PodSelector } from './pod-behaviour.js';
import type { ResolvedNode } from './node-declaration.js';
import type { PodMatch } from './check-behaviour.js';
import type { ExecHandler, PortForwardHandler, SessionHandlers } from './pod-sessions.js';

const load = createRequire(import.meta.url);

/** A rule of `SimulatedPods.behave`. */
interface Rule {
  readonly matches: PodMatch;
  readonly behaviour: PodBehaviour;
}

/** A handler of sessions. */
interface Registration {
  readonly matches: PodMatch;
  readonly subresource: keyof SessionHandlers;
  readonly handler: SessionHandlers[keyof SessionHandlers];
}

/**
 * States what the simulated Pods of a server do. The server runs no containers: by default, the commands of the containers determine what
 * the kubelet reports.
 */
export class SimulatedPods {
  readonly #rules = new Set<Rule>();
  readonly #registrations = new Set<Registration>();
  readonly #listeners = new Set<() => void>();
  /** The nodes whose kubelets the server simulates, by name. Empty if the server does not run Pods. */
  readonly nodes: ReadonlyMap<string, ResolvedNode>;
  readonly #annotated = new WeakMap<object, AnnotatedBehaviour | undefined>();

  constructor(nodes: readonly ResolvedNode[] = []) {
    this.nodes = new Map(nodes.map((node) => [node.name, node]));
  }

  /**
   * States what the containers of the selected Pods do. Applies to existing and to new Pods, and takes precedence over the annotations of
   * the Pods. If several calls select a Pod and set the same field, the last of these calls takes precedence. Throws INVALID_OPTION for an
   * unknown field and for an invalid value.
   *
   * @returns a function that removes the behavior
   *
   * @example
   * env.pods.behave('app=web', { readyAfter: '5s', logs: 'listening on port 80\n' });
   * env.pods.behave({ name: 'migration' }, { exitCode: [1, 0], runFor: '2s' });
   * env.pods.behave('app=db', { containers: { backup: { waiting: 'ImagePullBackOff' } } });
   */
  behave(selector: PodSelector, behaviour: PodBehaviour): () => void {
    const { checkBehaviour, checkedMatch } = loadRules();
    checkBehaviour(behaviour);
    const rule: Rule = { matches: checkedMatch(selector), behaviour };
    this.#rules.add(rule);
    this.#changed();
    return () => {
      if (this.#rules.delete(rule)) this.#changed();
    };
  }

  /**
   * Registers a handler for the commands that clients run in the selected Pods, for example with `kubectl exec` and `kubectl cp`. If
   * several handlers select a Pod, the last one handles the command. Without a handler, the command fails. Throws INVALID_OPTION for an
   * invalid selector.
   *
   * @returns a function that removes the handler
   *
   * @example
   * env.pods.onExec('app=db', ({ command, stdout }) => {
   *   if (command[0] !== 'pg_isready') return 127;
   *   stdout.write('accepting connections\n');
   * });
   */
  onExec(selector: PodSelector, handler: ExecHandler): () => void {
    return this.#register(selector, { subresource: 'exec', handler });
  }

  /**
   * Registers a handler for clients that attach to the selected Pods, as with `kubectl attach` and `kubectl run -it`. See `onExec`.
   *
   * @returns a function that removes the handler
   *
   * @example
   * env.pods.onAttach('app=db', async ({ stdin, stdout }) => {
   *   for await (const chunk of stdin) stdout.write(chunk);
   * });
   */
  onAttach(selector: PodSelector, handler: ExecHandler): () => void {
    return this.#register(selector, { subresource: 'attach', handler });
  }

  /**
   * Registers a handler for connections to ports of the selected Pods, as with `kubectl port-forward`. See `onExec`.
   *
   * @returns a function that removes the handler
   *
   * @example
   * const server = createServer((request, response) => response.end('hello')); // from node:http
   * env.pods.onPortForward('app=web', ({ stream }) => server.emit('connection', stream));
   */
  onPortForward(selector: PodSelector, handler: PortForwardHandler): () => void {
    return this.#register(selector, { subresource: 'portforward', handler });
  }

  /** Returns the handler for a session of a Pod, or undefined if no handler selects the Pod. */
  handlerOf<S extends keyof SessionHandlers>(pod: ApiObject, subresource: S): SessionHandlers[S] | undefined {
    const found = [...this.#registrations].findLast((each) => each.subresource === subresource && each.matches(pod));
    return found?.handler as SessionHandlers[S] | undefined;
  }

  /** Calls the listener after each change of a behavior. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether an annotation or a call of `behave` states what the Pod does. */
  isStated(pod: ApiObject): boolean {
    if (this.#annotationsOf(pod) !== undefined) return true;
    for (const { matches } of this.#rules) if (matches(pod)) return true;
    return false;
  }

  /** Returns the errors in the annotations of a Pod. Each error names the valid choices. */
  problems(pod: ApiObject): readonly string[] {
    return this.#annotationsOf(pod)?.problems ?? [];
  }

  /**
   * Returns the behaviors that apply to a container, in ascending order of precedence. The fields at the top of a `PodBehaviour` do not
   * apply to init containers.
   */
  behaviours(pod: ApiObject, container: { readonly name: string; readonly isInit: boolean }): ContainerBehaviour[] {
    const annotated = this.#annotationsOf(pod)?.behaviour;
    const matching = [...this.#rules].filter(({ matches }) => matches(pod)).map(({ behaviour }) => behaviour);
    return [...(annotated === undefined ? [] : [annotated]), ...matching].flatMap(({ containers = {}, ...top }) => {
      const own = Object.hasOwn(containers, container.name) ? containers[container.name] : undefined;
      return [...(container.isInit ? [] : [top]), ...(own === undefined ? [] : [own])];
    });
  }

  #register(selector: PodSelector, registered: Omit<Registration, 'matches'>): () => void {
    const registration = { ...registered, matches: loadRules().checkedMatch(selector) };
    this.#registrations.add(registration);
    return () => this.#registrations.delete(registration);
  }

  #annotationsOf(pod: ApiObject): AnnotatedBehaviour | undefined {
    const { annotations } = pod.metadata;
    if (annotations === undefined) return undefined;
    if (!this.#annotated.has(pod)) this.#annotated.set(pod, loadAnnotations().annotatedBehaviour(pod));
    return this.#annotated.get(pod);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Loads the rules of behaviors on demand, because most servers do not run Pods. */
function loadRules(): typeof import('./check-behaviour.js') {
  return load('./check-behaviour.js') as typeof import('./check-behaviour.js');
}

/** Loads the reader of annotations on demand, because most servers do not run Pods. */
function loadAnnotations(): typeof import('./behaviour-annotations.js') {
  return load('./behaviour-annotations.js') as typeof import('./behaviour-annotations.js');
}
