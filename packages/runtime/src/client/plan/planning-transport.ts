import type { KubeObject } from '@kubewright/api';
import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { isFullyDeleted } from '../../cache/store/is-fully-deleted.js';
import type { Connection } from '../../transport/connection/connection.js';
import type { RequestOptions, TransportOptions } from '../../transport/request/request-options.js';
import { Transport } from '../../transport/sending/transport.js';
import { REVIEW_GROUPS } from '../requests/review-groups.js';
import { fieldChanges } from './field-changes.js';
import { AllKindFacts } from './kind-facts.js';
import {
  APPLY,
  managerOf,
  plannedChange,
  refusal,
  resourceText,
  sameButManagers,
  type WithStatus,
} from './planned-change.js';
import { PlannedObjects } from './planned-objects.js';
import type { PlannedWrite } from './planned-write.js';
import type { Planning } from './planning.js';
import { requestTarget, type RequestTarget } from './request-target.js';

interface PendingWrite {
  readonly options: RequestOptions;
  readonly target: RequestTarget;
}

/**
 * A transport that sends reads and reviews, such as a TokenReview, to the API server, but no writes. For a write, calculates the result,
 * records the fields that would change, and returns the response that the server would send. Later reads return the calculated result.
 */
export class PlanningTransport extends Transport {
  readonly #planning: Planning;
  readonly #objects: PlannedObjects;
  readonly #facts: AllKindFacts;
  readonly #clock: Clock;

  constructor(connection: Connection, { planning, ...options }: TransportOptions & { readonly planning: Planning }) {
    super(connection, options);
    const read = (path: string): Promise<unknown> => super.request({ method: 'GET', path });
    this.#planning = planning;
    this.#objects = new PlannedObjects(read);
    this.#facts = new AllKindFacts(read, () => planning.kinds);
    this.#clock = options.clock ?? new SystemClock();
  }

  /** Same as `Transport.request`. Rejects with NOT_PLANNED for a write whose result cannot be calculated. */
  override async request<T>(options: RequestOptions): Promise<T> {
    options.signal?.throwIfAborted();
    const target = requestTarget(options.path);
    if (options.method === 'GET') return this.#read<T>(options, target);
    if (target !== undefined && REVIEW_GROUPS.includes(target.group)) return super.request<T>(options);
    if (target === undefined) throw notPlanned(options);
    return (await this.#written({ options, target })) as T;
  }

  /**
   * Adds an object to the plan as if the object had existed before the first write. Returns the resulting object. If the object already
   * exists, keeps its status, finalizers and owner references, and adds the labels and annotations.
   */
  async suppose(path: string, object: KubeObject): Promise<KubeObject> {
    const target = requestTarget(path);
    const options: RequestOptions = { method: 'PUT', path };
    if (target === undefined) throw notPlanned(options);
    const current = await this.#objects.find(target);
    const supposed = current === undefined ? object : withStatusOf(current, object);
    const { name, namespace, labels, annotations, finalizers } = object.metadata;
    const others = current?.metadata ?? { ...(finalizers && { finalizers }), ...(namespace && { namespace }) };
    const metadata = {
      ...others,
      name,
      labels: { ...current?.metadata.labels, ...labels },
      annotations: { ...current?.metadata.annotations, ...annotations },
    };
    return (await this.#carriedOut({ options: { ...options, body: { ...supposed, metadata } }, target }, current))
      .after;
  }

  async #read<T>(options: RequestOptions, target: RequestTarget | undefined): Promise<T> {
    if (target?.name !== undefined) {
      const isWhole = target.subresource === undefined || target.subresource === 'status';
      if (!isWhole || !this.#objects.has(target)) return super.request<T>(options);
      return (await this.#there({ options, target })) as T;
    }
    const answer = await super.request<T>(options);
    if (target === undefined || !isJsonObject(answer) || !Array.isArray(answer['items'])) return answer;
    const { metadata, items } = answer as unknown as Listed;
    const page = { query: options.query, next: metadata?.continue || undefined };
    return { ...answer, items: this.#objects.inList(target, items, page) };
  }

  async #written(pending: PendingWrite): Promise<unknown> {
    const { method } = pending.options;
    const { name, subresource } = pending.target;
    if (subresource !== undefined && subresource !== 'status') return this.#ofSubresource(pending, subresource);
    if (method === 'DELETE') return name === undefined ? this.#deletedAll(pending) : this.#deleted(pending);
    const { before, after } = method === 'POST' ? await this.#created(pending) : await this.#changed(pending);
    await this.#note(pending, { before, after });
    return after;
  }

  async #created(pending: PendingWrite): Promise<States> {
    const { options } = pending;
    const body = options.body as KubeObject & { readonly metadata: { readonly generateName?: string } };
    const name = body.metadata.name ?? this.#objects.nameFrom(body.metadata.generateName ?? '');
    const { namespace } = pending.target;
    const metadata = { ...body.metadata, name, ...(namespace !== undefined && { namespace }) };
    const target = { ...pending.target, name };
    if ((await this.#objects.find(target)) !== undefined) {
      const message = `${resourceText(target, name)} already exists`;
      throw refusal(409, 'AlreadyExists', { message, attempted: options.attempted });
    }
    return this.#carriedOut({ options: { ...options, body: { ...body, metadata } }, target }, undefined);
  }

  async #changed(pending: PendingWrite): Promise<States> {
    const { options, target } = pending;
    const isApply = options.contentType === APPLY;
    const mayBeNew = isApply && target.subresource === undefined;
    return this.#carriedOut(pending, mayBeNew ? await this.#objects.find(target) : await this.#there(pending));
  }

  async #carriedOut(pending: PendingWrite, before: KubeObject | undefined): Promise<States> {
    const { options, target } = pending;
    const now = timeOf(this.#clock);
    const change = { options, target, current: before, facts: await this.#facts.of(target), now };
    const planned = plannedChange(change);
    const placed = (before ?? target.namespace === undefined) ? planned : inNamespace(planned, target.namespace);
    if (isDryRun(options)) return { before, after: placed };
    if (before !== undefined && sameButManagers(before, placed)) return { before, after: before };
    const after = this.#objects.set(target, placed, before, now);
    if (isFullyDeleted(after)) this.#objects.remove(target, after.metadata.name);
    return { before, after };
  }

  /**
   * Records a write to a subresource such as scale, eviction or binding. The recorded changes are the sent fields, because the effect on
   * the parent object is not known.
   */
  async #ofSubresource({ options, target }: PendingWrite, subresource: string): Promise<unknown> {
    if (subresource === 'token') throw notPlanned(options);
    const object = await this.#there({ options, target });
    const before = options.method === 'POST' ? undefined : await this.#subresource(options);
    const change = { options, target: { ...target, group: '', plural: '' }, current: before, now: timeOf(this.#clock) };
    const facts = { schema: {}, hasStatus: false, hasDefaults: false };
    const after = plannedChange({ ...change, facts });
    this.#noteWrite({ options, target }, { object, subresource, changes: fieldChanges(before, after, undefined) });
    return after;
  }
  async #subresource({ path, attempted }: RequestOptions): Promise<KubeObject> {
    return super.request({ method: 'GET', path, ...(attempted !== undefined && { attempted }) });
  }

  async #deleted(pending: PendingWrite): Promise<KubeObject> {
    const { options, target } = pending;
    const before = await this.#there(pending);
    const { preconditions } = (options.body ?? {}) as { readonly preconditions?: Readonly<Record<string, string>> };
    for (const [name, meant] of Object.entries(preconditions ?? {})) {
      const is = (before.metadata as unknown as Readonly<Record<string, unknown>>)[name];
      if (meant === is) continue;
      const message = `Operation cannot be fulfilled on ${resourceText(target, before.metadata.name)}: Precondition failed: ${name} is ${String(is)}`;
      throw refusal(409, 'Conflict', { message, attempted: options.attempted });
    }
    return this.#remove(pending, before);
  }
  async #deletedAll(pending: PendingWrite): Promise<unknown> {
    const { path, query, attempted } = pending.options;
    const list = { method: 'GET', path, query: query ?? {}, ...(attempted !== undefined && { attempted }) } as const;
    const answer = await this.#read<{ readonly items?: readonly KubeObject[] } & KubeObject>(list, pending.target);
    const { apiVersion, kind } = answer;
    for (const item of answer.items ?? []) {
      const object = { ...item, apiVersion, kind: kind.replace(/List$/, '') };
      const { name, namespace } = item.metadata;
      const target = { ...pending.target, name, ...(namespace !== undefined && { namespace }) };
      this.#remove({ options: pending.options, target }, object);
    }
    return answer;
  }
  #remove(pending: PendingWrite, before: KubeObject): KubeObject {
    const { options, target } = pending;
    const now = timeOf(this.#clock);
    const waits = (before.metadata.finalizers?.length ?? 0) > 0;
    const { deletionTimestamp = now } = before.metadata;
    const leaving = { ...before, metadata: { ...before.metadata, deletionTimestamp } };
    if (isDryRunBody(options)) return leaving;
    this.#noteWrite(pending, { object: before, result: waits ? 'deleting' : 'deleted', changes: [] });
    if (waits) return this.#objects.set(target, leaving, before, now);
    this.#objects.remove(target, before.metadata.name);
    return before;
  }

  /** Returns the object as it would be after the planned writes. Throws a NotFound error if the object would not exist. */
  async #there({ options, target }: PendingWrite): Promise<KubeObject> {
    const found = await this.#objects.find(target);
    if (found !== undefined) return found;
    const message = `${resourceText(target, target.name ?? '')} not found`;
    throw refusal(404, 'NotFound', { message, attempted: options.attempted });
  }

  async #note(pending: PendingWrite, { before, after }: States): Promise<void> {
    if (isDryRun(pending.options)) return;
    if (after.kind === 'Event' && before === undefined) {
      this.#planning.noteEvent(eventOf(after));
      return;
    }
    const { schema } = await this.#facts.of(pending.target);
    const changes = fieldChanges(before, after, schema);
    const isDeleted = before !== after && isFullyDeleted(after);
    const result = isDeleted
      ? 'deleted'
      : before === undefined
        ? 'created'
        : changes.length > 0
          ? 'changed'
          : 'unchanged';
    this.#noteWrite(pending, { object: after, result, changes });
  }
  #noteWrite(
    { options, target }: PendingWrite,
    written: { readonly object: KubeObject } & Pick<PlannedWrite, 'changes'> &
      Partial<Pick<PlannedWrite, 'result' | 'subresource'>>,
  ): void {
    const { object, changes, subresource = target.subresource, result } = written;
    const { apiVersion, kind, metadata } = object;
    const { name, namespace } = metadata;
    const fieldManager = managerOf(options);
    this.#planning.noteWrite({
      verb: verbOf(options),
      object: { apiVersion, kind, ...(namespace !== undefined && { namespace }), name },
      ...(subresource !== undefined && { subresource }),
      ...(fieldManager !== '' && { fieldManager }),
      result: result ?? (changes.length > 0 ? 'changed' : 'unchanged'),
      changes,
    });
  }
}

interface Listed {
  readonly metadata?: { readonly continue?: string };
  readonly items: readonly KubeObject[];
}

/** The state of an object before and after a planned write. */
interface States {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject;
}

function verbOf({ method, contentType }: RequestOptions): PlannedWrite['verb'] {
  if (method === 'PATCH') return contentType === APPLY ? 'apply' : 'patch';
  return method === 'POST' ? 'create' : method === 'PUT' ? 'update' : 'delete';
}
function isDryRun({ query }: RequestOptions): boolean {
  return query?.['dryRun'] === 'All';
}
function isDryRunBody({ body }: RequestOptions): boolean {
  return isJsonObject(body) && Array.isArray(body['dryRun']);
}
function inNamespace(object: KubeObject, namespace: string | undefined): KubeObject {
  return namespace === undefined ? object : { ...object, metadata: { ...object.metadata, namespace } };
}
function withStatusOf(current: KubeObject, object: KubeObject): KubeObject {
  const { status: _, ...others } = object as WithStatus;
  const { status } = current as WithStatus;
  return { ...others, ...(status !== undefined && { status }) };
}
function timeOf(clock: Clock): string {
  return `${clock.now().toISOString().slice(0, 19)}Z`;
}

/** Returns the content of an event from either of the two Events APIs. */
function eventOf(event: object): { type: string; reason: string; message: string; about: string } {
  const { type, reason, note, message, regarding, involvedObject } = event as Readonly<Record<string, unknown>>;
  const { kind, namespace, name } = (regarding ?? involvedObject ?? {}) as Readonly<Record<string, unknown>>;
  const about = `${String(kind)} ${namespace === undefined ? '' : `${String(namespace)}/`}${String(name)}`;
  return { type: String(type), reason: String(reason), message: String(note ?? message ?? ''), about };
}

function notPlanned({ method, path, attempted }: RequestOptions): KubewrightError {
  return new KubewrightError(
    'NOT_PLANNED',
    `${attempted ?? `${method} ${path}`}: a plan sends no writes and cannot predict the response of the server to this request`,
  );
}
