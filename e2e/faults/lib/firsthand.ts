import { execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWNER } from '../../../tools/harness/server.ts'
import type { Account } from '../../../tools/harness/server.ts'
import { until } from '../../lib/until.ts'

/**
 * Firsthand in the hands of fault tests: started as a user starts it, in a process group of its own, so that the server and
 * its engine can be killed together at one instant, and with everything that it says.
 */

const root = join(import.meta.dirname, '..', '..', '..')
const MAIN = process.env['FIRSTHAND_TEST_MAIN'] ?? join(root, 'apps', 'server', 'dist', 'main.js')
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning']
/** Each of these ends when what is waited for is there; a busy machine may need all of it. */
const READY_MS = 120_000
const COMMAND_MS = 120_000
const HEALTH_MS = 60_000
const STATUS_MS = 60_000
const END_MS = 60_000

export interface Firsthand {
  readonly port: number
  readonly dataDir: string
  readonly process: ChildProcess
  /** Process id of the telemetry engine; null when there is none at this moment. */
  enginePid(): number | null
  /** What it wrote so far. */
  stdout(): string
  stderr(): string
  /** kill -9 of the server and everything that it started, at one instant. */
  killAll(): Promise<void>
  /** Sends the signal and waits for the end, also of the engine: it may write to its folder a little longer. */
  end(
    signal: NodeJS.Signals,
    timeoutMs?: number,
  ): Promise<{ readonly code: number | null; readonly signal: string | null }>
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export const freshFolder = (): string => mkdtempSync(join(tmpdir(), 'firsthand-faults-'))

const FIRST_PORT = 10_000
const PORTS = 20_000
const handedOut = new Set<number>()

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/**
 * A port that stays free until somebody is told to take it: it lies below those that systems hand out by themselves, to
 * servers that ask for any and to connections (Linux: from 32768), and is given to nobody else here.
 */
export const freePort = (): Promise<number> =>
  until('a free port', async () => {
    const port = FIRST_PORT + randomInt(PORTS)
    if (handedOut.has(port) || !(await isFree(port))) return null
    handedOut.add(port)
    return port
  })

/** Variables of this process without Firsthand's own, so that nothing leaks in from outside. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FIRSTHAND_')))

export const environmentOf = (
  dataDir: string,
  port: number,
  extra: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv => ({
  ...cleanEnvironment(),
  FIRSTHAND_PORT: String(port),
  FIRSTHAND_HOST: '127.0.0.1',
  FIRSTHAND_DATA_DIR: dataDir,
  FIRSTHAND_LOG_LEVEL: 'info',
  ...extra,
})

const childrenOf = (pid: number): number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    // A process that has ended has no children.
    return []
  }
}

/** One that has ended and that nobody has taken note of is not alive. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const ended = (child: ChildProcess, timeoutMs: number): Promise<{ code: number | null; signal: string | null }> =>
  until(
    'the end of the server',
    () =>
      Promise.resolve(
        child.exitCode === null && child.signalCode === null
          ? null
          : { code: child.exitCode, signal: child.signalCode },
      ),
    timeoutMs,
  )

/** Process groups of the servers that run now. */
const running = new Set<number>()

/** A run that is stopped from outside takes its servers with it: they are in groups of their own, which no signal reaches. */
export const endServersOnSignal = (): void => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      for (const pid of running) process.kill(-pid, 'SIGKILL')
      process.exit(code)
    })
  }
}

/**
 * Starts the server and waits until `/_health/` answers 200.
 *
 * @param options.port the same again after a restart, as in real life; default: one that is free, also in between
 */
export const startFirsthand = async (options: {
  readonly dataDir: string
  readonly port?: number
  readonly environment?: Readonly<Record<string, string>>
}): Promise<Firsthand> => {
  const { dataDir } = options
  const port = options.port ?? (await freePort())
  const child = spawn(process.execPath, [...NODE_FLAGS, MAIN, 'serve'], {
    env: environmentOf(dataDir, port, options.environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const pid = child.pid ?? 0
  if (pid > 0) running.add(pid)
  child.once('exit', () => running.delete(pid))
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  await until(
    `the server on ${dataDir}`,
    async () => {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`the server ended with ${child.signalCode ?? child.exitCode}: ${stderr}`)
      }
      return (await health(port)) === 200 ? true : null
    },
    READY_MS,
  )
  return {
    port,
    dataDir,
    process: child,
    enginePid: () => childrenOf(pid)[0] ?? null,
    stdout: () => stdout,
    stderr: () => stderr,
    killAll: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      process.kill(-pid, 'SIGKILL')
      await ended(child, END_MS)
    },
    end: async (signal, timeoutMs = END_MS) => {
      const engines = childrenOf(pid)
      child.kill(signal)
      const how = await ended(child, timeoutMs)
      await until('the end of the engine', () => Promise.resolve(engines.some(isAlive) ? null : true), END_MS)
      return how
    },
  }
}

/** Status of `/_health/`; 0 when nobody answers. */
export const health = (port: number): Promise<number> =>
  fetch(`http://127.0.0.1:${port}/_health/`, { signal: AbortSignal.timeout(HEALTH_MS) }).then(
    (answer) => answer.status,
    () => 0,
  )

/** Runs a program to its end; one that does not end within the time is killed and has the code null. */
export const run = (
  file: string,
  args: readonly string[],
  options: {
    readonly env: NodeJS.ProcessEnv
    readonly cwd?: string
    readonly timeoutMs?: number
    /** On standard input. */
    readonly input?: string
  },
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      {
        env: options.env,
        cwd: options.cwd ?? tmpdir(),
        encoding: 'utf8',
        timeout: options.timeoutMs ?? COMMAND_MS,
        killSignal: 'SIGKILL',
      },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
    // One that does not read it may have ended.
    child.stdin?.on('error', () => undefined).end(options.input ?? '')
  })

/** Program and arguments of a command of the server's. */
export const commandOf = (args: readonly string[]): readonly [file: string, ...args: string[]] => [
  process.execPath,
  ...NODE_FLAGS,
  MAIN,
  ...args,
]

/** A command of the server's program, e.g. `serve` where it should refuse to start, or `doctor`. */
export const runFirsthand = (args: readonly string[], env: NodeJS.ProcessEnv, timeoutMs?: number): Promise<Ended> => {
  const [file, ...given] = commandOf(args)
  return run(file, given, timeoutMs === undefined ? { env } : { env, timeoutMs })
}

/** Account, organisation, project and token, as `firsthand setup` makes them. */
export const setUp = async (dataDir: string, port: number): Promise<Account> => {
  const made = await runFirsthand(
    [
      'setup',
      '--email',
      OWNER.email,
      '--password',
      OWNER.password,
      '--organization',
      'acme',
      '--project',
      'shop',
      '--json',
    ],
    environmentOf(dataDir, port),
  )
  if (made.code !== 0) throw new Error(`setup ended with ${made.code}: ${made.stderr}`)
  return JSON.parse(made.stdout) as Account
}

export interface StatusJson {
  readonly status: 'ok' | 'degraded' | 'refusing'
  readonly problems: readonly { readonly id: string; readonly message: string; readonly since: string }[]
  readonly spool: { readonly backlogBytes: number }
}

export const statusOf = async (port: number, account: Account): Promise<StatusJson> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/0/organizations/${account.organization}/status/`, {
    headers: { authorization: `Bearer ${account.token}` },
    signal: AbortSignal.timeout(STATUS_MS),
  })
  if (!answer.ok) throw new Error(`status: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as StatusJson
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })
