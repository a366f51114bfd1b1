import type { Release } from '@firsthand/contract'
import { useInfiniteQuery } from '@tanstack/react-query'

import { formatCount } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { uploadCommand } from '../../../lib/upload-command.ts'
import { Badge, CodeBlock, Link, Loaded, RelativeTime, ShowMore, Skeleton } from '../../../ui/index.ts'
import { Part } from '../components/Part.tsx'
import { lacksFiles, mayHaveSourceMaps } from '../model/files.ts'
import { bundlesQuery } from '../queries.ts'
import { BundleItem } from './BundleItem.tsx'
import styles from './Bundles.module.css'

interface ReleaseFilesProps {
  readonly org: string
  readonly release: Release
}

/** What makes the code of a release readable, by project; what to type where nothing does. */
export function ReleaseFiles({ org, release }: ReleaseFilesProps) {
  return release.projects.map((project) => (
    <OfProject key={project.id} org={org} release={release} project={project} isOnly={release.projects.length === 1} />
  ))
}

interface OfProjectProps extends ReleaseFilesProps {
  readonly project: Release['projects'][number]
  readonly isOnly: boolean
}

function OfProject({ org, release, project, isOnly }: OfProjectProps) {
  const bundles = useInfiniteQuery(bundlesQuery(org, { project: project.slug, release: release.version }))
  const all = bundles.data?.pages.flatMap(({ data }) => data)
  // Code of other languages is sent as it was written.
  if (!mayHaveSourceMaps(project.platform) && (all === undefined || all.length === 0)) return null
  const [newest] = all ?? []
  const files = (all ?? []).reduce((sum, { fileCount }) => sum + fileCount, 0)
  return (
    <Part
      title={isOnly ? 'Source maps' : `Source maps of ${project.name}`}
      beside={
        newest === undefined ? null : (
          <span className={styles.quiet}>
            {formatCount(files)} {files === 1 ? 'file' : 'files'}, last upload <RelativeTime time={newest.date} />
          </span>
        )
      }
    >
      <Loaded
        compact
        query={{ ...bundles, data: all }}
        outline={<Skeleton height={64} />}
        failed="The files could not be loaded"
      >
        {(found) =>
          found.length === 0 ? (
            <NoFiles org={org} release={release} project={project} isOnly={isOnly} />
          ) : (
            <>
              <ul className={styles.bundles} aria-label="Uploads">
                {found.map((bundle) => (
                  <BundleItem key={bundle.bundleId} org={org} project={project.slug} bundle={bundle} />
                ))}
              </ul>
              <ShowMore query={bundles} />
            </>
          )
        }
      </Loaded>
    </Part>
  )
}

function NoFiles({ org, release, project }: OfProjectProps) {
  const now = useNow(60_000)
  // Files that name no release are found by their debug ids, whatever release an event has.
  const unnamed = useInfiniteQuery(bundlesQuery(org, { project: project.slug, release: '' }))
  const hasUnnamed = (unnamed.data?.pages[0]?.data.length ?? 0) > 0
  const isMissed = unnamed.data !== undefined && !hasUnnamed && lacksFiles(release, project.platform, now)
  return (
    <>
      {isMissed ? <Badge tone="warning">None uploaded</Badge> : null}
      <p className={styles.quiet}>
        {hasUnnamed ? (
          <>
            None were uploaded under this release. Its code may be read by files that have debug ids and name no
            release:{' '}
            <Link
              to="/organizations/$org/settings/projects/$project"
              params={{ org, project: project.slug }}
              search={{ tab: 'source-maps' }}
            >
              all uploads of {project.name}
            </Link>
            .
          </>
        ) : isMissed ? (
          'It runs, and nothing makes its stacks readable. Where it is built:'
        ) : (
          'None were uploaded yet. Where it is built:'
        )}
      </p>
      {hasUnnamed ? null : (
        <CodeBlock
          wrap
          title="Upload them"
          code={uploadCommand({
            server: window.location.origin,
            organization: org,
            project: project.slug,
            release: release.version,
          })}
        />
      )}
    </>
  )
}
