import { openOffline } from '../compose.ts'
import { hasLedger } from '../compose-stores.ts'
import { instantText } from '../lib/instant-text.ts'
import { COMMON_OPTIONS, nothingIn } from './command.ts'
import type { Command } from './command.ts'

export const trustClock: Command = {
  summary:
    'Says that the clock of this machine is right, after a server was off for days: what is too old is removed again.',
  usage: 'trust-clock [--data-dir ./data]',
  options: COMMON_OPTIONS,
  run: async ({ config, out, err }) => {
    if (!hasLedger(config)) {
      err(nothingIn(config.dataDir))
      return 1
    }
    const offline = await openOffline(config, err)
    try {
      const now = await offline.trustClock()
      out(`The clock is trusted: ${instantText(now)}. Data past its retention will be deleted again.`)
      return 0
    } finally {
      await offline.close()
    }
  },
}
