import { Agent, request } from 'node:http'

export interface Pinger {
  /**
   * Whether the engine gives a sign of life within the time. Any answer is one: an engine that refuses a statement because
   * it is busy or short of memory is not hung.
   */
  ping(timeoutMs: number): Promise<boolean>
  /** Lets the connection go that is kept for the next ping. */
  close(): void
}

/** Asks on one connection that it keeps: a new one for each ping was most of what an idle server did. */
export const createPinger = (socketPath: string): Pinger => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ping = (timeoutMs: number, isAgain = false): Promise<boolean> =>
    new Promise((resolve) => {
      let isOver = false
      const done = (alive: boolean | Promise<boolean>): void => {
        isOver = true
        clearTimeout(timer)
        resolve(alive)
      }
      const asked = request({ socketPath, path: '/ping', agent }, (answer) => {
        // Read to its end: only then is the connection free for the next ping.
        answer.on('error', () => done(true)).on('end', () => done(true))
        answer.resume()
      })
      const over = (): void => {
        if (isOver) return
        done(false)
        asked.destroy()
      }
      // A process that stood still hears first that the time is over, and then of the answer that came meanwhile: whatever
      // has come is read before the engine is said to be silent.
      const timer = setTimeout(() => setImmediate(() => setImmediate(over)), timeoutMs)
      asked.on('error', () => {
        if (isOver) return
        // The other end may give up a kept connection at the moment at which it is used again.
        done(asked.reusedSocket && !isAgain ? ping(timeoutMs, true) : false)
      })
      asked.end()
    })
  return { ping: (timeoutMs) => ping(timeoutMs), close: () => agent.destroy() }
}
