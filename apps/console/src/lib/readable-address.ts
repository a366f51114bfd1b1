/**
 * Addresses as people read them: letters that are written in percent are letters. What would change how the rest is read
 * (signs with a meaning in addresses, blanks, what is not seen, directions of writing) stays as it is written.
 */

/** Letters with their marks, and digits, of any script but ASCII. */
const READABLE = /^[\p{L}\p{M}\p{N}]$/u

const decoded = (written: string): string => {
  try {
    return Array.from(decodeURIComponent(written), (sign) => {
      if (sign <= '\x7f') return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
      return READABLE.test(sign) ? sign : encodeURIComponent(sign)
    }).join('')
  } catch {
    // No UTF-8: it is shown as it is.
    return written
  }
}

export const readableAddress = (address: string): string => address.replaceAll(/(?:%[0-9a-f]{2})+/gi, decoded)

/** Parts between signs that have a meaning, with these: each may be written from the right. */
export const addressParts = (address: string): readonly string[] =>
  address.split(/([/?#&=.:@]+)/).filter((part) => part !== '')
