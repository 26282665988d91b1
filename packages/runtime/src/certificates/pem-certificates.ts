const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Returns the certificates in a PEM text, each as PEM. Ignores all other text. Does not check the certificates. */
export function pemCertificates(text: string): readonly string[] {
  return text.match(CERTIFICATE) ?? [];
}
