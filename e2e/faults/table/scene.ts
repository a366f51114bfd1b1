import type { Account } from '../../../tools/harness/server.ts'
import { until } from '../../lib/until.ts'
import {
  environmentOf,
  freshFolder,
  health,
  removeFolder,
  runFirsthand,
  setUp,
  startFirsthand,
} from '../lib/firsthand.ts'
import type { Firsthand } from '../lib/firsthand.ts'
import { createLedger, makeSent, sendOne, startLoad } from '../lib/load.ts'
import type { Ledger } from '../lib/load.ts'
import { readStored, waitForEvent } from '../lib/stores.ts'
import { judge } from '../lib/verdict.ts'

/** A server with an account and senders that remember: where one fault happens. */

/** One line of the table of faults. */
export interface FaultRow {
  readonly fault: string
  /** What somebody reads who looks: status, an answer, `doctor`, or the sentence that ends a start. */
  readonly reads: string
  /** Acknowledged and not found again. */
  readonly lost: number
  readonly doubled: number
  /** From the end of the fault until all is well; null where people have to act. */
  readonly recoverSeconds: number | null
  /** What should not be so; empty is the goal. */
  readonly wrong: readonly string[]
}

export type Fault = (seed: number) => Promise<FaultRow>

const PATIENCE_MS = 60_000
const CONNECTIONS = 4

export class Scene {
  server: Firsthand
  readonly sent: Ledger = createLedger()
  readonly wrong: string[] = []
  readonly account: Account
  private readonly environment: Readonly<Record<string, string>>
  private next = 0

  private constructor(server: Firsthand, account: Account, environment: Readonly<Record<string, string>>) {
    this.server = server
    this.account = account
    this.environment = environment
  }

  static async open(
    options: { readonly dataDir?: string; readonly environment?: Readonly<Record<string, string>> } = {},
  ): Promise<Scene> {
    const environment = { FIRSTHAND_LOG_LEVEL: 'warn', ...options.environment }
    const server = await startFirsthand({ dataDir: options.dataDir ?? freshFolder(), environment })
    return new Scene(server, await setUp(server.dataDir, server.port), environment)
  }

  get dataDir(): string {
    return this.server.dataDir
  }

  /** A whole request with a new id. */
  readonly make = (): ReturnType<typeof makeSent> => makeSent(this.account, this.next++)

  /** Sends under load until so many were answered. */
  async load(answers: number, meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const load = startLoad(this.server.port, CONNECTIONS, this.sent, this.make)
    try {
      await until(`${answers} answers`, () => Promise.resolve(load.answered() >= answers ? true : null), PATIENCE_MS)
      await meanwhile()
    } finally {
      await load.stop()
    }
  }

  /** Waits until everything that was accepted is in the stores. */
  async settle(): Promise<void> {
    const last = makeSent(this.account, this.next++, 'event')
    await until(
      'an accepted event',
      async () => ((await sendOne(this.server.port, last, this.sent)) === 200 ? true : null),
      PATIENCE_MS,
    )
    await waitForEvent(this.server, last.id, PATIENCE_MS)
  }

  async restart(): Promise<void> {
    this.server = await startFirsthand({
      dataDir: this.dataDir,
      port: this.server.port,
      environment: this.environment,
    })
  }

  stop(): Promise<unknown> {
    return this.server.end('SIGTERM', 60_000)
  }

  /** Sentences of the status, or '' while all is well. */
  async status(): Promise<string> {
    const answer = await this.get(`/api/0/organizations/${this.account.organization}/status/`)
    if (answer.status !== 200) return `${answer.status} ${answer.text.slice(0, 200)}`
    const { problems } = JSON.parse(answer.text) as { problems: { message: string }[] }
    return problems.map(({ message }) => message).join(' ')
  }

  /** Waits for a sentence of the status; what was seen last is noted as wrong when it does not come. */
  async awaitStatus(pattern: RegExp, timeoutMs = PATIENCE_MS): Promise<string> {
    let seen = ''
    return until(
      `a status like ${String(pattern)}`,
      async () => {
        seen = await this.status().catch((error: unknown) => String(error))
        return pattern.test(seen) ? seen : null
      },
      timeoutMs,
    ).catch(() => {
      this.wrong.push(`the status never says ${String(pattern)}, but "${seen}"`)
      return seen
    })
  }

  /** Seconds until status and health are good. */
  async secondsUntilWell(): Promise<number> {
    const started = performance.now()
    await until(
      'the good state',
      async () =>
        (await health(this.server.port)) === 200 && (await this.status().catch(() => 'away')) === '' ? true : null,
      PATIENCE_MS,
    ).catch(async () => {
      this.wrong.push(`it never becomes well: "${await this.status().catch(String)}"`)
    })
    return Math.round((performance.now() - started) / 100) / 10
  }

  async get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(`http://127.0.0.1:${this.server.port}${path}`, {
      headers: { authorization: `Bearer ${this.account.token}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return { status: answer.status, text: await answer.text() }
  }

  /** What `doctor` says is not as it should be. */
  async doctor(): Promise<string> {
    const { stdout } = await runFirsthand(['doctor'], environmentOf(this.dataDir, this.server.port))
    return stdout
      .split('\n')
      .filter((line) => /^\s*[✗!⚠]/.test(line))
      .join(' ')
      .trim()
  }

  /** The sentence with which a start ends, or null when it does not end. */
  static async refusedStart(dataDir: string, port: number): Promise<string | null> {
    const { code, stderr } = await runFirsthand(['serve'], environmentOf(dataDir, port), PATIENCE_MS)
    if (code === null) return null
    return /^firsthand: (.*)$/m.exec(stderr)?.[1] ?? `(no sentence) ${stderr.slice(-200)}`
  }

  /** The row, after everything that was sent is compared with what is stored. */
  async row(fault: string, reads: string, recoverSeconds: number | null): Promise<FaultRow> {
    const { lost, doubled, wrong } = judge(this.sent, await readStored(this.server))
    return {
      fault,
      reads,
      lost: lost.length,
      doubled: doubled.length,
      recoverSeconds,
      wrong: [...this.wrong, ...lost.slice(0, 3), ...doubled.slice(0, 3), ...wrong.slice(0, 3)],
    }
  }

  async close(): Promise<void> {
    await this.server.killAll()
    removeFolder(this.dataDir)
  }
}

/** Opens a scene, and closes it whatever happens. */
export const inScene = async (
  work: (scene: Scene) => Promise<FaultRow>,
  options: Parameters<typeof Scene.open>[0] = {},
): Promise<FaultRow> => {
  const scene = await Scene.open(options)
  try {
    return await work(scene)
  } finally {
    await scene.close()
  }
}
