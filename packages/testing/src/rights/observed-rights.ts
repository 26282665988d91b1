import { parseJson } from '@kubewright/api/json';
import type { Right } from '@kubewright/api/rbac';
import { requestInfo, requestRight, requestTarget } from '@kubewright/apiserver/internal';
import type { ObservedAttempt, ObservedRequest, RequestProgress, TransportObserver } from '@kubewright/runtime';
import { currentScope, isEscalation } from '@kubewright/runtime/internal';
import { givenRight } from './given-right.js';

/** A permission that a request needed. */
export interface UsedRight {
  readonly right: Right;
  /** Whether the server refused the request. */
  readonly refused: boolean;
  /** Whether only callers that lack some of the granted permissions need this permission. */
  readonly dispensable: boolean;
  /** The controller whose reconcile sent the request, if any. */
  readonly controller: string | undefined;
  /** The name of the object, if the request contains the name. */
  readonly object: string | undefined;
}

/** Reports the permissions that the requests of a connection need, and the refused permissions. */
export class ObservedRights implements TransportObserver {
  readonly #basePath: string;
  readonly #onUse: (used: UsedRight) => void;

  constructor(server: string, onUse: (used: UsedRight) => void) {
    this.#basePath = new URL(server).pathname.replace(/\/$/, '');
    this.#onUse = onUse;
  }

  request(request: ObservedRequest): RequestProgress {
    const right = this.#rightOf(request);
    const controller = currentScope()?.controller;
    const object = 'name' in right ? right.name : nameIn(request.body);
    const use = (needed: Right, refused: boolean): void =>
      this.#onUse({ right: needed, refused, dispensable: false, controller, object });
    // A request that is aborted before its answer also needs the permission.
    use(right, false);
    return {
      answered: ({ code, body }: ObservedAttempt): void => {
        const refused = code === 403;
        const given = givenRight(right, request.body);
        if (given !== undefined && (!refused || isEscalation(text(body)))) {
          this.#onUse({ right: given, refused, dispensable: true, controller, object: given.name });
        }
        if (refused) use(right, true);
        // An apply creates a missing object, which requires the `create` permission too.
        if ('group' in right && right.verb === 'patch' && isApply(request) && (refused || code === 201)) {
          const { name: _name, ...created } = { ...right, verb: 'create' };
          use(created, refused);
        }
      },
    };
  }

  #rightOf({ verb: method, path: whole, query: text }: ObservedRequest): Right {
    const encoded = whole.startsWith(this.#basePath) ? whole.slice(this.#basePath.length) : whole;
    const { path, query } = requestTarget(`${encoded}?${text ?? ''}`);
    return requestRight({ method, path, query }, requestInfo(method, path, query));
  }
}

function isApply({ headers }: ObservedRequest): boolean {
  return String(headers['content-type']).startsWith('application/apply-patch');
}
/** Returns the name in the object of a request body. */
function nameIn(body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  const { metadata } = parseJson(body) as { readonly metadata?: { readonly name?: string } };
  return metadata?.name;
}
function text(body: Uint8Array | undefined): string {
  return body === undefined ? '' : new TextDecoder().decode(body);
}
