import type { Replay, ReplayPlayback } from '@firsthand/contract'
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'

import { describeError } from '../../../lib/api.ts'
import { cx } from '../../../lib/cx.ts'
import { changeShown } from '../../../lib/shown-data.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { IconButton, StarIcon, toast } from '../../../ui/index.ts'
import { playbackQuery } from '../queries.ts'
import { replayListKey } from '../query-keys.ts'
import { setStar } from './queries.ts'
import styles from './StarButton.module.css'

type Starred = Pick<Replay, 'id' | 'project_id' | 'is_starred'>

interface ListPage {
  readonly rows: readonly Starred[]
}

const same = (one: Starred, other: Starred): boolean => one.id === other.id && one.project_id === other.project_id

/** Keeps a replay when others have to go because of their space, or no longer. */
export function StarButton({ org, replay }: { readonly org: string; readonly replay: Starred }) {
  const mayStar = useAccess(org)('event:write')
  const client = useQueryClient()
  const { id, is_starred: isStarred, project_id: project } = replay
  const show = (starred: boolean): (() => void) => {
    const lists = changeShown<InfiniteData<ListPage>>(client, { queryKey: replayListKey(org) }, (data) => ({
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        rows: page.rows.map((row) => (same(row, replay) ? { ...row, is_starred: starred } : row)),
      })),
    }))
    const page = changeShown<ReplayPlayback>(
      client,
      { queryKey: playbackQuery(org, id).queryKey, exact: true },
      (data) => (same(data.replay, replay) ? { ...data, replay: { ...data.replay, is_starred: starred } } : undefined),
    )
    return () => {
      lists()
      page()
    }
  }
  const toggle = async (): Promise<void> => {
    // An answer that is on its way knows nothing of the star and would take it off the screen: it is asked for again after it.
    const isAsked = client.isFetching({ queryKey: replayListKey(org) }) > 0
    await client.cancelQueries({ queryKey: replayListKey(org) })
    const takeBack = show(!isStarred)
    try {
      await setStar({ org, project, replay: id }, !isStarred)
      // Searches for stars find others now.
      void client.invalidateQueries({ queryKey: replayListKey(org), refetchType: isAsked ? 'active' : 'none' })
    } catch (error) {
      takeBack()
      toast({ title: 'The star could not be changed', description: describeError(error).detail, tone: 'error' })
    }
  }
  if (!mayStar && !isStarred) return null
  return (
    <IconButton
      icon={StarIcon}
      size="small"
      label={isStarred ? 'Take the star away' : 'Star: keep it when others go for space'}
      aria-pressed={isStarred}
      disabled={!mayStar}
      className={cx(styles.star, isStarred && styles.starred)}
      onClick={() => void toggle()}
    />
  )
}
