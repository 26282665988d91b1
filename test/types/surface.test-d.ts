// Code that must compile and infer types, in addition to the code of the operators.
import {
  addFinalizer,
  applyConfiguration,
  AtLeastOneOf,
  AtMostOneOf,
  CustomResource,
  type Default,
  type Draft,
  dynamicKind,
  Field,
  type KubeObject,
  Kind,
  mutable,
  PrintColumn,
  Rule,
  Scale,
  SelectableField,
  metadataOnly,
  setControllerReference,
} from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { ConfigMap, type Container, Node, Pod, ResourceRequirements, Secret, Service } from '@kubewright/api/core/v1';
import { Lease } from '@kubewright/api/coordination/v1';
import {
  all,
  any,
  type Cache,
  changed,
  type Client,
  Controller,
  desiredStateChanged,
  Finalizers,
  index,
  Inject,
  Injectable,
  Logger,
  matching,
  not,
  owned,
  Rbac,
  type ReconcileContext,
  type Reconciler,
  references,
  Result,
  token,
  watch,
  atMost,
  byChange,
  Channel,
  exponential,
  kindSource,
  labelsChanged,
  longestOf,
  ownerKeys,
  sourceOf,
} from '@kubewright/runtime';

type Equal<A, B> = (<G>() => G extends A ? 1 : 2) extends <G>() => G extends B ? 1 : 2 ? true : false;
const yes = <T extends true>(): T | undefined => undefined;

@AtMostOneOf('git', 'http')
@AtLeastOneOf('git', 'http')
class Source {
  @Field.string({ optional: true, format: 'uri' }) git?: string;
  @Field.string({ optional: true, format: 'uri' }) http?: string;
}
const Port = Field.custom('Port', Field.int32({ minimum: 1, maximum: 65535 }));
class Item {
  @Field.string() name!: string;
  @Field.int32() weight: Default<number> = 1;
}
@Rule({ rule: 'self.minimum <= self.maximum' })
class Spec {
  @Field.int32({ minimum: 0 }) minimum!: number;
  @Field.int32({ minimum: 0 }) maximum: number = 10;
  @Field.int64({ nullable: true }) budget!: number | null;
  @Field.string({ optional: true, nullable: true }) note?: string | null;
  @Field.boolean({ immutable: true }) shared: Default<boolean> = false;
  @Field.double() ratio: Default<number> = 0.5;
  @Field.enum(['a']) one!: 'a';
  @Field.enum([1, 'many'], { optional: true, default: 'many', example: 1 }) count?: 1 | 'many';
  @Port({ minimum: 1024, optional: true, default: 8080 }) metrics?: number;
  @Field.object(Item, { optional: true, mapType: 'atomic', default: { name: 'a' } }) first?: Item;
  @Field.list(Port({ rules: [{ rule: 'self != 22' }] }), { optional: true, default: [80] }) ports?: number[];
  @Field.object(Source, { optional: true }) source?: Source;
  @Field.object(ResourceRequirements, { optional: true }) resources?: ResourceRequirements;
  @Field.list(Item, { mapKeys: ['name'], maxItems: 8 }) items!: Item[];
  @Field.list(Item) frozenItems!: readonly Item[];
  @Field.list(Field.enum(['x', 'y'])) letters!: ('x' | 'y')[];
  @Field.list(Field.list(Field.int32())) matrix!: number[][];
  @Field.map(Field.string()) labels: Default<Record<string, string>> = {};
  @Field.map(Item) named!: Record<string, Item>;
  @Field.intOrString() port!: number | string;
  @Field.quantity() size!: string;
  @Field.dateTime({ optional: true }) at?: string;
  @Field.unknown({ optional: true }) anything?: unknown;
  @Field.embedded({ optional: true }) template?: KubeObject;
}
class Status {
  @Field.int32({ optional: true }) replicas?: number;
}
@Kind({ group: 'example.com', version: 'v1', deprecated: 'use v2', categories: ['all'] })
@PrintColumn({ name: 'Size', jsonPath: '.spec.size', priority: 1 })
@PrintColumn({ name: 'Owner', jsonPath: '.metadata.labels.owner' })
@PrintColumn({ name: 'First', jsonPath: '.spec.items[0].name' })
@SelectableField('.spec.one')
@Scale({ specReplicas: '.spec.minimum', statusReplicas: '.status.replicas' })
class Pool extends CustomResource(Spec, Status) {}

const required = {
  minimum: 1,
  maximum: 2,
  budget: null,
  one: 'a',
  items: [{ name: 'i' }],
  frozenItems: [],
  letters: ['x'],
  matrix: [[1]],
  named: {},
  port: 80,
  size: '1Gi',
} as const;
const pool = new Pool({ metadata: { name: 'p', labels: { owner: 'me' } }, spec: required });
yes<Equal<(typeof pool.spec.items)[number]['name'], string>>();
const draft: Draft<Pool> = mutable(pool);
draft.spec.items.push({ name: 'j', weight: 2 });
draft.metadata.annotations.a = 'b';

/** Checks that `update` returns the kind of the draft and rejects a draft with only metadata. */
export async function updated(client: Client, deployment: Deployment): Promise<Deployment> {
  const next = await client.update(mutable(deployment));
  yes<Equal<typeof next, Deployment>>();
  const secret = await client.get(metadataOnly(Secret), { namespace: 'a', name: 's' });
  // @ts-expect-error
  await client.update(mutable(secret));
  return await client.update({ ...deployment, spec: next.spec });
}

const poolsBySize = index(Pool, 'size', (object) => object.spec.size);
const Vm = dynamicKind('cloud.example.com/v1', 'VirtualMachine');

declare const otherCluster: Cache;
interface Prices {
  of(size: string): number;
}
const Prices = token<Prices>('Prices');
@Injectable()
class Accounts {
  constructor(
    readonly log: Logger,
    @Inject(Prices) readonly prices: Prices,
  ) {}
}

@Controller({
  for: Pool,
  when: any(
    desiredStateChanged(),
    changed((object) => object.status?.replicas),
  ),
  owns: [
    ConfigMap,
    owned(Service, {
      everyOwner: true,
      adopted: true,
      when: byChange({ modified: (now, old) => now.spec !== old.spec }),
    }),
    owned(Deployment, {
      when: all(
        changed((object) => object.status?.readyReplicas),
        not(matching((object) => object.spec.paused === true)),
      ),
    }),
  ],
  watches: [
    references(Secret, (object) => object.spec.note ?? undefined),
    watch(Node, {
      when: changed((node) => node.spec.unschedulable),
      map: async (node, { reader }) =>
        (await reader.list(Pool, { index: poolsBySize(node.metadata.name) })).map((each) => each.metadata),
    }),
    watch(Node, {
      namespaces: ['a'],
      fields: { 'spec.unschedulable': 'true' },
      priority: 5,
      on: {
        added: (node) => [node.metadata],
        modified: (node, { change }) => [
          { ...node.metadata, after: '1s', priority: change.object.metadata.generation ?? 0 },
        ],
      },
    }),
    watch(Vm, { map: (vm, { change }) => (change.type === 'modified' ? [change.old.metadata, vm.metadata] : []) }),
  ],
  sources: [
    sourceOf('keys', new Channel()),
    sourceOf('pools', async function* (_, signal) {
      if (!signal.aborted) yield pool;
    }),
    sourceOf('sizes', new Channel<string>(), { map: (size) => [{ namespace: 'default', name: size }] }),
    // @ts-expect-error: a string is not a key, so 'map' is required
    sourceOf('texts', new Channel<string>()),
    sourceOf('calls', (target) => target.enqueue({ name: 'a', namespace: 'b' }, { after: '5s', reason: 'reported' })),
    kindSource(Pod, { cache: otherCluster, when: labelsChanged(), map: (pod) => [pod.metadata] }),
    kindSource(metadataOnly(Secret), { cache: otherCluster, map: ownerKeys(Pool) }),
  ],
  backoff: longestOf(
    exponential({ initial: '1s', max: '5m' }),
    atMost('1m', (failures) => failures * 100),
  ),
  retryLimit: { perSecond: 10 },
  starvationLimit: false,
  reads: [
    Pod,
    { kind: Lease, optional: true },
    { kind: dynamicKind('monitoring.coreos.com/v1', 'ServiceMonitor'), optional: true },
  ],
  indexes: [poolsBySize],
  finalizer: 'example.com/pool',
})
@Rbac({ kind: Secret, verbs: ['get'] })
@Rbac({ urls: ['/metrics'], verbs: ['get'] })
class PoolController {
  constructor(
    readonly client: Client,
    readonly accounts: Accounts,
  ) {}
  async reconcile(object: Pool, { signal, log, causes, attempt }: ReconcileContext): Promise<Result> {
    const [deployment, config] = await this.client.applyOwned(object, [
      new Deployment({ metadata: { name: 'd' }, spec: { selector: {}, template: {} } }),
      new ConfigMap({ metadata: { name: 'c' }, data: { a: 'b' } }),
    ]);
    yes<Equal<typeof deployment, Deployment>>();
    yes<Equal<typeof config, ConfigMap>>();
    const image = (containers: readonly Container[]): string | undefined => containers[0]?.image;
    log.debug('image', {
      image: image(deployment.spec.template.spec?.containers ?? []),
      causes,
      attempt,
      aborted: signal.aborted,
    });
    const pods = await this.client.list(Pod, {
      namespace: object.metadata.namespace,
      labels: { pool: object.metadata.name },
    });
    if (pods.length === 0) return Result.requeue();
    return Result.requeueAfter(`${pods.length * 100}ms`);
  }
}

class Steps {
  readonly finalizers = new Finalizers<Pool>()
    .add('example.com/sizes', async ({ spec }) => (spec.maximum > 0 ? Result.done() : Result.requeue()))
    .add('example.com/names', async (_pool, { signal }) => (signal.aborted ? Result.requeue() : Result.done()));
  constructor(readonly client: Client) {}
  async reconcile(object: Pool): Promise<Result> {
    const template = new Pod({ metadata: { generateName: 'pool-', namespace: 'default' }, spec: { containers: [] } });
    await this.client.create(template, { owner: object });
    const { object: map, outcome } = await this.client.createOrPatch(
      new ConfigMap({ metadata: { name: 'c' } }),
      (draft) => {
        setControllerReference(draft, object);
        addFinalizer(draft, 'example.com/map');
        draft.data = { ...draft.data, a: 'b' };
      },
      { optimistic: true },
    );
    yes<Equal<typeof map, ConfigMap>>();
    // @ts-expect-error: 'deleted' is not a possible outcome
    if (outcome === 'deleted') return Result.requeue();
    await this.client.apply(map, { optimistic: true });
    return Result.done();
  }
}
const steps: Reconciler<Pool> = new Steps(undefined as unknown as Client);

export const kept = [steps, PoolController, (cache: Cache) => cache.informer(Pool)];

// A union of kinds returns a union of objects.
declare const eitherKind: typeof Pod | typeof ConfigMap;
export async function readsOfUnions(client: Client): Promise<void> {
  const key = { name: 'a', namespace: 'b' };
  const got: Pod | ConfigMap = await client.get(eitherKind, key);
  const found: Pod | ConfigMap | undefined = await client.find(eitherKind, key);
  const live: Pod | ConfigMap | undefined = await client.live.find(eitherKind, key);
  if (found?.kind === 'ConfigMap') found.data satisfies object | undefined;
  // @ts-expect-error: the object can be of either kind
  const pod: Pod | undefined = await client.find(eitherKind, key);
  const one: Pod | undefined = await client.find(Pod, key);
  void [got, live, pod, one];
}

// An apply configuration accepts any subset of the fields, and no unknown fields.
export async function applied(client: Client): Promise<void> {
  const deployment: Deployment = await client.apply(
    applyConfiguration(Deployment, { metadata: { name: 'a' }, spec: { replicas: 3 } }),
  );
  // @ts-expect-error: the field is a number
  applyConfiguration(Deployment, { metadata: { name: 'a' }, spec: { replicas: '3' } });
  // @ts-expect-error: a configuration needs a name
  applyConfiguration(Deployment, { spec: { replicas: 3 } });
  // @ts-expect-error: the status is not applied
  applyConfiguration(Deployment, { metadata: { name: 'a' }, status: { replicas: 3 } });
  await client.delete(Pod, { name: 'a', namespace: 'b' }, { propagation: 'Orphan' });
  // @ts-expect-error: nothing was read, so there is no version
  await client.delete(Pod, { name: 'a' }, { sameVersion: true });
  void deployment;
}
