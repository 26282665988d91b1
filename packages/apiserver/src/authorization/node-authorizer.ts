import { ruleAllows } from '@kubewright/api/rbac';
import { parseFieldSelector } from '@kubewright/api/selectors';
import type { ClusterData } from '../registry/cluster-data/cluster-data.js';
import { stringAt } from '../registry/objects/json-object.js';
import type { Store } from '../storage/store.js';
import { type Attributes, permissionOf, type ResourceAttributes } from './attributes.js';
import { isRelated, type RelatedKind } from './node-relations.js';
import { type PolicyRule, rulesOf } from './policy-rule.js';

/** A decision of the node authorizer: allowed, or the reason why the authorizer does not allow the action. The reason can be empty. */
type NodeDecision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

const allowed: NodeDecision = { allowed: true };
const own = ['get', 'create', 'update', 'patch', 'delete'];

/** Authorizes the requests of kubelets. A kubelet can read the objects that the Pods on its node use. */
export class NodeAuthorizer {
  readonly #store: Store;
  readonly #data: ClusterData;
  #rules: readonly PolicyRule[] | undefined;

  constructor(store: Store, data: ClusterData) {
    this.#store = store;
    this.#data = data;
  }

  /**
   * Returns the decision about a request of the kubelet on the node. Denies the request if `node` is '', because the user name then
   * contains no node name.
   */
  decide(node: string, attributes: Attributes): NodeDecision {
    if (node === '') return denied(`unknown node for user ${JSON.stringify(attributes.user.name)}`);
    const decision = attributes.kind === 'resource' ? this.#resource(node, attributes) : undefined;
    if (decision !== undefined) return decision;
    this.#rules ??= nodeRules(this.#data);
    const permission = permissionOf(attributes);
    return this.#rules.some((rule) => ruleAllows(rule, permission)) ? allowed : denied('');
  }

  #resource(node: string, request: ResourceAttributes): NodeDecision | undefined {
    const { group, resource, subresource, verb } = request;
    switch (group === '' ? resource : `${resource}.${group}`) {
      case 'secrets':
      case 'configmaps':
        return this.#read(node, resource as RelatedKind, request);
      case 'persistentvolumeclaims':
        if (subresource !== 'status') return this.#get(node, 'persistentvolumeclaims', request);
        if (verb !== 'update' && verb !== 'patch') return denied('can only get/update/patch this type');
        return this.#related(node, 'persistentvolumeclaims', request);
      case 'persistentvolumes':
      case 'resourceclaims.resource.k8s.io':
      case 'volumeattachments.storage.k8s.io':
        return this.#get(node, resource as RelatedKind, request);
      case 'serviceaccounts':
        return this.#serviceAccount(node, request);
      case 'leases.coordination.k8s.io':
        return lease(node, request);
      case 'csinodes.storage.k8s.io':
        return csiNode(node, request);
      case 'resourceslices.resource.k8s.io':
        return this.#slice(node, request);
      case 'nodes':
        return nodes(node, request);
      case 'pods':
        return this.#pod(node, request);
      default:
        return undefined;
    }
  }

  #read(node: string, kind: RelatedKind, request: ResourceAttributes): NodeDecision {
    if (!['get', 'list', 'watch'].includes(request.verb)) return denied('can only read resources of this type');
    if (request.subresource !== '') return denied('cannot read subresource');
    if (request.namespace === '') return denied('can only read namespaced object of this type');
    return this.#related(node, kind, request);
  }

  #get(node: string, kind: RelatedKind, request: ResourceAttributes): NodeDecision {
    if (request.verb !== 'get') return denied('can only get individual resources of this type');
    if (request.subresource !== '') return denied('cannot get subresource');
    return this.#related(node, kind, request);
  }

  #related(node: string, kind: RelatedKind, request: ResourceAttributes): NodeDecision {
    const name = nameOf(request);
    if (name === '') return denied('No Object name found');
    if (isRelated(this.#store, node, kind, { namespace: request.namespace, name })) return allowed;
    return denied(`no relationship found between node '${node}' and this object`);
  }

  #serviceAccount(node: string, request: ResourceAttributes): NodeDecision {
    const { verb, subresource, name } = request;
    if (verb === 'get' && subresource === '') return this.#read(node, 'serviceaccounts', request);
    if (verb !== 'create' || name === '') return denied('can only create tokens for individual service accounts');
    if (subresource !== 'token') return denied('can only create token subresource of serviceaccount');
    return this.#related(node, 'serviceaccounts', request);
  }

  #slice(node: string, request: ResourceAttributes): NodeDecision {
    const { verb, subresource } = request;
    if (subresource !== '') return denied('cannot authorize ResourceSlice subresources');
    if (verb === 'create') return allowed;
    if (['get', 'update', 'patch', 'delete'].includes(verb)) return this.#related(node, 'resourceslices', request);
    if (['list', 'watch', 'deletecollection'].includes(verb)) {
      if (selected(request, 'spec.nodeName') === node) return allowed;
      return denied('can only list/watch/deletecollection resourceslices with nodeName field selector');
    }
    return denied(
      'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
    );
  }

  #pod(node: string, request: ResourceAttributes): NodeDecision {
    const { verb, subresource } = request;
    if (subresource === 'status' && (verb === 'update' || verb === 'patch')) return allowed;
    if (subresource === 'eviction' && verb === 'create') return allowed;
    if (subresource !== '') return denied('');
    if (verb === 'create' || verb === 'delete') return allowed;
    if (verb === 'get') return this.#get(node, 'pods', request);
    if (verb !== 'list' && verb !== 'watch') return denied('');
    if (selected(request, 'spec.nodeName') === node) return allowed;
    if (nameOf(request) !== '') return this.#related(node, 'pods', request);
    return denied('can only list/watch pods with spec.nodeName field selector');
  }
}

function lease(node: string, { verb, namespace, name }: ResourceAttributes): NodeDecision {
  if (!own.includes(verb)) return denied('can only get, create, update, patch, or delete a node lease');
  if (namespace !== 'kube-node-lease') {
    return denied('can only access leases in the "kube-node-lease" system namespace');
  }
  if (verb === 'create' || name === node) return allowed;
  return denied('can only access node lease with the same name as the requesting node');
}

function csiNode(node: string, { verb, subresource, name }: ResourceAttributes): NodeDecision {
  if (!own.includes(verb)) return denied('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return denied('cannot authorize CSINode subresources');
  if (verb === 'create' || name === node) return allowed;
  return denied('can only access CSINode with the same name as the requesting node');
}

function nodes(node: string, request: ResourceAttributes): NodeDecision {
  const { verb, subresource } = request;
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allowed : denied('');
  if (subresource !== '') return denied('');
  if (['create', 'update', 'patch'].includes(verb)) return allowed;
  if (!['get', 'list', 'watch'].includes(verb)) return denied('');
  const name = nameOf(request);
  if (name === node) return allowed;
  if (name === '') return denied(`node '${node}' cannot read all nodes, only its own Node object`);
  return denied(`node '${node}' cannot read '${name}', only its own Node object`);
}

/** Returns the name of the object that a request reads. The field selector of a list can contain the name. */
function nameOf(request: ResourceAttributes): string {
  return request.name || (selected(request, 'metadata.name') ?? '');
}

/** Returns the value that the field selector of a request requires for a field. */
function selected({ fieldSelector = '' }: ResourceAttributes, field: string): string | undefined {
  if (fieldSelector === '') return undefined;
  try {
    const { requirements } = parseFieldSelector(fieldSelector);
    return requirements.find((found) => found.field === field && found.operator === '=')?.value;
  } catch {
    // The handler of the request reports the invalid selector.
    return undefined;
  }
}

function nodeRules({ bootstrap }: ClusterData): readonly PolicyRule[] {
  const role = bootstrap.find(
    (object) => object['kind'] === 'ClusterRole' && stringAt(object, 'metadata', 'name') === 'system:node',
  );
  return role === undefined ? [] : rulesOf(role);
}

function denied(reason: string): NodeDecision {
  return { allowed: false, reason };
}
