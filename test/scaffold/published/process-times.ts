/** The times of a process, as recorded by `process-times-hook`, in milliseconds since 1970. */
export interface ProcessTime {
  readonly program: string;
  readonly args: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
}

/** A period of a step. */
interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** The shares of the time of a step. */
export interface SharedTime {
  /** Time in which a program of Kubewright ran, without the npm and tsc processes that it started. */
  readonly oursMs: number;
  /** Time in which tsc ran. */
  readonly tscMs: number;
}

const IS_NPM = /[/\\](npm|npx)(-cli\.js)?$/;
const IS_TSC = /[/\\](tsc|tsc\.js)$/;
const IS_OURS = /[/\\](kubewright|create-operator)([/\\]|$)|@kubewright[/\\]/;

/** Parses the records of the hook. */
export function processTimes(text: string): readonly ProcessTime[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ProcessTime);
}

/**
 * Returns the time until `endMs` in which programs of Kubewright ran, and the time in which tsc ran. Counts each period once. Excludes the
 * time of npm processes that started after the first program of Kubewright. The time of Kubewright also excludes the time of tsc.
 */
export function sharedTime(times: readonly ProcessTime[], endMs: number): SharedTime {
  const cut = times
    .filter(({ startMs }) => startMs < endMs)
    .map((each) => ({ ...each, endMs: Math.min(each.endMs, endMs) }));
  const ours = union(cut.filter(({ program }) => IS_OURS.test(program) && !IS_NPM.test(program)));
  const began = Math.min(...ours.map(({ startMs }) => startMs));
  const npm = union(cut.filter(({ program, startMs }) => IS_NPM.test(program) && startMs > began));
  const tsc = union(cut.filter(({ program }) => IS_TSC.test(program)));
  return { oursMs: lengthOf(without(without(ours, npm), tsc)), tscMs: lengthOf(without(tsc, npm)) };
}

function union(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const { startMs, endMs } of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1);
    if (last !== undefined && startMs <= last.endMs) {
      joined[joined.length - 1] = { startMs: last.startMs, endMs: Math.max(last.endMs, endMs) };
    } else joined.push({ startMs, endMs });
  }
  return joined;
}

function without(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  return others.reduce<readonly Span[]>(
    (left, other) =>
      left.flatMap(({ startMs, endMs }) => [
        ...(startMs < other.startMs ? [{ startMs, endMs: Math.min(endMs, other.startMs) }] : []),
        ...(endMs > other.endMs ? [{ startMs: Math.max(startMs, other.endMs), endMs }] : []),
      ]),
    spans,
  );
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}
