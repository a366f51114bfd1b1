const PLAIN_KEY = /^(?:(?![\d.]+$)[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}|tags\[[^\]\s]{1,200}\])$/

/** `key:value`, which is read back as exactly that key and that text. A quotation mark in a key is lost: no key can have one. */
export const formatFilter = (key: string, value: string, negated = false): string =>
  `${negated ? '!' : ''}${PLAIN_KEY.test(key) ? key : `"${key.replaceAll('"', '')}"`}:${formatValue(value)}`

/** A value that means each of its characters: quoted where it would not survive as one word, stars and quotation marks escaped. */
export const formatValue = (value: string): string => {
  const escaped = escape(value)
  return value === '' || /[\s"()[\],]|^[<>=!]|^\/\//.test(value) ? `"${escaped}"` : escaped
}

/** Text anywhere in title or message, each of its characters meant as it stands; what looks like a filter is none. */
export const formatText = (text: string): string => `"${escape(text)}"`

const escape = (value: string): string => value.replaceAll(/\\(?=[\\*"]|$)|[*"]/g, String.raw`\$&`)
