import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Account } from '../../tools/harness/server.ts'
import { until } from '../lib/until.ts'
import { freshFolder, health, removeFolder, setUp, startFirsthand, statusOf } from './lib/firsthand.ts'
import type { Firsthand } from './lib/firsthand.ts'
import { createLedger, makeSent, sendOne, startLoad } from './lib/load.ts'
import type { Ledger } from './lib/load.ts'
import { readStored, waitForEvent } from './lib/stores.ts'
import { judge } from './lib/verdict.ts'

const NOTHING_WRONG = { lost: [], doubled: [], wrong: [] }
/** Ends when it has stopped, or has answered; a busy machine may need all of it. */
const STOP_MS = 60_000
const ANSWER_MS = 60_000

describe('one part dies', () => {
  let dataDir = ''
  let server: Firsthand
  let account: Account
  let sent: Ledger
  let index = 0
  const next = () => makeSent(account, index++)

  beforeEach(async () => {
    dataDir = freshFolder()
    server = await startFirsthand({ dataDir })
    account = await setUp(dataDir, server.port)
    sent = createLedger()
  })
  afterEach(async () => {
    await server.killAll()
    removeFolder(dataDir)
  })

  const waitForSettled = async (): Promise<void> => {
    const last = makeSent(account, index++, 'event')
    expect(await sendOne(server.port, last, sent)).toBe(200)
    await waitForEvent(server, last.id)
  }

  it('kill -9 of the engine under load: events are accepted all the time, the state is told, and everything appears', async () => {
    const load = startLoad(server.port, 4, sent, next)
    await until('some answers', () => Promise.resolve(load.answered() > 50 ? true : null))
    for (let round = 0; round < 2; round += 1) {
      const engine = await until('the engine', () => Promise.resolve(server.enginePid()))
      const answeredBefore = load.answered()
      process.kill(engine, 'SIGKILL')
      const told = await until('the degraded state', async () => {
        const status = await statusOf(server.port, account)
        return status.status === 'degraded' ? status : null
      })
      expect(told.problems.map((problem) => problem.id)).toContain('telemetry')
      expect([200, 503]).toContain(await health(server.port))
      await until('answers after the kill', () => Promise.resolve(load.answered() > answeredBefore + 50 ? true : null))
      await until('the good state', async () => ((await statusOf(server.port, account)).status === 'ok' ? true : null))
      expect(await health(server.port)).toBe(200)
    }
    await load.stop()
    await waitForSettled()
    expect([...sent.refused]).toEqual([])
    expect(sent.doubtful.size).toBe(0)
    expect(judge(sent, await readStored(server))).toEqual(NOTHING_WRONG)
  })

  it('SIGTERM under load: open requests are answered, further signals do no harm, exit code 0, nothing is lost', async () => {
    const load = startLoad(server.port, 8, sent, next)
    await until('some answers', () => Promise.resolve(load.answered() > 100 ? true : null))
    // Half of it is under way when the signal comes, the other half follows.
    const underWay = makeSent(account, index++, 'event')
    const half = Math.floor(underWay.bytes.length / 2)
    const answer = exchangeInHalves(server.port, underWay.bytes, half, async () => {
      server.process.kill('SIGTERM')
      await until('the line that it stops', () => Promise.resolve(server.stderr().includes('stopping') ? true : null))
      await until('the end of its listening', async () => ((await health(server.port)) === 0 ? true : null))
      server.process.kill('SIGTERM')
      server.process.kill('SIGINT')
    })
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*connection: close/i)
    sent.acknowledged.set(underWay.id, underWay)
    sent.sendings.set(underWay.id, 1)
    expect(await server.end('SIGTERM', STOP_MS), server.stderr()).toEqual({ code: 0, signal: null })
    await load.stop()
    expect(server.stderr()).toContain('stopped')
    expect([...sent.refused]).toEqual([])
    server = await startFirsthand({ dataDir, port: server.port })
    await waitForSettled()
    expect(judge(sent, await readStored(server))).toEqual(NOTHING_WRONG)
  })

  it('SIGTERM while the engine is dead: what is not digested waits for the next start', async () => {
    const load = startLoad(server.port, 4, sent, next)
    await until('some answers', () => Promise.resolve(load.answered() > 50 ? true : null))
    process.kill(await until('the engine', () => Promise.resolve(server.enginePid())), 'SIGKILL')
    expect((await server.end('SIGTERM', STOP_MS)).code, server.stderr()).toBe(0)
    await load.stop()
    server = await startFirsthand({ dataDir, port: server.port })
    await waitForSettled()
    expect(judge(sent, await readStored(server))).toEqual(NOTHING_WRONG)
  })
})

/** The answer to a request of which the second part is sent after `between`. */
const exchangeInHalves = (port: number, bytes: Buffer, half: number, between: () => Promise<void>): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    socket.on('connect', () => {
      socket.write(bytes.subarray(0, half), () => {
        between().then(() => socket.write(bytes.subarray(half)), reject)
      })
    })
  })
