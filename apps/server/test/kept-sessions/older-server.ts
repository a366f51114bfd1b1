import { startServer } from '../../src/compose.ts'
import { readConfig } from '../../src/config.ts'
import { BEFORE_SESSIONS } from './before-sessions.ts'

/** A server from before sessions were counted, on the data folder of the environment. Writes its address when it is ready. */
const server = await startServer(readConfig(process.env), (line) => process.stderr.write(`${line}\n`), {
  capabilities: BEFORE_SESSIONS,
  digestWorker: new URL('./older-digest-worker.ts', import.meta.url),
})
process.stdout.write(`${server.url}\n`)
process.on('SIGTERM', () => void server.close('SIGTERM').then(() => process.exit(0)))
