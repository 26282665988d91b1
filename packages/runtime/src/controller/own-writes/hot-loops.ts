import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { append } from '@kubewright/api/json';
import type { Change } from '../../cache/store/change.js';
import { describe } from '../../client/requests/target.js';
import type { SentWrite, Write } from '../../client/scope/write.js';
import { RecentEntries } from '../../events/recent-entries.js';
import type { Cause } from '../../queue/cause.js';
import { isTimerCause } from '../../queue/causes.js';
import { changedFields, formatPath } from '../watches/changed-paths.js';
import type { ReconcileRun } from '../runs/reconcile-run.js';
import type { HotLoop, HotLoopKind } from './hot-loop.js';
import { type WrittenField, writtenFields } from './written-fields.js';

/** The number of writes without lasting effect to the same field, within `WINDOW_MS`, that count as a loop. */
const TURNS = 20;
const WINDOW_MS = 30_000;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;
/** If a run requests the next run after less than this time, the next run can continue a loop. */
const SOON_MS = 1000;
/** The maximum number of objects whose writes are tracked. If there are more, the objects with the oldest writes are dropped. */
const MOST_OBJECTS = 1000;
const MOST_FIELDS = 32;
const NO_TURNS: readonly number[] = [];
const NO_LOOP: LoopAssessment = {};

/** The history of one field that the reconciles of an object write. */
interface FieldHistory {
  /** The object and the path of the field. */
  readonly key: string;
  readonly value: string;
  /** The number of the last run that wrote the field. */
  readonly run: number;
  /** The times of the writes without lasting effect. */
  readonly turnsMs: readonly number[];
  readonly kind: HotLoopKind;
}
/** The history of all writes by the reconciles of one object. */
interface Writing {
  run: number;
  /**
   * The number of the latest run that cannot continue a loop. Such a run had another cause than the writes and the result of the previous
   * run, or the generation had changed before the run.
   */
  freeRun: number;
  /** The delay after which the latest run requested the next run, in milliseconds. Undefined if it requested none. */
  againMs: number | undefined;
  /** The histories, from the oldest to the newest write. Objects have few written fields, so a list is cheaper than a Map. */
  readonly fields: FieldHistory[];
  /** The objects that the last run wrote, such as 'Deployment default/web'. Contains an object once for each written field. */
  written: readonly string[];
  /**
   * The generation of the reconciled object at the end of the last run. `isRequested` is true if the generation differed at the start of
   * the current run.
   */
  generation: number | undefined;
  isRequested: boolean;
  current: WrittenField[];
  /** The objects that the controller deleted most recently. */
  readonly deleted: string[];
  loop: DampedLoop | undefined;
}

/** A detected loop, and the delay of the reconciles of its object. */
interface DampedLoop {
  readonly found: HotLoop;
  /** The paths of all fields that are written repeatedly. */
  readonly paths: ReadonlySet<string>;
  delayMs: number;
  dueMs: number;
  /**
   * The monotonic time at which the first successful run ended that did not continue the loop. Reset to undefined by a run that continues
   * the loop.
   */
  quietSinceMs: number | undefined;
}

/** The loop that a run started or ended, if any. */
export interface LoopAssessment {
  readonly began?: HotLoop;
  readonly ended?: HotLoop;
}

/**
 * Detects objects that are repeatedly written without lasting effect. With the option `damps`, each run that continues the loop doubles the
 * delay before the next reconcile of the object, up to 1 min. The delay ends early when a field changes that belongs neither to the loop
 * nor to the status.
 */
export class HotLoops {
  readonly #clock: Clock;
  readonly #damps: boolean;
  readonly #kindName: string;
  readonly #objects = new RecentEntries<Writing>(MOST_OBJECTS);

  constructor(clock: Clock, options: { readonly damps: boolean; readonly kindName: string }) {
    this.#clock = clock;
    this.#damps = options.damps;
    this.#kindName = options.kindName;
  }

  /** Records a write of the current run. */
  wrote(id: string, write: Write, sent: SentWrite | undefined): void {
    const writing = this.#writing(id);
    if (write.verb !== 'delete') append(writing.current, writtenFields(write, sent));
    else {
      const name = describe(write.object.kind, write.object.metadata);
      const at = writing.deleted.indexOf(name);
      if (at >= 0) writing.deleted.splice(at, 1);
      if (writing.deleted.push(name) > MOST_FIELDS) writing.deleted.shift();
    }
  }
  /**
   * Records a change of the object that is not an echo. Ends the current delay after a creation or a deletion, and after a modification of
   * a field that belongs neither to the loop nor to the status.
   */
  changed(id: string, change: Change<KubeObject>): void {
    const loop = this.#objects.peek(id)?.loop;
    if (loop === undefined) return;
    const differs = (path: string): boolean => !loop.paths.has(path) && !path.startsWith('status');
    if (change.type !== 'modified' || changedFields(change.old, change.object).map(formatPath).some(differs)) {
      loop.dueMs = 0;
    }
  }
  /** Returns the remaining delay of the object because of a loop, in milliseconds. */
  dampedMs(id: string): number {
    const loop = this.#objects.peek(id)?.loop;
    return loop === undefined || !this.#damps ? 0 : Math.max(0, loop.dueMs - this.#clock.monotonicMs());
  }
  /** Whether writes in the reconciles of an object are recorded. If not, `began` and `ended` have no effect. */
  isTracked(id: string): boolean {
    return this.#objects.peek(id) !== undefined;
  }
  /** Releases the state of a deleted object. */
  forget(id: string): void {
    this.#objects.delete(id);
  }
  /** Records the start of a run. `object` is the current object. */
  began(id: string, object: KubeObject | undefined): void {
    const writing = this.#objects.peek(id);
    if (writing !== undefined) writing.isRequested = writing.generation !== object?.metadata.generation;
  }

  /** Records the end of a run. Returns the loop that started or ended with this run, if any. A loop ends only with a successful run. */
  ended({ id, context }: ReconcileRun, { object, well, againMs }: EndedRun): LoopAssessment {
    const writing = this.#objects.peek(id);
    if (writing === undefined) return NO_LOOP;
    const now = this.#clock.monotonicMs();
    const { current } = writing;
    const { causes } = context;
    const provoked = !writing.isRequested && causes.length > 0 && this.#isProvoked(writing, causes, id);
    if (!provoked) writing.freeRun = writing.run;
    const hot = this.#turned(writing, causes.some(isTimerCause) ? 'requested' : 'selfMade', now);
    writing.run++;
    writing.written = current.map(({ name }) => name);
    writing.generation = object?.metadata.generation;
    writing.current = [];
    writing.againMs = againMs;
    return this.#judge(id, writing, { hot, now, well });
  }

  /** Whether all causes of a run are the writes or the result of the previous run. */
  #isProvoked(writing: Writing, causes: readonly Cause[], id: string): boolean {
    const soon = requestsSoon(writing);
    const { written } = writing;
    return causes.every((cause) =>
      isTimerCause(cause) ? soon : written.length > 0 && written.includes(this.#sourceOf(cause, id)),
    );
  }
  /** Adds the writes of the run to the history. Returns the fields of the run that continue or form a loop. */
  #turned(writing: Writing, ofOwn: 'requested' | 'selfMade', now: number): Hot {
    const hot: Hot = { fields: [], kind: 'undone', isIneffective: false };
    for (const field of writing.current) {
      const key = `${field.name} ${formatPath(field.path)}`;
      const at = writing.fields.findIndex((each) => each.key === key);
      const known = writing.fields[at];
      const follows = known !== undefined && known.run >= writing.freeRun && writing.run > writing.freeRun;
      const kind = kindOfTurn(field, known, {
        follows: follows && ofOwn,
        deleted: writing.deleted.includes(field.name),
        isRequested: writing.isRequested,
      });
      const turnsMs = kind === undefined ? NO_TURNS : turnsUntil(now, known?.turnsMs);
      if (at >= 0) writing.fields.splice(at, 1);
      writing.fields.push({ key, value: field.value, run: writing.run, turnsMs, kind: kind ?? 'undone' });
      if (kind === undefined) continue;
      hot.isIneffective ||= writing.loop?.found.fields.some(({ name }) => name === field.name) ?? false;
      if (turnsMs.length < TURNS) continue;
      const isFirst = hot.fields.length === 0;
      if (isFirst) hot.kind = kind;
      if (isFirst || hot.fields[0]?.name === field.name) hot.fields.push(field);
    }
    if (writing.fields.length > MOST_FIELDS) writing.fields.splice(0, writing.fields.length - MOST_FIELDS);
    return hot;
  }

  #judge(id: string, writing: Writing, { hot, now, well }: Turn): LoopAssessment {
    const { loop } = writing;
    if (loop === undefined) {
      if (hot.fields.length === 0) return NO_LOOP;
      const found = { kind: hot.kind, fields: hot.fields.slice(0, 3) };
      const paths = new Set(hot.fields.map(({ path }) => formatPath(path)));
      writing.loop = { found, paths, delayMs: FIRST_DELAY_MS, dueMs: now + FIRST_DELAY_MS, quietSinceMs: undefined };
      return { began: found };
    }
    if (!hot.isIneffective && !well) return NO_LOOP;
    if (!hot.isIneffective) {
      loop.quietSinceMs ??= now;
      // If the reconciler requeues the object within `SOON_MS`, the next run can start before the other writer reacts. One run without a
      // write is therefore not the end of the loop.
      if (!requestsSoon(writing) || now - loop.quietSinceMs >= loop.delayMs) {
        this.#objects.delete(id);
        return { ended: loop.found };
      }
      loop.dueMs = now + loop.delayMs;
      return NO_LOOP;
    }
    loop.quietSinceMs = undefined;
    loop.delayMs = Math.min(2 * loop.delayMs, LONGEST_DELAY_MS);
    loop.dueMs = now + loop.delayMs;
    return NO_LOOP;
  }

  /** Returns the object whose change is the cause of a run, such as 'Disk default/a'. Returns '' for other causes. */
  #sourceOf({ kind, source = '' }: Cause, id: string): string {
    if (kind === 'modified') return `${this.#kindName} ${id}`;
    return kind === 'owned' || kind === 'watched' ? source.replace(/ (added|deleted)$/, '') : '';
  }
  #writing(id: string): Writing {
    const known = this.#objects.peek(id);
    const writing = known ?? {
      run: 1,
      freeRun: 1,
      againMs: undefined,
      fields: [],
      written: [],
      generation: undefined,
      isRequested: true,
      current: [],
      deleted: [],
      loop: undefined,
    };
    this.#objects.set(id, writing);
    return writing;
  }
}

/** The information about a completed run that loop detection needs. */
export interface EndedRun {
  /** The current object. Undefined if the object was deleted. */
  readonly object: KubeObject | undefined;
  /** Whether the run returned a result. */
  readonly well: boolean;
  /** The delay after which the run requested the next run, in milliseconds. Undefined if it requested none. */
  readonly againMs: number | undefined;
}
interface Turn {
  readonly hot: Hot;
  readonly now: number;
  readonly well: boolean;
}
/** The fields that form a loop, and whether the run continues a known loop. */
interface Hot {
  readonly fields: WrittenField[];
  kind: HotLoopKind;
  isIneffective: boolean;
}

function requestsSoon({ againMs }: Writing): boolean {
  return againMs !== undefined && againMs < SOON_MS;
}

/** The context of a write that determines whether the write continues a loop. */
interface WriteContext {
  /** How the write results from an earlier write. False if the run had another cause. */
  readonly follows: 'requested' | 'selfMade' | false;
  /** Whether the controller deleted the written object recently. */
  readonly deleted: boolean;
  /**
   * Whether the generation of the reconciled object has changed since the previous run. The run may then write new values because of the
   * changed spec.
   */
  readonly isRequested: boolean;
}

/** Returns the times of the last writes without lasting effect, including the current time: at most `TURNS` times within `WINDOW_MS`. */
function turnsUntil(now: number, turnsMs: readonly number[] = NO_TURNS): readonly number[] {
  const recent = turnsMs.filter((ms) => ms > now - WINDOW_MS);
  recent.push(now);
  return recent.length > TURNS ? recent.slice(-TURNS) : recent;
}

/**
 * Returns how a write continues a loop: the write repeats a value, replaces the value of another writer, or results from the previous
 * write. Returns undefined if the write does not continue a loop.
 */
function kindOfTurn(
  field: WrittenField,
  known: FieldHistory | undefined,
  { follows, deleted, isRequested }: WriteContext,
): HotLoopKind | undefined {
  if (known === undefined) return undefined;
  if (known.value !== field.value) {
    if (follows) return follows;
    const isUndone = !isRequested && field.before !== undefined && field.before() !== known.value;
    return isUndone ? 'undone' : undefined;
  }
  if (field.path.length === 0 && deleted) return 'remade';
  return field.kept ? 'undone' : 'notKept';
}
