const HYPHENATED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const SIMPLE = /^[0-9a-f]{32}$/i

/** True for 32 hex digits, or 36 characters with hyphens, in any case (protocol.md 1.2). */
export const isUuid = (text: string): boolean =>
  text.length === 32 ? SIMPLE.test(text) : text.length === 36 && HYPHENATED.test(text)

/** 32 lower-case hex characters, or null when the value is not a UUID string. */
export const normaliseEventId = (value: unknown): string | null => {
  if (typeof value !== 'string' || !isUuid(value)) return null
  const simple = value.length === 32 ? value : value.replaceAll('-', '')
  return simple.toLowerCase()
}
