import { blockedBugs } from './blocked.js';
import type { Bug } from './bug.js';
import { crashBugs } from './crashes.js';
import { effectBugs } from './effects.js';
import { exceptionBugs } from './exceptions.js';
import { fieldBugs } from './fields.js';
import { finalizerBugs } from './finalizers.js';
import { lifecycleBugs } from './lifecycle.js';
import { mistakeBugs } from './mistakes.js';
import { progressBugs } from './progress.js';
import { removalBugs } from './removals.js';
import { scalingBugs } from './scaling.js';
import { strangerBugs } from './strangers.js';
import { unobservedBugs } from './unobserved.js';

/** All bugs that an exploration must find. */
export const allBugs: readonly Bug[] = [
  ...lifecycleBugs,
  ...crashBugs,
  ...unobservedBugs,
  ...scalingBugs,
  ...progressBugs,
  ...fieldBugs,
  ...effectBugs,
  ...removalBugs,
  ...blockedBugs,
  ...exceptionBugs,
  ...finalizerBugs,
  ...strangerBugs,
  ...mistakeBugs,
];
