import type { Steps } from '@kubewright/api/apply';
import type { IncomingObject, JsonObject } from '../../registry/objects/api-object.js';
import type { RequestContext } from '../../registry/requests/request-context.js';
import type { User } from '../../registry/requests/user.js';
import type { RequestInfo } from '../request-info.js';
import type { Serving } from '../serving.js';

/** A request to create an object of a virtual resource. */
export interface VirtualRequest {
  readonly serving: Serving;
  readonly info: RequestInfo;
  readonly user: User;
  readonly context: RequestContext;
  /** The decoded object with defaults and with the values from the path. */
  readonly object: IncomingObject;
}

/** A resource or subresource whose objects the server completes and returns on creation, but does not store. */
export interface VirtualResource {
  /** 'group/plural' or 'group/plural/subresource'. The core group is ''. */
  readonly path: string;
  /** The initial content of an object. No manager owns fields that are equal to this content. @default an empty spec and status */
  readonly empty?: JsonObject;
  /** Additional versions of the kind that a body can have. @default none */
  readonly otherVersions?: readonly string[];
  /** Sets defaults before field ownership is tracked. */
  readonly defaults?: (draft: IncomingObject) => void;
  /** Completes the object after mutating policies and webhooks. Validating policies and webhooks receive the result. */
  readonly prepare?: (request: VirtualRequest) => void;
  /** Completes the object in steps. Throws an ApiError to refuse the object. */
  readonly answer: (request: VirtualRequest) => Steps<JsonObject>;
}
