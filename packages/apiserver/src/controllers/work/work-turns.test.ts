import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TurnTaker, WorkTurns } from './work-turns.js';

interface Work {
  readonly keys: number;
  readonly piecesPerKey: number;
}

/** Runs work loops whose pieces of work take 2 ms each. Returns the names of the loops in the order in which their pieces ran. */
async function orderOf(work: Readonly<Record<string, Work>>): Promise<string> {
  let nowMs = 0;
  let order = '';
  const takerOf = (name: string, { keys, piecesPerKey }: Work): TurnTaker => {
    let left = keys * piecesPerKey;
    return {
      runNext() {
        if (left === 0) return false;
        left -= 1;
        nowMs += 2;
        order += name;
        return true;
      },
      get hasWork() {
        return left > 0;
      },
      get isMidway() {
        return left % piecesPerKey > 0;
      },
    };
  };
  const takers = Object.entries(work).map(([name, each]) => takerOf(name, each));
  await new Promise<void>((resolve) => {
    const onActivity = (): void => {
      if (!takers.some(({ hasWork }) => hasWork)) resolve();
    };
    const turns = new WorkTurns(onActivity, () => nowMs);
    for (const taker of takers) turns.add(taker);
    turns.request();
  });
  return order;
}

test('a loop runs only after all previously added loops have finished their work', async () => {
  assert.equal(await orderOf({ a: { keys: 3, piecesPerKey: 2 }, b: { keys: 1, piecesPerKey: 2 } }), 'aaaaaabb');
});

test('a loop that has waited for 250 ms runs before other loops until one key is finished', async () => {
  const order = await orderOf({ a: { keys: 300, piecesPerKey: 1 }, b: { keys: 2, piecesPerKey: 5 } });
  assert.match(order, /^a{125,130}bbbbba{125,130}bbbbba+$/);
});

test('a loop that has waited for 250 ms has precedence over other loops for at most 1 s', async () => {
  const order = await orderOf({ a: { keys: 300, piecesPerKey: 1 }, b: { keys: 1, piecesPerKey: 600 } });
  assert.match(order, /^a{125,130}b{500,505}a{125,130}b+a+$/);
});
