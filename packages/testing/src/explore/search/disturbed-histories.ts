import type { KubeObject } from '@kubewright/api';
import { isJsonObject } from '@kubewright/api/json';
import { objectName } from '../state/stored-object.js';
import { declare, type Step } from '../trials/step.js';
import type { Comparison } from './compared-oracles.js';
import type { TrialRunner } from './trial-runner.js';

/** Kinds of objects whose content operators read. */
const CONTENT_KINDS = new Set(['Secret', 'ConfigMap']);

/** A declaration with its result in a new world. */
export interface Undisturbed {
  readonly spec: unknown;
  /** A spec for another object of the same kind. */
  readonly different: unknown;
  readonly expected: Comparison['expected'];
}

/** Runs histories in which a stranger edits, deletes and copies the children. */
export async function disturbChildren(runner: TrialRunner, { spec, different, expected }: Undisturbed): Promise<void> {
  const one = declare(spec);
  const children = [...expected.state].flatMap(([name, content]) => (hasOwner(content) ? [name] : []));
  const repairs = children.flatMap((object): readonly Step[] => [
    { action: 'edit-child', object },
    { action: 'delete-child', object },
  ]);
  const repaired = repairs.map((repair, at) => ({
    oracle: 'repair' as const,
    expected,
    at: at + 1,
    short: [one, repair],
  }));
  await runner.compare(runner.trial([one, ...repairs]), [], repaired);
  await runner.run(runner.trial([one, { action: 'plant' }, { action: 'delete' }]), []);
  await runner.run(runner.trial([one, { action: 'plant' }, { action: 'restart' }, declare(different)]), []);
}

function hasOwner(content: unknown): boolean {
  const metadata = isJsonObject(content) ? content['metadata'] : undefined;
  return isJsonObject(metadata) && metadata['ownerReferences'] !== undefined;
}

/** Runs histories with another object of the same kind. */
export async function addOtherObject(runner: TrialRunner, { spec, different, expected }: Undisturbed): Promise<void> {
  const one = declare(spec);
  const other: Step = { action: 'declare', spec: different, other: true };
  const isolated = { oracle: 'isolation' as const, expected };
  const before = { ...isolated, at: 1, onlyExpected: true };
  const after = { ...isolated, at: 2 };
  await runner.compare(runner.trial([one, other, { action: 'delete', other: true }]), [], [before, after]);
  await runner.compare(runner.trial([other, one]), [], [before]);
}

/** Runs histories in which a Secret or ConfigMap of `objects` is created or changed only after the declaration. */
export async function changeSurroundings(
  runner: TrialRunner,
  { spec, expected }: Undisturbed,
  objects: readonly KubeObject[],
): Promise<void> {
  const one = declare(spec);
  const oracle = 'dependency';
  for (const { kind, metadata } of objects) {
    if (!CONTENT_KINDS.has(kind)) continue;
    const object = objectName(kind, metadata);
    const late: readonly Step[] = [{ action: 'remove-object', object }, one, { action: 'restore-object', object }];
    await runner.compare(runner.trial(late), [], [{ oracle, at: 2, expected }]);
    const edit: Step = { action: 'edit-object', object };
    const before = runner.trial([edit, one]);
    const { observations } = await runner.run(before, []);
    const state = observations[1]?.state;
    if (state === undefined) continue;
    await runner.compare(runner.trial([one, edit]), [], [{ oracle, at: 1, expected: { trial: before, state } }]);
  }
}
