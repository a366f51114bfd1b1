/**
 * A text as searches compare it, whatever its case: with composed letters, in lower case, and with one small sigma, of
 * which the case of a word's end makes another one.
 */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
