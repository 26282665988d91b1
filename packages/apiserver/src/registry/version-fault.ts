const most = 2n ** 64n;

/** Returns why a text is not a resourceVersion, with the text of kube-apiserver. Returns undefined for a valid resourceVersion. */
export function versionFault(text: string): string | undefined {
  const parsing = `strconv.ParseUint: parsing ${JSON.stringify(text)}`;
  if (!/^\d+$/.test(text)) return `${parsing}: invalid syntax`;
  const digits = text.replace(/^0+/, '');
  return digits.length > 20 || (digits.length === 20 && BigInt(digits) >= most)
    ? `${parsing}: value out of range`
    : undefined;
}

/** Returns why a text is not a resourceVersion in request options. Returns undefined for a valid resourceVersion. */
export function versionOptionFault(text: string): string | undefined {
  const fault = versionFault(text);
  return fault === undefined ? undefined : `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${fault}`;
}
