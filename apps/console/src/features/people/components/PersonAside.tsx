import type { PersonDetail } from '@firsthand/contract'
import type { ReactNode } from 'react'

import { formatCount } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { LevelDot, Link, RelativeTime, VisibleText } from '../../../ui/index.ts'
import { everyDay } from '../model/days.ts'
import { personUrl, personOfUrl } from '../model/person-search.ts'
import { DayChart } from './DayChart.tsx'
import styles from './PersonScreen.module.css'

const MINUTE_MS = 60_000

/** The server names so many issues of one person. */
const MOST_ISSUES = 20

function ranInto(issues: number, errors: number): string {
  if (errors === 0) return 'nothing'
  const several = issues === MOST_ISSUES ? `${MOST_ISSUES} or more` : String(issues)
  return `${several} ${issues === 1 ? 'issue' : 'issues'}, ${errors === 1 ? 'once' : `${formatCount(errors)} times`}`
}

const USES: Readonly<Record<string, string>> = {
  browser: 'Browser',
  os: 'System',
  device: 'Device',
  release: 'Release',
}

/** Beside what happened: how much of it, with what, and who may read this. */
export function PersonAside({ org, detail }: { readonly org: string; readonly detail: PersonDetail }) {
  const { counts, days, issues, uses, alsoKnownAs, projects } = detail
  const now = useNow(MINUTE_MS)
  return (
    <aside className={styles.side} aria-label="About this person">
      {days.length === 0 ? null : (
        <Part title="By day">
          <DayChart days={everyDay(days, now)} />
        </Part>
      )}
      <Part title="In short">
        <Facts
          rows={[
            ['Ran into', ranInto(issues.length, counts.errors)],
            ['Wrote', `${formatCount(counts.reports)} ${counts.reports === 1 ? 'report' : 'reports'}`],
            ['Replays', formatCount(counts.replays)],
            [
              'First seen',
              detail.firstSeen === null ? 'not in this time' : <RelativeTime time={detail.firstSeen} form="ago" />,
            ],
            [
              'Last seen',
              detail.lastSeen === null ? 'not in this time' : <RelativeTime time={detail.lastSeen} form="ago" />,
            ],
          ]}
        />
      </Part>
      {uses.length === 0 ? null : (
        <Part title="What they use">
          <Facts
            rows={uses.map(({ key, values }) => [USES[key] ?? key, <VisibleText key={key} text={values.join(', ')} />])}
          />
        </Part>
      )}
      {issues.length === 0 ? null : (
        <Part title="Their issues">
          <ul className={styles.issues}>
            {issues.map((issue) => (
              <li key={issue.id}>
                <LevelDot level={issue.level} />
                <Link
                  look="plain"
                  className={styles.issue}
                  to="/organizations/$org/issues/$issue"
                  params={{ org, issue: issue.id }}
                >
                  <VisibleText text={issue.title} />
                </Link>
                <span className={styles.count}>{formatCount(issue.count)}×</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {alsoKnownAs.length === 0 ? null : (
        <Part title="Also known as">
          <ul className={styles.names}>
            {alsoKnownAs.map((user) => (
              <li key={user}>
                <Link
                  look="quiet"
                  to="/organizations/$org/people"
                  params={{ org }}
                  search={personUrl({ ...personOfUrl({}), user })}
                >
                  <VisibleText text={user} />
                </Link>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="Who may read this">
        <p className={styles.rights}>
          Members of the organisation who may read events
          {projects.length === 0 ? '' : `, from ${projects.map(({ name }) => name).join(', ')}`}. What is known of them
          goes with the retention of the organisation.
        </p>
      </Part>
    </aside>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
