import type { Answer, getReleaseHealth, Release } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { EmptyState, Loaded, Outline, Skeleton, VisibleText } from '../../../ui/index.ts'
import { Adoption } from './Adoption.tsx'
import { firstDays } from './course.ts'
import { CrashedOverTime } from './CrashedOverTime.tsx'
import { Ends } from './Ends.tsx'
import { Numbers } from './Numbers.tsx'
import { releaseHealthQuery, useHealthOf } from './queries.ts'
import styles from './ReleaseHealth.module.css'
import { crashWords, latelyWords } from './rates.ts'

export type Compared = Answer<typeof getReleaseHealth>

interface ReleaseProps {
  readonly org: string
  readonly release: Release
}

/** What sessions say of a release, beside the one before it; nothing where there are none. */
export function ReleaseHealth({ org, release }: ReleaseProps) {
  const health = useQuery(releaseHealthQuery(org, release.version))
  return (
    <Loaded
      compact
      query={health}
      outline={
        <Outline label="Counting its sessions">
          <Skeleton height={320} />
        </Outline>
      }
      failed="Its sessions could not be counted"
    >
      {(compared) =>
        compared.release === null ? null : (
          <section className={styles.health} aria-label="Sessions">
            <p className={styles.verdict}>{crashWords(compared.release, compared.before, firstDays(compared))}</p>
            {firstDays(compared) === null ? null : <Lately org={org} version={release.version} />}
            <Numbers compared={compared} release={compared.release} />
            <div className={styles.charts}>
              <CrashedOverTime compared={compared} release={compared.release} />
              <Adoption compared={compared} release={compared.release} />
            </div>
          </section>
        )
      }
    </Loaded>
  )
}

/** How it is by now, as the list of releases says it: beside the numbers of its first days. */
function Lately({ org, version }: { readonly org: string; readonly version: string }) {
  const lately = useHealthOf(org, [version], []).of(version)
  return lately == null ? null : <p className={styles.verdict}>{latelyWords(lately)}</p>
}

/** How its sessions ended, or what to do so that some are sent. Why they could not be counted stands above. */
export function SessionEnds({ org, release }: ReleaseProps) {
  const { data } = useQuery(releaseHealthQuery(org, release.version))
  if (data === undefined) return null
  return data.release === null ? (
    <NoSessions version={release.version} />
  ) : (
    <Ends release={data.release} before={data.before} days={firstDays(data)} />
  )
}

/** What makes an SDK send sessions. */
function NoSessions({ version }: { readonly version: string }) {
  return (
    <div className={styles.none}>
      <EmptyState compact title="No sessions were sent for this release">
        Sessions say how many people run it, and how many of them had no crash. The SDKs send them by themselves once{' '}
        <code>Sentry.init</code> has{' '}
        <code>
          release: '<VisibleText text={version} />'
        </code>
        ; Node does so for each request that its HTTP server answers. If it has, and there are none: look that{' '}
        <code>autoSessionTracking</code> (SDK 7) or the integration <code>BrowserSession</code> is not switched off.
      </EmptyState>
    </div>
  )
}
