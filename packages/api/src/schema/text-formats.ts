import { goDuration, verboseDuration } from './duration-text.js';
import { isCidr, isIPv4, isIPv6 } from './ip-format.js';

/** Returns whether a string has a format. */
export type FormatTest = (text: string) => boolean;

const HEX = '[0-9a-f]';
const uuid = (version: string, variant: string): FormatTest =>
  matches(new RegExp(`^${HEX}{8}-?${HEX}{4}-?${version}-?${variant}-?${HEX}{12}$`, 'i'));
const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';

// The tests of the string formats, keyed by the format name without dashes, as in Kubernetes.
const FORMATS: ReadonlyMap<string, FormatTest> = new Map<string, FormatTest>([
  ['bsonobjectid', matches(/^[0-9a-fA-F]{24}$/)],
  ['uri', isUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', isIPv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', uuid(`${HEX}{4}`, `${HEX}{4}`)],
  ['uuid3', uuid(`3${HEX}{3}`, `${HEX}{4}`)],
  ['uuid4', uuid(`4${HEX}{3}`, `[89ab]${HEX}{3}`)],
  ['uuid5', uuid(`5${HEX}{3}`, `[89ab]${HEX}{3}`)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', isRgbColor],
  ['byte', matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && new RegExp(`^${LABEL}$`).test(text)],
  ['k8slongname', (text) => text.length <= 253 && new RegExp(`^${LABEL}(?:\\.${LABEL})*$`).test(text)],
]);

/** Returns the test of a string format, or undefined for formats that Kubernetes does not validate. */
export function textFormat(name: string): FormatTest | undefined {
  return FORMATS.get(name.replaceAll('-', ''));
}

function matches(pattern: RegExp): FormatTest {
  return (text) => pattern.test(text);
}

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})$/.exec(time);
  const [, hour = '99', minute = '99', second = '99'] = match ?? [];
  return match !== null && hour <= '23' && minute <= '59' && second <= '59';
}

// Durations of Go (`1h30m`, `-1.5s`), or whole numbers with units as words anywhere in the text (`3 days`).
function isDuration(text: string): boolean {
  return goDuration(text) !== undefined || verboseDuration(text) !== undefined;
}

function isUri(text: string): boolean {
  if (text === '' || /[\p{Cc} ]/u.test(text.split('?')[0] ?? '') || /%(?![0-9A-Fa-f]{2})/.test(text)) {
    return false;
  }
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  if (scheme === null) return text.startsWith('/');
  const rest = text.slice(scheme[0].length);
  if (!rest.startsWith('//')) return rest !== '';
  const authority = rest.slice(2).split(/[/?]/)[0] ?? '';
  return /^(?:[^@\s]*@)?(?:\[[0-9A-Fa-f:.]+(?:%25[^\]]+)?\]|[^\s[\]<>"\\^`{|}:]*)(?::[0-9]*)?$/.test(authority);
}

function isEmail(text: string): boolean {
  const bracketed = /^(?:"(?:[^"\\]|\\.)*"\s*|[^<>@",;:\\[\]()]*)<([^<>]+)>\s*$/.exec(text);
  const address = (bracketed?.[1] ?? text).trim();
  const atom = "[\\p{L}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
  return new RegExp(
    `^(?:${atom}(?:\\.${atom})*|"(?:[^"\\\\]|\\\\.)+")@(?:${atom}(?:\\.${atom})*|\\[[^\\]\\s]+\\])$`,
    'u',
  ).test(address);
}

function isHostname(text: string): boolean {
  const name =
    /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;
  return name.test(text) && text.length <= 255 && text.split('.').every((part) => part.length <= 63);
}

function isMac(text: string): boolean {
  const octets = /^[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1)*[0-9A-Fa-f]{2}$/.test(text);
  const groups = /^[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4})*$/.test(text);
  return (octets || groups) && [12, 16, 40].includes(text.replace(/[:.-]/g, '').length);
}

function isRgbColor(text: string): boolean {
  const part = '\\s*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*';
  return new RegExp(`^rgb\\(${part},${part},${part}\\)$`).test(text);
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, at) => total + (at + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  const issuer =
    /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
  if (!issuer.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
