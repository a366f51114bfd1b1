import type { Release } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { usePageTitle } from '../../../lib/page-title.ts'
import { shortVersion } from '../../../lib/short-version.ts'
import {
  Badge,
  ButtonLink,
  ExternalLink,
  Link,
  Loaded,
  PageHeader,
  RelativeTime,
  SkeletonRows,
  useShortcut,
  VisibleText,
} from '../../../ui/index.ts'
import { ReleaseFiles } from '../files/index.ts'
import { ReleaseHealth, SessionEnds } from '../health/index.ts'
import { orderWords, searchForReview, shownFirst, verdictOf } from '../model/words.ts'
import { happenedCountsQuery, releaseQuery } from '../queries.ts'
import { Commits } from './Commits.tsx'
import { Deploys } from './Deploys.tsx'
import { isMissing, Missing } from './Missing.tsx'
import { ReleaseActions } from './ReleaseActions.tsx'
import { ReleaseIssues } from './ReleaseIssues.tsx'
import styles from './ReleaseScreen.module.css'

const FROM = '/signed-in/organizations/$org/releases/$version'

/** One release: its verdict, the issues behind it, and beside them what is in it and where it runs. */
export function ReleaseScreen() {
  const { org, version } = useParams({ from: FROM })
  const found = useQuery(releaseQuery(org, version))
  usePageTitle(`${shortVersion(version)} · Releases`)
  if (isMissing(found)) return <Missing org={org} />
  return (
    <Loaded
      query={found}
      outline={<SkeletonRows rows={12} label="Loading the release" />}
      failed="The release could not be loaded"
    >
      {(release) => <Shown key={release.id} org={org} release={release} />}
    </Loaded>
  )
}

const NOT_COUNTED = { new: null, regressed: null, resolved: null, review: 0 }

interface ShownProps {
  readonly org: string
  readonly release: Release
}

function Shown({ org, release }: ShownProps) {
  const { show } = useSearch({ from: FROM })
  const navigate = useNavigate()
  const { version } = release
  const counts = useQuery(happenedCountsQuery(org, version)).data ?? NOT_COUNTED
  const verdict = verdictOf(counts, release)
  return (
    <>
      <Head org={org} release={release} toReview={counts.review} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <p className={styles.verdict} aria-live="polite">
            {verdict ?? 'Counting its issues …'}
          </p>
          <ReleaseHealth org={org} release={release} />
          <ReleaseIssues
            org={org}
            version={version}
            counts={counts}
            shown={show ?? shownFirst(counts)}
            onShow={(next) =>
              void navigate({
                to: '/organizations/$org/releases/$version',
                params: { org, version },
                search: { show: next },
                replace: true,
              })
            }
          />
          <SessionEnds org={org} release={release} />
        </div>
        <aside className={styles.side} aria-label="What is in it, and where it runs">
          <ReleaseFiles org={org} release={release} />
          <Commits org={org} release={release} />
          <Deploys org={org} release={release} />
          <About release={release} />
        </aside>
      </div>
    </>
  )
}

function Head({ org, release, toReview }: ShownProps & { readonly toReview: number }) {
  const navigate = useNavigate()
  const { version } = release
  const stream = { query: searchForReview(version), statsPeriod: '90d' }
  useShortcut(
    'v',
    () => {
      if (toReview > 0) void navigate({ to: '/organizations/$org/issues', params: { org }, search: stream })
    },
    { label: 'Review its issues', group: 'Release' },
  )
  return (
    <PageHeader
      title={
        <span className={styles.title}>
          <Link look="quiet" className={styles.crumb} to="/organizations/$org/releases" params={{ org }}>
            Releases
          </Link>
          <span className={styles.crumb} aria-hidden="true">
            {' / '}
          </span>
          <VisibleText text={version} />
        </span>
      }
      actions={
        <>
          <ReleaseActions org={org} release={release} />
          {toReview === 0 ? null : (
            <ButtonLink variant="primary" kbd="v" to="/organizations/$org/issues" params={{ org }} search={stream}>
              Review its issues
            </ButtonLink>
          )}
        </>
      }
    >
      {release.status === 'archived' ? <Badge>Archived</Badge> : null}
      <span className={styles.facts}>
        {release.projects.map(({ name }) => name).join(', ')}
        {release.projects.length === 0 ? null : ' · '}
        {release.dateReleased === null ? (
          <>
            first seen <RelativeTime time={release.dateCreated} />
          </>
        ) : (
          <>
            released <RelativeTime time={release.dateReleased} />
          </>
        )}
        {release.lastEvent === null ? (
          ' · no event yet'
        ) : (
          <>
            {' · last event '}
            <RelativeTime time={release.lastEvent} />
          </>
        )}
      </span>
    </PageHeader>
  )
}

function About({ release }: { readonly release: Release }) {
  return (
    <section className={styles.about} aria-label="About this release">
      <p>{orderWords(release)}</p>
      {release.url === null ? null : (
        <p>
          <ExternalLink href={release.url}>
            <VisibleText text={release.url} />
          </ExternalLink>
        </p>
      )}
      {release.ref === null ? null : (
        <p>
          Made of{' '}
          <code>
            <VisibleText text={release.ref} />
          </code>
        </p>
      )}
    </section>
  )
}
