import type { KubeObject } from '@kubewright/api';
import type { SavedFinding } from '../histories/saved-finding.js';
import type { Fault } from '../trials/faults/fault.js';
import { SUBJECT } from '../trials/world.js';
import { CRASH_CLASS, CRASH_IMPORTS } from './crash-class.js';
import { literal } from './literal.js';
import { assertionsOf } from './test-assertions.js';
import { type ImportedName, TestImports } from './test-imports.js';
import { isTestable, stepStatements } from './test-steps.js';

/** The class of a kind of an operator. */
export interface KindClass extends ImportedName {
  readonly namespaced: boolean;
}

/** The classes of an operator, for the imports of a generated test. */
export interface TestSources {
  /** The classes of the kinds, by the names of the kinds. */
  readonly kinds: ReadonlyMap<string, KindClass>;
  /** The classes of the components that the program adds to the manager. */
  readonly components: readonly ImportedName[];
  /** Objects that exist before the history starts. @default none */
  readonly objects?: readonly KubeObject[];
}

const TESTING = '@kubewright/testing';

/**
 * Returns a test file that fails while the operator violates the rule of a finding, and passes otherwise. Returns undefined in these cases:
 * - A test cannot assert the rule: `effect`, `status`, `after-finalizer`, `ready`, `rollout`, `foreign` and `invariant`.
 * - The results differ only in items of lists, or in values that the server chooses.
 * - The history has a fault other than a single crash after a write.
 * - The history has steps of strangers, steps of another object, or steps with `forSeconds`.
 * - The class of the kind is not known.
 */
export function testFileOf(finding: SavedFinding, sources: TestSources): string | undefined {
  const { kind, trial, sentence, oracle } = finding;
  const { steps, faults = [] } = trial;
  const crashAt = crashedWrite(faults);
  const imports = new TestImports(sources.kinds);
  const components = sources.components.map((each) => imports.use(each)).join(', ');
  const run = `await env.run(${components})`;
  const assertions = assertionsOf(finding, { imports, run });
  const subject = sources.kinds.get(kind.kind);
  if (subject === undefined || assertions.length === 0 || !steps.every((step) => isTestable(step))) return undefined;
  if (crashAt === undefined && faults.length > 0) return undefined;
  const isRestarted = crashAt !== undefined || steps.some(({ action }) => action === 'stop' || action === 'restart');
  const manager = isRestarted ? 'let manager = ' : oracle === 'exception' ? 'const manager = ' : '';
  imports.use({ name: 'test', from: 'node:test' });
  for (const name of ['FakeClock', 'TestEnvironment']) imports.use({ name, from: TESTING });
  if (crashAt !== undefined) for (const name of CRASH_IMPORTS) imports.use({ name, from: TESTING });
  const statements = [
    'const clock = new FakeClock();',
    ...(crashAt === undefined ? [] : [`const crash = new CrashAfter(${literal(crashAt)});`]),
    `await using env = await TestEnvironment.start({ ${environmentOptions(finding, sources, imports)} });`,
    `${manager}${run};`,
    ...(crashAt === undefined ? [] : passFunction(run)),
    ...stepStatements(steps, { subject: subject.name, run, pass: crashAt === undefined ? ADVANCE : 'await pass();' }),
    '',
    `// The rule '${oracle}': ${sentence}.`,
    ...assertions,
  ];
  return `${imports.text}
const metadata = ${literal(subject.namespaced ? SUBJECT : { name: SUBJECT.name })};

test(${literal(`${kind.kind}: ${sentence}`)}, async () => {
${statements.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}
});
${crashAt === undefined ? '' : CRASH_CLASS}`;
}

/** Returns the write after which the operator crashes, if this crash is the only fault. */
function crashedWrite([fault, ...others]: readonly Fault[]): string | undefined {
  if (fault?.kind !== 'crash' || fault.at !== 'after' || others.length > 0) return undefined;
  return 'write' in fault ? fault.write : undefined;
}

const ADVANCE = "await clock.advance('1m');";

/** Returns the statements that declare the function `pass`, which starts the operator again if it has crashed. */
function passFunction(run: string): readonly string[] {
  return [
    'const pass = async () => {',
    `  ${ADVANCE}`,
    '  if (!crash.hasCrashed) return;',
    '  await clock.during(manager.stop());',
    '  crash.hasCrashed = false;',
    `  manager = ${run};`,
    `  ${ADVANCE}`,
    '};',
  ];
}

function environmentOptions({ trial }: SavedFinding, sources: TestSources, imports: TestImports): string {
  const kinds = [...sources.kinds.values()].map((each) => imports.use(each)).join(', ');
  const objects = (sources.objects ?? []).map((object) => constructed(object, imports)).join(', ');
  return [
    `kinds: [${kinds}]`,
    ...(objects === '' ? [] : [`objects: [${objects}]`]),
    'workloads: true',
    'clock',
    ...(trial.faults === undefined ? [] : ['faults: crash']),
  ].join(', ');
}

/** Returns the expression that constructs an object of a known class, or the literal of the object. */
function constructed(object: KubeObject, imports: TestImports): string {
  const { apiVersion: _version, kind, ...content } = object;
  const known = imports.kind(kind);
  return known === undefined ? literal(object) : `new ${known}(${literal(content)})`;
}
