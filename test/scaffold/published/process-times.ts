/** When a process ran, as `process-times-hook` wrote it down. Milliseconds since 1970. */
export interface ProcessTime {
  readonly program: string;
  readonly args: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
}

/** A part of a step. */
interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** How a step's time is shared. */
export interface SharedTime {
  /** While a program of ours ran, and no npm or tsc on its behalf. */
  readonly oursMs: number;
  /** While tsc ran. */
  readonly tscMs: number;
}

const IS_NPM = /[/\\](npm|npx)(-cli\.js)?$/;
const IS_TSC = /[/\\](tsc|tsc\.js)$/;
const IS_OURS = /[/\\](kubewright|create-operator)([/\\]|$)|@kubewright[/\\]/;

/** Reads what the hook wrote. */
export function processTimes(text: string): readonly ProcessTime[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ProcessTime);
}

/** How much of the time until `endMs` programs of ours took. What npm does that one of ours has started is npm's. */
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
