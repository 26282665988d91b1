import { finish } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import { type ApiObject, copyJson, type JsonDraft, numberAt, objectAt, objectsAt } from '../../registry/json-object.js';
import { timestamp } from '../../registry/metadata-rules.js';
import type { ControllerSetting } from '../controller.js';
import { controllerContext } from '../controller-context.js';
import { claimed } from './claims.js';
import { type NewCondition, withCondition } from './condition-list.js';
import { podTemplateHashLabel } from './pod-template-hash.js';

const by = { name: 'deployment-controller', component: 'deployment-controller' };
const noDeadline = 2_147_483_647;

/** One look at a Deployment and its ReplicaSets, with what the parts of its controller do to them. */
export class DeploymentWork {
  readonly #setting: ControllerSetting;
  #deployment: ApiObject;

  constructor(setting: ControllerSetting, deployment: ApiObject) {
    this.#setting = setting;
    this.#deployment = deployment;
  }

  /** As it is after the last write. */
  get deployment(): ApiObject {
    return this.#deployment;
  }

  /** The time as it is written into objects. */
  get now(): string {
    return timestamp(this.#setting.registry.clock.now());
  }

  /** Its ReplicaSets as they are now, oldest first. */
  sets(): readonly ApiObject[] {
    const owner = this.#deployment;
    const selector = labelSelectorFromObject(objectAt(owner, 'spec', 'selector'));
    const sets = finish(claimed(this.#setting, { owner, bucket: 'apps/replicasets', selector, name: by.name }));
    return sets.toSorted(byAge);
  }

  /** The ReplicaSet that has the template of the Deployment, the oldest if there are several. */
  current(): ApiObject | undefined {
    return this.sets().find((set) => hasTemplate(set, objectAt(this.#deployment, 'spec', 'template')));
  }

  /** The ReplicaSets of other templates, oldest first. */
  old(): readonly ApiObject[] {
    const current = this.current();
    return this.sets().filter(({ metadata }) => metadata.uid !== current?.metadata.uid);
  }

  /** Whether lack of progress is to be noticed. */
  get hasDeadline(): boolean {
    const seconds = numberAt(this.#deployment, 'spec', 'progressDeadlineSeconds');
    return seconds !== undefined && seconds !== noDeadline;
  }

  /** Writes the status, and the annotations if they are given, unless they are as they were. */
  writeStatus(status: JsonDraft, annotations?: Readonly<Record<string, string>>): void {
    const live = this.#deployment;
    const metadata = annotations === undefined ? live.metadata : { ...live.metadata, annotations };
    if (deepEqual(live['status'] ?? {}, status) && metadata === live.metadata) return;
    const context = controllerContext(by.name, 'update', 'status');
    this.#deployment = this.#deployments.update(live.metadata, (now) => ({ ...now, metadata, status }), context);
  }

  /** Sets one condition, and annotations if they are given. */
  setCondition(condition: NewCondition | undefined, annotations?: Readonly<Record<string, string>>): void {
    const status = copyJson(objectAt(this.#deployment, 'status'));
    const known = objectsAt(status, 'conditions');
    if (condition !== undefined) {
      status['conditions'] = withCondition(known, condition, { now: this.now, updated: true });
    }
    this.writeStatus(status, annotations);
  }

  /** Changes the Deployment itself. */
  update(change: (live: ApiObject) => unknown): void {
    const context = controllerContext(by.name, 'update');
    this.#deployment = this.#deployments.update(this.#deployment.metadata, change, context);
  }

  createSet(set: unknown): ApiObject {
    return this.#replicaSets.create(set, controllerContext(by.name, 'create'));
  }

  findSet(name: string): ApiObject | undefined {
    return this.#replicaSets.find({ name, namespace: this.#deployment.metadata.namespace });
  }

  updateSet(set: ApiObject, change: (live: ApiObject) => unknown): ApiObject {
    return this.#replicaSets.update(set.metadata, change, controllerContext(by.name, 'update'));
  }

  deleteSet(set: ApiObject): void {
    this.#replicaSets.delete(set.metadata, {}, controllerContext(by.name, 'delete'));
  }

  /** Records an Event about the Deployment. */
  say(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#setting.events.record(this.#deployment, { type, reason, message }, by);
  }

  /** The Pods of a ReplicaSet. */
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

/** Whether a ReplicaSet has the template, but for the label that the controller adds. */
export function hasTemplate(set: ApiObject, template: unknown): boolean {
  return deepEqual(withoutHash(objectAt(set, 'spec', 'template')), template);
}

/** A template without the label that the controller adds. */
export function withoutHash(template: JsonDraft): JsonDraft {
  const copy = copyJson(template);
  delete objectAt(copy, 'metadata', 'labels')[podTemplateHashLabel];
  return copy;
}

/** Older before younger, by name when they are of the same second. */
export function byAge(a: ApiObject, b: ApiObject): number {
  const order = Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp);
  return order === 0 ? (a.metadata.name < b.metadata.name ? -1 : 1) : order;
}
