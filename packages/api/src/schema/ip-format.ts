import { isIPv4 as isStrictIPv4, isIPv6 as isNodeIPv6 } from 'node:net';

/**
 * Whether the text is an IPv4 address. Leading zeros are allowed. Also accepts an IPv6 address that ends in an IPv4 address, as Kubernetes
 * does.
 */
export function isIPv4(text: string): boolean {
  return text.includes('.') && isAddress(text);
}

/** Whether the text is an IPv6 address without a zone. */
export function isIPv6(text: string): boolean {
  return text.includes(':') && isAddress(text);
}

/** Whether the text is an address, a slash and a number of bits. */
export function isCidr(text: string): boolean {
  const match = /^(.+)\/([0-9]{1,3})$/.exec(text);
  if (match === null) return false;
  const [, address = '', bits = ''] = match;
  return isAddress(address) && Number(bits) <= (address.includes(':') ? 128 : 32);
}

function isAddress(text: string): boolean {
  if (text.includes(':')) return !text.includes('%') && isNodeIPv6(text);
  return isStrictIPv4(text.replace(/(^|\.)0+(?=[0-9])/g, '$1'));
}
