import { celCases } from './cel-cases.js';
import { crdCases, storedDefinitionCases } from './crd-cases.js';
import { errorsCases } from './errors-cases.js';
import type { LimitCase } from './limit-case.js';
import { limitCases } from './limit-cases.js';
import { longCallsCases } from './long-calls-cases.js';
import { protobufCases } from './protobuf-cases.js';
import { rulesCases } from './rules-cases.js';
import { subresourceCases } from './subresource-cases.js';

/** The cases of all themes. */
export const allCases: readonly LimitCase[] = [
  ...limitCases,
  ...celCases,
  ...crdCases,
  ...storedDefinitionCases,
  ...errorsCases,
  ...longCallsCases,
  ...protobufCases,
  ...rulesCases,
  ...subresourceCases,
];
