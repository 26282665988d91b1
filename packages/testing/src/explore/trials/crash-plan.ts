import type { FaultPlan, PlannedRequest, PlannedWatchEvent, RequestFault, WatchFault } from '@kubewright/apiserver';

/** The names of the verbs of writes on the server, by HTTP method. */
const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** A write that the operator is about to send. */
export interface SentWrite {
  /** 'POST', 'PUT', 'PATCH' or 'DELETE'. */
  readonly method: string;
  readonly path: string;
}

/**
 * Crashes the operator directly after a write: the server executes the write, and never answers it. After the crash, the server cuts all
 * requests and watches until `restart`.
 */
export class CrashPlan implements FaultPlan {
  #armed: SentWrite | undefined;
  #isCrashed = false;
  #onCrash: (() => void) | undefined;

  get isCrashed(): boolean {
    return this.#isCrashed;
  }

  /** Crashes the operator when the server executes this write. The write is the next request with this method and path. */
  arm(write: SentWrite): void {
    this.#armed = write;
  }
  /** Resolves at the next crash. */
  crashed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onCrash = resolve;
    });
  }
  /** Ends the cuts, for the next instance of the operator. */
  restart(): void {
    this.#isCrashed = false;
  }

  onRequest(request: PlannedRequest): RequestFault | undefined {
    if (this.#isCrashed) return { kind: 'cut', after: 'none' };
    if (this.#armed === undefined || !isSame(request, this.#armed)) return undefined;
    this.#armed = undefined;
    this.#isCrashed = true;
    this.#onCrash?.();
    return { kind: 'cut', after: 'write' };
  }
  onWatchEvent(_event: PlannedWatchEvent): WatchFault | undefined {
    return this.#isCrashed ? { kind: 'cut', midEvent: true } : undefined;
  }
}

function isSame({ verb, resource, subresource, name }: PlannedRequest, { method, path }: SentWrite): boolean {
  const isCollection = method === 'DELETE' && verb === 'deletecollection';
  if (verb !== VERBS[method] && !isCollection) return false;
  const parts = path.split('/').slice(-4);
  return [resource, subresource, verb === 'create' ? undefined : name].every(
    (part) => part === undefined || parts.includes(part),
  );
}
