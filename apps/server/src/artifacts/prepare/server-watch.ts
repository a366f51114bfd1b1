import { workerData } from 'node:worker_threads'

/**
 * A thread of the process that prepares source maps, which is too busy with one to hear that the server is gone. Whoever is
 * left behind gets another parent.
 */
const { serverId, everyMs } = workerData as { readonly serverId: number; readonly everyMs: number }

setInterval(() => {
  if (process.ppid !== serverId) process.kill(process.pid, 'SIGKILL')
}, everyMs)
