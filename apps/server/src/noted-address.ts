import type { Ledger } from './storage/index.ts'

/** Where the server of this installation listens (or last listened), for commands that are started without its options. */
export interface NotedAddress {
  /** As users and SDKs reach it. */
  readonly url: string
  readonly port: number
}

const URL_KEY = 'server_url'
const PORT_KEY = 'server_port'

export const noteAddress = async (ledger: Ledger, { url, port }: NotedAddress): Promise<void> => {
  await ledger.db
    .insertInto('installation')
    .values([
      { key: URL_KEY, value: url },
      { key: PORT_KEY, value: String(port) },
    ])
    .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ value: row.ref('excluded.value') })))
    .execute()
}

/** Null before the first start of a server. */
export const readNotedAddress = async (ledger: Ledger): Promise<NotedAddress | null> => {
  const rows = await ledger.db.selectFrom('installation').selectAll().where('key', 'in', [URL_KEY, PORT_KEY]).execute()
  const values = new Map(rows.map(({ key, value }) => [key, value]))
  const url = values.get(URL_KEY)
  const port = values.get(PORT_KEY)
  return url === undefined || port === undefined ? null : { url, port: Number(port) }
}
