import { startServer } from '../../src/compose.ts'
import { readConfig } from '../../src/config.ts'
import { WITH_GREETINGS } from './greetings.ts'

/** A server that knows greetings, on the data folder of the environment. Writes its address when it is ready. */
const server = await startServer(readConfig(process.env), (line) => process.stderr.write(`${line}\n`), {
  capabilities: WITH_GREETINGS,
  digestWorker: new URL('./digest-worker.ts', import.meta.url),
})
process.stdout.write(`${server.url}\n`)
process.on('SIGTERM', () => void server.close('SIGTERM').then(() => process.exit(0)))
