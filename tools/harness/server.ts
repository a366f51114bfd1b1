import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const main = join(root, 'apps', 'server', 'dist', 'main.js')
/** As `npm start` starts it. */
const serverFlags = JSON.parse(readFileSync(join(root, 'apps', 'server', 'node-flags.json'), 'utf8')) as string[]

/** Who `startServer` creates. */
export const OWNER = { email: 'ann@example.com', password: 'correct horse battery' }

export interface Account {
  readonly url: string
  readonly dsn: string
  readonly organization: string
  readonly project: string
  readonly projectId: string
  readonly token: string
}

const NO_ACCOUNT: Account = { url: '', dsn: '', organization: '', project: '', projectId: '', token: '' }

export interface RunningServer {
  readonly port: number
  readonly dataDir: string
  readonly account: Account
  readonly process: ChildProcess
  /** Seconds from the start of the process until `/_health/` answered 200. */
  readonly startSeconds: number
  /** What it wrote to standard output so far. */
  stdout(): string
  stop(): Promise<void>
  remove(): void
}

/** The port that a server names when it is ready; null before. It chose a free one itself, so nobody can take it in between. */
export const namedPort = (stdout: string): number | null => {
  const found = /^Firsthand listens at \S+:(\d+)$/m.exec(stdout)
  return found === null ? null : Number(found[1])
}

/**
 * Starts Firsthand as a user does, on a data folder of its own, with an organisation and a project.
 *
 * @param options.dataDir a data folder to start on again
 * @param options.environment more variables
 */
export const startServer = async (
  options: { dataDir?: string; environment?: Record<string, string>; setUp?: boolean } = {},
): Promise<RunningServer> => {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'firsthand-run-'))
  const environment = {
    ...process.env,
    FIRSTHAND_PORT: '0',
    FIRSTHAND_HOST: '127.0.0.1',
    FIRSTHAND_DATA_DIR: dataDir,
    FIRSTHAND_LOG_LEVEL: 'warn',
    ...options.environment,
  }
  const started = performance.now()
  const child = spawn(process.execPath, [...serverFlags, main, 'serve'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Not inherited: a server that outlives this process would hold its stream open.
  child.stderr.pipe(process.stderr, { end: false })
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  const deadline = Date.now() + 120_000
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error('the server was not ready within 120 s')
    const port = namedPort(stdout)
    const ready =
      port !== null &&
      (await fetch(`http://127.0.0.1:${port}/_health/`).then(
        (answer) => answer.status === 200,
        () => false,
      ))
    if (ready) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const startSeconds = (performance.now() - started) / 1000
  const port = namedPort(stdout) ?? 0
  const account =
    options.setUp === false
      ? NO_ACCOUNT
      : (JSON.parse(
          execFileSync(
            process.execPath,
            [
              ...serverFlags,
              main,
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
            { env: { ...environment, FIRSTHAND_PORT: String(port) }, encoding: 'utf8' },
          ),
        ) as Account)
  return {
    port,
    dataDir,
    account,
    process: child,
    startSeconds,
    stdout: () => stdout,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

const children = (pid: number): number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
      const text = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim()
      return text === '' ? [] : text.split(' ').map(Number)
    })
  } catch {
    return []
  }
}

/** Resident memory of a process and all that it started, in bytes. */
export const residentBytes = (pid: number): number => {
  let own = 0
  try {
    own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
  return own + children(pid).reduce((sum, child) => sum + residentBytes(child), 0)
}

/**
 * Memory of a process and all that it started, in bytes, pages that several of them share (the program itself, for one)
 * counted once: "proportional set size".
 */
export const proportionalBytes = (pid: number): number => {
  let own = 0
  try {
    own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
  return own + children(pid).reduce((sum, child) => sum + proportionalBytes(child), 0)
}

/** Processor seconds used by a process and all that it started. */
export const cpuSeconds = (pid: number): number => {
  try {
    const own = ownSeconds(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return own + children(pid).reduce((sum, child) => sum + cpuSeconds(child), 0)
  } catch {
    return 0
  }
}

/** Processor seconds by what they went into: of a server and of its engine, by the names of their threads. */
export const cpuByStage = (pid: number): Record<string, number> => {
  const engine = children(pid).reduce((sum, child) => sum + cpuSeconds(child), 0)
  const merges = children(pid).reduce((sum, child) => sum + threadSeconds(child, 'MergeMutate'), 0)
  const http = threadSeconds(pid, 'MainThread')
  const digest = threadSeconds(pid, 'digest') + threadSeconds(pid, 'digest, heavy')
  return {
    'HTTP and spool': http,
    digest,
    'garbage collection and files': cpuSeconds(pid) - engine - http - digest,
    'engine, inserts and reads': engine - merges,
    'engine, merges': merges,
  }
}

/** Of the threads of a process that have this name and have not ended. */
const threadSeconds = (pid: number, name: string): number => {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
      const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')
      return stat.includes(`(${name})`) ? sum + ownSeconds(stat) : sum
    }, 0)
  } catch {
    return 0
  }
}

/** From the text of a `stat` file: user and system time. */
const ownSeconds = (stat: string): number => {
  const fields = stat.split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Allocated bytes of a file or of everything in a folder. What is merged away between listing and looking has no size. */
const allocatedBytes = (path: string): number => {
  try {
    // The engine links its tables into a second folder, which must not count twice.
    const found = lstatSync(path)
    if (!found.isDirectory()) return found.blocks * 512
    return readdirSync(path).reduce((sum, name) => sum + allocatedBytes(join(path, name)), 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

/** Bytes on disk below a folder, by its first-level entries. */
export const diskBytes = (folder: string): Record<string, number> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, allocatedBytes(join(folder, name))]))
