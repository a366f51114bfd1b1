import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from './lib/clock.ts'
import type { Finding, Findings } from './lib/findings.ts'
import type { Logger } from './lib/logger.ts'
import { LIMITS } from './limits.ts'

/** What the server found, for a `doctor` in another process: a file in the data folder, written anew when it changes. */

const FILE = 'findings.json'

interface FoundByServer {
  /** When the list was written; milliseconds since the epoch. */
  readonly at: number
  readonly findings: readonly Finding[]
}

const write = (dataDir: string, found: FoundByServer): void => {
  const path = join(dataDir, FILE)
  writeFileSync(`${path}.new`, `${JSON.stringify(found)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

const isFinding = (value: unknown): value is Finding => {
  const { id, message, since, organizationId } = (value ?? {}) as Partial<Record<keyof Finding, unknown>>
  const isOfOne = organizationId === undefined || Number.isFinite(organizationId)
  return typeof id === 'string' && typeof message === 'string' && Number.isFinite(since) && isOfOne
}

/** Null when no server wrote any, or the file cannot be read. */
export const readFindings = (dataDir: string): FoundByServer | null => {
  try {
    const { at, findings } = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Partial<
      Record<keyof FoundByServer, unknown>
    >
    if (!Number.isFinite(at) || !Array.isArray(findings)) return null
    return { at: at as number, findings: findings.filter(isFinding) }
  } catch {
    // Half of a file or an older form of it: the server that runs writes it anew.
    return null
  }
}

/** Looks at the list every `FINDINGS_INTERVAL_MS` and writes it down when it has changed. */
export const createFindingsFile = ({
  dataDir,
  findings,
  clock,
  logger,
}: {
  readonly dataDir: string
  readonly findings: Pick<Findings, 'current'>
  readonly clock: Clock
  readonly logger: Logger
}): { close(): void } => {
  let written: string | null = null
  const note = (): void => {
    const current = findings.current()
    const text = JSON.stringify(current)
    if (text === written) return
    try {
      write(dataDir, { at: clock.now(), findings: current })
      written = text
    } catch (error) {
      // A disk that is full or gone is among the findings itself: status and banner tell it, and the next look tries again.
      logger.debug('the findings could not be written down', { error: String(error) })
    }
  }
  note()
  const timer = setInterval(note, LIMITS.FINDINGS_INTERVAL_MS)
  timer.unref()
  return {
    close: () => {
      clearInterval(timer)
      note()
    },
  }
}
