/** Returns PEM with the label and the content in base64, as in the fields of a CertificateSigningRequest. */
export function pem(label: string, content: string): string {
  return Buffer.from(`-----BEGIN ${label}-----\n${content}\n-----END ${label}-----\n`).toString('base64');
}

const request = (content: string): string => pem('CERTIFICATE REQUEST', content);

/** Certificate requests in base64, by their subjects. */
export const certificateRequests = {
  /** CN=a, O=system:masters */
  masters: request(
    'MIHgMIGHAgEAMCUxCjAIBgNVBAMMAWExFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE/6DgW+UfMFNqqkYBhnpf0AapjYObRXxFsgO0ouw075MvnOwiScWh/9vX+owi+9bHHIalYeTrlMcZie7BvBDivqAAMAoGCCqGSM49BAMCA0gAMEUCIAdPPQhVyDcXcXOgt85GtIVyiF9v5BJB8Q0W6jDYA7msAiEAn0erXCxRMyerwHBEHdK1WXvqG52d+NmT78kTCuDehjM=',
  ),
  /** O=devs, O=system:masters, CN=a */
  several: request(
    'MIHwMIGWAgEAMDQxDTALBgNVBAoMBGRldnMxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQowCAYDVQQDDAFhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEIbjR/tKM7nc4kS5tSvN87bBPmyX4neVlmFdk/QjWDB2GYch5fIc0vOmxPXgDZrbKhrpFl/s64TygizAE4AMjbKAAMAoGCCqGSM49BAMCA0kAMEYCIQDfTveffVRFp6S6Ggxf4QZk5uFelVadXo9Rc0JasjYkMwIhAMruAOwVXiTwD8wOsqIn4qZRjvezFe4iGpJ37TCXLty+',
  ),
  /** CN=a and O=system:masters in one relative name */
  together: request(
    'MIHfMIGFAgEAMCMxITAIBgNVBAMMAWEwFQYDVQQKDA5zeXN0ZW06bWFzdGVyczBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJchFoQ0Z1vNTuMYElnVaU5rvn2NV3lcg+nQPYvvku8/fGVcacrxQ5U6VUnHN11pjqzk3I6M/5HlvpvHcff5GnugADAKBggqhkjOPQQDAgNJADBGAiEAg4FSu3MIhFGuBeVYNc/u1NoKC+Wgu3H8pJbcorXBOlgCIQDuPnKIb769ldUo9FbIueK59Ttjdw4MkKXz55lTzJYXuQ==',
  ),
  /** O=system:masters as a BMPString */
  wide: request(
    'MIHiMIGJAgEAMCcxJTAjBgNVBAoeHABzAHkAcwB0AGUAbQA6AG0AYQBzAHQAZQByAHMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARtAQlVnrodAKryk3co5//gObkAFUIfalHOgylbvnKhkDZXV4cLAbqe1FsJkch87uE7TGqBIlv8qs3vCryAPoQtoAAwCgYIKoZIzj0EAwIDSAAwRQIgAIoiP3Pu/cWHHhhzl2CeemWBRi8TWHNc8u0jXyQIzOkCIQDp/pFL8ws/TeE/I6wClDvBp/UKRbBV3QJ27wqWinD7hg==',
  ),
  /** O=system:masters as a PrintableString */
  printable: request(
    'MIHSMHsCAQAwGTEXMBUGA1UEChMOc3lzdGVtOm1hc3RlcnMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT4X/Ftxm4kAQ8YmB0J/LjHTdZxcq9H6iUpcV7m1IvLWzOadxclNPGasOIv8uTLujKBzDzOWu3gx98droanrDdooAAwCgYIKoZIzj0EAwIDRwAwRAIgGzbRW7yJ5rXZE9DSByFqWscuHxCyQ25Y1uTqDJV9KNUCIHphdnEynzPEYeSFPSz/0E+7I15L2HLXWwVOmgwOond9',
  ),
  /** CN=system:masters, O=system:masters2, OU=system:masters */
  other: request(
    'MIIBBzCBrgIBADBMMRcwFQYDVQQDDA5zeXN0ZW06bWFzdGVyczEYMBYGA1UECgwPc3lzdGVtOm1hc3RlcnMyMRcwFQYDVQQLDA5zeXN0ZW06bWFzdGVyczBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNAB1gcVny8VvVYjD+1MMfm2YzAFlem3g7WO1LW6qiZVjKzsRvzETqO7ES6fVFCgGz9V9lZamc5ZLlcBeenCPjOgADAKBggqhkjOPQQDAgNIADBFAiB263cSONpH+FxZ0WV/VDSxyLzVEZ0W5FZB68Q8j7TOuwIhAKGZAeZsNc+YlXuYbeKB2Zi+uaRJDfUz6PWKvLAgEFqt',
  ),
  /** CN=a with the signature SHA256-RSA */
  rsa: request(
    'MIIBSzCBtQIBADAMMQowCAYDVQQDDAFhMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCsuNnJ30m0y2O1BLdw82Yk8C/TzH0pgBCQ6cZN3R2rRqJ0AEEwD+ERbSBovWvlPTIsfEWXo+eiAxH7sGxRRx2g1zL7+VOh9noXMVI3xqR/Ev7+s4nPzc4BABolGsS0bP6yxmYoeuV0yTiFH1xPuUSp+0oEHs+3sxxRJAhrtwklZQIDAQABoAAwDQYJKoZIhvcNAQELBQADgYEAjrd5F1OTj5pNEYNVziBIy9czNhw1MX/ymZfA62B8W0JVXFQ2NhUTOqvV9Q59MpGYD9BoCFn3NehBEbQIQDtWyj+MhyJkUDGKL/EKkV00DlMuIuhAuc0vmXMe9TTwFJsy6/mhxk7x8a04Myv6LbS6Ig34KGn9EWqekIlXgina1Pw=',
  ),
  /** CN=a with the signature SHA1-RSA */
  sha1: request(
    'MIIBSzCBtQIBADAMMQowCAYDVQQDDAFhMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCsuNnJ30m0y2O1BLdw82Yk8C/TzH0pgBCQ6cZN3R2rRqJ0AEEwD+ERbSBovWvlPTIsfEWXo+eiAxH7sGxRRx2g1zL7+VOh9noXMVI3xqR/Ev7+s4nPzc4BABolGsS0bP6yxmYoeuV0yTiFH1xPuUSp+0oEHs+3sxxRJAhrtwklZQIDAQABoAAwDQYJKoZIhvcNAQEFBQADgYEASI1qEssPZOTbIjKrkZb0a61TDoekH3Esze/2kvOwuuTwNWKC9e82YmZOocqS3u+5rJAKzsVOf7T001xDVl4t9h+9yUZ1GysPruG3lj+YtSfpDYdtiQVUPXhpDPQ8P7R/DT+XMCjszsCl7WrHhC2Ic1qglsmqSoAynt04+pPLR+s=',
  ),
  /** CN=a with the signature SHA256-RSAPSS */
  pss: request(
    'MIIBfzCBtQIBADAMMQowCAYDVQQDDAFhMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCsuNnJ30m0y2O1BLdw82Yk8C/TzH0pgBCQ6cZN3R2rRqJ0AEEwD+ERbSBovWvlPTIsfEWXo+eiAxH7sGxRRx2g1zL7+VOh9noXMVI3xqR/Ev7+s4nPzc4BABolGsS0bP6yxmYoeuV0yTiFH1xPuUSp+0oEHs+3sxxRJAhrtwklZQIDAQABoAAwQQYJKoZIhvcNAQEKMDSgDzANBglghkgBZQMEAgEFAKEcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgEFAKIDAgEgA4GBAKgisSufiwxbbD/7e7MWIISiIWjh6ndbxTwxxqXgXE6aqkeM5ml+IuUhUux0c9jyOJHb+VWzVdXIeeVfx595ona6OPrRB9Vgm6hvoCMW3Fs2d0f9eqhfXxrRyZ2WMJtu1LQow1oRfsyQ1nQSDWu1cG+DQR0DUUXcTFwYfxhJBdDW',
  ),
  /** CN=a with the signature Ed25519 */
  ed25519: request(
    'MIGLMD8CAQAwDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhAKn7462JKevmBZSW6dZthLkKweJiGb9oNaTYAYT219hGoAAwBQYDK2VwA0EApFGfVtXH8xuRqe0iHhBAI31ha4rAd2uHGR4S0pxLwmC5y9OziWnaiDmKNYTOWNQm7TjorGms/JbmfVGZMgn3Dw==',
  ),
  /** CN=a with the signature ECDSA-SHA384 */
  sha384: request(
    'MIHHMG4CAQAwDDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABF0htiuNEq7prFa42BIHOJyYdrZXoU7mt53rT/7sjUSvqWXxS+07IBPAWjYlRPBL9CNc+U2kTvICKK+I22Dc9rygADAKBggqhkjOPQQDAwNJADBGAiEAsaU1SK6f89tmABe9E1DSNj3unwUr481cGF68guRV0RoCIQDmwNLuzSNgNCsNEXuwGaMIU3D9J6rX6Ih3Fvz4cjUaCg==',
  ),
} as const;

/** A certificate in base64. */
export const certificate = pem(
  'CERTIFICATE',
  'MIIBbzCCARWgAwIBAgIUTDi+Wvk6JdGEjXciQAaaI+PfLSYwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjgxMTUxMzNaGA8yMTI2MTEwNDExNTEzM1owDDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABD2IzMh3ZqcnOn9ogF8h+GOrHhizcJxZJuDzP3k3SzD/idS9vhkHksCJn6UEIH3W2FloD7TECilaSM42uY4KYuCjUzBRMB0GA1UdDgQWBBTkCKNJ/fvav2Ca6RhY6Xw85Ee0KDAfBgNVHSMEGDAWgBTkCKNJ/fvav2Ca6RhY6Xw85Ee0KDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQDFEnaYt+XCQf87cBlhjQsSsB7+WvOWPBRHROP7TNtEmgIgHtsMgQmS0yfhB/A3atIcAG5A9/4H7KjKkuWz3oeHCWc=',
);

/** Returns the request after a change of the last byte of its signature. */
export function forged(request: string): string {
  const bytes = Buffer.from(Buffer.from(request, 'base64').toString('latin1').split('\n')[1] ?? '', 'base64');
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  return pem('CERTIFICATE REQUEST', bytes.toString('base64'));
}
