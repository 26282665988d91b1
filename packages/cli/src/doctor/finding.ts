import { maskText } from '@kubewright/api/secrets';

/** The result of a check. */
export interface Finding {
  /** The name of the check, such as 'node' or 'tsconfig'; stable, for programs. */
  readonly check: string;
  /** 'wrong' requires a correction; 'warning' affects only some commands. */
  readonly state: 'ok' | 'warning' | 'wrong';
  /** The finding, as a sentence without a period. */
  readonly found: string;
  /** What to do about the finding. */
  readonly cure?: string;
}

/** Returns a finding without a problem. */
export function ok(check: string, found: string): Finding {
  return { check, state: 'ok', found: maskText(found) };
}
/** Returns a finding that affects only some commands. */
export function warning(check: string, found: string, cure: string): Finding {
  return { check, state: 'warning', found: maskText(found), cure };
}
/** Returns a finding that requires a correction. */
export function wrong(check: string, found: string, cure: string): Finding {
  return { check, state: 'wrong', found: maskText(found), cure };
}
/** Converts an error to a finding. The text after the last semicolon of its message states what to do. */
export function refused(check: string, { message }: Error): Finding {
  return { check, state: 'wrong', ...withCure(maskText(message)) };
}
/** Converts a message to a warning. The text after its last semicolon states what to do. */
export function doubtful(check: string, message: string): Finding {
  return { check, state: 'warning', ...withCure(maskText(message)) };
}

function withCure(sentence: string): Pick<Finding, 'found' | 'cure'> {
  const at = sentence.lastIndexOf('; ');
  return at === -1 ? { found: sentence } : { found: sentence.slice(0, at), cure: sentence.slice(at + 2) };
}
