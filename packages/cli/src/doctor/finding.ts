import { maskText } from '@kubewright/api/secrets';

/** One thing that was looked at. */
export interface Finding {
  /** What was looked at, such as 'node' or 'tsconfig'; stable, for programs. */
  readonly check: string;
  /** 'wrong' is what has to be put right; 'warning' is what will be in the way of some commands. */
  readonly state: 'ok' | 'warning' | 'wrong';
  /** What was found, as a sentence without its end. */
  readonly found: string;
  /** What to do about it. */
  readonly cure?: string;
}

/** All is well. */
export function ok(check: string, found: string): Finding {
  return { check, state: 'ok', found: maskText(found) };
}
/** Something will be in the way of some commands. */
export function warning(check: string, found: string, cure: string): Finding {
  return { check, state: 'warning', found: maskText(found), cure };
}
/** Something has to be put right. */
export function wrong(check: string, found: string, cure: string): Finding {
  return { check, state: 'wrong', found: maskText(found), cure };
}
/** What an error says is wrong; its message ends with its cure after the last semicolon. */
export function refused(check: string, { message }: Error): Finding {
  return { check, state: 'wrong', ...withCure(maskText(message)) };
}
/** A warning, which ends with its cure after the last semicolon. */
export function doubtful(check: string, message: string): Finding {
  return { check, state: 'warning', ...withCure(maskText(message)) };
}

function withCure(sentence: string): Pick<Finding, 'found' | 'cure'> {
  const at = sentence.lastIndexOf('; ');
  return at === -1 ? { found: sentence } : { found: sentence.slice(0, at), cure: sentence.slice(at + 2) };
}
