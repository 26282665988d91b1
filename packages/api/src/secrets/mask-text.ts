import { maskContainers } from './mask-containers.js';
import { maskEscapedTexts } from './mask-escaped-texts.js';
import { maskFieldErrors } from './mask-field-errors.js';
import { maskSecretManifests } from './mask-secret-manifests.js';
import { maskYamlBlocks } from './mask-yaml-blocks.js';
import { maskValuesAfter, SCALAR } from './quoted-text.js';
import { MASK, SECRET_FIELD_NAMES, SECRET_NAMES } from './secret-name.js';

// The repetitions in these patterns are bounded, so that the time to mask a text is proportional to its length.

/**
 * Matches the characters and words that credentials contain. A text without a match does not match any pattern below, and `maskText`
 * returns it unchanged. This check is fast, and most texts have no match.
 */
const SUSPICIOUS =
  /pass|pwd|secret|token|credential|key|connection|bearer|basic|authorization|:\/\/|%3a|eyJ|signature|certificate|kubeconfig|\/(?:string)?data|last-applied/i;

const SCHEME = /\b(Bearer|Basic)(\s+|%20)[A-Za-z0-9+/=._~%-]{8,}/g;
/** The Authorization header with a scheme other than Bearer and Basic, or without a scheme. */
const AUTHORIZATION = /\b(authorization\\*["']?\s*[:=]\s*\\*["']?(?:[A-Za-z]+\s+)?)(?=[^\s"'\\,;]*\d)[^\s"'\\,;]{8,}/gi;
/** Matches the password in `postgres://user:password@host`, but not a port. */
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/?#@"']{0,200}):(?!\d+(?:[/?#]|$))[^\s"'<>]{0,500}@/gi;
/** Matches the token in `https://token@host`. */
const URL_TOKEN = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[\w-]{20,500}@/gi;
const ENCODED_URL = /(%3A%2F%2F[^\s%&"']{0,200}%3A)[^\s&"']{0,500}?(%40)/gi;
/** Matches `password=…`, `--token=…` and `password%3D…`, up to the end of the value. */
const ASSIGNED = new RegExp(
  `([\\w.-]{0,100}(?:${SECRET_NAMES}|signature)s?(?:\\s?=\\s?(?!=)|%3D))("(?:[^"\\\\]|\\\\.)*"|'[^']*'|(?:\\\\+["']|[^\\s,;&"'])+)`,
  'gi',
);
/** Matches `"password":`, also within a JSON string. */
const JSON_NAME = new RegExp(`(\\\\{0,31})(["'])[\\w.-]{0,100}${SECRET_FIELD_NAMES}s?\\1\\2\\s*:\\s*`, 'gi');
/** Matches the name in `password: '…'`, as Node.js prints objects. */
const PRINTED_NAME = new RegExp(`\\b[\\w.-]{0,100}${SECRET_NAMES}s?:\\s+(?=\\\\*["'\`])`, 'gi');
/** Matches `apiToken: 1234` as a line of YAML or as Node.js prints objects. A number after a plural, as in `secrets: 3`, is a count. */
const SCALAR_NAME = new RegExp(
  `\\b([\\w.-]{0,100}${SECRET_NAMES}:[ \\t]+)${SCALAR}(?=[ \\t]{0,100}(?:[,;)}\\]\\r\\n#]|$))`,
  'gi',
);
/** Matches `password: …` without quotes. The match can also be a sentence, so `maskYamlNames` checks each match. */
const YAML_NAME =
  /(^[ \t]*(?:-[ \t]+)?|[\s,{(])([\w.-]{0,100}(?:password|passwd|passphrase|pwd|[a-z0-9_]pass|connection[_-]?string):[ \t]+)([^\s,;"'`})]+)/gim;
/** Matches the end of a line after a value, or the start of a comment. */
const LINE_END = /[ \t]{0,100}(?:[\r\n#]|$)/y;
const JWT = /\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g;
const PRIVATE_KEY = /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(-----END|$)/g;

/**
 * Returns a text with its credentials masked: tokens of headers, passwords of URLs, values of names such as `password=` and `"rootPass":`,
 * private keys, the data of Secrets in JSON or YAML, and the values in errors about secret fields. Text without credentials is returned
 * unchanged.
 */
export function maskText(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  let masked = maskContainers(maskFieldErrors(maskSecretManifests(maskEscapedTexts(text, maskText))))
    .replace(SCHEME, `$1$2${MASK}`)
    .replace(AUTHORIZATION, `$1${MASK}`)
    .replace(URL_PASSWORD, `$1:${MASK}@`)
    .replace(URL_TOKEN, `$1${MASK}@`)
    .replace(ENCODED_URL, `$1${MASK}$2`)
    .replace(ASSIGNED, `$1${MASK}`)
    .replace(JWT, MASK)
    .replace(PRIVATE_KEY, `$1${MASK}$2`);
  for (const name of [JSON_NAME, PRINTED_NAME]) masked = maskValuesAfter(masked, name);
  masked = masked.replace(SCALAR_NAME, `$1${MASK}`);
  return maskYamlBlocks(maskYamlNames(masked));
}

function maskYamlNames(text: string): string {
  const hasLines = text.includes('\n');
  return text.replace(YAML_NAME, (all: string, before: string, name: string, value: string, at: number) => {
    LINE_END.lastIndex = at + all.length;
    const isIndented = before.endsWith(' ');
    const isAfterLine = at === 0 || text[at - 1] === '\n';
    // A sentence may also be indented, or be an item of a list.
    const isWhole = !isIndented || (isAfterLine && LINE_END.test(text));
    const isLine = hasLines && isWhole && !/^(?:[|>]|Required|Invalid|Too)/.test(value);
    return isLine || /\d/.test(value) ? before + name + MASK : all;
  });
}
