import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { FLAGS, HEADLESS_SHELL, WHOLE_CHROMIUM } from '../../e2e/lib/browser.ts'

/**
 * A page of a Chromium of its own whose network nobody watches. Playwright watches that of every page, and the page then
 * keeps each answer that it got for whoever may ask: memory that people's browsers do not take.
 */
export interface BarePage {
  /** As Playwright's: the function runs in the page, and its argument is JSON. */
  readonly evaluate: {
    <Result>(run: () => Result | Promise<Result>): Promise<Result>
    <Result, Argument>(run: (argument: Argument) => Result | Promise<Result>, argument: Argument): Promise<Result>
  }
  /** Of its process, as much as is its own or its share. */
  readonly memoryMB: () => Promise<number>
  readonly collectGarbage: () => Promise<void>
  readonly close: () => Promise<void>
}

const START_MS = 30_000

/** @param state cookies of whoever is signed in */
export const openBarePage = async (url: string, state: BrowserContextOptions): Promise<BarePage> => {
  const profile = mkdtempSync(join(tmpdir(), 'firsthand-page-'))
  const browser = spawn(
    HEADLESS_SHELL ?? WHOLE_CHROMIUM,
    [
      ...FLAGS,
      '--headless',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--window-size=1440,900',
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const wire = await connect(await addressOf(browser.stderr))
  const cookies = typeof state.storageState === 'object' ? state.storageState.cookies : []
  await wire.send('Storage.setCookies', { cookies })
  const { targetId } = await wire.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await wire.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
  await wire.send('Page.navigate', { url }, sessionId)
  const evaluate = async <Result>(run: (argument: never) => Result | Promise<Result>, argument?: unknown) => {
    const expression = `(${String(run)})(${JSON.stringify(argument) ?? ''})`
    const parameters = { expression, awaitPromise: true, returnByValue: true }
    const answer = await wire.send<Evaluated<Result>>('Runtime.evaluate', parameters, sessionId)
    if (answer.exceptionDetails !== undefined) throw new Error(JSON.stringify(answer.exceptionDetails))
    return answer.result.value
  }
  return {
    evaluate,
    memoryMB: async () => {
      const { processInfo } = await wire.send<{ processInfo: { id: number; type: string }[] }>(
        'SystemInfo.getProcessInfo',
      )
      return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => shareMB(id)))
    },
    collectGarbage: async () => {
      await wire.send('HeapProfiler.collectGarbage', {}, sessionId)
    },
    close: async () => {
      const ended = once(browser, 'exit')
      browser.kill()
      await ended
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

interface Evaluated<Result> {
  readonly result: { readonly value: Result }
  readonly exceptionDetails?: unknown
}

const shareMB = (process: number): number => {
  const written = readFileSync(`/proc/${process}/smaps_rollup`, 'latin1')
  return Number(/^Pss:\s+(\d+) kB/m.exec(written)?.[1] ?? 0) / 1000
}

/** Chromium writes where it listens among its complaints. */
const addressOf = (complaints: NodeJS.ReadableStream): Promise<string> =>
  new Promise((resolve, reject) => {
    let written = ''
    const late = setTimeout(() => reject(new Error(`Chromium did not start: ${written}`)), START_MS)
    complaints.on('data', (piece: Buffer) => {
      written += piece.toString()
      const address = /ws:\/\/\S+/.exec(written)?.[0]
      if (address === undefined) return
      clearTimeout(late)
      resolve(address)
    })
  })

interface Answer {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** The protocol of Chromium's tools. */
const connect = async (address: string) => {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`Chromium does not answer at ${address}`)))
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  let number = 0
  return {
    send: <Result>(method: string, params: object = {}, sessionId?: string): Promise<Result> =>
      new Promise((resolve, reject) => {
        number += 1
        const id = number
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id)
          if (error === undefined) resolve(result as Result)
          else reject(new Error(`${method}: ${error.message}`))
        })
        socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
      }),
  }
}
