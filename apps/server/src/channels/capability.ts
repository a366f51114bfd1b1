import type { Capability } from '../capability.ts'
import { channelTables } from './ledger/migrations/0033-channels.ts'
import { LIMITS } from './limits.ts'

/** Messages that leave the house: to people by e-mail, to chats, pagers and programs by calls. */
export const channels: Capability = {
  name: 'channels',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [{ number: 33, name: 'channels', statements: channelTables(dialect) }],
  serve: async (parts) => (await import('./serve.ts')).serveChannels(parts),
}
