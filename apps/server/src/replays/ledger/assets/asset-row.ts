import { createHash } from 'node:crypto'

/** What stands for an address in the ledger: it is as long for each. */
export const hashOf = (url: string): string => createHash('sha256').update(url).digest('hex')

/** Who has the blob of a row. */
export const holderOf = (id: number): string => `replay asset ${id}`
