import { KubewrightError } from '../errors/kubewright-error.js';
import type { AnyClass } from '../metadata/any-class.js';
import { recordMetadata } from '../metadata/reflection.js';
import type { RuleOptions } from '../metadata/rule-options.js';

/**
 * Adds a CEL rule to a kind, a nested class or a field. The API server evaluates the rule. Throws INVALID_RULE when the class is loaded if
 * the rule is empty.
 */
export function Rule(options: RuleOptions): (target: object, key?: string) => void {
  return (target, key) => {
    const owner = (key === undefined ? target : target.constructor) as AnyClass;
    if (options.rule.trim() === '') {
      const what = key === undefined ? `class ${owner.name}` : `field '${key}' of ${owner.name}`;
      throw new KubewrightError(
        'INVALID_RULE',
        `cannot load ${what}: the rule is empty; write a CEL expression that uses self`,
      );
    }
    recordMetadata(owner, (metadata) => {
      if (key === undefined) return { ...metadata, rules: [options, ...metadata.rules] };
      const rules = [options, ...(metadata.fieldRules[key] ?? [])];
      return { ...metadata, fieldRules: { ...metadata.fieldRules, [key]: rules } };
    });
  };
}
