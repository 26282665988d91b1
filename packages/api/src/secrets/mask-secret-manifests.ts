import { bracketEnd, replaceAfter } from './quoted-text.js';
import { MASK } from './secret-name.js';

/** Matches a Secret or a list of Secrets in JSON, in YAML or as Node.js prints objects. The quotes may be escaped. */
const OF_SECRET = /\bkind\\*["']?\s*:\s*\\*["']?Secret(?:List)?\b/;
const JSON_DATA = /(\\{0,31})["']?\b(?:data|stringData)\b\1["']?\s*:\s*(?=\{)/g;
/**
 * The field `data` or `stringData` in YAML, with all following lines that are indented deeper. The lines can be empty, because a value of
 * several lines can contain empty lines.
 */
const YAML_DATA = /^([ \t]*)((?:data|stringData):)[ \t]*\r?\n(?:(?:\1[ \t]+.*|[ \t]*)(?:\r?\n|$))+/gm;
/** Like `YAML_DATA`, for the first field of a list item: `- data:`. */
const YAML_ITEM_DATA = /^([ \t]*)(- (?:data|stringData):)[ \t]*\r?\n(?:(?:\1[ \t]{3,}.*|[ \t]*)(?:\r?\n|$))+/gm;

/** Masks the data of each Secret that the text contains as JSON, as YAML or in the format of `util.inspect`. */
export function maskSecretManifests(text: string): string {
  if (!OF_SECRET.test(text)) return text;
  const masked = replaceAfter(text, JSON_DATA, (at, [, escape = '']) => ({
    end: bracketEnd(text, at, escape),
    by: `{${MASK}}`,
  }));
  return masked.replace(YAML_DATA, `$1$2 ${MASK}\n`).replace(YAML_ITEM_DATA, `$1$2 ${MASK}\n`);
}
