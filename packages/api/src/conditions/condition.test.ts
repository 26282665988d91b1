import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Condition, findCondition, isConditionTrue, setCondition } from './condition.js';

const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Up',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  observedGeneration: 3,
};

describe('setCondition', () => {
  it('adds a condition with an empty transition time', () => {
    const status: { conditions?: Condition[] } = {};
    setCondition(status, { type: 'Ready', status: 'Unknown', reason: 'New' });
    assert.deepEqual(status.conditions, [
      { type: 'Ready', status: 'Unknown', reason: 'New', message: '', lastTransitionTime: '' },
    ]);
  });
  it('removes observedGeneration from an unchanged condition, and keeps all other fields', () => {
    const { observedGeneration: _, ...open } = ready;
    const status = { conditions: [ready] };
    setCondition(status, { type: 'Ready', status: true, reason: 'Up' });
    assert.deepEqual(status.conditions, [open]);
  });
  it('keeps the transition time while the status is unchanged, and clears it when the status changes', () => {
    const { observedGeneration: _, ...open } = ready;
    const status = { conditions: [ready] };
    setCondition(status, { type: 'Ready', status: true, reason: 'Up', message: 'all of it' });
    assert.deepEqual(status.conditions, [{ ...open, message: 'all of it' }]);
    setCondition(status, { type: 'Ready', status: false, reason: 'Down' });
    assert.deepEqual(status.conditions, [{ ...open, status: 'False', reason: 'Down', lastTransitionTime: '' }]);
  });
  it('keeps the conditions of other types', () => {
    const status = { conditions: [ready] };
    setCondition(status, { type: 'Synced', status: false, reason: 'Late' });
    assert.deepEqual(
      status.conditions.map(({ type }) => type),
      ['Ready', 'Synced'],
    );
  });
});

describe('findCondition and isConditionTrue', () => {
  it('findCondition returns undefined and isConditionTrue returns false for a missing condition', () => {
    assert.equal(findCondition({ status: { conditions: [ready] } }, 'Ready'), ready);
    assert.equal(findCondition({ status: { conditions: [ready] } }, 'Other'), undefined);
    assert.equal(isConditionTrue({ status: { conditions: [ready] } }, 'Ready'), true);
    assert.equal(isConditionTrue({ status: { conditions: [{ ...ready, status: 'Unknown' }] } }, 'Ready'), false);
    assert.equal(isConditionTrue({}, 'Ready'), false);
  });
});
