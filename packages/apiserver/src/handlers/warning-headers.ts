import type { RequestContext } from '../registry/request-context.js';

/** The Warning headers of an answer; several sentences are one header with commas. */
export function warningHeaders({ warnings }: Pick<RequestContext, 'warnings'>): Readonly<Record<string, string>> {
  if (warnings.length === 0) return {};
  return { warning: [...new Set(warnings)].map((sentence) => `299 - ${quoted(sentence)}`).join(', ') };
}

/** A header takes no control characters, and none beyond Latin-1. */
function quoted(sentence: string): string {
  const printable = sentence.replace(/[^\x20-\x7e]/g, '?');
  return `"${printable.replace(/[\\"]/g, '\\$&')}"`;
}
