import { ContainerScanner } from './container-scanner.js';
import { withReplacements } from './replacements.js';
import { isSecretName, MASK } from './secret-name.js';
import { isSecretPair } from './secret-pair.js';

/** The name of a member with its quotes and the backslashes before them, and the bracket of an object or a list. */
const NAMED =
  /(\\{0,31})(["']?)(?<![\w.-])([\w.-]{1,140})(?![\w.-])\1\2(?=(?:\s|\\{1,31}[nrt])*:(?:(?:\s|\\{1,31}[nrt])*([{[]))?)/g;
/** Each text with an object or a list below a secret name has a match. */
const CONTAINER = /:(?:\s|\\{1,31}[nrt])*[{[]/;
const PAIR_NAME = /^(?:op|path|value|name)$/;
/** A text of a form that makes the scanner read parts of the text more often is masked from there on. */
const MOST_READS = 16;

/**
 * Masks each object and each list below a secret name in a text, unless `ContainerShape` shows it, and the values of JSON patches and of
 * variables with a secret path or name, in any order of members.
 */
export function maskContainers(text: string, scanner: ContainerScanner = new ContainerScanner(text)): string {
  const isPair = isSecretPair(text);
  if (!isPair && !CONTAINER.test(text)) return text;
  for (const { index, 1: escape = '', 2: quote = '', 3: name = '', 4: bracket } of text.matchAll(NAMED)) {
    const isRead = (isPair && PAIR_NAME.test(name)) || (bracket !== undefined && isSecretName(name));
    if (!isRead || scanner.hasRead(index)) continue;
    if (scanner.readCharacters > MOST_READS * text.length) {
      scanner.replacements.push({ start: index, end: text.length, by: MASK });
      break;
    }
    scanner.read(index, quote === '' ? 0 : escape.length);
  }
  return withReplacements(text, scanner.replacements);
}
