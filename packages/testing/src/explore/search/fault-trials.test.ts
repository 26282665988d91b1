import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { randomNumbers } from '../../random-numbers.js';
import { parseWriteName } from '../../writes/write-name.js';
import { describeFault, type FaultKind } from '../trials/faults/fault.js';
import type { Observation } from '../trials/run-trial.js';
import { FaultTrials, faultFindings, type History, type NextTrial } from './fault-trials.js';

class LampSpec {
  @Field.boolean() isOn = true;
}
@Kind({ group: 'example.com', version: 'v1' })
class Lamp extends CustomResource(LampSpec) {}

const operator = { kinds: [Lamp], controllers: [] };
const points = { reads: [], changes: ['ADDED Lamp/a #1'], resources: ['lamps'], calls: [], unled: [] };

/** Returns a history with one step, one write and the given deleted objects. */
function historyOf(deleted: readonly string[] = []): History {
  const writes = [parseWriteName('patch Lamp/a status.phase #1')];
  const observation = { writes, deleted, state: new Map() } as Partial<Observation> as Observation;
  const trial = { kind: Lamp, steps: [{ action: 'declare', spec: {} }] } as const;
  const result = {
    initial: new Map(),
    observations: [observation],
    points,
    refused: undefined,
    missingPermission: undefined,
    trace: [],
  };
  return { trial, result, fields: [] };
}

function trialsOf(kinds: readonly FaultKind[]): FaultTrials {
  return new FaultTrials({ operator, faults: kinds }, randomNumbers(1));
}

function faultsOf(next: NextTrial | undefined): readonly string[] {
  return (next?.trial.faults ?? []).map(describeFault);
}

test('FaultTrials takes turns between the kinds of faults, and tries each fault at a named point once', () => {
  const trials = trialsOf(['crash', 'event']);
  trials.add(historyOf());
  trials.add(historyOf());
  assert.deepEqual(faultsOf(trials.next()), [
    'the operator crashes after this write, and starts again: patch Lamp/a status.phase #1',
  ]);
  assert.deepEqual(faultsOf(trials.next()), [
    'the operator does not receive this change, and lists the objects again later: ADDED Lamp/a #1',
  ]);
  assert.deepEqual(faultsOf(trials.next()), [
    'the operator receives this change after all other work: ADDED Lamp/a #1',
  ]);
  const pair = trials.next()?.trial.faults ?? [];
  assert.deepEqual(pair.map(({ kind }) => kind).toSorted(), ['crash', 'event']);
});

test('FaultTrials returns a further history before the faults of a restart, and nothing after the last fault of a single kind', () => {
  const trials = trialsOf(['order']);
  const { trial, fields } = historyOf();
  trials.addLater({ ...trial, steps: [...trial.steps, { action: 'restart' }] }, fields);
  const plain = trials.next();
  assert.ok(plain !== undefined && plain.history === undefined);
  trials.add({ ...historyOf(), trial: plain.trial });
  assert.deepEqual(faultsOf(trials.next()), ['lists return their objects in reverse order']);
  assert.equal(trials.next(), undefined);
});

test('faultFindings reports objects that are deleted only with a fault, and writes while another replica is the leader', () => {
  const plain = historyOf(['Pod default/a']);
  const trial = { ...plain.trial, faults: [{ kind: 'lease', write: 'patch Lamp/a status.phase #1' }] } as const;
  assert.deepEqual(faultFindings(trial, plain.result, plain), []);
  const { result } = historyOf(['Pod default/a', 'PersistentVolumeClaim default/data']);
  const unled = ['patch Lamp/a status.phase #2'];
  const findings = faultFindings(trial, { ...result, points: { ...points, unled } }, plain);
  assert.deepEqual(
    findings.map(({ signature, details }) => [signature, details]),
    [
      ['lease deletes PersistentVolumeClaim', ['deleted: PersistentVolumeClaim default/data']],
      ['lease writes without the Lease', ['written: patch Lamp/a status.phase #2']],
    ],
  );
});
