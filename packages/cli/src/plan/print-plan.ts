import type { FieldChange, Plan, PlannedOutcome, PlannedWrite } from '@kubewright/runtime';
import type { Output } from '../command/output.js';
import { shownDifference, shownValue } from '../command/shown-value.js';

/** Prints a plan: the writes with the changed fields, the events, and the result of the reconcile. */
export function printPlan(output: Output, { controller, object, writes, events, outcome }: Plan): void {
  const { bold, dim, yellow } = output.styles;
  output.line(`${bold(object)} ${dim(`reconciled by ${controller}, without writes:`)}`);
  for (const write of writes) printWrite(output, write);
  for (const { type, reason, message, about } of events) {
    output.line(`  ${yellow('event')} ${type} ${reason}: ${message} ${dim(`(about ${about})`)}`);
  }
  if (writes.length === 0 && events.length === 0) output.line(`  ${dim('nothing would be written')}`);
  output.line(`  ${dim('then')} ${outcomeText(outcome)}`);
}

function printWrite(output: Output, write: PlannedWrite): void {
  const { green, red, yellow, dim } = output.styles;
  const { verb, object, subresource, result, changes } = write;
  const { kind, namespace, name } = object;
  const what = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  const colour = result === 'created' ? green : result === 'deleted' || result === 'deleting' ? red : yellow;
  const action = verb === 'apply' && result === 'created' ? 'create (apply)' : verb;
  const note = {
    created: '',
    changed: '',
    unchanged: ', already up to date',
    deleting: ', which waits for its finalizers',
    deleted: '',
  };
  const suffix = result === 'deleted' && verb !== 'delete' ? ', which completes its deletion' : note[result];
  output.line(`  ${colour(action)} ${subresource === undefined ? '' : `${subresource} of `}${what}${dim(suffix)}`);
  const owner = changes.find(({ field }) => OWNER_NAME.test(field));
  if (owner !== undefined) output.line(`    ${green('+')} owner: ${ownerText(changes, owner)}`);
  for (const change of changes) {
    const isReported = result === 'created' && /^metadata\.name(space)?$/.test(change.field);
    if (!isReported && !(owner !== undefined && OWNER.test(change.field)))
      output.line(`    ${changeText(change, output)}`);
  }
}

/** Returns the kind and name of an added owner reference, such as 'Website sample'. */
function ownerText(changes: readonly FieldChange[], { field, to }: FieldChange): string {
  const kind = changes.find((other) => other.field === field.replace(/name$/, 'kind'))?.to;
  return `${String(kind)} ${String(to)}`;
}
const OWNER = /^metadata\.ownerReferences\[/;
const OWNER_NAME = /^metadata\.ownerReferences\[[^\]]*\]\.name$/;

function changeText({ field, from, to, secret }: FieldChange, { styles: { green, red, dim } }: Output): string {
  if (secret === true) return `~ ${field}: ${dim('(differs; the value is secret)')}`;
  if (from === undefined) return `${green('+')} ${field}: ${shownValue(to)}`;
  if (to === undefined) return `${red('-')} ${field}: ${dim(shownValue(from))}`;
  const [before, after] = shownDifference(from, to);
  return `~ ${field}: ${dim(before)} → ${after}`;
}

function outcomeText(outcome: PlannedOutcome): string {
  switch (outcome.kind) {
    case 'done':
      return 'done, until something changes';
    case 'requeue':
      return 'retry with back-off';
    case 'requeueAfter':
      return `reconcile again after ${outcome.delayMs / 1000} s`;
    case 'requeueAt':
      return `reconcile again at ${outcome.moment}`;
    case 'forgotten':
      return 'nothing: the object is being deleted, and does not have a finalizer of this controller';
    case 'paused':
      return `nothing: the object is paused (${outcome.until})`;
    case 'conflict':
      return `retry immediately after a conflict: ${outcome.message}`;
    case 'error':
      return `retry with back-off after an error: ${outcome.message}`;
  }
}
