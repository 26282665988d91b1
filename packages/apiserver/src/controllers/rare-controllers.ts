import { createRequire } from 'node:module';
import type { Steps } from '@kubewright/api/apply';
import type { ApiObject } from '../registry/objects/api-object.js';
import { objectAt } from '../registry/objects/json-object.js';
import { serviceCidrFinalizer } from '../registry/strategies/networking/service-cidr.js';
import { conditionOf } from './objects/pod-state.js';
import type { Controller, ControllerSetting, KeyQueue } from './work/controller.js';
import type { FeedEvent } from './work/resource-feed.js';

const load = createRequire(import.meta.url);

/** A controller without work in most servers. */
interface RareController {
  readonly name: string;
  readonly concurrency?: number;
  /** Returns whether an event requires the controller. The controller receives the first such event and all later events. */
  readonly needs: (event: FeedEvent) => boolean;
  readonly make: (setting: ControllerSetting) => Controller;
}

const levels = 'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations';

const rare: readonly RareController[] = [
  {
    name: 'validatingadmissionpolicy-status-controller',
    needs: ({ bucket }) => bucket === 'admissionregistration.k8s.io/validatingadmissionpolicies',
    make: (setting) => {
      const { PolicyStatusController: Made } = load(
        './guarantees/policy-status-controller.js',
      ) as typeof import('./guarantees/policy-status-controller.js');
      return new Made(setting);
    },
  },
  {
    name: 'flow-schema-status',
    needs: ({ type, bucket, object }) =>
      (bucket === 'flowcontrol.apiserver.k8s.io/flowschemas' && !isConditioned(object, 'Dangling', 'False')) ||
      (bucket === levels && type === 'DELETED'),
    make: (setting) => {
      const { FlowSchemaStatus: Made } = load(
        './guarantees/flow-schema-status.js',
      ) as typeof import('./guarantees/flow-schema-status.js');
      return new Made(setting);
    },
  },
  {
    name: 'available-condition',
    concurrency: 10,
    needs: ({ bucket, object }) =>
      bucket === 'apiregistration.k8s.io/apiservices' && objectAt(object, 'spec')['service'] !== undefined,
    make: (setting) => {
      const { ApiServiceAvailability: Made } = load(
        './guarantees/api-service-availability.js',
      ) as typeof import('./guarantees/api-service-availability.js');
      return new Made(setting);
    },
  },
  {
    name: 'service-cidrs-controller',
    needs: ({ bucket, object }) =>
      bucket === 'networking.k8s.io/servicecidrs' &&
      (!isConditioned(object, 'Ready', 'True') ||
        object.metadata.deletionTimestamp !== undefined ||
        object.metadata.finalizers?.includes(serviceCidrFinalizer) !== true),
    make: (setting) => {
      const { ServiceCidrController: Made } = load(
        './guarantees/service-cidr-controller.js',
      ) as typeof import('./guarantees/service-cidr-controller.js');
      return new Made(setting);
    },
  },
];

/** Returns the controllers that have no work in most servers. Each controller is loaded when it first has work. */
export function rareControllers(setting: ControllerSetting): readonly Controller[] {
  return rare.map(({ make, needs, ...rest }) => new LoadedOnDemand(rest, { needs, make: () => make(setting) }));
}

class LoadedOnDemand implements Controller {
  readonly name: string;
  readonly concurrency: number;
  readonly #needs: RareController['needs'];
  readonly #make: () => Controller;
  #made: Controller | undefined;

  constructor(
    { name, concurrency = 1 }: Pick<RareController, 'name' | 'concurrency'>,
    options: { readonly needs: RareController['needs']; readonly make: () => Controller },
  ) {
    this.name = name;
    this.concurrency = concurrency;
    this.#needs = options.needs;
    this.#make = options.make;
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    if (this.#made === undefined && this.#needs(event)) this.#made = this.#make();
    this.#made?.observe(event, queue);
  }

  sync(key: string, queue: KeyQueue): Steps<void> | void {
    return this.#made?.sync(key, queue);
  }
}

function isConditioned(object: ApiObject, type: string, status: string): boolean {
  return conditionOf(object, type)?.['status'] === status;
}
