const most = 2n ** 64n;

/** Returns the error message of kube-apiserver for an invalid resourceVersion, or undefined for a valid resourceVersion. */
export function versionFault(text: string): string | undefined {
  const parsing = `strconv.ParseUint: parsing ${JSON.stringify(text)}`;
  if (!/^\d+$/.test(text)) return `${parsing}: invalid syntax`;
  const digits = text.replace(/^0+/, '');
  return digits.length > 20 || (digits.length === 20 && BigInt(digits) >= most)
    ? `${parsing}: value out of range`
    : undefined;
}

/** Returns the error message for an invalid resourceVersion in request options, or undefined for a valid resourceVersion. */
export function versionOptionFault(text: string): string | undefined {
  const fault = versionFault(text);
  return fault === undefined ? undefined : `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${fault}`;
}
