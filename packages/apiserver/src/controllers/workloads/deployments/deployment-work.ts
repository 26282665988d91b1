import { type Steps, withBreak } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import type { LabelSelector } from '@kubewright/api/selectors';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { copyJson, isObject, numberAt, objectAt, objectsAt, valueAt } from '../../../registry/objects/json-object.js';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { claimed } from '../pods/claims.js';
import { type NewCondition, withCondition } from '../../objects/condition-list.js';
import { ownerSelector } from '../../objects/owner-selector.js';
import { size } from './deployment-limits.js';
import { podTemplateHashLabel } from '../pods/pod-template-hash.js';

const setBucket = 'apps/replicasets';
const by = { name: 'deployment-controller', component: 'deployment-controller' };
const noDeadline = 2_147_483_647;

/** The ReplicaSets of a Deployment, oldest first. */
export interface OwnSets {
  readonly all: readonly ApiObject[];
  /** The ReplicaSet with the template of the Deployment. If several ReplicaSets have this template, `current` is the oldest of them. */
  readonly current: ApiObject | undefined;
  /** The ReplicaSets other than the current ReplicaSet. */
  readonly old: readonly ApiObject[];
}

/** One reconcile of a Deployment and its ReplicaSets. */
export class DeploymentWork {
  readonly #setting: ControllerSetting;
  readonly #selector: LabelSelector;
  /** Whether the template of a ReplicaSet equals the template of the Deployment. The key is the result of `identity`. */
  readonly #compared = new WeakMap<object, boolean>();
  #deployment: ApiObject;

  constructor(setting: ControllerSetting, deployment: ApiObject) {
    this.#setting = setting;
    this.#deployment = deployment;
    this.#selector = ownerSelector(deployment);
  }

  /** The Deployment after the last write. */
  get deployment(): ApiObject {
    return this.#deployment;
  }

  /** The current time as a timestamp. */
  get now(): string {
    return timestamp(this.#setting.registry.clock.now());
  }

  /** Whether the Deployment selects all Pods. */
  get selectsAll(): boolean {
    return this.#selector.empty;
  }

  /** Adopts the ReplicaSets that the Deployment selects, and releases the ReplicaSets that it no longer selects. */
  *claim(): Steps<void> {
    const claim = { owner: this.#deployment, bucket: setBucket, selector: this.#selector, name: by.name };
    yield* claimed(this.#setting, claim);
  }

  /** Returns all ReplicaSets that the Deployment controls and selects, oldest first. */
  all(): readonly ApiObject[] {
    return this.#setting.index
      .controlledBy(this.#deployment, setBucket)
      .filter(({ metadata }) => this.#selector.matches(metadata.labels ?? {}))
      .toSorted(byAge);
  }

  /** Returns the ReplicaSets in their state at the last step. Compares their templates with the template of the Deployment in steps. */
  *sets(): Steps<OwnSets> {
    for (;;) {
      const all = this.all();
      const fresh = all.filter((set) => !this.#compared.has(identity(set)));
      if (fresh.length === 0) {
        const current = all.find((set) => this.#compared.get(identity(set)));
        return { all, current, old: all.filter((set) => set !== current) };
      }
      for (const set of fresh) {
        this.#compared.set(identity(set), hasTemplate(set, templateOf(this.#deployment)));
        yield;
      }
    }
  }

  /** Whether the Deployment has a progress deadline. */
  get hasDeadline(): boolean {
    const seconds = numberAt(this.#deployment, 'spec', 'progressDeadlineSeconds');
    return seconds !== undefined && seconds !== noDeadline;
  }

  /**
   * Writes the status, and the annotations if they are given. Does not write unchanged content. Throws 409 if the Deployment has changed
   * since this reconcile read it.
   */
  *writeStatus(status: JsonDraft, annotations?: Readonly<Record<string, string>>): Steps<void> {
    const live = this.#deployment;
    const metadata = annotations === undefined ? live.metadata : { ...live.metadata, annotations };
    if (deepEqual(live['status'] ?? {}, status) && metadata === live.metadata) return;
    const context = controllerContext(by.name, 'update', 'status');
    const change = withBreak(() => ({ ...live, metadata, status }));
    this.#deployment = yield* this.#deployments.updateSteps(live.metadata, change, context);
  }

  /** Sets one condition, and the annotations if they are given. */
  *setCondition(condition: NewCondition | undefined, annotations?: Readonly<Record<string, string>>): Steps<void> {
    const status = copyJson(objectAt(this.#deployment, 'status'));
    const known = objectsAt(status, 'conditions');
    if (condition !== undefined) {
      status['conditions'] = withCondition(known, condition, { now: this.now, updated: true });
    }
    yield* this.writeStatus(status, annotations);
  }

  /** Changes the Deployment. Throws 409 if the Deployment has changed since this reconcile read it. */
  *update(change: (read: ApiObject) => unknown): Steps<void> {
    const read = this.#deployment;
    const context = controllerContext(by.name, 'update');
    const changed = withBreak(() => change(read));
    this.#deployment = yield* this.#deployments.updateSteps(read.metadata, changed, context);
  }

  createSet(set: unknown): Steps<ApiObject> {
    return this.#replicaSets.createSteps(set, controllerContext(by.name, 'create'));
  }

  findSet(name: string): ApiObject | undefined {
    return this.#replicaSets.find({ name, namespace: this.#deployment.metadata.namespace });
  }

  /** Changes a ReplicaSet. Throws 409 if the ReplicaSet was resized or recreated since this reconcile read it. */
  updateSet(set: ApiObject, change: (live: ApiObject) => unknown): Steps<ApiObject> {
    const changed = withBreak((live: ApiObject) => change(isSameSet(set, live) ? live : set));
    return this.#replicaSets.updateSteps(set.metadata, changed, controllerContext(by.name, 'update'));
  }

  /** Deletes a ReplicaSet. Throws 409 if the ReplicaSet has changed since this reconcile read it. */
  *deleteSet({ metadata }: ApiObject): Steps<void> {
    const { uid, resourceVersion } = metadata;
    const options = { preconditions: { uid, resourceVersion } };
    yield* this.#replicaSets.deleteSteps(metadata, options, controllerContext(by.name, 'delete'));
  }

  /** Records an Event about the Deployment. */
  say(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#setting.events.record(this.#deployment, { type, reason, message }, by);
  }

  /** Returns the Pods of a ReplicaSet. */
  podsOf(set: ApiObject): readonly ApiObject[] {
    return this.#setting.index.controlledBy(set, '/pods');
  }

  get #deployments() {
    return this.#setting.registry.builtIn('apps/v1/deployments');
  }

  get #replicaSets() {
    return this.#setting.registry.builtIn('apps/v1/replicasets');
  }
}

/** Returns whether a ReplicaSet has the given template. Ignores the pod-template-hash label, which the controller adds. */
export function hasTemplate(set: ApiObject, template: JsonDraft): boolean {
  const { metadata: known, ...rest } = templateOf(set);
  const { metadata, ...desired } = template;
  const { labels: knownLabels, ...knownOthers } = objectAt(known);
  const { labels, ...others } = objectAt(metadata);
  const { [podTemplateHashLabel]: _, ...ownLabels } = objectAt(knownLabels);
  return deepEqual(rest, desired) && deepEqual(knownOthers, others) && deepEqual(ownLabels, objectAt(labels));
}

function templateOf(owner: ApiObject): JsonDraft {
  return objectAt(owner, 'spec', 'template');
}

/** Returns an object that identifies the template of a ReplicaSet. The object stays the same until the template changes. */
function identity(set: ApiObject): object {
  const template = valueAt(set, 'spec', 'template');
  return isObject(template) ? template : set;
}

function isSameSet(read: ApiObject, live: ApiObject): boolean {
  return read.metadata.uid === live.metadata.uid && size(read) === size(live);
}

/** Returns a template without the label that the controller adds. */
export function withoutHash(template: JsonDraft): JsonDraft {
  const copy = copyJson(template);
  delete objectAt(copy, 'metadata', 'labels')[podTemplateHashLabel];
  return copy;
}

/** Compares objects by age, oldest first. Objects that were created in the same second are compared by name. */
export function byAge(a: ApiObject, b: ApiObject): number {
  const order = Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp);
  return order === 0 ? (a.metadata.name < b.metadata.name ? -1 : 1) : order;
}
