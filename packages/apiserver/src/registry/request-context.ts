import type { Steps } from '@kubewright/api/apply';
import type { User } from './user.js';

/** Who asks, and how the request is to be carried out. Handlers make one a request; controllers make their own. */
export interface RequestContext {
  readonly verb: string;
  /** Recorded in managedFields. */
  readonly fieldManager: string;
  readonly subresource?: string;
  /** Everything is checked and answered, nothing is written. */
  readonly dryRun: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** The JSON of the body: once it is read, nobody can tell which fields it names more than once, and in which order. */
  readonly bodyText?: string;
  /** What else of the body is ignored, warned about or refused, as sentences. */
  readonly bodyFaults?: readonly string[];
  /** Returns in steps the result of a patch, with its fields in the order in which a refusal shows them. @default the result as it is */
  readonly patchedInOrder?: (patched: unknown) => Steps<unknown>;
  /** What a refusal shows in place of what a patch has made. @default that, as JSON */
  readonly shownPatch?: () => string;
  /** Sentences for `Warning` headers; the registry adds to it. */
  readonly warnings: string[];
  readonly user: User;
  /** 'Apply' when the managedFields of the object are already those of a server-side apply. @default 'Update' */
  readonly operation?: 'Apply' | 'Update';
}

/** The context of a controller of the server itself. */
export function systemContext(name: string, verb: string, subresource?: string): RequestContext {
  return {
    verb,
    fieldManager: name,
    ...(subresource === undefined ? {} : { subresource }),
    dryRun: false,
    fieldValidation: 'Ignore',
    warnings: [],
    user: { name: `system:${name}`, groups: ['system:masters', 'system:authenticated'] },
  };
}
