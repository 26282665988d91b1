import { celCases } from './cel-cases.js';
import type { LimitCase } from './limit-case.js';
import { limitCases } from './limit-cases.js';

/** The cases of all themes. */
export const allCases: readonly LimitCase[] = [...limitCases, ...celCases];
