import { ContainerScanner } from './container-scanner.js';
import { withReplacements } from './replacements.js';
import { isSecretName, MASK } from './secret-name.js';
import { isSecretPair } from './secret-pair.js';

/** Matches the name of a member with its quotes and their backslashes. If the value is an object or a list, captures its bracket. */
const NAMED =
  /(\\{0,31})(["']?)(?<![\w.-])([\w.-]{1,140})(?![\w.-])\1\2(?=(?:\s|\\{1,31}[nrt])*:(?:(?:\s|\\{1,31}[nrt])*([{[]))?)/g;
/** Matches every text that contains an object or a list below a name. The check is fast. */
const CONTAINER = /:(?:\s|\\{1,31}[nrt])*[{[]/;
const PAIR_NAME = /^(?:op|path|value|name)$/;
/**
 * The maximum number of times that the scanner reads each character, on average. Beyond this limit, the remaining text is masked without
 * reading it, so that masking takes linear time.
 */
const MOST_READS = 16;

/**
 * Masks the objects and lists below a secret name in a text, except those that `ContainerShape` shows. Also masks the values of JSON patch
 * operations with a secret path, and of environment variables with a secret name. The members can have any order.
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
