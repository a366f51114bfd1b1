import type { Release } from '@firsthand/contract'
import { useInfiniteQuery } from '@tanstack/react-query'

import { deployCommand } from '../../../lib/upload-command.ts'
import { ExternalLink, Loaded, RelativeTime, ShowMore, Skeleton, VisibleText } from '../../../ui/index.ts'
import { deploysQuery } from '../queries.ts'
import styles from './Lists.module.css'
import { Part } from './Part.tsx'
import { ToType } from './ToType.tsx'

/** Where it runs, and since when. */
export function Deploys({ org, release }: { readonly org: string; readonly release: Release }) {
  const { deployCount, version } = release
  const deploys = useInfiniteQuery({ ...deploysQuery(org, version), enabled: deployCount > 0 })
  return (
    <Part title="Deploys">
      {deployCount === 0 ? (
        <ToType
          lead="None yet. After a deploy:"
          title="Tell of it"
          code={deployCommand({ server: window.location.origin, organization: org, release: version })}
          org={org}
        />
      ) : (
        <Loaded
          compact
          query={{ ...deploys, data: deploys.data?.pages.flatMap(({ data }) => data) }}
          outline={<Skeleton height={64} />}
          failed="The deploys could not be loaded"
        >
          {(all) => (
            <>
              <ul className={styles.list}>
                {all.map((deploy) => (
                  <li key={deploy.id} className={styles.row}>
                    <span className={styles.text}>
                      <VisibleText text={deploy.environment} />
                      {deploy.name === null ? null : (
                        <span className={styles.quiet}>
                          {' '}
                          <VisibleText text={deploy.name} />
                        </span>
                      )}
                      {deploy.url === null ? null : (
                        <>
                          {' '}
                          <ExternalLink href={deploy.url}>address</ExternalLink>
                        </>
                      )}
                    </span>
                    <RelativeTime className={styles.quiet} time={deploy.dateFinished} />
                  </li>
                ))}
              </ul>
              <ShowMore query={deploys} />
            </>
          )}
        </Loaded>
      )}
    </Part>
  )
}
