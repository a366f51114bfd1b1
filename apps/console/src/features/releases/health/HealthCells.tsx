import type { ReleaseHealth } from '@firsthand/contract'
import { Skeleton, Td, Th, VisibleText } from '../../../ui/index.ts'
import { formatCompact, formatCount } from '../../../lib/format.ts'
import { crashFreeText, endsText, sessionsText, shareText, STAGE_WORDS } from './rates.ts'
import styles from './HealthCells.module.css'

/** The heads over `HealthCells`. */
export function HealthHeads() {
  return (
    <>
      <Th numeric>Crash-free sessions</Th>
      <Th>Runs today</Th>
    </>
  )
}

interface CellsProps {
  /** Null without sessions, undefined until it is known. */
  readonly health: ReleaseHealth | null | undefined
  /** It could not be counted. */
  readonly hasFailed: boolean
}

/** How many sessions of a release had no crash, and how many of all run it. */
export function HealthCells({ health, hasFailed }: CellsProps) {
  if (hasFailed && health === undefined) {
    return (
      <>
        <None numeric words="not counted" />
        <None words="not counted" />
      </>
    )
  }
  if (health === undefined) {
    return (
      <>
        <Td className={styles.none}>
          <Skeleton height={12} />
        </Td>
        <Td className={styles.none}>
          <Skeleton height={12} />
        </Td>
      </>
    )
  }
  return (
    <>
      <CrashFree health={health} />
      <Adoption health={health} />
    </>
  )
}

function None({ words, numeric = false }: { readonly words: string; readonly numeric?: boolean }) {
  return (
    <Td numeric={numeric} quiet className={styles.none} title={words}>
      –
    </Td>
  )
}

const NO_SESSIONS = 'No sessions were sent in 14 days'

function CrashFree({ health }: { readonly health: ReleaseHealth | null }) {
  const rate = health === null ? null : crashFreeText(health.sessions)
  if (health === null || rate === null) return <None numeric words={NO_SESSIONS} />
  return (
    <Td numeric title={endsText(health)}>
      <span className={styles.rate}>{rate}</span>
      <span className={styles.words}> crash-free</span>
      <span className={styles.of}>
        of {formatCompact(health.sessions.total)}
        <span className={styles.words}> {health.sessions.total === 1 ? 'session' : 'sessions'}</span>
      </span>
    </Td>
  )
}

function Adoption({ health }: { readonly health: ReleaseHealth | null }) {
  const day = health?.lastDay
  const share = day === undefined ? null : shareText(day.sessions, day.ofSessions)
  if (day === undefined || share === null) return <None words="No sessions were sent in the last day" />
  const [first] = day.environments
  return (
    <Td
      className={styles.adoption}
      title={`${sessionsText(day.sessions)} of ${formatCount(day.ofSessions)} in the last day${day.environments
        .map(
          ({ environment, ofSessions, sessions, stage }) =>
            `; ${environment}: ${formatCount(sessions)} of ${formatCount(ofSessions)}, ${STAGE_WORDS[stage]}`,
        )
        .join('')}`}
    >
      <span className={styles.share}>
        <span className={styles.bar} aria-hidden="true">
          <span style={{ width: `${(day.sessions / day.ofSessions) * 100}%` }} />
        </span>
        <span className={styles.rate}>{share}</span>
        <span className={styles.words}> of sessions today</span>
      </span>
      {first === undefined ? null : (
        <span className={styles.of}>
          {STAGE_WORDS[first.stage]} in <VisibleText text={first.environment} />
        </span>
      )}
    </Td>
  )
}
