/** Replaces invalid UTF-8 by U+FFFD and skips a byte order mark (protocol.md checks 105, 109). */
const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Bytes to text. Never fails: invalid UTF-8 becomes U+FFFD, a leading byte order mark is skipped. */
export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Text to UTF-8 bytes; lone surrogates become U+FFFD. */
export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text)
