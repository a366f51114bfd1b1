import type { Release } from '@firsthand/contract'
import { useInfiniteQuery } from '@tanstack/react-query'

import { shortHash, subjectOf } from '../../../lib/commit-words.ts'
import { formatCount } from '../../../lib/format.ts'
import { commitsCommand } from '../../../lib/upload-command.ts'
import { Avatar, ExternalLink, Loaded, ShowMore, Skeleton, VisibleText } from '../../../ui/index.ts'
import { commitsQuery } from '../queries.ts'
import styles from './Lists.module.css'
import { Part } from './Part.tsx'
import { ToType } from './ToType.tsx'

/** What is new in it, as whoever made it said. */
export function Commits({ org, release }: { readonly org: string; readonly release: Release }) {
  const { authors, commitCount, version } = release
  const commits = useInfiniteQuery({ ...commitsQuery(org, version), enabled: commitCount > 0 })
  if (commitCount === 0) {
    return (
      <Part title="Commits">
        <ToType
          lead="None yet. Where it is built:"
          title="Tell its commits"
          code={commitsCommand({ server: window.location.origin, organization: org, release: version })}
          org={org}
        />
      </Part>
    )
  }
  const people = authors.length === 0 ? '' : ` by ${authors.length === 1 ? 'one person' : `${authors.length} people`}`
  return (
    <Part title={`${formatCount(commitCount)} ${commitCount === 1 ? 'commit' : 'commits'}${people}`}>
      <Loaded
        compact
        query={{ ...commits, data: commits.data?.pages.flatMap(({ data }) => data) }}
        outline={<Skeleton height={96} />}
        failed="The commits could not be loaded"
      >
        {(all) => (
          <>
            <ul className={styles.list}>
              {all.map((commit, place) => (
                // One hash may be told twice.
                <li key={`${place} ${commit.id}`} className={styles.row}>
                  <Avatar name={commit.author?.name ?? null} />
                  <span className={styles.text} title={commit.author?.name}>
                    <VisibleText text={subjectOf(commit.message) || 'Without a message'} />
                  </span>
                  {commit.link === null ? (
                    <Hash id={commit.id} />
                  ) : (
                    <ExternalLink href={commit.link}>
                      <Hash id={commit.id} />
                    </ExternalLink>
                  )}
                </li>
              ))}
            </ul>
            <ShowMore query={commits} />
          </>
        )}
      </Loaded>
    </Part>
  )
}

function Hash({ id }: { readonly id: string }) {
  return (
    <code className={styles.code} title={id}>
      <VisibleText text={shortHash(id)} />
    </code>
  )
}
