import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatCount, formatExact } from '../../../lib/format.ts'
import { projectsQuery } from '../../../lib/shared-queries.ts'
import { AlertDialog, Select, toast, VisibleText } from '../../../ui/index.ts'
import type { ReplaysSearch } from '../model/list-search.ts'
import type { StartedDeletion } from './DeletionProgress.tsx'
import styles from './DeleteMatching.module.css'
import { deleteMatching, matchingQuery } from './queries.ts'

interface DeleteMatchingProps {
  readonly org: string
  /** As the list has it. */
  readonly search: ReplaysSearch
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onStarted: (deletion: StartedDeletion) => void
}

/** Asks before all replays are deleted that a search finds, with how many they are and of which time. */
export function DeleteMatching({ org, search, open, onOpenChange, onStarted }: DeleteMatchingProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { data: all = [] } = useQuery({ ...projectsQuery(org), enabled: open })
  const projects = search.project.length === 0 ? all : all.filter(({ id }) => search.project.includes(id))
  // A deletion is of one project.
  const project = projects.find(({ slug }) => slug === chosen) ?? projects[0]
  const { data, error, isFetching } = useQuery({
    ...matchingQuery(org, project?.slug ?? '', search),
    enabled: open && project !== undefined,
  })
  const isKnown = data !== undefined && !isFetching
  const count = data?.replays ?? 0
  const replays = count === 1 ? '1 replay' : `${formatCount(count)} replays`
  const remove = async (): Promise<void> => {
    if (data === undefined || project === undefined) return
    setBusy(true)
    try {
      const started = await deleteMatching(org, project.slug, search, data)
      // First: below the dialog no row is left to be pointed at, whose page would be asked for.
      onStarted({ project: project.slug, projectId: project.id, job: started.data.id, replays: count })
      onOpenChange(false)
    } catch (failure) {
      toast({ title: 'The replays could not be deleted', description: describeError(failure).detail, tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  const onConfirm = (): void => {
    if (isKnown && count > 0) void remove()
    else if (isKnown) onOpenChange(false)
  }
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isKnown && count > 0 ? `Delete ${replays} for good?` : 'Delete all that match?'}
      description={
        <>
          {projects.length < 2 || project === undefined ? null : (
            <span className={styles.project}>
              In the project{' '}
              <Select
                aria-label="Project"
                value={project.slug}
                options={projects.map(({ name, slug }) => ({ value: slug, label: name }))}
                onValueChange={setChosen}
              />
            </span>
          )}
          {error !== null ? (
            describeError(error).detail
          ) : !isKnown ? (
            'Counting them…'
          ) : (
            <>
              {count === 0 ? 'No replay' : 'These are all replays'} of <VisibleText text={project?.name ?? ''} /> from{' '}
              <strong>{formatExact(Date.parse(data.rangeStart))}</strong> to{' '}
              <strong>{formatExact(Date.parse(data.rangeEnd))}</strong>
              {search.environment.length === 0 ? null : (
                <>
                  {' '}
                  in <VisibleText text={search.environment.join(', ')} />
                </>
              )}
              {search.query === '' ? null : (
                <>
                  {' '}
                  that {count === 0 ? 'matches' : 'match'}{' '}
                  <code className={styles.query}>
                    <VisibleText text={search.query} />
                  </code>
                </>
              )}
              {count === 0
                ? '.'
                : ', also those with a star and those that the list has not loaded. What was recorded is removed, and parts that still come are refused. Issues and reports stay. This cannot be undone.'}
              {data.isWhole ? null : (
                <span className={styles.rest}>
                  More may belong to the visitor that the search names: their ids and addresses are too many, or lead on
                  too far, to be looked for at once. When these are gone, look for what is left by user.id and
                  user.email.
                </span>
              )}
            </>
          )}
        </>
      }
      confirmLabel={isKnown && count === 0 ? 'Close' : isKnown ? `Delete ${replays}` : 'Delete'}
      // Who has to write the number has read it.
      {...(isKnown && count > 1 && { typedConfirmation: String(count) })}
      busy={busy || (open && !isKnown && error === null)}
      onConfirm={onConfirm}
    />
  )
}
