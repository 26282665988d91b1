import type { Steps } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import type { Resource } from '../../../registry/resource.js';
import { canonicalAddress, familyOf } from '../../../registry/strategies/rules/addresses.js';
import { controllerReference } from '../../objects/controller-reference.js';
import { keyText, parseKey, referenceText } from '../../objects/object-reference.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { isNamespaceTerminating } from '../pods/pod-control.js';
import { changeTimeAnnotation } from './change-times.js';
import { createOrReplace } from './create-or-replace.js';
import { managedBy, portsKey, portsKeyOf, serviceName } from './slice-labels.js';

const bucket = 'discovery.k8s.io/endpointslices';
const manager = 'endpointslicemirroring-controller.k8s.io';
const component = 'endpoint-slice-mirroring-controller';
const mostAddresses = 1000;
const skipLabel = 'endpointslice.kubernetes.io/skip-mirror';
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The endpoints of one mirrored slice. */
interface Content {
  readonly addressType: 'IPv4' | 'IPv6';
  readonly ports: readonly JsonDraft[] | null;
  /** The endpoints by the JSON of their identity. */
  readonly endpoints: Map<string, JsonDraft>;
}

/** Copies the Endpoints of a Service without a selector into EndpointSlices: one for each list of ports and each address type. */
export class EndpointSliceMirroring implements Controller {
  readonly name = 'endpointslicemirroring-controller';
  readonly #setting: ControllerSetting;
  /** The keys of the Services of the mirrored slices, by the reference of the slice. */
  readonly #services = new Map<string, string>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket: changed, object }: FeedEvent, queue: KeyQueue): void {
    if (changed === '/endpoints' || changed === '/services') queue.add(keyText(object.metadata));
    if (changed !== bucket) return;
    const reference = referenceText(bucket, object.metadata);
    const before = this.#services.get(reference);
    const { labels, namespace } = object.metadata;
    const name = labels?.[managedBy] === manager ? (labels[serviceName] ?? '') : '';
    const now = name === '' ? undefined : keyText({ name, namespace });
    for (const key of [before, now]) if (key !== undefined) queue.add(key);
    if (type === 'DELETED' || now === undefined) this.#services.delete(reference);
    else this.#services.set(reference, now);
  }

  *sync(key: string): Steps<void> {
    const { registry, index } = this.#setting;
    const at = parseKey(key);
    const slices = index
      .inNamespace(bucket, at.namespace)
      .filter(({ metadata: { labels } }) => labels?.[managedBy] === manager && labels[serviceName] === at.name);
    const endpoints = registry.builtIn('/v1/endpoints').find(at);
    const service = registry.builtIn('/v1/services').find(at);
    if (endpoints === undefined || !isMirrored(endpoints) || service === undefined || hasSelector(service)) {
      for (const slice of slices) yield* this.#delete(slice);
      return;
    }
    try {
      yield* this.#reconcile(endpoints, slices);
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  *#reconcile(endpoints: ApiObject, slices: readonly ApiObject[]): Steps<void> {
    const contents = this.#contentsOf(endpoints);
    const surplus = new Set(slices);
    const known = new Map(slices.map((slice) => [keyOf(slice), slice]));
    const missing: Content[] = [];
    for (const [key, content] of contents) {
      const slice = known.get(key);
      if (slice === undefined) missing.push(content);
      else {
        surplus.delete(slice);
        if (!isCurrent(slice, endpoints, content)) yield* this.#write(endpoints, content, slice);
      }
      yield;
    }
    const unusedOf = (type: string) => [...surplus].filter((slice) => stringAt(slice, 'addressType') === type).values();
    const unused = { IPv4: unusedOf('IPv4'), IPv6: unusedOf('IPv6') };
    for (const content of missing) {
      const { value: slice } = unused[content.addressType].next();
      if (slice !== undefined) surplus.delete(slice);
      yield* this.#write(endpoints, content, slice);
    }
    for (const slice of surplus) yield* this.#delete(slice);
  }

  /** Returns the contents of the slices by `keyOf`. Records Events about addresses that no slice contains. */
  #contentsOf(endpoints: ApiObject): ReadonlyMap<string, Content> {
    const contents = new Map<string, Content>();
    let [invalid, skipped] = [0, 0];
    for (const subset of objectsAt(endpoints, 'subsets')) {
      const given = objectsAt(subset, 'ports').map(({ name, ...port }) => ({ name: name ?? '', ...port }));
      const ports = given.length === 0 ? null : given;
      const portsText = portsKey(ports);
      const ready = objectsAt(subset, 'addresses').map((address) => ({ address, isReady: true }));
      const notReady = objectsAt(subset, 'notReadyAddresses').map((address) => ({ address, isReady: false }));
      let added = 0;
      for (const { address, isReady } of [...ready, ...notReady]) {
        const family = familyOf(stringAt(address, 'ip'));
        if (family === undefined) invalid += 1;
        if (family === undefined || added >= mostAddresses) {
          skipped += 1;
          continue;
        }
        added += 1;
        const addressType = family === 'ipv4' ? 'IPv4' : 'IPv6';
        const key = `${addressType} ${portsText}`;
        const content = contents.get(key) ?? { addressType, ports, endpoints: new Map<string, JsonDraft>() };
        contents.set(key, content);
        const endpoint = endpointOf(address, isReady);
        const identity = JSON.stringify([endpoint['addresses'], endpoint['hostname'], endpoint['targetRef']]);
        if (!content.endpoints.has(identity)) content.endpoints.set(identity, endpoint);
      }
    }
    if (invalid > 0) {
      const message = `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`;
      this.#warn(endpoints, 'InvalidIPAddress', message);
    }
    if (skipped > invalid) {
      const message = `A max of ${mostAddresses} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
      this.#warn(endpoints, 'TooManyAddressesToMirror', message);
    }
    return contents;
  }

  *#write(endpoints: ApiObject, content: Content, slice: ApiObject | undefined): Steps<void> {
    const { name, namespace } = endpoints.metadata;
    const body = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        ...(slice === undefined ? { generateName: `${name}-`, namespace } : { name: slice.metadata.name, namespace }),
        labels: labelsOf(endpoints),
        annotations: annotationsOf(endpoints),
        ownerReferences: [controllerReference(endpoints)],
      },
      addressType: content.addressType,
      ports: content.ports,
      endpoints: [...content.endpoints.values()].slice(0, mostAddresses),
    };
    yield;
    yield* createOrReplace(this.#slices, slice?.metadata, { body, name: this.name });
  }

  *#delete({ metadata }: ApiObject): Steps<void> {
    const preconditions = { uid: metadata.uid };
    yield* this.#slices.deleteSteps(metadata, { preconditions }, controllerContext(this.name, 'delete'));
  }

  #warn(endpoints: ApiObject, reason: string, message: string): void {
    this.#setting.events.record(endpoints, { type: 'Warning', reason, message }, { component });
  }

  get #slices(): Resource {
    return this.#setting.registry.builtIn('discovery.k8s.io/v1/endpointslices');
  }
}

/** Returns false for Endpoints with the label `skip-mirror`, and for Endpoints with the annotation of a leader election. */
function isMirrored({ metadata: { labels, annotations } }: ApiObject): boolean {
  return labels?.[skipLabel] !== 'true' && annotations?.[leaderAnnotation] === undefined;
}

function hasSelector(service: ApiObject): boolean {
  return Object.keys(objectAt(service, 'spec', 'selector')).length > 0;
}

function keyOf(slice: ApiObject): string {
  return `${stringAt(slice, 'addressType')} ${portsKeyOf(slice)}`;
}

function endpointOf(address: JsonDraft, ready: boolean): JsonDraft {
  const { hostname, nodeName, targetRef } = address;
  return {
    addresses: [canonicalAddress(stringAt(address, 'ip'))],
    conditions: { ready },
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  };
}

function isCurrent(slice: ApiObject, endpoints: ApiObject, content: Content): boolean {
  const { labels, annotations, ownerReferences } = slice.metadata;
  return (
    deepEqual(labels ?? {}, labelsOf(endpoints)) &&
    deepEqual(annotations ?? {}, annotationsOf(endpoints)) &&
    ownerReferences?.some(({ uid }) => uid === endpoints.metadata.uid) === true &&
    deepEqual(slice['endpoints'] ?? [], [...content.endpoints.values()].slice(0, mostAddresses))
  );
}

function labelsOf({ metadata }: ApiObject): Readonly<Record<string, string>> {
  return { ...metadata.labels, [serviceName]: metadata.name, [managedBy]: manager };
}

function annotationsOf({ metadata }: ApiObject): Readonly<Record<string, string>> {
  const { [changeTimeAnnotation]: _, [lastApplied]: __, ...annotations } = metadata.annotations ?? {};
  return annotations;
}
