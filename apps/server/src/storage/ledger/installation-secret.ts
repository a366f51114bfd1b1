import { createHmac, randomBytes } from 'node:crypto'
import type { Ledger } from './ledger.ts'

const KEY = 'secret'
const SECRET_BYTES = 32

/**
 * A secret of this installation, the same for all its processes and for ever. One secret serves several purposes, each
 * with a key of its own derived from it.
 */
export const installationSecret = async (ledger: Ledger): Promise<(purpose: string) => Uint8Array> => {
  // Whoever comes first decides; two processes may start at once.
  await ledger.db
    .insertInto('installation')
    .values({ key: KEY, value: randomBytes(SECRET_BYTES).toString('hex') })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const { value } = await ledger.db
    .selectFrom('installation')
    .select('value')
    .where('key', '=', KEY)
    .executeTakeFirstOrThrow()
  return (purpose) => createHmac('sha256', Buffer.from(value, 'hex')).update(purpose).digest()
}

/**
 * What the set-up page asks for while the installation has no owner: 43 characters. Derived and never stored, so it stays
 * the same over restarts, in all processes, and for the command that prints it again.
 */
export const setupTokenOf = async (ledger: Ledger): Promise<string> =>
  Buffer.from((await installationSecret(ledger))('setup')).toString('base64url')
