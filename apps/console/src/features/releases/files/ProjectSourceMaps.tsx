import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { uploadCommand } from '../../../lib/upload-command.ts'
import type { ProjectSettingsProps } from '../../../shell/feature.ts'
import { CodeBlock, EmptyState, FileIcon, Loaded, NoMatch, Panel, ShowMore, SkeletonRows } from '../../../ui/index.ts'
import { bundlesQuery } from '../queries.ts'
import { BundleItem } from './BundleItem.tsx'
import styles from './Bundles.module.css'
import { DebugFiles } from './DebugFiles.tsx'
import { SearchFiles } from './SearchFiles.tsx'
import { SiteMaps } from './SiteMaps.tsx'

/** Everything that builds of a project uploaded. */
export function ProjectSourceMaps({ org, project, mayWrite }: ProjectSettingsProps) {
  const [query, setQuery] = useState('')
  const bundles = useInfiniteQuery(bundlesQuery(org, { project: project.slug, query: query.trim() }))
  const all = bundles.data?.pages.flatMap(({ data }) => data)
  const isEmpty = query === '' && all?.length === 0
  return (
    <div className={styles.settings}>
      <Panel
        title="Source maps"
        subtitle="newest first; what came later for the same address counts"
        content="rows"
        actions={
          isEmpty ? undefined : (
            <SearchFiles
              label="Search source maps"
              placeholder="Release or debug id"
              value={query}
              onSearch={setQuery}
            />
          )
        }
      >
        <Loaded
          compact
          query={{ ...bundles, data: all }}
          outline={<SkeletonRows rows={6} label="Loading the source maps" />}
          failed="The source maps could not be loaded"
        >
          {(found) =>
            isEmpty ? (
              <EmptyState icon={FileIcon} title="No source maps yet">
                Minified code is read as it was written once the source maps of its build are here. @firsthand/vite
                uploads them with every build of Vite or Rollup; the commands below do it for any other.
              </EmptyState>
            ) : found.length === 0 ? (
              <NoMatch title="No upload matches" onClear={() => setQuery('')}>
                A search finds a part of a release, or a whole debug id.
              </NoMatch>
            ) : (
              <>
                <ul className={styles.bundles} aria-label="Source maps">
                  {found.map((bundle) => (
                    <BundleItem key={bundle.bundleId} org={org} project={project.slug} bundle={bundle} namesRelease />
                  ))}
                </ul>
                <ShowMore query={bundles} />
              </>
            )
          }
        </Loaded>
      </Panel>
      <CodeBlock
        wrap
        title="Upload source maps, where the site is built"
        code={uploadCommand({
          server: window.location.origin,
          organization: org,
          project: project.slug,
          release: '',
        })}
      />
      <DebugFiles org={org} project={project.slug} />
      <SiteMaps org={org} project={project.slug} mayWrite={mayWrite} />
    </div>
  )
}
