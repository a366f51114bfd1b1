import { startServer } from '../compose.ts'
import { COMMON_OPTIONS } from './command.ts'
import type { Command } from './command.ts'

export const serve: Command = {
  summary: 'Starts the server: receives, keeps, groups and shows. Stops by SIGTERM, and loses nothing.',
  usage: 'serve [--port 9000] [--host 0.0.0.0] [--data-dir ./data]',
  options: { ...COMMON_OPTIONS, port: { type: 'string' }, host: { type: 'string' } },
  run: async ({ config, out, err, onStop }) => {
    const server = await startServer(config, err)
    const link = await server.setupLink()
    // Before anybody is told that it runs: a signal that comes at once would end it without an orderly stop.
    onStop((signal) => server.close(signal))
    out(`Firsthand listens at ${server.url}`)
    if (link !== null) out(`Nobody owns this installation yet. Set it up at ${link}`)
    return 0
  },
}
