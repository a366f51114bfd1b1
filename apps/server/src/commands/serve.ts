import { startServer } from '../compose.ts'
import { COMMON_OPTIONS } from './command.ts'
import type { Command } from './command.ts'

export const serve: Command = {
  summary: 'Starts the server: receives, keeps, groups and shows. Stops by SIGTERM, and loses nothing.',
  usage: 'serve [--port 9000] [--host 0.0.0.0] [--data-dir ./data]',
  options: { ...COMMON_OPTIONS, port: { type: 'string' }, host: { type: 'string' } },
  run: async ({ config, out, err, onStop }) => {
    const server = await startServer(config, err)
    out(`Firsthand listens at ${server.url}`)
    if (await server.needsSetup()) out(`Open ${server.url} to create the first account.`)
    onStop((signal) => void server.close(signal))
    return 0
  },
}
