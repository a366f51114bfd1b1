import type { ArtifactBundle } from '@firsthand/contract'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { formatBytes, formatCount } from '../../../lib/format.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import {
  AlertDialog,
  Badge,
  ChevronDownIcon,
  ChevronRightIcon,
  IconButton,
  Loaded,
  RelativeTime,
  ShowMore,
  Skeleton,
  toast,
  TrashIcon,
  useChanges,
  VisibleText,
} from '../../../ui/index.ts'
import { ReleaseLink } from '../links/index.ts'
import { FILE_TYPES, fileState } from '../model/files.ts'
import { bundleFilesQuery, removeBundle } from '../queries.ts'
import { releasesKey } from '../query-keys.ts'
import styles from './Bundles.module.css'

interface BundleItemProps {
  readonly org: string
  /** Slug. */
  readonly project: string
  readonly bundle: ArtifactBundle
  /** Where bundles of many releases stand together. */
  readonly namesRelease?: boolean
}

/** Files that came together: what they are, whether they are used, and taking them away. */
export function BundleItem({ org, project, bundle, namesRelease = false }: BundleItemProps) {
  const [isOpen, setOpen] = useState(false)
  const [place = { release: null, dist: null }] = bundle.associations
  const count = `${formatCount(bundle.fileCount)} ${bundle.fileCount === 1 ? 'file' : 'files'}`
  return (
    <li className={styles.bundle}>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.turn}
          aria-expanded={isOpen}
          disabled={bundle.state !== 'ok'}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDownIcon size={12} /> : <ChevronRightIcon size={12} />}
          <span>
            {bundle.state === 'ok' ? count : 'Files'}
            {place.dist === null ? null : (
              <>
                {', dist '}
                <VisibleText text={place.dist} />
              </>
            )}
          </span>
        </button>
        {!namesRelease ? null : (
          <span className={styles.place}>
            {place.release === null ? (
              <span className={styles.quiet}>by debug id, of no release</span>
            ) : (
              <ReleaseLink org={org} version={place.release} whole />
            )}
          </span>
        )}
        {bundle.state === 'assembling' ? <Badge tone="info">Being unpacked</Badge> : null}
        {bundle.state === 'error' ? <Badge tone="error">Not used</Badge> : null}
        <span className={styles.quiet}>
          {bundle.state === 'ok' ? `${formatBytes(bundle.size)} · ` : ''}
          <RelativeTime time={bundle.date} />
        </span>
        <RemoveBundle org={org} project={project} bundle={bundle} count={count} />
      </div>
      {bundle.detail === null ? null : (
        <p className={styles.wrong}>
          <VisibleText text={bundle.detail} />
        </p>
      )}
      {isOpen ? <Files org={org} project={project} bundle={bundle.bundleId} /> : null}
    </li>
  )
}

function RemoveBundle({ org, project, bundle, count }: BundleItemProps & { readonly count: string }) {
  const client = useQueryClient()
  const [asks, setAsks] = useState(false)
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: releasesKey(org) }))
  if (!useAccess(org)('project:releases')) return null
  const remove = async (): Promise<void> => {
    const gone = await changes.during('Deleting the files', async () => {
      await removeBundle(org, project, bundle.bundleId)
      return true
    })
    setAsks(false)
    if (gone !== null) toast({ title: `${count} are deleted` })
  }
  return (
    <>
      <IconButton icon={TrashIcon} label={`Delete these ${count}`} onClick={() => setAsks(true)} />
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={`Delete these ${count}?`}
        description="Events that come from now on are not read by them. What was uploaded before for the same addresses counts again. This cannot be taken back, but the same files can be uploaded again."
        confirmLabel="Delete files"
        busy={changes.busy}
        onConfirm={() => void remove()}
      />
    </>
  )
}

function Files({ org, project, bundle }: { readonly org: string; readonly project: string; readonly bundle: string }) {
  const files = useInfiniteQuery(bundleFilesQuery(org, project, bundle))
  return (
    <Loaded
      compact
      query={{ ...files, data: files.data?.pages.flatMap(({ data }) => data) }}
      outline={<Skeleton height={64} />}
      failed="The files could not be loaded"
    >
      {(all) => (
        <>
          <ul className={styles.files} aria-label="Files">
            {all.map((file) => {
              const state = fileState(file)
              return (
                <li key={file.id} className={styles.file}>
                  <code className={styles.path} title={file.filePath}>
                    <VisibleText text={file.filePath} />
                  </code>
                  <span className={styles.quiet}>
                    {FILE_TYPES[file.fileType] ?? <VisibleText text={file.fileType} />} · {formatBytes(file.fileSize)}
                    {file.debugId === null ? null : <span title={file.debugId}> · debug id</span>}
                    {state === null ? null : ` · ${state}`}
                  </span>
                  {file.detail === null ? null : (
                    <p className={styles.wrong}>
                      <VisibleText text={file.detail} />
                    </p>
                  )}
                </li>
              )
            })}
          </ul>
          <ShowMore query={files} />
        </>
      )}
    </Loaded>
  )
}
