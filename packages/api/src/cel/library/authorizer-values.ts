import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../names.js';
import { CelError, NO_OVERLOAD } from '../values/cel-error.js';
import { type CelType, structType } from '../values/cel-type.js';
import type { CelValue, OpaqueValue } from '../values/cel-value.js';

/** A service account whose permissions an expression checks. */
export interface CheckedServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

interface CheckOf {
  /** The service account whose permission is checked. Undefined for the user of the request. */
  readonly serviceAccount: CheckedServiceAccount | undefined;
  readonly verb: string;
}

/** A check of a permission for a path that is not a resource: `authorizer.path('/healthz').check('get')`. */
export interface PathCheck extends CheckOf {
  readonly kind: 'path';
  readonly path: string;
}

/** A check of a permission for a resource: `authorizer.group('apps').resource('deployments').check('create')`. */
export interface ResourceCheck extends CheckOf {
  readonly kind: 'resource';
  readonly group: string;
  readonly resource: string;
  /** The subresource; '' for the resource itself. */
  readonly subresource: string;
  /** The namespace; '' for the cluster scope and for all namespaces. */
  readonly namespace: string;
  /** The name of the object; '' for all objects. */
  readonly name: string;
  /** The field selector as written; '' if there is none. */
  readonly fieldSelector: string;
  /** The label selector as written; '' if there is none. */
  readonly labelSelector: string;
}

/** A check of a permission by an expression. */
export type AuthorizationCheck = PathCheck | ResourceCheck;

/** The answer to a check. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  /** The reason of the decision; '' if there is none. */
  readonly reason: string;
  /** The error that occurred during the check, if any. */
  readonly error?: string;
}

/** Answers the checks of the variable `authorizer`. */
export type Authorize = (check: AuthorizationCheck) => AuthorizationDecision;

/** The types of the values that the functions of the authorizer take and return. */
export const authorizerTypes = {
  authorizer: structType('kubernetes.authorization.Authorizer'),
  path: structType('kubernetes.authorization.PathCheck'),
  group: structType('kubernetes.authorization.GroupCheck'),
  resource: structType('kubernetes.authorization.ResourceCheck'),
  decision: structType('kubernetes.authorization.Decision'),
} as const;

/** A value without fields. Expressions can only call its functions. */
abstract class Receiver implements OpaqueValue {
  abstract readonly opaqueType: CelType;

  equals(_other: CelValue): CelValue {
    return NO_OVERLOAD;
  }
}

/** The variable `authorizer`, or the authorizer of a service account. */
export class AuthorizerValue extends Receiver {
  readonly opaqueType = authorizerTypes.authorizer;
  readonly authorize: Authorize;
  readonly serviceAccount: CheckedServiceAccount | undefined;

  constructor(authorize: Authorize, serviceAccount?: CheckedServiceAccount) {
    super();
    this.authorize = authorize;
    this.serviceAccount = serviceAccount;
  }

  /** Returns the authorizer of a service account, or an error if a name is not valid. */
  forServiceAccount(namespace: string, name: string): CelValue {
    if (dns1123SubdomainErrors(name).length > 0) return new CelError('Invalid service account name');
    if (dns1123LabelErrors(namespace).length > 0) return new CelError('Invalid service account namespace');
    return new AuthorizerValue(this.authorize, { namespace, name });
  }

  /** Returns a check for a path, or an error if the path is empty. */
  path(path: string): CelValue {
    return path.trim() === '' ? new CelError('path must not be empty') : new PathCheckValue(this, path);
  }
}

/** `authorizer.path('/path')`. */
export class PathCheckValue extends Receiver {
  readonly opaqueType = authorizerTypes.path;
  readonly #authorizer: AuthorizerValue;
  readonly #path: string;

  constructor(authorizer: AuthorizerValue, path: string) {
    super();
    this.#authorizer = authorizer;
    this.#path = path;
  }

  check(verb: string): DecisionValue {
    const { authorize, serviceAccount } = this.#authorizer;
    return new DecisionValue(authorize({ kind: 'path', serviceAccount, path: this.#path, verb }));
  }
}

/** `authorizer.group('group')`. */
export class GroupCheckValue extends Receiver {
  readonly opaqueType = authorizerTypes.group;
  readonly #authorizer: AuthorizerValue;
  readonly #group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.#authorizer = authorizer;
    this.#group = group;
  }

  /** Returns a check for a resource of the group, or an error if the name is empty. */
  resource(resource: string): CelValue {
    if (resource.trim() === '') return new CelError('resource must not be empty');
    return new ResourceCheckValue(this.#authorizer, { ...anyResource, group: this.#group, resource });
  }
}

/** The resource of a check. */
export type CheckedResource = Omit<ResourceCheck, 'kind' | 'serviceAccount' | 'verb'>;

const anyResource = { subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '' };

/** `authorizer.group('group').resource('resource')`, or the variable `authorizer.requestResource`. */
export class ResourceCheckValue extends Receiver {
  readonly opaqueType = authorizerTypes.resource;
  readonly #authorizer: AuthorizerValue;
  readonly #resource: CheckedResource;

  constructor(authorizer: AuthorizerValue, resource: CheckedResource) {
    super();
    this.#authorizer = authorizer;
    this.#resource = resource;
  }

  /** Returns a check with other properties. */
  with(changes: Partial<CheckedResource>): ResourceCheckValue {
    return new ResourceCheckValue(this.#authorizer, { ...this.#resource, ...changes });
  }

  check(verb: string): DecisionValue {
    const { authorize, serviceAccount } = this.#authorizer;
    return new DecisionValue(authorize({ kind: 'resource', serviceAccount, ...this.#resource, verb }));
  }
}

/** The result of `check`. */
export class DecisionValue extends Receiver {
  readonly opaqueType = authorizerTypes.decision;
  readonly decision: AuthorizationDecision;

  constructor(decision: AuthorizationDecision) {
    super();
    this.decision = decision;
  }
}
