import { openOffline } from '../compose.ts'
import { hasLedger } from '../compose-stores.ts'
import { COMMON_OPTIONS, nothingIn } from './command.ts'
import type { Command } from './command.ts'

export const setupLink: Command = {
  summary: 'Prints the link with which the first owner makes an account, as the server did when it started.',
  usage: 'setup-link [--data-dir ./data] [--json]',
  options: { ...COMMON_OPTIONS, port: { type: 'string' }, json: { type: 'boolean' } },
  run: async ({ config, flag, out, err }) => {
    if (!hasLedger(config)) {
      err(nothingIn(config.dataDir))
      return 1
    }
    const offline = await openOffline(config, err)
    try {
      const link = await offline.setupLink()
      if (link === null) {
        err('firsthand: this installation has an owner already. Sign in, or ask an owner to invite you.')
        return 1
      }
      out(flag('json') ? JSON.stringify({ url: link }) : link)
      return 0
    } finally {
      await offline.close()
    }
  },
}
