import type { Profile } from '@firsthand/contract'
import type { ReactNode } from 'react'

import { formatCount, formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { Button, Link, VisibleText } from '../../../ui/index.ts'
import { fileNameOf, toSpeedscope } from '../model/speedscope.ts'
import styles from './ProfileHeader.module.css'

/** What is shown, of when, and how much of it. */
export function ProfileHeader({
  org,
  profile,
  title,
  children,
}: {
  readonly org: string
  readonly profile: Profile
  readonly title: string
  /** Where it leads. */
  readonly children?: ReactNode
}) {
  const startMs = Date.parse(profile.start)
  const project = useProjectNames(org).get(profile.projectId) ?? profile.projectSlug
  const facts = [project, profile.platform, profile.release].filter((word) => word !== '')
  return (
    <header className={styles.header}>
      <span className={styles.crumb}>
        <Link look="quiet" to="/organizations/$org/profiles" params={{ org }}>
          Profiles
        </Link>{' '}
        /
      </span>
      <h1 className={styles.title} title={title}>
        <VisibleText text={title} />
      </h1>
      <span className={styles.facts}>
        {facts.map((word) => (
          <span key={word} className={styles.fact}>
            <VisibleText text={word} />
          </span>
        ))}
        {profile.kind === 'sum' ? (
          <span>
            sum of <strong>{formatCount(profile.profiles)}</strong>
          </span>
        ) : (
          <>
            <strong>{formatSpent(profile.duration)}</strong>
            <time dateTime={profile.start} title={formatExact(startMs)}>
              {formatMoment('hour', startMs)}
            </time>
          </>
        )}
      </span>
      <span className={styles.actions}>
        {children}
        <Button onClick={() => download(profile, title)} title="Download a file for speedscope">
          Download
        </Button>
      </span>
    </header>
  )
}

function download(profile: Profile, title: string): void {
  const file = new Blob([JSON.stringify(toSpeedscope(profile, title))], { type: 'application/json' })
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = fileNameOf(title)
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}
