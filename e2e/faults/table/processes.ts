import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { createRandom } from '../../security/lib/random.ts'
import { until } from '../../lib/until.ts'
import { freePort } from '../lib/firsthand.ts'
import { crashRounds } from '../lib/rounds.ts'
import { inScene, Scene } from './scene.ts'
import type { Fault } from './scene.ts'

/** Processes that die or hang, and connections that do not come to an end. */

const KILLS = 10
const ENGINE_KILLS = 5
const HALF_OPEN = 200

export const killOfServer: Fault = (seed) =>
  inScene(async (scene) => {
    const random = createRandom(seed)
    const running = { server: scene.server }
    try {
      const seconds = await crashRounds({
        running,
        account: scene.account,
        rounds: KILLS,
        connections: 4,
        sent: scene.sent,
        random: () => random.next(),
        loadMs: [100, 1500],
      })
      scene.server = running.server
      return await scene.row(
        `kill -9 of everything under load, ${KILLS} times at random instants`,
        '(nothing: it starts again)',
        Math.round(Math.max(...seconds) * 10) / 10,
      )
    } finally {
      // The one that runs now is the scene's, which is closed.
      scene.server = running.server
    }
  })

export const killOfEngine: Fault = (seed) =>
  inScene(async (scene) => {
    const random = createRandom(seed)
    let slowest = 0
    let reads = ''
    for (let round = 0; round < ENGINE_KILLS; round += 1) {
      await scene.load(60 + random.below(200), async () => {
        const engine = await until('the engine', () => Promise.resolve(scene.server.enginePid()))
        process.kill(engine, 'SIGKILL')
        reads = await scene.awaitStatus(/telemetry engine/)
      })
      slowest = Math.max(slowest, await scene.secondsUntilWell())
    }
    await scene.settle()
    if (scene.sent.refused.size > 0) scene.wrong.push('events were refused meanwhile')
    return scene.row(`kill -9 of the telemetry engine under load, ${ENGINE_KILLS} times`, reads, slowest)
  })

export const hungEngine: Fault = () =>
  inScene(async (scene) => {
    await scene.load(100)
    const engine = await until('the engine', () => Promise.resolve(scene.server.enginePid()))
    process.kill(engine, 'SIGSTOP')
    try {
      const reads = await scene.awaitStatus(/no sign of life/, 40_000)
      const answer = await scene.get(
        `/api/0/organizations/${scene.account.organization}/events/?field=title&field=count()`,
      )
      if (answer.status === 500) scene.wrong.push(`a read meanwhile is answered 500: ${answer.text.slice(0, 200)}`)
      await scene.load(50)
      const seconds = await scene.secondsUntilWell()
      await scene.settle()
      return await scene.row('the telemetry engine hangs (SIGSTOP)', reads, seconds)
    } finally {
      // It may be gone already: that is what the watchdog is for.
      try {
        process.kill(engine, 'SIGCONT')
      } catch {
        // Nothing is left to wake.
      }
    }
  })

const openHalf = (port: number, start: string): Socket => {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined).resume()
  socket.write(start)
  return socket
}

export const halfOpenConnections: Fault = () =>
  inScene(async (scene) => {
    const path = `/api/${scene.account.projectId}/envelope/?sentry_key=${new URL(scene.account.dsn).username}`
    const starts = [
      '',
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Slow: `,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{}\n`,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}`,
    ]
    const sockets = Array.from({ length: HALF_OPEN }, (_, i) =>
      openHalf(scene.server.port, starts[i % starts.length] ?? ''),
    )
    try {
      await scene.load(300)
      if (scene.sent.refused.size > 0) scene.wrong.push('others were refused')
      await scene.settle()
      return await scene.row(`${HALF_OPEN} connections that are slow or never end`, 'events of others as ever', 0)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

export const secondServer: Fault = () =>
  inScene(async (scene) => {
    await scene.load(50)
    const reads = await Scene.refusedStart(scene.dataDir, await freePort())
    if (reads === null || !/in use by another Firsthand/.test(reads)) {
      scene.wrong.push(`a second server on the same folder says "${reads ?? 'nothing: it runs'}"`)
    }
    await scene.settle()
    return scene.row('a second server on the same data folder', reads ?? '', 0)
  })
