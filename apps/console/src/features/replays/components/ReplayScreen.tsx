import { ApiError, type ReplayPlayback } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { ButtonLink, EmptyState, ErrorState, PageHeader, SearchIcon, SkeletonRows } from '../../../ui/index.ts'
import { createAxis } from '../model/axis.ts'
import { momentOf } from '../model/replay-search.ts'
import { readRows } from '../model/rows.ts'
import { type OpenedReplay, useReplay } from '../player/use-replay.ts'
import { playbackQuery, useNoteViewed } from '../queries.ts'
import { useReplayKeys } from '../replay-keys.ts'
import { Controls } from './Controls.tsx'
import { Aside } from '../tabs/Aside.tsx'
import { ReplayHeader, titleOf } from './ReplayHeader.tsx'
import { Score } from './Score.tsx'
import { Stage } from './Stage.tsx'
import styles from './ReplayScreen.module.css'

const ID_CHARACTERS = 8

export function ReplayScreen() {
  const { org, replay } = useParams({ from: '/signed-in/organizations/$org/replays/$replay' })
  const { data, error, refetch } = useQuery(playbackQuery(org, replay))
  if (data === undefined || data.replay.is_archived) {
    const isMissing = error instanceof ApiError && error.status === 404
    return (
      <>
        <PageHeader title={`Replay ${replay.slice(0, ID_CHARACTERS)}`} />
        {data !== undefined ? (
          <Nothing org={org} title="This replay was deleted">
            Somebody removed it with everything that was recorded.
          </Nothing>
        ) : isMissing ? (
          <Nothing org={org} title="This replay is not here">
            Nothing with this id is stored. Its recording may not have arrived yet, may never have been sent, or is
            older than what is kept.
          </Nothing>
        ) : error === null ? (
          <SkeletonRows rows={20} label="Loading the replay" />
        ) : (
          <ErrorState title="The replay could not be loaded" {...describeError(error)} onRetry={() => void refetch()} />
        )}
      </>
    )
  }
  return <Opened key={replay} org={org} playback={data} />
}

function Nothing({
  org,
  title,
  children,
}: {
  readonly org: string
  readonly title: string
  readonly children: string
}) {
  usePageTitle('Replay')
  return (
    <EmptyState
      icon={SearchIcon}
      title={title}
      action={
        <ButtonLink to="/organizations/$org/replays" params={{ org }}>
          All replays
        </ButtonLink>
      }
    >
      <p>{children}</p>
    </EmptyState>
  )
}

function Opened({ org, playback }: { readonly org: string; readonly playback: ReplayPlayback }) {
  const search = useSearch({ from: '/signed-in/organizations/$org/replays/$replay' })
  const { startedAt, finishedAt } = playback
  const at = momentOf(search, startedAt, finishedAt)
  const opened = useReplay(org, playback, at)
  const first = useRef(at)
  usePageTitle(`${titleOf(playback.replay)}, replay`)
  useNoteViewed(org, playback.replay)
  useEffect(() => {
    // Another link to the same replay, e.g. of the palette.
    if (first.current !== at) opened?.player.seek(at)
    first.current = at
  }, [opened, at])
  return opened === null ? (
    <SkeletonRows rows={20} label="Loading the player" />
  ) : (
    <Replay playback={playback} opened={opened} />
  )
}

function Replay({ playback, opened }: { readonly playback: ReplayPlayback; readonly opened: OpenedReplay }) {
  const { startedAt, finishedAt, idle } = playback
  const { player } = opened
  const screen = useRef<HTMLDivElement>(null)
  const [fills, setFills] = useState(false)
  const axis = useMemo(() => createAxis(startedAt, finishedAt, idle), [startedAt, finishedAt, idle])
  const rows = useMemo(() => readRows(playback), [playback])
  const fill = (): void => {
    const done = document.fullscreenElement === null ? screen.current?.requestFullscreen() : document.exitFullscreen()
    // Where the browser does not allow it, nothing changes.
    done?.catch(() => undefined)
  }
  useEffect(() => {
    const changed = (): void => setFills(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', changed)
    return () => document.removeEventListener('fullscreenchange', changed)
  }, [])
  const acts = useReplayKeys({ opened, rows: rows.everything, from: startedAt, fill })
  return (
    <div className={styles.screen}>
      <ReplayHeader playback={playback} player={player} onCopy={acts.copyLink} />
      <div className={styles.panes}>
        <div ref={screen} className={styles.player}>
          <Stage playback={playback} opened={opened} />
          <div className={styles.deck}>
            <Controls playback={playback} player={player} acts={acts} fills={fills} onFill={fill} />
            <Score playback={playback} player={player} axis={axis} />
          </div>
        </div>
        <Aside playback={playback} opened={opened} rows={rows} axis={axis} />
      </div>
    </div>
  )
}
