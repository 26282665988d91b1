import { BlockList } from 'node:net';
import { type Steps, withBreak } from '@kubewright/api/apply';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { stringAt, textsAt } from '../../registry/objects/json-object.js';
import type { Resource } from '../../registry/resource.js';
import { serviceCidrFinalizer } from '../../registry/strategies/networking/service-cidr.js';
import { canonicalAddress, familyOf, isStrictlyWithin } from '../../registry/strategies/rules/addresses.js';
import { finalizersWithout, withFinalizers } from '../objects/owners.js';
import { conditionOf } from '../objects/pod-state.js';
import { applyFields } from '../work/apply-fields.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { controllerContext } from '../work/controller-context.js';
import type { FeedEvent } from '../work/resource-feed.js';

const bucket = 'networking.k8s.io/servicecidrs';
/**
 * The time between the deletion of a ServiceCIDR and the removal of its finalizer. In this time, no Service gets an address of the range.
 */
const graceMs = 10_000;

/** Reports that ServiceCIDRs are ready, and delays the deletion of a ServiceCIDR while Services use its addresses. */
export class ServiceCidrController implements Controller {
  readonly name = 'service-cidrs-controller';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket: changed, object }: FeedEvent, queue: KeyQueue): void {
    if (changed === bucket && type !== 'DELETED') queue.add(object.metadata.name);
    const mayRelease = changed === bucket || (changed === '/services' && type === 'DELETED');
    if (!mayRelease) return;
    for (const { metadata } of this.#setting.registry.store.list(bucket)) {
      if (metadata.deletionTimestamp !== undefined) queue.add(metadata.name);
    }
  }

  *sync(name: string, queue: KeyQueue): Steps<void> {
    const { clock } = this.#setting.registry;
    const cidr = this.#cidrs.find({ name });
    if (cidr === undefined) return;
    const { deletionTimestamp } = cidr.metadata;
    if (deletionTimestamp === undefined) {
      yield* this.#setFinalizers(cidr, [...finalizersWithout(cidr, serviceCidrFinalizer), serviceCidrFinalizer]);
      yield* this.#report(name, { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' });
      return;
    }
    if (this.#isUsed(cidr)) {
      const message =
        'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR';
      yield* this.#report(name, { status: 'False', reason: 'Terminating', message });
      return;
    }
    const leftMs = Date.parse(deletionTimestamp) + graceMs - clock.now().getTime();
    if (leftMs > 0) queue.addAfter(name, leftMs);
    else yield* this.#setFinalizers(cidr, finalizersWithout(cidr, serviceCidrFinalizer));
  }

  /** Whether a Service has an address of this ServiceCIDR that no other ServiceCIDR contains. */
  #isUsed(cidr: ApiObject): boolean {
    const { store } = this.#setting.registry;
    const others = store.list(bucket).filter(({ metadata }) => metadata.uid !== cidr.metadata.uid);
    const ranges = others.flatMap((other) => textsAt(other, 'spec', 'cidrs'));
    const own = textsAt(cidr, 'spec', 'cidrs').filter(
      (range) => !ranges.some((other) => other === range || isStrictlyWithin(range, other)),
    );
    const [isOwn, isOther] = [containedIn(own), containedIn(ranges)];
    const addresses = store.list('/services').flatMap((service) => textsAt(service, 'spec', 'clusterIPs'));
    return addresses.some((address) => isOwn(address) && !isOther(address));
  }

  *#setFinalizers(cidr: ApiObject, finalizers: readonly string[]): Steps<void> {
    if ((cidr.metadata.finalizers ?? []).length === finalizers.length) return;
    const change = withBreak(() => withFinalizers(cidr, finalizers));
    yield* this.#cidrs.updateSteps(cidr.metadata, change, controllerContext(this.name, 'patch'));
  }

  *#report(name: string, state: { status: string; reason: string; message: string }): Steps<void> {
    const live = this.#cidrs.find({ name });
    if (live === undefined) return;
    const known = conditionOf(live, 'Ready');
    if (known?.['status'] === state.status && stringAt(known, 'reason') === state.reason) return;
    const lastTransitionTime = timestamp(this.#setting.registry.clock.now());
    const fields = { status: { conditions: [{ type: 'Ready', ...state, lastTransitionTime }] } };
    const context = { ...controllerContext(this.name, 'patch', 'status'), fieldManager: 'service-cidr-controller' };
    yield* applyFields(this.#setting.registry, this.#cidrs, { live, fields, context });
  }

  get #cidrs(): Resource {
    return this.#setting.registry.builtIn('networking.k8s.io/v1/servicecidrs');
  }
}

/** Returns a function that decides whether one of the ranges contains an address. */
function containedIn(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [base = '', bits = ''] = range.split('/');
    list.addSubnet(canonicalAddress(base), Number(bits), familyOf(base));
  }
  return (address) => {
    const family = familyOf(address);
    return family !== undefined && list.check(canonicalAddress(address), family);
  };
}
