import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '@kubewright/api/json';
import { isImmediate, isOther, secondsOf, type Step } from '../trials/step.js';
import { literal } from './literal.js';

/** The expressions of a generated test. */
export interface TestExpressions {
  /** The class of the kind of the changed object. */
  readonly subject: string;
  /** The expression that starts the operator. */
  readonly run: string;
  /** The statement that advances the clock. */
  readonly pass: string;
}

/** A step that a generated test can contain: a change of the object of the trial, or a start or end of the operator. */
type TestableStep = Step & { readonly action: 'declare' | 'delete' | 'stop' | 'start' | 'restart' };

/** Whether a generated test can contain a step. */
export function isTestable(step: Step): step is TestableStep {
  return !isOther(step) && secondsOf(step) === undefined && !('object' in step) && step.action !== 'plant';
}

/** Returns the statements of the steps, with a comment and an empty line before each step. */
export function stepStatements(steps: readonly TestableStep[], using: TestExpressions): readonly string[] {
  return steps.flatMap((step, at) => [
    '',
    ...statementsOf(step, steps.slice(0, at), using),
    ...(step.action === 'stop' || isImmediate(step) ? [] : [using.pass]),
  ]);
}

function statementsOf(
  step: TestableStep,
  before: readonly TestableStep[],
  { subject, run }: TestExpressions,
): readonly string[] {
  const stop = 'await clock.during(manager.stop());';
  switch (step.action) {
    case 'declare': {
      const last = before.findLast(({ action }) => action === 'declare' || action === 'delete');
      const spec = `spec: ${literal(step.spec)}`;
      if (last?.action !== 'declare')
        return [`// Create the ${subject}.`, `await env.client.create(new ${subject}({ metadata, ${spec} }));`];
      const current = `(await env.client.get(${subject}, metadata)).metadata`;
      return [
        `// Change ${changedFields(last.spec, step.spec)}.`,
        'await env.client.update(',
        `  new ${subject}({`,
        `    metadata: ${current},`,
        `    ${spec},`,
        '  }),',
        ');',
      ];
    }
    case 'delete':
      return [`// Delete the ${subject}.`, `await env.client.delete(await env.client.get(${subject}, metadata));`];
    case 'stop':
      return ['// Stop the operator.', stop];
    case 'start':
      return ['// Start the operator again.', `manager = ${run};`];
    case 'restart':
      return ['// Restart the operator.', stop, `manager = ${run};`];
  }
}

function changedFields(from: unknown, to: unknown): string {
  const [one, other] = [isJsonObject(from) ? from : {}, isJsonObject(to) ? to : {}];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const changed = names.filter((name) => !isDeepStrictEqual(one[name], other[name]));
  return changed.map((name) => `spec.${name}`).join(' and ') || 'nothing';
}
