import type { Steps } from '@kubewright/api/apply';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { Authorizer } from '../../authorization/authorizer.js';
import type { SessionHandlers } from '../../controllers/simulation/pod-sessions.js';
import type { SimulatedPods } from '../../controllers/simulation/simulated-pods.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { numberAt, objectsAt, stringAt } from '../../registry/objects/json-object.js';
import type { Registry } from '../../registry/registry.js';
import { badRequest, failure, forbidden, invalid, notFound } from '../../registry/requests/status-errors.js';
import { type Answer, text } from '../answers/answer.js';
import { requestAttributes } from '../access/request-attributes.js';
import type { ApiRequest } from '../api-request.js';
import { inTurns } from '../in-turns.js';
import type { Serving } from '../serving.js';
import { connectRequest } from './connect-options.js';
import { keyOf, type ResourceRequest } from '../verbs.js';

const streamed: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward']);
const kubeletPort = 10_250;
const containerFields = ['initContainers', 'containers', 'ephemeralContainers'];

/** Returns whether only the kubelet of the Pod's node can answer the request. */
export function needsKubelet({ info, resource }: ResourceRequest): boolean {
  const { subresource } = info;
  if (resource.definition.storageBucket !== '/pods' || subresource === undefined) return false;
  return subresource === 'log' || streamed.has(subresource);
}

/**
 * Handles a request that only a kubelet can answer. The kubelet of a simulated node returns the stated log, and runs the registered
 * handlers. Without a handler, the request fails with the error 501. The kubelets of other nodes do not exist, so the request fails with
 * the same error 500 as in a kube-apiserver whose connection to the kubelet is refused. Errors of the request and of the Pod have
 * precedence. For the log of a Pod without a node, returns 204.
 */
export async function kubeletAnswer(
  { request, info, resource }: Pick<ResourceRequest, 'request' | 'info' | 'resource'>,
  { registry, simulated, authorizer }: Pick<Serving, 'authorizer' | 'registry' | 'simulated'>,
): Promise<Answer> {
  const { subresource = '' } = info;
  if (streamed.has(subresource)) {
    await inTurns(admittedConnection(connectRequest({ request, info, resource }, registry), registry), request);
    checkCreate({ request, info, resource }, authorizer);
  }
  if (subresource === 'log') checkLogOptions(request, info.name ?? '');
  const pod = resource.get(keyOf(info));
  const container = subresource === 'portforward' ? '' : containerOf(pod, request.query.get('container') ?? '');
  const nodeName = stringAt(pod, 'spec', 'nodeName');
  if (nodeName === '') {
    if (subresource === 'log') return text('', 204);
    throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  }
  const node = registry.builtIn('/v1/nodes').find({ name: nodeName });
  if (node === undefined) throw notFound(resource.definition, nodeName);
  if (simulated.nodes.has(nodeName)) {
    const { logAnswer } = await import('./pod-log.js');
    if (subresource === 'log') return logAnswer(request.query, { pod, container, registry, simulated });
    return sessionAnswer(request, { pod, container, subresource: subresource as keyof SessionHandlers }, simulated);
  }
  const address = kubeletAddress(node);
  const refused = `dial tcp ${address}: connect: connection refused`;
  if (subresource === 'log') {
    const { namespace, name } = pod.metadata;
    const url = `https://${address}/containerLogs/${namespace}/${name}/${container}`;
    throw failure(500, '', { message: `Get ${JSON.stringify(url)}: ${refused}` });
  }
  if (request.headers['upgrade'] === undefined) throw badRequest('Upgrade request required');
  throw failure(500, '', { message: `error dialing backend: ${refused}` });
}

/** Throws 403 if the user may not create the subresource. WebSockets use GET, but a session needs the same permission as with POST. */
function checkCreate(
  { request, info, resource }: Pick<ResourceRequest, 'request' | 'info' | 'resource'>,
  authorizer: Authorizer,
): void {
  if (info.verb === 'create') return;
  const { allowed, reason } = authorizer.decide(requestAttributes(request, { ...info, verb: 'create' }));
  if (!allowed) throw forbidden(resource.definition, info.name ?? '', { why: reason });
}

/** Returns the answer to a session with a simulated Pod. Throws 501 if the Pod has no handler for the session. */
async function sessionAnswer(
  request: ApiRequest,
  session: { readonly pod: ApiObject; readonly container: string; readonly subresource: keyof SessionHandlers },
  simulated: SimulatedPods,
): Promise<Answer> {
  const { pod, subresource } = session;
  if (subresource === 'portforward') {
    const handler = simulated.handlerOf(pod, subresource);
    if (handler === undefined) throw noHandler(session, 'onPortForward');
    const { portForwardAnswer } = await import('../streams/port-forward.js');
    return portForwardAnswer(request, handler, pod);
  }
  const handler = simulated.handlerOf(pod, subresource);
  if (handler === undefined) throw noHandler(session, subresource === 'exec' ? 'onExec' : 'onAttach');
  const { commandAnswer } = await import('../streams/command-answer.js');
  return commandAnswer(request, handler, session);
}

function noHandler({ pod, subresource }: { readonly pod: ApiObject; readonly subresource: string }, method: string) {
  const what = `cannot ${subresource} to pod ${pod.metadata.name}`;
  const message = `${what}: the embedded server runs no containers; register a handler with pods.${method} in a test`;
  return failure(501, 'NotImplemented', { message });
}

/** Lets policies and webhooks review a CONNECT request, in steps. */
export function* admittedConnection(request: AdmissionRequest, { admission }: Registry): Steps<void> {
  yield* admission.mutate(request);
  yield* admission.validate(request);
}

function checkLogOptions({ query }: ApiRequest, name: string): void {
  const errors: FieldError[] = [];
  const check = (field: string, least: number, why: string): void => {
    const value = query.get(field);
    if (value !== null && Number(value) < least) errors.push(fieldErrors.invalid(field, Number(value), why));
  };
  check('tailLines', 0, 'must be greater than or equal to 0');
  check('limitBytes', 1, 'must be greater than 0');
  if (query.has('sinceSeconds') && query.has('sinceTime')) {
    errors.push(fieldErrors.forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else {
    check('sinceSeconds', 1, 'must be greater than 0');
  }
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions', plural: '' }, name, errors);
}

/** Returns the selected container. Throws 400 if the selection is ambiguous, or if the Pod does not have the container. */
function containerOf(pod: ApiObject, requested: string): string {
  const names = containerFields.flatMap((field) =>
    objectsAt(pod, 'spec', field).map((container) => stringAt(container, 'name')),
  );
  const { name } = pod.metadata;
  if (requested !== '') {
    if (names.includes(requested)) return requested;
    throw badRequest(`container ${requested} is not valid for pod ${name}`);
  }
  const [first = '', ...others] = names;
  if (others.length === 0) return first;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
}

/** Returns the host and port of the kubelet of a node. */
export function kubeletAddress(node: ApiObject): string {
  const addresses = objectsAt(node, 'status', 'addresses');
  const found = addresses.find(({ type }) => type === 'InternalIP') ?? addresses[0];
  const port = numberAt(node, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port') ?? kubeletPort;
  return `${stringAt(found, 'address') || node.metadata.name}:${port}`;
}
