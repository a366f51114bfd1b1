import { createHash } from 'node:crypto'

/** How a statement asks whether a text is one of somebody's names. Addresses are in lower case. */
export interface NamesSql {
  readonly isKey: (text: string) => string
  readonly isEmail: (text: string) => string
}

/** Binds `keys` and `emails`. */
export const BY_NAME: NamesSql = {
  isKey: (text) => `${text} IN {keys:Array(String)}`,
  isEmail: (text) => `${text} IN {emails:Array(String)}`,
}

/** The same for statements that are written down where they run, as changes of a table are: no name is readable in them. */
export const BY_HASH: NamesSql = {
  isKey: (text) => `hex(MD5(${text})) IN {keyHashes:Array(String)}`,
  isEmail: (text) => `hex(MD5(${text})) IN {emailHashes:Array(String)}`,
}

const hashOf = (name: string): string => createHash('md5').update(name).digest('hex').toUpperCase()

/** What `BY_HASH` binds. */
export const hashesOf = ({
  keys,
  emails,
}: {
  readonly keys: readonly string[]
  readonly emails: readonly string[]
}): { readonly keyHashes: readonly string[]; readonly emailHashes: readonly string[] } => ({
  keyHashes: keys.map(hashOf),
  emailHashes: emails.map(hashOf),
})
