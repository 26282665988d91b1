import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import type { Observation } from '../trials/run-trial.js';
import { declare, type Step } from '../trials/step.js';
import { singleFindings } from './single-oracles.js';

class LampSpec {
  @Field.boolean() isOn = true;
}
@Kind({ group: 'example.com', version: 'v1' })
class Lamp extends CustomResource(LampSpec) {}

const restart: Step = { action: 'restart' };

function observed(step: Step, more: Partial<Observation> = {}): Observation {
  return {
    step,
    state: new Map(),
    objects: [],
    copies: new Set(),
    hasSubject: true,
    isRunning: true,
    writes: [],
    changed: [],
    deleted: [],
    events: [],
    errors: [],
    isFailing: false,
    unconverged: undefined,
    restless: [],
    ...more,
  };
}

function rules(observations: readonly Observation[]): readonly string[] {
  const trial = { kind: Lamp, steps: observations.map(({ step }) => step) };
  const result = { initial: new Map(), observations, points: undefined, refused: undefined, trace: [] };
  const given = { fields: [], invariants: {} };
  return singleFindings(trial, { ...result, missingPermission: undefined }, given).map(({ signature }) => signature);
}

test('the rule restart reports writes after the restart of a converged operator, even if the operator then fails', () => {
  const changed = ['Lamp default/a'];
  const first = observed(declare({}));
  assert.deepEqual(rules([first, observed(restart, { changed })]), ['restart Lamp']);
  assert.deepEqual(rules([first, observed(restart, { changed, isFailing: true })]), ['restart Lamp']);
  assert.deepEqual(rules([first, observed(restart)]), []);
});

test('the rule restart permits writes if the operator failed before the restart, or had not converged', () => {
  const changed = ['Lamp default/a'];
  const converged = observed(declare({}));
  const failing = observed(declare({}), { isFailing: true });
  const immediate = observed(declare({}, { immediately: true }), { state: undefined });
  assert.deepEqual(rules([failing, observed(restart, { changed })]), []);
  assert.deepEqual(rules([converged, immediate, observed(restart, { changed })]), []);
});
