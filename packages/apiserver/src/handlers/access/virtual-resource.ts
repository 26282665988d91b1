import type { Steps } from '@kubewright/api/apply';
import type { DraftObject, JsonObject } from '../../registry/json-object.js';
import type { RequestContext } from '../../registry/request-context.js';
import type { User } from '../../registry/user.js';
import type { RequestInfo } from '../request-info.js';
import type { Serving } from '../serving.js';

/** An object that is sent to be answered, and never stored. */
export interface VirtualRequest {
  readonly serving: Serving;
  readonly info: RequestInfo;
  readonly user: User;
  readonly context: RequestContext;
  /** Decoded, with its defaults and with what the path says of it. */
  readonly object: DraftObject;
}

/** A resource or subresource whose objects are answered when they are created, and not kept. */
export interface VirtualResource {
  /** What an object is before anything is set: nobody owns a field for being as it is here. @default an empty spec and status */
  readonly empty?: JsonObject;
  /** Versions of the kind that a body may be of, beside its own. @default none */
  readonly otherVersions?: readonly string[];
  /** Fills what was left out, before anybody is said to have set it. */
  readonly defaults?: (draft: DraftObject) => void;
  /** Completes the object in steps. Throws the ApiError that refuses the object. */
  readonly answer: (request: VirtualRequest) => Steps<JsonObject>;
}
