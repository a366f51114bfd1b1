/** Rows that say something. */
export const present = (rows: readonly (readonly [name: string, value: string | null | undefined])[]) =>
  rows.flatMap(([name, value]) => (value === null || value === undefined || value === '' ? [] : [{ name, value }]))

/** What comes after the path of an address may be a secret. */
export const withoutQuery = (address: string): string => address.replace(/[?#].*$/s, '')

/** Who an event happened to is nothing for a tracker, which others read. */
export const isPersonal = (key: string): boolean => key === 'user' || key.startsWith('user.')
