import { maskText } from '@kubewright/api/secrets';

/** The result of a check. */
export interface Finding {
  /** The name of the check, such as 'node' or 'tsconfig'. The names do not change, so that scripts can use them. */
  readonly check: string;
  /** The severity: 'wrong' requires a correction, 'warning' affects only some commands, and 'note' is a possible simplification. */
  readonly state: 'ok' | 'note' | 'warning' | 'wrong';
  /** The description of the finding, as a sentence without a period. */
  readonly found: string;
  /** The suggested correction. */
  readonly remedy?: string;
}

/** Creates a finding without a problem. */
export function ok(check: string, found: string): Finding {
  return { check, state: 'ok', found: maskText(found) };
}
/** Creates a finding that is a possible simplification. */
export function note(check: string, found: string, remedy: string): Finding {
  return { check, state: 'note', found: maskText(found), remedy };
}
/** Creates a finding that affects only some commands. */
export function warning(check: string, found: string, remedy: string): Finding {
  return { check, state: 'warning', found: maskText(found), remedy };
}
/** Creates a finding that requires a correction. */
export function wrong(check: string, found: string, remedy: string): Finding {
  return { check, state: 'wrong', found: maskText(found), remedy };
}
/** Converts an error to a finding. The text after the last semicolon of the message is the suggested correction. */
export function refused(check: string, { message }: Error): Finding {
  return { check, state: 'wrong', ...withRemedy(maskText(message)) };
}
/** Converts a message to a warning. The text after the last semicolon is the suggested correction. */
export function doubtful(check: string, message: string): Finding {
  return { check, state: 'warning', ...withRemedy(maskText(message)) };
}

function withRemedy(sentence: string): Pick<Finding, 'found' | 'remedy'> {
  const at = sentence.lastIndexOf('; ');
  return at === -1 ? { found: sentence } : { found: sentence.slice(0, at), remedy: sentence.slice(at + 2) };
}
