const most = 2n ** 64n;

/** Why a text is no number of a version, as the server's own program says it; undefined for one that is. */
export function versionFault(text: string): string | undefined {
  const parsing = `strconv.ParseUint: parsing ${JSON.stringify(text)}`;
  if (!/^\d+$/.test(text)) return `${parsing}: invalid syntax`;
  const digits = text.replace(/^0+/, '');
  return digits.length > 20 || (digits.length === 20 && BigInt(digits) >= most)
    ? `${parsing}: value out of range`
    : undefined;
}

/** The same of a version that an option names. */
export function versionOptionFault(text: string): string | undefined {
  const fault = versionFault(text);
  return fault === undefined ? undefined : `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${fault}`;
}
