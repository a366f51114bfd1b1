/** A number in an address, as of a chunk or a link; null for what is none. Fifteen digits are exact. */
export const readNumber = (written: string): number | null => (/^\d{1,15}$/.test(written) ? Number(written) : null)
