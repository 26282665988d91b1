import type { Steps } from '@kubewright/api/apply';
import type { JsonObject } from '../objects/api-object.js';
import type { User } from './user.js';

/**
 * The user of a request, and the options for its execution. Handlers create one context for each request. Controllers create their own
 * contexts.
 */
export interface RequestContext {
  readonly verb: string;
  /** The manager name for managedFields. */
  readonly fieldManager: string;
  readonly subresource?: string;
  /** Whether the request is validated and answered, but not written. */
  readonly dryRun: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** The JSON text of the body. Only the text shows repeated fields and the original field order. */
  readonly bodyText?: string;
  /** Sentences about repeated and undeclared fields in the body of a patch. These sentences become warnings or an error. */
  readonly bodyFaults?: readonly string[];
  /** A sentence about each repeated key of a YAML body. The server sends each sentence as a warning, or all sentences in one error. */
  readonly repeatedKeys?: readonly string[];
  /** Returns the result of a patch in steps, with the field order that errors show. @default the unchanged result */
  readonly patchedInOrder?: (patched: unknown) => Steps<unknown>;
  /** Returns the text that an error shows instead of the result of a patch. @default the result as JSON */
  readonly shownPatch?: () => string;
  /** Sentences for `Warning` headers. The registry appends sentences. */
  readonly warnings: string[];
  readonly user: User;
  /** 'Apply' if the managedFields of the object are already the result of a server-side apply. @default 'Update' */
  readonly operation?: 'Apply' | 'Update';
  /** The options that reviews contain: the options in the query or in the body, without apiVersion and kind. @default no options */
  readonly options?: JsonObject;
  /** The time of the monotonic clock at which the request times out, in milliseconds. @default no timeout */
  readonly deadlineMs?: number;
  /** Returns the signal that is aborted, with an ApiError, when the request ends early. @default the request does not end early */
  readonly signal?: () => AbortSignal;
  /** Whether policies and webhooks skip the write. Set for writes of the server itself. @default false */
  readonly unreviewed?: boolean;
}

/** Returns the request context of a controller inside the server. */
export function systemContext(name: string, verb: string, subresource?: string): RequestContext {
  return {
    verb,
    fieldManager: name,
    ...(subresource === undefined ? {} : { subresource }),
    dryRun: false,
    fieldValidation: 'Ignore',
    warnings: [],
    unreviewed: true,
    user: { name: `system:${name}`, groups: ['system:masters', 'system:authenticated'] },
  };
}
