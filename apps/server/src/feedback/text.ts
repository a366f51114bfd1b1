/** Text of a stranger: well-formed, without control characters but line breaks and tabs, trimmed, bounded. */
export const cleanText = (value: unknown, maximum: number): string => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return ''
  const text = String(value)
    .slice(0, maximum * 2)
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    // oxlint-disable-next-line no-control-regex -- They are what is taken out.
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
  return text.length <= maximum ? text : text.slice(0, maximum).toWellFormed()
}

/** One line: names, addresses, URLs. Nothing in it can begin a new header of a mail. */
export const cleanLine = (value: unknown, maximum: number): string =>
  cleanText(value, maximum).replaceAll(/[\n\t\u2028\u2029]+/g, ' ')

const ID = /^[0-9a-f]{32}$/

export const cleanId = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const id = value.trim().toLowerCase().replaceAll('-', '')
  return ID.test(id) && !/^0+$/.test(id) ? id : null
}
