import { parseJson } from '@kubewright/api/json';
import type { Permission } from '@kubewright/api/rbac';
import { requestInfo, requestPermission, requestTarget } from '@kubewright/apiserver/internal';
import type { ObservedAttempt, ObservedRequest, RequestProgress, TransportObserver } from '@kubewright/runtime';
import { currentScope, isEscalation, isUnauthorized } from '@kubewright/runtime/internal';
import { givenPermission } from './given-permission.js';

/** A permission that a request needed. */
export interface UsedPermission {
  readonly permission: Permission;
  /** Whether the server refused the request. */
  readonly refused: boolean;
  /** Whether the caller needs this permission only to grant permissions that the caller does not have. */
  readonly dispensable: boolean;
  /** The controller whose reconcile sent the request, if any. */
  readonly controller: string | undefined;
  /** The name of the object, if the request contains the name. */
  readonly object: string | undefined;
}

/** Reports the permissions that the requests of a connection need, and the refused permissions. */
export class ObservedPermissions implements TransportObserver {
  readonly #basePath: string;
  readonly #onUse: (used: UsedPermission) => void;

  constructor(server: string, onUse: (used: UsedPermission) => void) {
    this.#basePath = new URL(server).pathname.replace(/\/$/, '');
    this.#onUse = onUse;
  }

  request(request: ObservedRequest): RequestProgress {
    const permission = this.#permissionOf(request);
    const controller = currentScope()?.controller;
    const object = 'name' in permission ? permission.name : nameIn(request.body);
    const use = (needed: Permission, refused: boolean): void =>
      this.#onUse({ permission: needed, refused, dispensable: false, controller, object });
    // The permission is recorded before the response, because an aborted request also needs the permission.
    use(permission, false);
    return {
      answered: ({ code, body }: ObservedAttempt): void => {
        const message = code === 403 ? text(body) : '';
        // The body of a stream is unknown, but only the authorizer refuses reads.
        const refused = code === 403 && (body === undefined || isUnauthorized(message));
        const given = givenPermission(permission, request.body);
        const isEscalating = isEscalation(message);
        if (given !== undefined && (code !== 403 || isEscalating)) {
          this.#onUse({ permission: given, refused: isEscalating, dispensable: true, controller, object: given.name });
        }
        if (refused) use(permission, true);
        // An apply creates a missing object, which requires the `create` permission too.
        if ('group' in permission && permission.verb === 'patch' && isApply(request) && (refused || code === 201)) {
          const { name: _name, ...created } = { ...permission, verb: 'create' };
          use(created, refused);
        }
      },
    };
  }

  #permissionOf({ verb: method, path: whole, query: text }: ObservedRequest): Permission {
    const encoded = whole.startsWith(this.#basePath) ? whole.slice(this.#basePath.length) : whole;
    const { path, query } = requestTarget(`${encoded}?${text ?? ''}`);
    return requestPermission({ method, path, query }, requestInfo(method, path, query));
  }
}

function isApply({ headers }: ObservedRequest): boolean {
  return String(headers['content-type']).startsWith('application/apply-patch');
}
/** Returns the name of the object in a request body, or undefined if there is no body or no name. */
function nameIn(body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  const { metadata } = parseJson(body) as { readonly metadata?: { readonly name?: string } };
  return metadata?.name;
}
function text(body: Uint8Array | undefined): string {
  return body === undefined ? '' : new TextDecoder().decode(body);
}
