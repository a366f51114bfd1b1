/**
 * Text of strangers on its way into a message. First it becomes plain (`plainLine`, `plainText`), then it is cut by what a
 * reader sees as one character, and only then is it escaped, so that no escape is cut in two.
 */

/** More than any channel shows; what comes is cut to it before anything looks at each character. */
const LOOKED_AT = 64 * 1024

// Controls but line feeds, marks that change the direction of writing, and whatever else Unicode says is not shown.
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- these are the ones to go
  /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\uFFF9-\uFFFB\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

const normalised = (text: string): string =>
  text
    .slice(0, LOOKED_AT)
    .toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029\u0085\u000B\u000C]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(UNSEEN, '')
    .normalize('NFC')

/** Lines stay lines; nothing else stays that is not seen. */
export const plainText = (text: string): string =>
  normalised(text)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

/** One line, whatever it was. */
export const plainLine = (text: string): string => normalised(text).replaceAll(/\s+/g, ' ').trim()

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What an escape makes of one character, as it counts for a limit. */
export type Measure = (grapheme: string) => number

export const inUnits: Measure = (grapheme) => grapheme.length
export const inBytes: Measure = (grapheme) => Buffer.byteLength(grapheme)

const ELLIPSIS = '…'

/** The beginning of a text that fits, whole characters only; of a text that was cut the last one is an ellipsis. */
export const cut = (text: string, limit: number, measure: Measure = inUnits): string => {
  const rest = limit - measure(ELLIPSIS)
  let size = 0
  let fits = 0
  for (const { segment, index } of graphemes.segment(text)) {
    size += measure(segment)
    if (size > limit) return rest < 0 ? '' : `${text.slice(0, fits)}${ELLIPSIS}`
    if (size <= rest) fits = index + segment.length
  }
  return text
}
