import type { DebugFileJson } from '@firsthand/contract'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { formatBytes } from '../../../lib/format.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { debugFilesCommand, mappingCommand } from '../../../lib/upload-command.ts'
import {
  AlertDialog,
  Badge,
  CodeBlock,
  EmptyState,
  FileIcon,
  IconButton,
  Loaded,
  NoMatch,
  Panel,
  RelativeTime,
  ShowMore,
  SkeletonRows,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  toast,
  Tr,
  TrashIcon,
  useChanges,
  VisibleText,
} from '../../../ui/index.ts'
import { DEBUG_FILE_KINDS } from '../model/files.ts'
import { debugFilesQuery, removeDebugFile } from '../queries.ts'
import { releasesKey } from '../query-keys.ts'
import styles from './DebugFiles.module.css'
import { SearchFiles } from './SearchFiles.tsx'

const STACKS_BELOW = 640

interface DebugFilesProps {
  readonly org: string
  /** Slug. */
  readonly project: string
}

/** Mappings of ProGuard and R8, and debug files of native code: which there are, and taking them away. */
export function DebugFiles({ org, project }: DebugFilesProps) {
  const [query, setQuery] = useState('')
  const files = useInfiniteQuery(debugFilesQuery(org, { project, query: query.trim() }))
  const all = files.data?.pages.flatMap(({ data }) => data)
  const isEmpty = query === '' && all?.length === 0
  return (
    <>
      <Panel
        title="Mappings and debug files"
        subtitle="newest first; of two with one id the newer counts"
        content="rows"
        actions={
          isEmpty ? undefined : (
            <SearchFiles
              label="Search debug files"
              placeholder="Name, debug id or code id"
              value={query}
              onSearch={setQuery}
            />
          )
        }
      >
        <Loaded
          compact
          query={{ ...files, data: all }}
          outline={<SkeletonRows rows={4} label="Loading the debug files" />}
          failed="The debug files could not be loaded"
        >
          {(found) =>
            isEmpty ? (
              <EmptyState icon={FileIcon} title="No debug files yet">
                Apps for Android whose code R8 or ProGuard renamed are read as they were written once the mapping of
                their build is here. Debug files of native code are kept and listed; its frames are shown as addresses
                all the same.
              </EmptyState>
            ) : found.length === 0 ? (
              <NoMatch title="No debug file matches" onClear={() => setQuery('')}>
                A search finds a part of a name, or a whole debug id or code id.
              </NoMatch>
            ) : (
              <>
                <DebugFileTable org={org} project={project} files={found} />
                <ShowMore query={files} />
              </>
            )
          }
        </Loaded>
      </Panel>
      <Commands org={org} project={project} />
    </>
  )
}

function Commands({ org, project }: DebugFilesProps) {
  const place = { server: window.location.origin, organization: org, project }
  return (
    <CodeBlock
      wrap
      title="Upload mappings and debug files, where the app is built"
      code={`${mappingCommand({ ...place, uuid: '' })}\n${debugFilesCommand(place)}`}
    />
  )
}

function DebugFileTable({ org, project, files }: DebugFilesProps & { readonly files: readonly DebugFileJson[] }) {
  const mayDelete = useAccess(org)('project:releases')
  return (
    <Table caption="Debug files" stacksBelow={STACKS_BELOW} minWidth={STACKS_BELOW}>
      <Thead>
        <Th>Name</Th>
        <Th>Kind</Th>
        <Th>Architecture</Th>
        <Th numeric>Size</Th>
        <Th>Uploaded</Th>
        {mayDelete ? <Th aria-label="Delete" /> : null}
      </Thead>
      <Tbody>
        {files.map((file) => (
          <Tr key={file.id}>
            <Td>
              <span className={styles.name} title={file.objectName}>
                <VisibleText text={nameOf(file)} />
              </span>
              {file.debugId === null ? null : (
                <code className={styles.id} title={file.codeId === null ? undefined : `Code id ${file.codeId}`}>
                  {file.debugId}
                </code>
              )}
              {file.state === 'assembling' ? <Badge tone="info">Being read</Badge> : null}
              {file.state === 'error' ? <Badge tone="error">Not used</Badge> : null}
              {file.detail === null ? null : (
                <p className={styles.wrong}>
                  <VisibleText text={file.detail} />
                </p>
              )}
            </Td>
            <Td className={styles.kind}>{DEBUG_FILE_KINDS[file.symbolType] ?? '–'}</Td>
            <Td>{file.cpuName === '' || file.cpuName === 'any' ? '–' : <VisibleText text={file.cpuName} />}</Td>
            <Td numeric>{file.state === 'ok' ? formatBytes(file.size) : '–'}</Td>
            <Td quiet>
              <RelativeTime time={file.dateCreated} />
            </Td>
            {mayDelete ? (
              <Td className={styles.delete}>
                <RemoveFile org={org} project={project} file={file} />
              </Td>
            ) : null}
          </Tr>
        ))}
      </Tbody>
    </Table>
  )
}

/** A mapping is called by its id alone, which stands below. */
const nameOf = ({ objectName, symbolType }: DebugFileJson): string =>
  symbolType === 'proguard' ? 'mapping.txt' : (objectName.split('/').at(-1) ?? objectName)

function RemoveFile({ org, project, file }: DebugFilesProps & { readonly file: DebugFileJson }) {
  const client = useQueryClient()
  const [asks, setAsks] = useState(false)
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: releasesKey(org) }))
  const name = nameOf(file)
  const remove = async (): Promise<void> => {
    const gone = await changes.during('Deleting the file', async () => {
      await removeDebugFile(org, project, file.id)
      return true
    })
    setAsks(false)
    if (gone !== null) toast({ title: `${name} is deleted` })
  }
  return (
    <>
      <IconButton icon={TrashIcon} label={`Delete ${name} ${file.debugId ?? ''}`} onClick={() => setAsks(true)} />
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={`Delete ${name}?`}
        description="Events are not read by it any more. One with the same id that was uploaded before counts again. This cannot be taken back, but the same file can be uploaded again."
        confirmLabel="Delete file"
        busy={changes.busy}
        onConfirm={() => void remove()}
      />
    </>
  )
}
