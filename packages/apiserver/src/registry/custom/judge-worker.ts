import { parentPort, workerData } from 'node:worker_threads';
import { RuleValidator, type RuleVerdict } from '@kubewright/api/cel';
import { parseJson } from '@kubewright/api/json';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { JudgementTexts } from './judge-apart.js';

const { schema, object, old } = workerData as JudgementTexts;

function verdict(): RuleVerdict {
  const validator = RuleValidator.compile(parseJson(schema) as StructuralSchema);
  const { errors = [], warnings = [] } =
    validator?.validate(parseJson(object), old === undefined ? undefined : parseJson(old)) ?? {};
  return { errors, warnings };
}

parentPort?.postMessage(verdict(), []);
