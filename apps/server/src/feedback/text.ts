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

/**
 * Whether mail may be sent there: one plain address. Strictly less than RFC 5321 allows; no quotes, comments, routes or
 * lists, in which a second recipient could hide.
 */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 &&
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+$/u.test(text)

/** To be read, not to be followed: no reader of mail makes a link of `evil. example` or `https: //`. */
export const withoutLinks = (text: string): string =>
  text.replaceAll('://', ': //').replaceAll(/(?<=\S)\.(?=\p{L})/gu, '. ')
