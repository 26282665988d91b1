import { deepEqual } from '@kubewright/api/patch';
import {
  type ApiObject,
  copyJson,
  type JsonDraft,
  madeAt,
  numberAt,
  objectAt,
  valueAt,
} from '../../registry/json-object.js';
import { timestamp } from '../../registry/metadata-rules.js';
import type { Registry } from '../../registry/registry.js';
import { systemContext } from '../../registry/request-context.js';
import { keyText, parseKey } from '../object-reference.js';
import type { FeedEvent } from '../resource-feed.js';
import type { Controller, ControllerSetting, KeyQueue } from '../controller.js';
import { controlledBy, controllerReference, isControlledBy } from './controller-reference.js';
import { withDeploymentStatus } from './deployment-status.js';
import { podTemplateHash, podTemplateHashLabel } from './pod-template-hash.js';
import { isRecreate, recreateSizes, rollingUpdateSizes, rolloutLimits, size } from './rollout.js';

const revision = 'deployment.kubernetes.io/revision';
const desiredReplicas = 'deployment.kubernetes.io/desired-replicas';
const maxReplicas = 'deployment.kubernetes.io/max-replicas';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Keeps one ReplicaSet for each template that a Deployment had, and moves Pods from the old ones to the newest. */
export class DeploymentController implements Controller {
  readonly name = 'deployment-controller';
  readonly #registry: Registry;

  constructor({ registry }: ControllerSetting) {
    this.#registry = registry;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket === 'apps/deployments' && type !== 'DELETED') queue.add(keyText(object.metadata));
    if (bucket !== 'apps/replicasets') return;
    const owner = controlledBy(object as unknown as ApiObject);
    if (owner?.kind !== 'Deployment') return;
    queue.add(keyText({ name: owner.name, namespace: object.metadata.namespace }));
  }

  sync(key: string): void {
    const deployment = this.#deployments.find(parseKey(key));
    if (deployment === undefined) return;
    if (deployment.metadata.deletionTimestamp === undefined) this.#rollOut(deployment);
    const all = this.#sets(deployment);
    const current = all.find((set) => hasTemplateOf(set, deployment));
    const now = timestamp(this.#registry.clock.now());
    const context = systemContext(this.name, 'update', 'status');
    this.#deployments.update(deployment.metadata, (live) => withDeploymentStatus(live, { current, all, now }), context);
  }

  #rollOut(deployment: ApiObject): void {
    const known = this.#sets(deployment).find((set) => hasTemplateOf(set, deployment));
    const paused = valueAt(deployment, 'spec', 'paused') === true;
    if (known === undefined && paused) return;
    const current = known ?? this.#createSet(deployment);
    const number = this.#markRevision(deployment, current);
    const old = this.#sets(deployment).filter(({ metadata }) => metadata.uid !== current.metadata.uid);
    const sizes = this.#sizes(deployment, { current, old, paused });
    for (const [name, replicas] of sizes) this.#resize(deployment, name, replicas);
    this.#annotate(deployment, number);
    this.#forgetOldRevisions(deployment, old);
  }

  #sizes(
    deployment: ApiObject,
    {
      current,
      old,
      paused,
    }: { readonly current: ApiObject; readonly old: readonly ApiObject[]; readonly paused: boolean },
  ): ReadonlyMap<string, number> {
    if (paused && old.some((set) => size(set) > 0)) return new Map();
    if (!isRecreate(deployment)) return rollingUpdateSizes(deployment, { current, old });
    const oldPods = old.reduce((sum, set) => sum + (numberAt(set, 'status', 'replicas') ?? 0), 0);
    return recreateSizes(deployment, { current, old, oldPods });
  }

  #createSet(deployment: ApiObject): ApiObject {
    const template = copyJson(objectAt(deployment, 'spec', 'template'));
    const { name, namespace } = deployment.metadata;
    const hash = podTemplateHash(template, numberAt(deployment, 'status', 'collisionCount') ?? 0);
    const label = { [podTemplateHashLabel]: hash };
    const labels = { ...objectAt(template, 'metadata', 'labels'), ...label };
    madeAt(template, 'metadata')['labels'] = labels;
    const selector = copyJson(objectAt(deployment, 'spec', 'selector'));
    selector['matchLabels'] = { ...objectAt(selector, 'matchLabels'), ...label };
    const set = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels,
        annotations: this.#annotations(deployment),
        ownerReferences: [controllerReference(deployment)],
      },
      spec: { replicas: 0, selector, template },
    };
    return this.#replicaSets.create(set, systemContext(this.name, 'create'));
  }

  /** The newest template has the highest revision, also one that was rolled back to. */
  #markRevision(deployment: ApiObject, current: ApiObject): string {
    const others = this.#sets(deployment).filter(({ metadata }) => metadata.uid !== current.metadata.uid);
    const highest = Math.max(0, ...others.map(revisionOf));
    const number = revisionOf(current) > highest ? revisionOf(current) : highest + 1;
    this.#annotateSet(deployment, current.metadata.name, { [revision]: String(number) });
    return String(number);
  }

  #resize(deployment: ApiObject, name: string, replicas: number): void {
    const key = { name, namespace: deployment.metadata.namespace };
    const change = (live: ApiObject): unknown => {
      const next = copyJson(live) as unknown as JsonDraft;
      madeAt(next, 'spec')['replicas'] = replicas;
      return next;
    };
    this.#replicaSets.update(key, change, systemContext(this.name, 'update'));
  }

  #annotateSet(deployment: ApiObject, name: string, extra: Readonly<Record<string, string>>): void {
    const key = { name, namespace: deployment.metadata.namespace };
    const change = (live: ApiObject): unknown => {
      const annotations = { ...live.metadata.annotations, ...this.#annotations(deployment), ...extra };
      return { ...live, metadata: { ...live.metadata, annotations } };
    };
    this.#replicaSets.update(key, change, systemContext(this.name, 'update'));
  }

  #annotations(deployment: ApiObject): Readonly<Record<string, string>> {
    const { [revision]: _, [lastApplied]: __, ...own } = deployment.metadata.annotations ?? {};
    const { replicas, maxSurge } = rolloutLimits(deployment);
    return { ...own, [desiredReplicas]: String(replicas), [maxReplicas]: String(replicas + maxSurge) };
  }

  #annotate(deployment: ApiObject, number: string): void {
    const change = (live: ApiObject): unknown => {
      const annotations = { ...live.metadata.annotations, [revision]: number };
      return { ...live, metadata: { ...live.metadata, annotations } };
    };
    // As in a real cluster, the revision does not count as a change of what is desired.
    const context = systemContext(this.name, 'update', 'status');
    this.#deployments.update(deployment.metadata, change, context);
  }

  #forgetOldRevisions(deployment: ApiObject, old: readonly ApiObject[]): void {
    const limit = numberAt(deployment, 'spec', 'revisionHistoryLimit') ?? 10;
    const empty = old.filter((set) => size(set) === 0 && (numberAt(set, 'status', 'replicas') ?? 0) === 0);
    const surplus = empty.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, Math.max(0, empty.length - limit));
    for (const { metadata } of surplus) {
      this.#replicaSets.delete(metadata, {}, systemContext(this.name, 'delete'));
    }
  }

  #sets(deployment: ApiObject): readonly ApiObject[] {
    const { namespace } = deployment.metadata;
    const all = this.#registry.store.list('apps/replicasets', { namespace }) as unknown as readonly ApiObject[];
    return all.filter((set) => isControlledBy(set, deployment) && set.metadata.deletionTimestamp === undefined);
  }

  get #deployments() {
    return this.#registry.builtIn('apps/v1/deployments');
  }

  get #replicaSets() {
    return this.#registry.builtIn('apps/v1/replicasets');
  }
}

function hasTemplateOf(set: ApiObject, deployment: ApiObject): boolean {
  const template = copyJson(objectAt(set, 'spec', 'template'));
  delete objectAt(template, 'metadata', 'labels')[podTemplateHashLabel];
  return deepEqual(template, objectAt(deployment, 'spec', 'template'));
}

function revisionOf({ metadata }: ApiObject): number {
  return Number(metadata.annotations?.[revision] ?? 0);
}
