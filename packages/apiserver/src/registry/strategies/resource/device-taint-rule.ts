import type { Strategy } from '../../definitions/strategy.js';

/** The strategy for DeviceTaintRules of Kubernetes 1.37. Only the schema validates the objects. */
export const deviceTaintRuleStrategy: Partial<Strategy> = {
  tracksGeneration: true,
  cells: (rule) => [rule.metadata.name, rule.metadata.creationTimestamp],
};
