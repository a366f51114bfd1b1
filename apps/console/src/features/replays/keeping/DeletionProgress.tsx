import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { formatCount } from '../../../lib/format.ts'
import { toast } from '../../../ui/index.ts'
import { replaysKey } from '../query-keys.ts'
import styles from './DeleteMatching.module.css'
import { deletionQuery } from './queries.ts'

/** Of many replays, as it was begun in the list. */
export interface StartedDeletion {
  /** Slug. */
  readonly project: string
  readonly projectId: string
  readonly job: number
  /** How many there were. */
  readonly replays: number
}

/** How far a deletion of many replays is. It goes on when nobody looks. */
export function DeletionProgress({
  org,
  deletion: { job, project, replays },
  onEnd,
}: {
  readonly org: string
  readonly deletion: StartedDeletion
  /** @param isWhole all were deleted */
  readonly onEnd: (isWhole: boolean) => void
}) {
  const client = useQueryClient()
  const { data } = useQuery(deletionQuery(org, project, job))
  const { countDeleted = 0, error, status } = data ?? {}
  useEffect(() => {
    if (countDeleted > 0) void client.invalidateQueries({ queryKey: replaysKey(org) })
  }, [client, org, countDeleted])
  useEffect(() => {
    if (status !== 'completed' && status !== 'failed') return
    if (status === 'completed') {
      toast({ title: countDeleted === 1 ? '1 replay deleted' : `${formatCount(countDeleted)} replays deleted` })
    } else {
      toast({ title: 'Not all of the replays could be deleted', description: error ?? '', tone: 'error' })
    }
    void client.invalidateQueries({ queryKey: replaysKey(org) })
    onEnd(status === 'completed')
  }, [client, org, countDeleted, error, status, onEnd])
  return (
    <div role="status" className={styles.progress}>
      <progress aria-hidden value={Math.min(countDeleted, replays)} max={replays} />
      Deleting: {formatCount(countDeleted)} of {formatCount(replays)} are gone. It goes on when you leave this page; the
      settings of the project say how far it is.
    </div>
  )
}
